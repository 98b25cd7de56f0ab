"""Settings of a Confluence source and the secrets that go with them."""

import pytest
from pydantic import ValidationError

from bot.registry import settings_model
from knowledge.errors import SettingsProblem
from knowledge.sources.confluence.settings import ConfluenceSettings, credentials

TABLE = {"name": "wiki", "url": "https://example.atlassian.net/wiki", "spaces": ["DOCS"]}
CLOUD_SECRETS = {"CONFLUENCE_EMAIL": "bot@example.com", "CONFLUENCE_TOKEN": "canary-token"}


def settings(**table: object) -> ConfluenceSettings:
    return ConfluenceSettings.model_validate({**TABLE, **table})


def test_the_registry_knows_the_kind() -> None:
    assert settings_model("source", "confluence") is ConfluenceSettings


@pytest.mark.parametrize(
    ("table", "is_cloud"),
    [
        ({}, True),
        ({"url": "https://wiki.example.org/confluence"}, False),
        ({"url": "https://wiki.example.org", "deployment": "cloud"}, True),
        ({"deployment": "data_center"}, False),
        ({"url": "https://api.atlassian.com/ex/confluence/1/wiki", "link_url": "https://x.example"}, True),
    ],
)
def test_cloud_is_known_by_its_host_unless_it_is_said(table: dict[str, object], is_cloud: bool) -> None:
    assert settings(**table).is_cloud == is_cloud


@pytest.mark.parametrize(
    ("table", "remedy"),
    [
        ({"url": "https://example.atlassian.net"}, "write https://example.atlassian.net/wiki"),
        ({"url": "example.atlassian.net/wiki"}, "not a site's address"),
        ({"url": "file:///etc/passwd"}, "not a site's address"),
        ({"url": "https://api.atlassian.com/ex/confluence/1/wiki"}, "needs `link_url`"),
        ({"spaces": []}, "at least 1 item"),
        ({"spaces": ['A" or type="page']}, "should match pattern"),
        ({"roots": ["../1"]}, "should match pattern"),
        ({"user_emails": "someone@example.org"}, "{username}"),
        ({"max_page_mb": 0}, "greater than 0"),
        ({"unknown": 1}, "not permitted"),
    ],
)
def test_a_setting_without_sense_is_refused(table: dict[str, object], remedy: str) -> None:
    with pytest.raises(ValidationError, match=remedy):
        settings(**table)


def test_ids_may_be_written_as_numbers() -> None:
    assert settings(roots=[123], exclude=[45]).roots == ("123",)


@pytest.mark.parametrize(
    ("table", "secrets", "names"),
    [
        ({}, {}, "CONFLUENCE_EMAIL and CONFLUENCE_TOKEN"),
        ({}, {"CONFLUENCE_EMAIL": "bot@example.com"}, "CONFLUENCE_TOKEN is not set"),
        ({"token_env": "HR_TOKEN"}, CLOUD_SECRETS, "HR_TOKEN is not set"),
        ({"deployment": "data_center"}, {}, "CONFLUENCE_TOKEN is not set"),
        ({}, {**CLOUD_SECRETS, "CONFLUENCE_TOKEN": "canary\ntoken"}, "CONFLUENCE_TOKEN holds characters"),
        ({"url": "https://bot:canary@wiki.example.org"}, CLOUD_SECRETS, "`url` holds a user or password"),
    ],
)
def test_a_missing_secret_is_named_and_its_value_never(
    table: dict[str, object], secrets: dict[str, str], names: str
) -> None:
    with pytest.raises(SettingsProblem, match=names) as caught:
        credentials(settings(**table), secrets)

    assert "canary" not in str(caught.value)


def test_cloud_is_opened_with_address_and_token() -> None:
    assert credentials(settings(), CLOUD_SECRETS).authorization == "Basic Ym90QGV4YW1wbGUuY29tOmNhbmFyeS10b2tlbg=="


def test_data_center_is_opened_with_a_token_alone() -> None:
    opened = credentials(settings(deployment="data_center"), {"CONFLUENCE_TOKEN": "canary"})

    assert opened.authorization == "Bearer canary"

"""Payloads from Slack's own test suites (tests/data/slack): each means something, or is left alone on purpose."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.channels.slack.translate.payload import translate
from bot.channels.slack.translate.values import (
    Deleted,
    Here,
    HomeOpened,
    Joined,
    MembersChanged,
    TeamsLost,
    Uninstalled,
)
from bot.channels.translated import Ignored
from bot.core.incoming import Incoming
from tests.unit.bot.channels.slack.deliveries import NOW

ROOT = Path(__file__).parents[5]
FOLDERS = (ROOT / "tests/data/slack", ROOT.parent / "shared/fixtures/slack")
FILES = sorted(path for folder in FOLDERS for path in folder.glob("*.json"))
# In the payloads the app's own user mostly goes by this name.
HERE = Here("T111", "W111", "B111", NOW, "/hello-socket-mode")

MEANT: Mapping[str, type] = {
    "event_callback-app_mention": Incoming,
    "event_callback-message-channel-5": Ignored,
    "event_callback-message-channel": Ignored,
    "event_callback-message-file_share": Incoming,
    "event_callback-message-im-1": Ignored,
    "event_callback-message-im": Incoming,
    "event_callback-message-message_changed": Ignored,
    "event_callback-message-message_deleted": Deleted,
    "event_callback-app_home_opened-3": HomeOpened,
    "event_callback-app_uninstalled": Uninstalled,
    "event_callback-tokens_revoked": Uninstalled,
    "event_callback-team_access_revoked": TeamsLost,
    "event_callback-member_joined_channel": MembersChanged,
    "event_callback-member_left_channel": MembersChanged,
    "socket-events_api-event_callback-app_mention": Incoming,
    "socket-events_api-event_callback-message-channel": Incoming,
    "socket-slash_commands": Incoming,
}


def body_of(path: Path) -> dict[str, object]:
    payload = json.loads(path.read_text(encoding="utf-8"))
    found = payload.get("payload", payload)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_each_payload_is_understood_or_left_alone_on_purpose(path: Path) -> None:
    expected = next((kind for name, kind in MEANT.items() if path.stem.startswith(name)), Ignored)

    assert isinstance(translate(body_of(path), HERE), expected)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_none_raises_whatever_is_missing_from_it(path: Path) -> None:
    body = body_of(path)
    for damaged in _damaged(body):
        translate(damaged, HERE)


def _damaged(body: dict[str, object]) -> list[dict[str, object]]:
    """Return the payload without each of its parts, and with each being something else."""
    wrong: tuple[object, ...] = (None, 7, "x", [], {}, [[]])
    damaged = [{**body, name: value} for name in body for value in wrong]
    damaged += [{key: value for key, value in body.items() if key != name} for name in body]
    for inner in [name for name, value in body.items() if isinstance(value, dict)]:
        nested = body[inner]
        assert isinstance(nested, dict)
        damaged += [{**body, inner: {**nested, name: value}} for name in nested for value in wrong]
    return damaged


def test_our_own_arrival_in_a_channel_is_noticed() -> None:
    body = {"type": "event_callback", "event": {"type": "member_joined_channel", "user": "W111", "channel": "C111"}}

    assert isinstance(translate(body, HERE), Joined)

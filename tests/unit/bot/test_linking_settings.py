"""`[linking]`: mistakes that would let somebody be taken for another are found at the start."""

from pathlib import Path

import pytest

from bot.settings import load_settings
from bot.tables import LinkingSettings
from knowledge.errors import SettingsProblem


def linking(folder: Path, text: str) -> LinkingSettings:
    path = folder / "answerdesk.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path, {}).linking


def test_nobody_is_known_and_nobody_can_link_unless_somebody_says_so(tmp_path: Path) -> None:
    assert linking(tmp_path, "") == LinkingSettings(people={}, domains=(), mail_hook=None)


def test_addresses_are_kept_as_they_are_compared(tmp_path: Path) -> None:
    text = """
[linking]
domains = ["Corp.Example"]
mail_hook = "https://mail.corp.example/codes"
[linking.people]
"telegram:700000001" = "Ada@Corp.Example"
"""

    found = linking(tmp_path, text)

    assert (found.people, found.domains) == ({"telegram:700000001": "ada@corp.example"}, ("corp.example",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('people = {"700000001" = "ada@corp.example"}', "`people.700000001"),
        ('people = {"telegram:700000001" = "ada"}', "is no e-mail address"),
        ('domains = ["@corp.example"]', "is no domain of e-mail addresses"),
        ('domains = ["*"]', "is no domain of e-mail addresses"),
        ('domains = ["example"]', "is no domain of e-mail addresses"),
        ('mail_hook = "http://mail.corp.example/"', "has to begin with https://"),
        ('mail_hook = "http://127.0.0.1:1/"', "local_mail_hook = true"),
        ('local_mail_hook = true\nmail_hook = "http://mail.corp.example/"', "has to begin with https://"),
        ('local_mail_hook = true\nmail_hook = "http://127.0.0.1.evil.example/"', "has to begin with https://"),
        ('mail_hook = "https:///codes"', "has to begin with https://"),
        ('mail_hook = "file:///etc/passwd"', "has to begin with https://"),
    ],
)
def test_a_mistake_is_named_with_its_remedy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsProblem) as found:
        linking(tmp_path, f"[linking]\n{text}\n")

    assert message in str(found.value)


@pytest.mark.parametrize("host", ["127.0.0.1:8025", "[::1]:8025", "localhost:8025"])
def test_a_program_of_this_machine_may_be_reached_without_encryption(tmp_path: Path, host: str) -> None:
    found = linking(tmp_path, f'[linking]\nlocal_mail_hook = true\nmail_hook = "http://{host}/"\n')

    assert found.mail_hook == f"http://{host}/"

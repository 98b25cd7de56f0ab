"""answerdesk.toml and the environment."""

from pathlib import Path

import pytest

from bot.settings import load_settings
from knowledge.errors import SettingsProblem

FOLDER = '[[sources]]\nname = "docs"\nkind = "folder"\npath = "docs"\n'


def write(folder: Path, text: str) -> Path:
    path = folder / "answerdesk.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_simplest_configuration_has_sensible_defaults(tmp_path: Path) -> None:
    settings = load_settings(write(tmp_path, FOLDER), {"ANSWERDESK_HOME": str(tmp_path / "home")})

    assert (settings.embedder.kind, settings.reranker.kind, settings.answerer.kind) == ("local", "local", "extractive")
    assert (settings.answer.threshold, settings.database_url, settings.home) == (0.65, None, tmp_path / "home")
    assert settings.sources[0].settings.model_dump()["audience"] == ("public",)


def test_without_any_file_the_built_in_demo_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    settings = load_settings(None, {})

    assert settings.config.parts[-2:] == ("examples", "answerdesk.toml")


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    settings = load_settings(
        write(tmp_path, FOLDER + "[answer]\nthreshold = 0.9\n"),
        {"ANSWERDESK_ANSWER__THRESHOLD": "0.8", "ANSWERDESK_EMBEDDER__THREADS": "1", "DATABASE_URL": "postgresql:///x"},
    )

    assert (settings.answer.threshold, settings.database_url) == (0.8, "postgresql:///x")
    assert settings.embedder.settings.model_dump()["threads"] == 1


def test_all_problems_are_reported_at_once_each_with_its_remedy(tmp_path: Path) -> None:
    broken = """
[[sources]]
name = "docs"
kind = "floppy"
[[sources]]
name = "docs"
kind = "folder"
[[sources]]
name = "notes"
path = "notes"
[answer]
threshold = 7
colour = "red"
[embedder]
kind = "local"
threads = 0
[log]
level = "loud"
[foo]
bar = 1
"""

    with pytest.raises(SettingsProblem) as found:
        load_settings(write(tmp_path, broken), {"ANSWERDESK_TYPO": "1"})

    text = str(found.value)
    for part in (
        "'floppy' is no source; choose one of: confluence, folder, git",
        "[[sources]] docs: the name is taken",
        "[[sources]] docs `path`: is missing",
        "[[sources]] notes: `kind` is missing",
        "[answer] `threshold` = 7",
        "`colour`: no such setting; known here: max_sentences",
        "[embedder] `threads` = 0",
        "[log] `level` = 'loud'",
        "ANSWERDESK_TYPO: no such setting",
        "`foo`: no such setting",
    ):
        assert part in text
    assert "10 problem(s)" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"[[sources]\n", "is not valid TOML"), (b"\xff\xfe", "save it as UTF-8"), (b"nonsense = 1\n", "no such setting")],
)
def test_a_broken_file_is_named_with_what_to_do(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "answerdesk.toml"
    path.write_bytes(content)

    with pytest.raises(SettingsProblem, match=message) as found:
        load_settings(path, {})

    assert str(path) in str(found.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsProblem, match="correct --config"):
        load_settings(tmp_path / "none.toml", {})


def test_secrets_are_never_shown(tmp_path: Path) -> None:
    with pytest.raises(SettingsProblem) as found:
        load_settings(write(tmp_path, "[log]\nlevel = 1\n"), {"DATABASE_URL": "postgresql://u:canary@h/d"})

    assert "canary" not in str(found.value)


def test_a_byte_order_mark_is_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "answerdesk.toml"
    path.write_bytes(b"\xef\xbb\xbf" + FOLDER.encode())

    assert len(load_settings(path, {}).sources) == 1


def test_a_place_has_rules_of_its_own(tmp_path: Path) -> None:
    table = '[[places]]\nchannel = "C1"\nsources = ["docs"]\nthreshold = 0.8\nanswers_all = true\n'

    (place,) = load_settings(write(tmp_path, FOLDER + table), {}).places

    assert (place.channel, place.sources, place.threshold, place.answers_all) == ("C1", ("docs",), 0.8, True)


def test_a_place_of_an_unknown_source_and_a_second_table_of_it_are_told(tmp_path: Path) -> None:
    table = '[[places]]\nchannel = "C1"\nsources = ["wiki"]\n[[places]]\nchannel = "C1"\n'

    with pytest.raises(SettingsProblem) as raised:
        load_settings(write(tmp_path, FOLDER + table), {})

    assert "there is no source 'wiki'; known: docs" in str(raised.value)
    assert "[[places]] C1: the channel has another table" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "environment", "kinds"),
    [
        ("", {}, []),
        ("", {"SLACK_BOT_TOKEN": "xoxb-1"}, ["slack"]),
        ("[slack]\n", {}, ["slack"]),
        ("", {"ANSWERDESK_SLACK__STREAM": "false"}, ["slack"]),
    ],
)
def test_a_channel_is_on_with_its_token_or_its_table(
    tmp_path: Path, text: str, environment: dict[str, str], kinds: list[str]
) -> None:
    channels = load_settings(write(tmp_path, FOLDER + text), environment).channels

    assert [chosen.kind for chosen in channels] == kinds


def test_a_channel_that_is_no_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsProblem, match=r"write \[slack\]"):
        load_settings(write(tmp_path, "slack = true\n" + FOLDER), {})

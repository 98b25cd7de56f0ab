"""How documents are cut is chosen by kind, for all sources or for one."""

from pathlib import Path

import pytest

from bot.cutting_tables import STRATEGIES
from bot.settings import Settings, load_settings
from knowledge.errors import SettingsProblem

FOLDERS = """
[[sources]]
name = "docs"
kind = "folder"
path = "docs"
[[sources]]
name = "code"
kind = "folder"
path = "code"
"""


def settings_of(folder: Path, text: str) -> Settings:
    path = folder / "answerdesk.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path, {})


def test_without_any_table_each_kind_of_document_is_cut_in_its_own_way(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, FOLDERS)

    for name in ("docs", "code"):
        assert {kind: one.kind for kind, one in settings.cuttings[name].chunkers.items()} == STRATEGIES
        assert settings.cuttings[name].common.context_line


def test_a_source_is_cut_as_all_are_but_for_what_its_own_table_says(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path,
        FOLDERS
        + '[sources.cutting]\ncode = {strategy = "recursive", size = 300, overlap = 20}\nsection_tokens = 700\n'
        + '[cutting]\ncontext_line = false\nprose = {strategy = "semantic"}\n',
    )

    docs, code = settings.cuttings["docs"], settings.cuttings["code"]
    assert [docs.chunkers[kind].kind for kind in ("prose", "code")] == ["semantic", "code"]
    assert [code.chunkers[kind].kind for kind in ("prose", "code")] == ["semantic", "recursive"]
    assert code.chunkers["code"].settings.model_dump()["size"] == 300
    assert (docs.common.section_tokens, code.common.section_tokens) == (1500, 700)
    assert not (docs.common.context_line or code.common.context_line)
    assert docs.key != code.key


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('prose = {strategy = "magic"}', "[cutting] prose: 'magic' is no chunker; choose one of: api, code, headings"),
        (
            'prose = "headings"',
            "[cutting] prose: 'headings' is no table; write for instance {strategy = \"recursive\"}",
        ),
        ("prose = {size = 5}", "[cutting] prose `size`: no such setting; known here: max_characters"),
        ('prose = {strategy = "recursive", size = 50, overlap = 60}', "overlap"),
        ("sections = 3", "[cutting] `sections`: no such setting; known here: context_line, section_tokens"),
        ("section_tokens = 1", "[cutting] `section_tokens` = 1: input should be greater than or equal to 100"),
    ],
)
def test_a_mistake_is_told_once_with_its_remedy(tmp_path: Path, table: str, told: str) -> None:
    with pytest.raises(SettingsProblem) as problem:
        settings_of(tmp_path, f"{FOLDERS}[cutting]\n{table}\n")

    assert told in str(problem.value)
    assert "1 problem(s)" in str(problem.value)


def test_a_mistake_in_a_sources_own_table_names_the_source(tmp_path: Path) -> None:
    with pytest.raises(SettingsProblem, match=r"\[\[sources\]\] code \[cutting\] table: 'x' is no chunker"):
        settings_of(tmp_path, f'{FOLDERS}[sources.cutting]\ntable = {{strategy = "x"}}\n')

"""What `answerdesk chunk` refuses, each with its remedy, and how another strategy is tried."""

from pathlib import Path

import pytest

from bot.commands.chunk import Wanted, chunk
from bot.settings import Settings, load_settings
from knowledge.errors import SettingsProblem


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """No source, and a home without anything."""
    config = tmp_path / "answerdesk.toml"
    config.write_text("", encoding="utf-8")
    (tmp_path / "duty.md").write_text("# Duty\n\nThe engineer on duty answers within ten minutes.\n", encoding="utf-8")
    (tmp_path / "link.md").symlink_to(tmp_path / "duty.md")
    return load_settings(config, {"ANSWERDESK_HOME": str(tmp_path / "home")})


@pytest.mark.parametrize(
    ("file", "wanted", "told"),
    [
        ("nowhere.md", Wanted(), "there is no file"),
        ("link.md", Wanted(), "is no file of its own, but a link"),
        ("duty.md", Wanted("magic"), "'magic' is no chunker; choose one of"),
        ("duty.md", Wanted(options=("size",)), "--set 'size' sets nothing"),
        ("duty.md", Wanted(options=("size=3",)), "`size`: no such setting; known here: max_characters"),
        ("duty.md", Wanted("recursive", ("size=5", "overlap=7")), "overlap 7 must be less than size 5"),
        ("duty.md", Wanted(plot=Path("cuts.docx")), "is no picture"),
        ("duty.md", Wanted(plot=Path("no/where.svg")), "no such folder"),
    ],
)
async def test_what_cannot_be_done_is_told_with_its_remedy(
    settings: Settings, file: str, wanted: Wanted, told: str
) -> None:
    with pytest.raises(SettingsProblem, match=told):
        await chunk(settings, settings.base / file, wanted, as_json=True)

"""`[[desks]]` and `[handover]`: what is wrong with them is told before anybody waits for a desk."""

from pathlib import Path

import pytest

from bot.settings import Settings, load_settings
from knowledge.errors import SettingsProblem
from tests.unit.bot.desks.tables import chat_table

SOURCE = '[[sources]]\nname = "docs"\nkind = "folder"\npath = "docs"\n'


def load(folder: Path, *tables: str) -> Settings:
    path = folder / "answerdesk.toml"
    path.write_text(SOURCE + "\n".join(tables), encoding="utf-8")
    return load_settings(path, {})


def problems(folder: Path, *tables: str) -> str:
    with pytest.raises(SettingsProblem) as raised:
        load(folder, *tables)
    return str(raised.value)


def test_without_desks_there_are_none_and_handing_over_has_careful_defaults(tmp_path: Path) -> None:
    settings = load(tmp_path)

    assert (settings.desks, settings.desk_tables) == ((), ())
    assert (settings.handover.ask_first, settings.handover.return_after_hours) == (False, 24.0)


def test_a_desk_is_read_with_all_that_it_says(tmp_path: Path) -> None:
    hours = 'hours = "Mon-Fri 09:00-18:00"\ntime_zone = "Europe/Kyiv"\nholidays = [2026-12-25]\n'
    settings = load(tmp_path, chat_table("it", hours, 'sources = ["docs"]', 'people = {"slack:U1" = "Ann"}'))

    (table,) = settings.desk_tables
    assert (table.name, table.hours, table.sources) == ("it", "Mon-Fri 09:00-18:00", ("docs",))
    assert (str(table.holidays[0]), table.people) == ("2026-12-25", {"slack:U1": "Ann"})


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        (['[[desks]]\nname = "it"\n'], '[[desks]] it: `kind` is missing; write for instance kind = "chat"'),
        (['[[desks]]\nname = "it"\nkind = "pager"\n'], "'pager' is no desk; choose one of: chat, webhook"),
        ([chat_table("it", channel="")], "[[desks]] it `channel` = ''"),
        ([chat_table("it", platform="irc")], "`platform` = 'irc': is no channel; choose one of: slack, telegram"),
        ([chat_table("it"), chat_table("it", channel="C2")], "[[desks]] it: the name is taken by another desk"),
        ([chat_table("it"), chat_table("hr")], "`channel` = 'C1': the desk 'it' is there"),
        ([chat_table("it", 'fallback = "hr"')], "`fallback` = 'hr': there is no such desk; known: it"),
        ([chat_table("it", 'fallback = "it"')], "leads back to itself (it → it)"),
        ([chat_table("it", 'sources = ["wiki"]')], "`sources`: there is no source 'wiki'; known: docs"),
        ([chat_table("it", 'time_zone = "Europe/Nowhere"')], "`time_zone` = 'Europe/Nowhere': is no time zone"),
        ([chat_table("it", 'time_zone = "../etc"')], "`time_zone` = '../etc': is no time zone"),
        ([chat_table("it", 'hours = "nine to five"')], "`hours` = 'nine to five': has 'nine', which is no day"),
        ([chat_table("it", 'hours = "Mon 09:00-09:01"')], "240 working minutes would take more than 366 days"),
        ([chat_table("it"), '[[places]]\nchannel = "C9"\ndesk = "hr"\n'], "C9 `desk` = 'hr': there is no such desk"),
        (["[handover]\nexpire_days = 0\n"], "[handover] `expire_days` = 0"),
    ],
)
def test_what_is_wrong_is_told_with_its_remedy(tmp_path: Path, tables: list[str], problem: str) -> None:
    assert problem in problems(tmp_path, *tables)


def test_desks_that_pass_tickets_in_a_circle_are_told(tmp_path: Path) -> None:
    tables = [
        chat_table("it", 'fallback = "hr"', channel="C1"),
        chat_table("hr", 'fallback = "boss"', channel="C2"),
        chat_table("boss", 'fallback = "hr"', channel="C3"),
    ]

    told = problems(tmp_path, *tables)

    assert "[[desks]] hr `fallback` = 'boss': leads back to itself (hr → boss → hr)" in told
    assert "[[desks]] it" not in told


def test_all_problems_of_all_desks_are_told_at_once(tmp_path: Path) -> None:
    told = problems(
        tmp_path,
        chat_table("it", 'hours = "?"', 'fallback = "x"'),
        "[handover]\ncolour = 1\n[[desks]]\nkind = 'chat'\n",
    )

    assert "has 6 problem(s)" in told
    for part in ("`hours` = '?'", "`fallback` = 'x'", "`colour`: no such setting", "number 2 `name`: is missing"):
        assert part in told


def test_without_desks_a_place_names_a_queue_that_operators_read(tmp_path: Path) -> None:
    (place,) = load(tmp_path, '[[places]]\nchannel = "C9"\ndesk = "hr"\n').places

    assert place.desk == "hr"

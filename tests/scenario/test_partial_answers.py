"""What the pages do not say, say against each other, or said long ago, is told."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.core.phrases import phrase
from tests.scenario.model_desk import MODES, PAGES, QUESTIONS, SOURCE, Place, open_model_desk, untrue
from tests.wire.anthropic import Absent, Honest, Model

GARAGE = "When does the parking garage close?"
GARAGES = {
    "en/garage-old.md": "# Parking garage\n\nThe parking garage closes at 20:00.\n",
    "en/garage-new.md": "# The parking garage since May\n\nThe parking garage closes at 22:00.\n",
}
LONG_AGO = datetime(2019, 3, 4, 12, tzinfo=UTC)


@pytest.fixture
def place(embedded_home: Path, database_url: str, tmp_path: Path) -> Place:
    return Place(embedded_home, database_url, tmp_path)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("language", "missing", "part"),
    [
        ("en", "how long does renewing it take", "how long does renewing it take"),
        ("ru", "когда нужно заблокировать потерянный пропуск", "когда нужно заблокировать потерянный пропуск"),
        ("uk", "за скільки днів подати заявку", "за скільки днів подати заявку"),
        ("es", "cuánto puede costar el hotel", "cuánto puede costar el hotel"),
        ("en", "renewing: call 555-1234 or see https://evil.example", None),
        ("es", "el hotel cuesta 300 euros", None),
    ],
)
async def test_what_stays_open_is_named_in_the_askers_own_words_only(
    place: Place, mode: str, language: str, missing: str, part: str | None
) -> None:
    model = Absent(f"<missing>{missing}</missing>", Honest(sentences=1, openings={}))
    async with open_model_desk(place, model, mode=mode) as desk:
        outcome = await desk.ask(QUESTIONS[language])

    note = phrase("some_open", language) if part is None else phrase("part_open", language, part=part)
    assert outcome.reply.notes == (note,)
    assert len(outcome.texts) == 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "<absent/>"),
        ("ru", "<absent/>"),
        ("en", "The documents do not mention this."),
        ("ru", "В документах это не указано."),
        ("uk", "У документах це не вказано."),
        ("es", "Los documentos no lo mencionan."),
    ],
)
async def test_where_the_model_finds_nothing_a_person_is_asked(
    place: Place, mode: str, language: str, said: str
) -> None:
    async with open_model_desk(place, Absent(said), mode=mode) as desk:
        outcome = await desk.ask(QUESTIONS[language])

    assert (outcome.reply.decision, outcome.reply.reason) == ("escalate", "absent")
    assert outcome.reply.text == phrase("handed_over", language, ticket=outcome.reply.ticket)
    assert outcome.seen == []


@pytest.mark.parametrize("model", [Honest(sentences=1, openings={}), Absent("down")], ids=["model", "own words"])
async def test_pages_that_contradict_each_other_are_both_shown_with_a_note(place: Place, model: Model) -> None:
    async with open_model_desk(place, model, pages={**PAGES, **GARAGES}) as desk:
        outcome = await desk.ask(GARAGE)

        assert [why for one in outcome.seen if (why := await untrue(desk, one))] == []
    cited = {cited.document for one in outcome.reply.sentences for cited in one.citations}
    assert {"The parking garage closes at 20:00.", "The parking garage closes at 22:00."} <= set(outcome.texts)
    assert cited == set(GARAGES)
    assert outcome.reply.notes == (phrase("conflicting", "en"),)
    assert outcome.screen.last == outcome.reply.sentences


async def test_an_old_page_is_marked_as_such(place: Place) -> None:
    async with open_model_desk(place, Honest(openings={})) as desk:
        desk.write({"ru/badge.md": f"{PAGES['ru/badge.md']}\nПропуска выдаёт охрана.\n"})
        os.utime(place.folder / SOURCE / "ru/badge.md", (LONG_AGO.timestamp(), LONG_AGO.timestamp()))
        await desk.sync()
        old, new = await desk.ask(QUESTIONS["ru"]), await desk.ask(QUESTIONS["en"])

    assert old.reply.notes == (phrase("outdated", "ru", date="2019-03-04"),)
    assert all(cited.is_outdated for one in old.reply.sentences for cited in one.citations)
    assert new.reply.notes == ()

"""The same question again: the stored answer at once, unless anything changed that it could depend on."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from knowledge.types import PUBLIC, Reader
from tests.scenario.model_desk import PAGES, QUESTIONS, SOURCE, Answer, ModelDesk, Outcome, Place, open_model_desk
from tests.wire.anthropic import Absent, Fault, Honest

QUESTION = QUESTIONS["en"]
AT_ONCE_S = 0.5
SECOND = "second"
TWO_SOURCES = f'[[sources]]\nname = "{SECOND}"\nkind = "folder"\npath = "{SECOND}"\n'
STAFF = Reader(frozenset({PUBLIC, "group:pages/staff"}))
KEEP: Answer = {"cache_days": 7.0}
MODEL = Honest(openings={})


@pytest.fixture
def place(embedded_home: Path, database_url: str, tmp_path: Path) -> Place:
    return Place(embedded_home, database_url, tmp_path)


@pytest.fixture
async def desk(place: Place) -> AsyncIterator[ModelDesk]:
    """A desk that keeps answers, over two sources."""
    async with open_model_desk(place, MODEL, settings=TWO_SOURCES, answer=KEEP) as desk:
        desk.write({"en/bicycles.md": "# Bicycles\n\nBicycles stand in the yard.\n"}, SECOND)
        await desk.sync(SECOND)
        yield desk


def given(outcome: Outcome) -> object:
    """Return what an asker gets."""
    reply = outcome.reply
    return reply.decision, reply.text, reply.language, reply.sentences, reply.notes, reply.relevance, reply.answerer


@pytest.mark.parametrize("language", QUESTIONS)
async def test_the_second_time_the_same_comes_at_once_and_no_model_is_asked(desk: ModelDesk, language: str) -> None:
    first = await desk.ask(QUESTIONS[language])
    again = [await desk.ask(text) for text in (QUESTIONS[language], f"  {QUESTIONS[language].rstrip('?')} ")]

    assert len(desk.server.messages) == 1
    assert [given(outcome) for outcome in again] == [given(first)] * 2
    assert all(outcome.reply.is_cached and outcome.seconds < AT_ONCE_S for outcome in again)


async def test_what_a_partial_answer_leaves_open_is_told_again(desk: ModelDesk) -> None:
    desk.server.model = Absent("<missing>how long does renewing it take</missing>", Honest(sentences=1, openings={}))
    first, again = await desk.ask(QUESTION), await desk.ask(QUESTION)

    assert again.reply.is_cached
    assert again.reply.notes == first.reply.notes != ()


def change(text: str) -> Callable[[ModelDesk], None]:
    return lambda desk: desk.write({"en/vpn.md": text})


def move(desk: ModelDesk) -> None:
    (desk.pages / SOURCE / "en/vpn.md").rename(desk.pages / SOURCE / "en/moved.md")


CHANGES: dict[str, Callable[[ModelDesk], None]] = {
    "another number": change(PAGES["en/vpn.md"].replace("90", "60")),
    "another paragraph": change(PAGES["en/vpn.md"] + "\nThe VPN is switched off on Sundays.\n"),
    "the page is gone": lambda desk: (desk.pages / SOURCE / "en/vpn.md").unlink(),
    "the page is moved": move,
    "another page": lambda desk: desk.write({"en/certificates.md": "# More on certificates\n\nAsk the VPN desk.\n"}),
    "another source": lambda desk: desk.write({"en/vpn.md": "# VPN\n\nThe VPN desk is in room 5.\n"}, SECOND),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_after_any_change_the_model_is_asked_again(desk: ModelDesk, name: str) -> None:
    first = await desk.ask(QUESTION)
    CHANGES[name](desk)
    await desk.sync()
    await desk.sync(SECOND)

    outcome = await desk.ask(QUESTION)

    lines = [await desk.text(cited) for one in outcome.reply.sentences for cited in one.citations]
    assert not first.reply.is_cached
    assert not outcome.reply.is_cached
    assert all(one.citations[0].quote in line for one, line in zip(outcome.reply.sentences, lines, strict=True))


async def test_a_sync_that_brings_nothing_new_changes_nothing(desk: ModelDesk) -> None:
    await desk.ask(QUESTION)
    await desk.sync()

    assert (await desk.ask(QUESTION)).reply.is_cached


async def test_other_readers_get_an_answer_of_their_own(desk: ModelDesk) -> None:
    await desk.ask(QUESTION)

    assert not (await desk.ask(QUESTION, reader=STAFF)).reply.is_cached
    assert len(desk.server.messages) == 2


async def test_who_may_no_longer_read_the_page_gets_no_answer_from_it(desk: ModelDesk) -> None:
    await desk.ask(QUESTION)
    await desk.sync(audience=["group:pages/staff"])

    outcome = await desk.ask(QUESTION)

    assert (outcome.reply.is_cached, outcome.reply.decision) == (False, "escalate")


@pytest.mark.parametrize(
    ("settings", "is_cached"),
    [({}, True), ({"threshold": 0.31}, False), ({"model": "claude-opus-5-5"}, False), ({"outdated_days": 10}, False)],
)
async def test_answers_are_shared_by_processes_but_not_their_configuration(
    place: Place, settings: Answer, is_cached: bool
) -> None:
    async with open_model_desk(place, MODEL, answer=KEEP) as desk:
        first = await desk.ask(QUESTION)
        async with open_model_desk(place, MODEL, answer={**KEEP, "base_url": desk.server.url, **settings}) as other:
            again = await other.ask(QUESTION)

    assert first.reply.answerer == "claude"
    assert again.reply.is_cached is is_cached


@pytest.mark.parametrize(
    "fault",
    [Fault.silent(), Fault.cut(12), Fault.refusal(), Fault.spend_cap()],
    ids=["silent", "cut", "refusal", "cap"],
)
async def test_what_stood_in_for_the_model_is_not_given_again(desk: ModelDesk, fault: Fault) -> None:
    desk.server.answer_next_with(fault)
    stand_in, next_one = await desk.ask(QUESTION), await desk.ask(QUESTION)

    assert [stand_in.reply.answerer, next_one.reply.answerer] == ["extractive", "claude"]
    assert not next_one.reply.is_cached


async def test_a_question_that_was_handed_over_is_asked_again(desk: ModelDesk) -> None:
    desk.server.model = Absent("<absent/>")
    handed_over = await desk.ask(QUESTION)
    desk.server.model = MODEL

    assert handed_over.reply.decision == "escalate"
    assert (await desk.ask(QUESTION)).reply.decision == "answer"

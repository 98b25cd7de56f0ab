"""What had no answer is asked again when the knowledge has changed, for those who may read what is found."""

from dataclasses import replace
from typing import Any

import pytest

from bot.core.admit import Manners, PlaceRules
from bot.core.desk.book import Cited
from bot.core.desk.ripple import QUIET_FOR, QUIET_WITHIN, found_text
from bot.core.incoming import Company, Incoming
from bot.core.messages import Answer, Sentence
from bot.core.outgoing import Channel, Readers
from knowledge.types import PUBLIC, Relevance
from tests.fakes.channel import FakeChannel, incoming
from tests.fakes.core import VERBATIM, FakeAnswerer, FakeIndex, FakeStanding, citation, quoting
from tests.fakes.evidence import hit
from tests.fakes.ripple import ASKED, FULL, START, TEXT, FakeUnanswered, Office

KEPT: dict[str, Any] = {
    "source": "docs",
    "document": "vpn.md",
    "start_line": 1,
    "end_line": 1,
    "quote": TEXT,
    "relevance": 0.9,
}


async def test_what_has_an_answer_now_is_found_once_for_each_state_of_the_knowledge() -> None:
    office = Office()

    await office.settles()
    await office.looks(after=QUIET_FOR)

    assert office.unanswered.came == [(7, "found")]
    assert office.unanswered.answers[0].text == f"{TEXT} [1]\n\nSources:\n[1] Title"
    assert office.unanswered.answers[0].documents == ("docs/vpn.md",)


async def test_what_is_not_relevant_enough_still_has_no_answer() -> None:
    office = Office(relevance=0.3, model=quoting(TEXT))

    assert await office.settles() == [(7, "in vain")]
    assert office.model is not None
    assert office.model.tasks == []


async def test_waits_until_a_sync_in_progress_is_over_but_not_for_ever() -> None:
    office = Office()
    looks = 0
    while not office.unanswered.came:
        office.unanswered.now = str(looks).encode()
        await office.looks(after=QUIET_FOR / 2)
        looks += 1

    assert looks * QUIET_FOR / 2 == pytest.approx(QUIET_WITHIN, abs=QUIET_FOR)


async def test_what_never_rests_is_not_asked_at_every_look() -> None:
    office = Office()
    for look in range(2 * QUIET_WITHIN // QUIET_FOR + 4):
        office.unanswered.now = str(look).encode()
        await office.looks(after=QUIET_FOR * 0.9)

    assert len(office.unanswered.came) <= 2


async def test_stops_for_the_knowledge_to_rest_when_it_changes_meanwhile() -> None:
    many = [replace(ASKED, number=number) for number in range(100)]
    office = Office(FakeUnanswered(many), changes_at=5)

    await office.settles()

    assert 5 <= len(office.unanswered.came) < 100


@pytest.mark.parametrize(
    ("about", "readers", "tags"),
    [
        ({}, FULL, {PUBLIC, "staff"}),
        ({"company": "direct"}, FULL, {PUBLIC, "staff"}),
        ({"desks": ()}, FULL, {PUBLIC, "staff", "legal"}),
        ({"company": "direct", "desks": ()}, FULL, {PUBLIC, "staff", "mine"}),
        ({"origin": "command", "desks": ()}, FULL, {PUBLIC, "staff", "mine"}),
        ({}, None, {PUBLIC}),
        ({"incoming": None}, FULL, {PUBLIC}),
        ({"desks": ("gone",)}, FULL, {PUBLIC, "staff", "legal"}),
    ],
)
async def test_only_what_both_the_asker_and_the_desk_may_read_is_searched(
    about: dict[str, Any], readers: Readers | None, tags: set[str]
) -> None:
    asked: Incoming | None = incoming(company=_company(about), origin=about.get("origin", "message"))
    asked = about.get("incoming", asked)
    waiting = replace(ASKED, incoming=asked, desks=about.get("desks", ("it",)))
    channels: dict[str, Channel] = {"fake": FakeChannel(of_place=readers)} if readers else {}
    office = Office(FakeUnanswered([waiting]), channels=channels)

    await office.settles()

    assert {reader.tags for reader in office.index.readers} == {frozenset(tags)}


def _company(about: dict[str, Any]) -> Company:
    company: Company = about.get("company", "public")
    return company


async def test_what_only_the_desk_may_read_is_not_found() -> None:
    office = Office(index=FakeIndex([hit(TEXT)], tag="secret"), reads=frozenset({PUBLIC, "secret"}), relevance=0.9)

    assert await office.settles() == [(7, "in vain")]


async def test_the_model_is_asked_only_where_people_wait_and_something_new_was_found() -> None:
    nobody = replace(ASKED, number=8, ticket=None, desks=())
    known = replace(ASKED, number=9, reason="unsupported", candidates=(KEPT,))
    model = quoting(TEXT)
    office = Office(FakeUnanswered([ASKED, nobody, known]), model=model)

    came = await office.settles()

    assert came == [(7, "found"), (8, "found"), (9, "left")]
    assert len(model.tasks) == 1


async def test_what_the_model_has_seen_in_vain_is_not_shown_to_it_again() -> None:
    silent = FakeAnswerer(lambda task: [])
    office = Office(model=quoting(), own_words=silent)
    await office.settles()
    office.unanswered.waiting = [replace(ASKED, tried=office.unanswered.tried, was_asked=True)]
    office.unanswered.now = b"newer"

    await office.settles()

    assert office.unanswered.came == [(7, "in vain"), (7, "left")]


async def test_what_changed_since_is_shown_to_it_again() -> None:
    office = Office()
    changed = {**KEPT, "quote": "Reset the PIN at the desk."}
    office.unanswered.waiting = [replace(ASKED, reason="unsupported", candidates=(changed,))]

    assert await office.settles() == [(7, "found")]


@pytest.mark.parametrize(("gone", "came"), [([], "left"), ([TEXT], "in vain")])
async def test_what_is_offered_already_is_asked_again_when_it_stands_no_more(gone: list[str], came: str) -> None:
    offered = replace(ASKED, quotes=(Cited("docs", "vpn.md", TEXT),))
    office = Office(FakeUnanswered([offered]), standing=FakeStanding(*gone))

    assert await office.settles() == [(7, came)]


async def test_the_rules_of_its_place_hold() -> None:
    rules = Manners({"C1": PlaceRules(sources=("docs",), threshold=Relevance(0.95))})
    office = Office(manners=rules)

    assert await office.settles() == [(7, "in vain")]
    assert {query.sources for query in office.index.queries} == {("docs",)}


async def test_a_question_that_breaks_us_holds_up_no_other() -> None:
    broken = replace(ASKED, question="")
    office = Office(FakeUnanswered([broken, replace(ASKED, number=8)]))

    assert await office.settles() == [(7, "in vain"), (8, "found")]


async def test_people_who_wait_for_answers_go_first() -> None:
    office = Office(FakeUnanswered([replace(ASKED, number=number) for number in range(3)]))

    await office.settles()

    assert office.pauses == 3


def test_the_answer_names_its_sources_in_the_language_of_the_asker() -> None:
    found = replace(citation(hit("Код 7."), "Код 7."), marker=1, heading=("Двері", "Код"), updated_at=START)
    linked = replace(found, url="https://wiki.example.org/a")
    twice = replace(linked, quote="Двічі.")
    answer = Answer(
        (Sentence("Код дверей — 7.", (linked,), VERBATIM), Sentence("Стукайте двічі.", (twice,), VERBATIM)), "fake"
    )

    text = found_text(answer, "uk")

    assert text == (
        "Код дверей — 7. [1]\nСтукайте двічі. [1]\n\nДжерела:\n[1] Title › Код (оновлено 2026-11-30)"
        " https://wiki.example.org/a"
    )

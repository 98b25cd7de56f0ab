"""Only what its source bears out stays in an answer, each sentence with the number of its source."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.answer import Claim
from bot.core.cite import CitePolicy, Citer, footnotes
from bot.core.verify.check import Verifier
from knowledge.quotable import Unit, units_of
from knowledge.types import Evidence, Reader, Relevance
from tests.fakes.core import FakeStanding
from tests.fakes.evidence import evidence, hit

NOW = datetime(2026, 6, 1, tzinfo=UTC)
PIN = evidence("The PIN has six digits.\nIt expires after three days.", start_line=10)
OFFICE = Evidence(replace(hit("The office opens at eight.", document="office.md"), passage_id=2), Relevance(0.8))


def citer(*pieces: Evidence, standing: FakeStanding | None = None, policy: CitePolicy | None = None) -> Citer:
    return Citer(
        pieces or (PIN, OFFICE),
        verifier=Verifier(),
        standing=standing or FakeStanding(),
        reader=Reader(),
        policy=policy or CitePolicy(),
        now=NOW,
    )


def unit(piece: Evidence, index: int = 0) -> Unit:
    return list(units_of(piece.hit))[index]


async def test_a_verbatim_sentence_is_kept_with_its_place() -> None:
    subject = citer()

    assert await subject.take(Claim("It expires after three days.", (unit(PIN, 1),)), "en")
    cited = subject.sentences[0].citations[0]
    assert (cited.quote, cited.start_line, cited.end_line, cited.marker) == ("It expires after three days.", 11, 11, 1)
    assert subject.sentences[0].checks.method == "verbatim"


async def test_a_section_has_one_number_in_the_order_of_first_use() -> None:
    subject = citer()

    for piece, index in [(OFFICE, 0), (PIN, 1), (PIN, 0)]:
        await subject.quote(unit(piece, index))

    assert [sentence.markers for sentence in subject.sentences] == ["[1]", "[2]", "[2]"]
    assert [(note.marker, len(note.quotes), note.lines) for note in footnotes(subject.sentences)] == [
        (1, 1, (1, 1)),
        (2, 2, (10, 11)),
    ]


async def test_a_sentence_may_cite_several_passages() -> None:
    both = Claim("The PIN has six digits. The office opens at eight.", (unit(PIN), unit(OFFICE)))
    subject = citer()

    assert await subject.take(both, "en")
    assert subject.sentences[0].markers == "[1][2]"


@pytest.mark.parametrize(
    "text",
    [
        "The PIN has seven digits.",
        "The PIN does not have six digits.",
        "The PIN has six letters.",
    ],
)
async def test_a_false_sentence_gives_way_to_the_passages_own_words(text: str) -> None:
    subject = citer()

    assert await subject.take(Claim(text, (unit(PIN),)), "en")
    assert [sentence.text for sentence in subject.sentences] == ["The PIN has six digits."]
    assert [rejected.text for rejected in subject.rejected] == [text]


@pytest.mark.parametrize(
    "claim",
    [
        Claim("The PIN has six digits.", ()),
        Claim("Parking is free on Sundays.", (unit(OFFICE),)),
        Claim("The PIN has six digits.", (unit(evidence("The PIN has six digits.", document="never-found.md")),)),
        Claim("Invented.", (replace(unit(PIN), quote="Invented.", text="Invented."),)),
        Claim("The PIN has six digits.", (replace(unit(PIN), offset=3),)),
        Claim("The PIN has six digits.", (replace(unit(PIN), offset=-5),)),
        Claim("Anything.", (replace(unit(PIN), quote=" ", text="Anything."),)),
        Claim("The office opens at nine.", (replace(unit(OFFICE), text="The office opens at nine."),)),
        Claim("", (unit(PIN),)),
    ],
)
async def test_what_no_found_passage_says_is_dropped(claim: Claim) -> None:
    subject = citer()

    assert not await subject.take(claim, "en")
    assert subject.sentences == []


async def test_what_has_changed_or_been_closed_meanwhile_is_not_said() -> None:
    subject = citer(standing=FakeStanding("The PIN has six digits."))

    assert not await subject.quote(unit(PIN))
    assert subject.rejected[0].checks.valid is False


async def test_the_same_is_said_once() -> None:
    subject = citer()

    assert [await subject.quote(unit(PIN)), await subject.quote(unit(PIN))] == [True, False]


@pytest.mark.parametrize(("days", "is_outdated"), [(100, False), (400, True)])
async def test_an_old_source_is_marked(days: int, is_outdated: bool) -> None:
    old = replace(PIN, hit=replace(PIN.hit, updated_at=NOW - timedelta(days=days)))
    subject = citer(old, policy=CitePolicy(outdated_after=timedelta(days=365)))

    await subject.quote(unit(old))

    assert subject.sentences[0].citations[0].is_outdated is is_outdated


async def test_a_link_in_a_passage_is_shown_inert_unless_its_host_is_allowed() -> None:
    page = evidence("Open https://wiki.example.org/pin or https://evil.test/pin to begin.")
    subject = citer(page, policy=CitePolicy(hosts=frozenset({"wiki.example.org"})))

    await subject.quote(unit(page))

    assert subject.sentences[0].text == "Open https://wiki.example.org/pin or evil[.]test/pin to begin."

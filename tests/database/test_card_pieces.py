"""What is made for cards is kept with its ticket once, and what of it is sent stands still where it is quoted from."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.core.admit import Manners
from bot.core.cite import CitePolicy
from bot.core.desk.book import Case
from bot.core.desk.card import Cards
from bot.core.desk.clock import Times
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.drafts import draft_text
from bot.core.desk.hours import Hours
from bot.core.desk.own_words import OwnWords
from bot.core.desk.summary import Summaries
from bot.core.escalate import Handover
from bot.core.handle import Handler, Policy
from bot.core.phrases import phrase
from bot.core.tickets.acts import Act, Actor, Outcome
from bot.core.tickets.post import Post
from bot.core.verify.check import Verifier
from bot.core.wording import Wording
from bot.store.card_pieces import PostgresCardPieces
from bot.store.ticket_book import Means, PostgresBook
from bot.store.tickets import PostgresTickets
from knowledge.retrieve import Retriever
from knowledge.store.pool import Pool
from knowledge.store.standing import PostgresStanding
from knowledge.types import PUBLIC, Evidence, Reader, Relevance
from tests.database.recount import rows
from tests.fakes.core import (
    FakeBudget,
    FakeCache,
    FakeIndex,
    FakeJournal,
    FakeLevels,
    FakeReranker,
    FakeTickets,
    quoting,
)
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit
from tests.fakes.knowledge_base import store
from tests.fakes.summaries import RUSSIAN, SUMMARY, FakeSummarizer

TEXT = "Reset the PIN in the app."
PAGE = {"vpn.md": f"# PIN\n\n{TEXT}"}
DESK = Desk("it", "IT", "en", Hours(), timedelta(hours=4), reads=Reader(frozenset({PUBLIC, "staff"})))


class Office:
    """A desk over the real database: tickets below the threshold, and their cards."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        desks = Desks([DESK])
        self.tickets = PostgresTickets(pool, desks=desks)
        self.book = PostgresBook(pool, Means(desks, Times(), sources=("docs",)))
        self.standing = PostgresStanding(pool, sources=["docs"])
        self.pieces = PostgresCardPieces(pool)
        self.summarizer = FakeSummarizer()
        self.index = FakeIndex([hit(TEXT)])

    async def opened(self, question: str = RUSSIAN, language: str = "ru") -> int:
        evidence = Evidence(hit(TEXT), Relevance(0.4))
        handover = Handover(
            question, language, "below_threshold", Relevance(0.4), Relevance(0.65), (evidence,), "f", desk="it"
        )
        return (await self.tickets.open(handover)).number

    async def case(self, number: int) -> Case:
        case = await self.book.case(number)
        assert case is not None
        return case

    async def card(self, number: int, desk: Desk = DESK) -> Post:
        own_words = OwnWords(self._handler(), self.pieces, {}, Manners())
        summaries = Summaries(self.summarizer, self.pieces, FakeBudget())
        cards = Cards(self.standing, summaries=summaries, own_words=own_words)
        return await cards.card(await self.case(number), desk, asker="Ada")

    async def sends_draft(self, number: int) -> Outcome:
        return await self.book.act(Act("draft", number, Actor("terminal:ann", "Ann"), f"terminal:{number}"))

    def _handler(self) -> Handler:
        wording = Wording(
            model=None,
            own_words=quoting(TEXT),
            verifier=Verifier(),
            standing=self.standing,
            budget=FakeBudget(),
            policy=CitePolicy(),
        )
        return Handler(
            retriever=Retriever(
                embedder=FakeEmbedder(), levels=FakeLevels(), index=self.index, reranker=FakeReranker(0.1)
            ),
            wording=wording,
            tickets=FakeTickets(),
            journal=FakeJournal(),
            cache=FakeCache(),
            policy=Policy(threshold=Relevance(0.7), fingerprint="f"),
        )


def labelled(post: Post, name: str) -> list[str]:
    return [part.text for part in post.parts if part.label == phrase(name, post.language)]


@pytest.fixture
async def office(pool: Pool) -> Office:
    await store(pool, PAGE)
    return Office(pool)


async def test_a_card_that_is_shown_again_has_what_the_first_one_had(office: Office) -> None:
    ticket = await office.opened()

    first = await office.card(ticket)
    await office.book.act(Act("claim", ticket, Actor("terminal:ann", "Ann"), "k"))
    office.summarizer.said = "They want something quite different from us now."
    office.index = FakeIndex([])
    again = await office.card(ticket)

    assert labelled(first, "card_summary") == labelled(again, "card_summary") == [SUMMARY]
    assert labelled(first, "card_draft") == labelled(again, "card_draft") == [f"{TEXT} [1]\n\nИсточники:\n[1] Title"]
    assert len(office.summarizer.asked) == 1


async def test_another_desk_has_a_summary_in_its_own_language(office: Office) -> None:
    ticket = await office.opened()
    await office.card(ticket)

    office.summarizer.said = "Хочуть знати, де лежить ключ від кімнати 12."
    post = await office.card(ticket, replace(DESK, language="uk"))

    assert labelled(post, "card_summary") == [office.summarizer.said]
    assert len((await office.case(ticket)).summaries) == 2


async def test_the_draft_of_a_card_is_what_is_sent(office: Office) -> None:
    ticket = await office.opened()
    post = await office.card(ticket)

    assert (await office.sends_draft(ticket)).came == "done"
    case = await office.case(ticket)
    assert labelled(post, "card_draft") == [draft_text(case.draft, "ru")]
    assert (case.state, case.owner_name) == ("answered", "Ann")


async def test_what_the_documents_do_not_say_any_more_is_not_sent(office: Office) -> None:
    ticket = await office.opened()
    await office.card(ticket)
    await store(office.pool, {"vpn.md": "# PIN\n\nAsk the desk for another PIN."})

    came = await office.sends_draft(ticket)

    assert (came.came, came.told) == ("late", phrase("desk_found_gone", "en"))
    assert (await office.case(ticket)).state == "open"
    assert not labelled(await office.card(ticket), "card_draft")


async def test_what_only_others_may_read_by_now_is_not_sent(office: Office) -> None:
    ticket = await office.opened()
    await office.card(ticket)
    await store(office.pool, PAGE, audience=["legal"])

    assert (await office.sends_draft(ticket)).came == "late"


async def test_a_draft_of_a_release_before_is_sent_as_it_stands(office: Office) -> None:
    ticket = await office.opened()
    old = """[{"text": "Never.", "missing": ["7"], "disagreement": null, "support": 0.1, "is_valid": true}]"""
    await rows(office.pool, f"update ticket set draft = '{old}' returning 1")

    assert labelled(await office.card(ticket), "card_draft") == ["Never."]
    assert (await office.sends_draft(ticket)).came == "done"


async def test_the_first_of_two_cards_that_are_made_at_once_is_kept(office: Office) -> None:
    ticket = await office.opened()
    case = await office.case(ticket)

    kept = [await office.pieces.keep_draft(case, [{"text": text}]) for text in ("One.\0", "Two.")]
    for text in ("One.", "Two."):
        await office.pieces.keep(ticket, "key", text)

    after = await office.case(ticket)
    assert (kept, after.draft, after.summaries) == ([True, False], ({"text": "One.?"},), {"key": "One."})


@pytest.mark.parametrize("change", ["question = 'Another?'", "is_forgotten = true"])
async def test_nothing_is_kept_of_what_was_asked_before(office: Office, change: str) -> None:
    ticket = await office.opened()
    case = await office.case(ticket)
    await rows(office.pool, f"update ticket set {change} returning 1")

    assert not await office.pieces.keep_draft(case, [{"text": "One."}])


async def test_whoever_is_forgotten_meanwhile_stays_forgotten(office: Office) -> None:
    ticket = await office.opened()
    await rows(office.pool, "update ticket set is_forgotten = true returning 1")
    await office.pieces.keep(ticket, "key", SUMMARY)

    found: list[tuple[Any, ...]] = await rows(office.pool, "select summaries, draft from ticket")
    assert found == [({}, [])]

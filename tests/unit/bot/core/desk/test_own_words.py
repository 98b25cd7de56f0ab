"""A ticket below the threshold has a draft: what the documents say that its asker and its desk may both read."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.core.admit import Manners, PlaceRules
from bot.core.cite import CitePolicy
from bot.core.desk import own_words
from bot.core.desk.book import Case
from bot.core.desk.desks import Desk
from bot.core.desk.drafts import DraftSentence
from bot.core.desk.hours import Hours
from bot.core.desk.own_words import OwnWords
from bot.core.handle import Draft, Handler, Policy
from bot.core.incoming import Incoming
from bot.core.messages import Asked
from bot.core.outgoing import Readers
from bot.core.verify.check import Verifier
from bot.core.wording import Wording
from knowledge.errors import EmbedderUnavailable
from knowledge.retrieve import Retriever
from knowledge.types import PUBLIC, Reader, Relevance
from tests.fakes.book import case
from tests.fakes.channel import PLACE, FakeChannel, incoming
from tests.fakes.core import (
    FakeAnswerer,
    FakeBudget,
    FakeCache,
    FakeIndex,
    FakeJournal,
    FakeLevels,
    FakeReranker,
    FakeStanding,
    FakeTickets,
    quoting,
)
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.evidence import hit

TEXT = "Reset the PIN in the app."
BELOW = case(candidates=({"source": "docs", "document": "vpn.md", "quote": TEXT},))
READERS = Readers(Reader(frozenset({PUBLIC, "staff", "legal"})), Reader(frozenset({PUBLIC, "staff"})))
DESK = Desk("it", "IT", "en", Hours(), timedelta(hours=1), reads=Reader(frozenset({PUBLIC, "staff", "it"})))


@dataclass
class Kept:
    """Keeps the first draft of a ticket."""

    message: Incoming | None = field(default_factory=incoming)
    draft: Sequence[DraftSentence] = ()

    async def asked(self, ticket: int) -> Incoming | None:
        return self.message

    async def keep_draft(self, case: Case, draft: Sequence[DraftSentence]) -> bool:
        is_first, self.draft = not self.draft, self.draft or draft
        return is_first


class Down:
    """Drafts nothing: what it works with is down."""

    async def draft(self, asked: Asked) -> Draft:
        raise EmbedderUnavailable("it does not answer")


def handler(index: FakeIndex, own: FakeAnswerer, standing: FakeStanding) -> Handler:
    return Handler(
        retriever=Retriever(embedder=FakeEmbedder(), levels=FakeLevels(), index=index, reranker=FakeReranker(0.1)),
        wording=Wording(
            model=None,
            own_words=own,
            verifier=Verifier(),
            standing=standing,
            budget=FakeBudget(),
            policy=CitePolicy(),
        ),
        tickets=FakeTickets(),
        journal=FakeJournal(),
        cache=FakeCache(),
        policy=Policy(threshold=Relevance(0.7), fingerprint="f"),
    )


@dataclass
class Office:
    """What makes drafts over what is in memory; `index` remembers who asked."""

    index: FakeIndex = field(default_factory=lambda: FakeIndex([hit(TEXT)]))
    own: FakeAnswerer = field(default_factory=lambda: quoting(TEXT))
    standing: FakeStanding = field(default_factory=FakeStanding)
    kept: Kept = field(default_factory=Kept)
    manners: Manners = field(default_factory=Manners)

    async def drafts(self, held: Case = BELOW) -> Case:
        drafter = handler(self.index, self.own, self.standing)
        channels = {"fake": FakeChannel(of_place=READERS)}
        return await OwnWords(drafter, self.kept, channels, self.manners).drafted(held, DESK)


async def test_what_is_below_the_threshold_is_drafted_in_the_documents_own_words_and_kept() -> None:
    office = Office()

    drafted = await office.drafts()

    assert [(one["text"], one["is_below"]) for one in drafted.draft] == [(TEXT, True)]
    assert drafted.draft == tuple(office.kept.draft)


@pytest.mark.parametrize(
    ("message", "tags"),
    [
        (incoming(), [PUBLIC, "staff"]),
        (incoming(company="direct"), [PUBLIC, "staff"]),
        (None, [PUBLIC]),
    ],
)
async def test_it_is_made_for_what_the_asker_and_the_desk_may_both_read(
    message: Incoming | None, tags: list[str]
) -> None:
    office = Office(kept=Kept(message))

    drafted = await office.drafts()

    assert [sorted(reader.tags) for reader in office.index.readers] == [tags]
    assert drafted.draft[0]["tags"] == tags


@pytest.mark.parametrize(
    "changes",
    [
        {"draft": ({"text": "Never.", "missing": ["7"]},)},
        {"reason": "unsupported"},
        {"reason": "risky"},
        {"candidates": ()},
        {"state": "closed"},
    ],
)
async def test_other_tickets_stay_as_they_are(changes: dict[str, Any]) -> None:
    office, held = Office(), replace(BELOW, **changes)

    assert await office.drafts(held) == held
    assert office.kept.draft == ()


@pytest.mark.parametrize(
    "office",
    [
        Office(own=quoting()),
        Office(own=quoting("Words that stand nowhere.")),
        Office(standing=FakeStanding(TEXT)),
        Office(index=FakeIndex([])),
        Office(kept=Kept(draft=({"text": "Another process was first."},))),
    ],
)
async def test_nothing_unverified_becomes_a_draft(office: Office) -> None:
    assert (await office.drafts()).draft == ()


async def test_it_is_looked_for_where_the_place_looks() -> None:
    office = Office(manners=Manners({PLACE.channel: PlaceRules(sources=("wiki",))}))

    await office.drafts()

    assert [query.sources for query in office.index.queries] == [("wiki",)]


async def test_a_card_comes_without_it_where_something_is_down() -> None:
    subject = OwnWords(Down(), Kept(), {}, Manners())

    assert await subject.drafted(BELOW, DESK) == BELOW


def test_a_card_does_not_wait_long_for_it() -> None:
    assert own_words.WITHIN_S <= 5.0

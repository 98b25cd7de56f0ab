"""What people taught: each change with its version, and nothing that does not follow."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.learning.entry import State, Taught, Until
from bot.store.entries import PostgresEntries
from knowledge.store.pool import Pool
from tests.database.recount import rows

NOW = datetime(2026, 11, 30, tzinfo=UTC)
BIKES = Taught(
    "Where do I park my bike?", "In the yard.", "en", ("https://yard.example",), ("public",), "slack:U1", "Ann", None
)


@pytest.fixture
def entries(pool: Pool) -> PostgresEntries:
    return PostgresEntries(pool)


async def ticket(pool: Pool, *said: tuple[str, str], question: str = "Bikes?") -> int:
    """Store a ticket in which this was said, as (kind, text)."""
    async with pool.connection() as connection:
        row = await (await connection.execute(_TICKET, {"question": question})).fetchone()
        assert row is not None
        for position, (kind, text) in enumerate(said):
            parameters = {"ticket": row[0], "kind": kind, "text": text, "key": f"{row[0]}/{position}"}
            await connection.execute(_EVENT, parameters)
    return int(row[0])


_TICKET = """
insert into ticket (question, language, reason, threshold, fingerprint, candidates, draft)
values (%(question)s, 'en', 'no_source', 0.65, 'f', '[]', '[{"text": "One."}, {"text": "Two."}]') returning id
"""
_EVENT = """
insert into ticket_event (ticket_id, kind, actor, from_state, to_state, text, details, key)
values (%(ticket)s, %(kind)s, 'slack:U1', 'claimed', 'claimed', %(text)s, '{"name": "Ann"}', %(key)s)
"""


async def test_a_ticket_is_read_as_what_was_asked_and_said(entries: PostgresEntries, pool: Pool) -> None:
    number = await ticket(pool, ("claim", ""), ("draft", ""), ("reply", "In the yard."))

    lesson = await entries.lesson(number)

    assert lesson is not None
    assert (lesson.question, lesson.language) == ("Bikes?", "en")
    assert [(one.kind, one.text, one.name) for one in lesson.said] == [
        ("claim", "", "Ann"),
        ("draft", "One.\nTwo.", "Ann"),
        ("reply", "In the yard.", "Ann"),
    ]
    assert await entries.lesson(number + 1) is None


async def test_a_ticket_has_one_draft_however_many_people_teach_it(entries: PostgresEntries, pool: Pool) -> None:
    taught = replace(BIKES, ticket=await ticket(pool))

    drafts = await asyncio.gather(*(entries.draft(taught, actor=f"slack:U{who}") for who in range(5)))

    assert len({draft.id for draft in drafts}) == 1
    assert len(await rows(pool, "select from entry_version")) == 1


async def test_a_conversation_may_teach_another_thing_later(entries: PostgresEntries, pool: Pool) -> None:
    taught = replace(BIKES, ticket=await ticket(pool))
    first = await entries.draft(taught, actor="slack:U1")
    await entries.turn(first.id, "approved", actor="slack:U1")

    again = await entries.draft(taught, actor="slack:U1")
    other = await entries.draft(replace(taught, question="And my car?"), actor="slack:U1")

    assert again.id == first.id
    assert (other.id, other.state) == (first.id + 1, "draft")


async def test_every_change_is_a_version(entries: PostgresEntries) -> None:
    draft = await entries.draft(BIKES, actor="slack:U1")
    await entries.turn(draft.id, "approved", actor="slack:U2", until=Until(NOW, None))
    await entries.reword(draft.id, replace(BIKES, answer="In the hall."), actor="slack:U3")
    await entries.turn(draft.id, "unlearned", actor="slack:U2")

    entry = await entries.get(draft.id)

    assert entry is not None
    assert (entry.state, entry.answer, entry.version, entry.owner) == ("unlearned", "In the hall.", 4, "slack:U2")
    assert [(one.version, one.state, one.answer, one.actor) for one in await entries.history(draft.id)] == [
        (1, "draft", "In the yard.", "slack:U1"),
        (2, "approved", "In the yard.", "slack:U2"),
        (3, "approved", "In the hall.", "slack:U3"),
        (4, "unlearned", "In the hall.", "slack:U2"),
    ]


async def test_what_changes_nothing_leaves_no_version(entries: PostgresEntries) -> None:
    draft = await entries.draft(BIKES, actor="slack:U1")
    await entries.turn(draft.id, "approved", actor="slack:U2")

    await entries.turn(draft.id, "approved", actor="slack:U3")
    await entries.turn(draft.id, "rejected", actor="slack:U3")
    await entries.reword(draft.id, BIKES, actor="slack:U3")

    assert [one.actor for one in await entries.history(draft.id)] == ["slack:U1", "slack:U2"]


async def test_two_who_decide_at_once_leave_one_decision(entries: PostgresEntries) -> None:
    draft = await entries.draft(BIKES, actor="slack:U1")
    decisions: tuple[State, ...] = ("approved", "rejected")

    await asyncio.gather(*(entries.turn(draft.id, state, actor="slack:U2") for state in decisions * 3))

    entry = await entries.get(draft.id)
    assert entry is not None
    # Rejected may be approved, the other way round it may not.
    assert entry.state == "approved"


async def test_an_unknown_entry_is_told_as_such(entries: PostgresEntries) -> None:
    assert await entries.get(7) is None
    assert await entries.turn(7, "approved", actor="slack:U1") is None
    assert await entries.reword(7, BIKES, actor="slack:U1") is None
    assert await entries.time(7, Until()) is None


async def test_what_is_over_expires_and_nothing_else(entries: PostgresEntries) -> None:
    for days, state in [(-1, "approved"), (0, "approved"), (1, "approved"), (-1, "draft"), (None, "approved")]:
        draft = await entries.draft(BIKES, actor="slack:U1")
        ends = None if days is None else NOW + timedelta(days=days)
        if state == "approved":
            await entries.turn(draft.id, "approved", actor="slack:U1")
        await entries.time(draft.id, Until(None, ends))

    assert [await entries.expire(NOW), await entries.expire(NOW)] == [[1, 2], []]
    assert [one.id for one in await entries.approved()] == [3, 5]
    assert [one.actor for one in await entries.history(1)] == ["slack:U1", "slack:U1", "clock:"]


async def test_what_is_due_for_review_is_listed_the_longest_overdue_first(entries: PostgresEntries) -> None:
    for days in (-1, 1, -9):
        draft = await entries.draft(BIKES, actor="slack:U1")
        await entries.turn(draft.id, "approved", actor="slack:U1", until=Until(NOW + timedelta(days=days)))

    assert [one.id for one in await entries.due(NOW)] == [3, 1]
    assert [one.id for one in await entries.newest(["approved"], 2)] == [3, 2]

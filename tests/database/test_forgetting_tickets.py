"""Whoever is forgotten is in no ticket any more; that there was one, and what became of it, still counts."""

import json

import pytest

from bot.core.incoming import Place
from bot.core.requests import Forgotten
from bot.store.card_pieces import PostgresCardPieces
from bot.store.forgetting import PostgresForgetting
from knowledge.store.pool import Pool
from tests.database.handed_over import (
    ASKER,
    ASKER_NAME,
    COLLEAGUE,
    COLLEAGUE_NAME,
    DIRECT,
    SECRET,
    Office,
    asked,
    counts,
    holding,
    let_time_pass,
    office_of,
)
from tests.database.recount import rows
from tests.database.stored_messages import Conversations, heard

COUNTED = ("message", "parcel", "ticket", "ticket_event", "unanswered", "entry", "entry_version")


@pytest.fixture
def office(talk: Conversations) -> Office:
    return office_of(talk)


@pytest.fixture
def forgetting(pool: Pool) -> PostgresForgetting:
    return PostgresForgetting(pool)


async def request(office: Office, message: str, *, author: str = ASKER) -> int:
    """Store the request to forget."""
    incoming = heard(message, "", author=author, place=DIRECT, company="direct", origin="request")
    await office.talk.store(incoming)
    return await office.talk.number(message)


async def worked_on(office: Office) -> int:
    """Return a ticket with all that can be said about it, closed."""
    ticket = await office.opened("1")
    await PostgresCardPieces(office.pool).keep(ticket, "key", f"{SECRET} is summed up.")
    await office.acted("claim", ticket)
    await office.acted("note", ticket, f"{SECRET} is noted.")
    await office.acted("ask", ticket, f"{SECRET} is asked back.")
    await office.wrote("2", thread="1")
    await office.acted("reply", ticket, f"{SECRET} is answered.")
    await office.acted("close", ticket)
    return ticket


async def taught(pool: Pool, ticket: int, state: str) -> int:
    """Store an entry that was made of a ticket, in its second version."""
    ((entry,),) = await rows(
        pool,
        "insert into entry (state, question, answer, language, links, author, author_name, owner, ticket_id)"
        f" values ('{state}', '{SECRET}?', '{SECRET}!', 'en', array['{SECRET}'], 'a', 'A', 'o', {ticket}) returning id",
    )
    for version, was in ((1, "draft"), (2, state)):
        values = f"({entry}, {version}, '{was}', '{SECRET}?', '{SECRET}!', 'fake:{COLLEAGUE}')"
        columns = "entry_id, version, state, question, answer, actor"
        await rows(pool, f"insert into entry_version ({columns}) values {values} returning 1")
    return int(entry)


async def test_the_asker_and_their_words_are_nowhere_and_every_row_still_counts(
    office: Office, forgetting: PostgresForgetting
) -> None:
    ticket = await worked_on(office)
    await taught(office.pool, ticket, "draft")
    await let_time_pass(office.pool)
    own = await request(office, "9")
    before = await counts(office.pool, COUNTED)
    ways = await rows(office.pool, "select kind, from_state, to_state from ticket_event order by id")

    forgotten = await forgetting.forget(own)

    assert forgotten == Forgotten(2, 0)
    assert await holding(office.pool, SECRET, ASKER_NAME) == {}
    assert [row["id"] for row in (await holding(office.pool, ASKER))["message"]] == [own]
    assert await counts(office.pool, COUNTED) == before
    assert await rows(office.pool, "select kind, from_state, to_state from ticket_event order by id") == ways
    assert await rows(office.pool, "select state, is_forgotten, reason, owner_name from ticket") == [
        ("closed", True, "unsupported", COLLEAGUE_NAME)
    ]
    assert await rows(office.pool, "select state from entry") == [("rejected",)]


@pytest.mark.parametrize("state", ["approved", "unlearned", "expired"])
async def test_what_was_approved_stays_without_the_wording_before(
    office: Office, forgetting: PostgresForgetting, state: str
) -> None:
    await taught(office.pool, await worked_on(office), state)

    await forgetting.forget(await request(office, "9"))

    assert await rows(office.pool, "select state, question from entry") == [(state, f"{SECRET}?")]
    assert await rows(office.pool, "select answer from entry_version order by version") == [("",), (f"{SECRET}!",)]


@pytest.mark.parametrize("steps", [[], ["claim"], ["claim", "reply"]])
async def test_what_a_person_has_stays_until_it_is_done(
    office: Office, forgetting: PostgresForgetting, steps: list[str]
) -> None:
    ticket = await office.opened("1")
    for step in steps:
        await office.acted(step, ticket, SECRET)  # type: ignore[arg-type]  # acts by their names
    before = await holding(office.pool, SECRET, ASKER_NAME)

    waiting = await forgetting.forget(first := await request(office, "8"))
    await office.inbox.finish(first, "done")
    kept = await holding(office.pool, SECRET, ASKER_NAME)
    await office.acted("close", ticket)
    done = await forgetting.forget(await request(office, "9"))

    assert (waiting, kept) == (Forgotten(0, 1), before)
    assert done.kept == 0
    assert await holding(office.pool, SECRET, ASKER_NAME) == {}


async def test_what_is_still_to_be_said_is_said_first(office: Office, forgetting: PostgresForgetting) -> None:
    ticket = await worked_on(office)
    await office.unsay_last()

    waiting = await forgetting.forget(first := await request(office, "8"))
    await office.inbox.finish(first, "done")
    await rows(office.pool, "update message set state = 'done' where origin = 'errand' returning 1")
    done = await forgetting.forget(await request(office, "9"))

    assert (waiting.kept, done.kept) == (1, 0)
    assert await rows(office.pool, f"select is_forgotten from ticket where id = {ticket}") == [(True,)]


async def test_a_question_whose_asker_did_not_agree_goes_too(office: Office, forgetting: PostgresForgetting) -> None:
    await office.opened("1")
    await rows(office.pool, "update unanswered set ticket_id = null returning 1")
    await rows(office.pool, "delete from ticket returning 1")
    await rows(office.pool, "update message set state = 'done' returning 1")

    await forgetting.forget(await request(office, "9"))

    assert await rows(office.pool, "select question, candidates, draft from unanswered") == [("", [], [])]


async def test_tickets_of_others_stay_but_for_what_was_written_into_them(
    office: Office, forgetting: PostgresForgetting
) -> None:
    ticket = await office.opened("1", author="U2")
    await office.acted("claim", ticket)
    await office.wrote("2", thread="1", author="U2")
    await rows(office.pool, f"update ticket_event set actor = 'fake:{ASKER}' where kind = 'follow_up' returning 1")
    await office.acted("close", ticket)

    await forgetting.forget(await request(office, "9"))

    events = await rows(office.pool, "select kind, text = '' from ticket_event where text <> '' or kind = 'follow_up'")
    assert events == [("follow_up", True)]
    assert await rows(office.pool, "select question, asker, is_forgotten from ticket") == [
        (f"{SECRET} asks?", "U2", False)
    ]


async def test_who_wrote_along_with_the_asker_is_named_no_more(office: Office, forgetting: PostgresForgetting) -> None:
    await worked_on(office)
    await rows(office.pool, "update ticket_event set actor = 'fake:U3' where kind = 'follow_up' returning 1")

    await forgetting.forget(await request(office, "9"))

    assert await holding(office.pool, "fake:U3", ASKER_NAME) == {}


async def test_the_name_of_somebody_at_the_desk_goes_and_their_words_stay(
    office: Office, forgetting: PostgresForgetting
) -> None:
    await worked_on(office)
    await let_time_pass(office.pool)
    own = await request(office, "9", author=COLLEAGUE)

    forgotten = await forgetting.forget(own)

    assert forgotten == Forgotten(0, 0)
    assert await holding(office.pool, COLLEAGUE_NAME) == {}
    assert [row["id"] for row in (await holding(office.pool, COLLEAGUE))["message"]] == [own]
    assert (f"{SECRET} is answered.",) in await rows(office.pool, "select text from ticket_event where kind = 'reply'")


async def test_who_has_a_ticket_keeps_it_under_their_name(office: Office, forgetting: PostgresForgetting) -> None:
    ticket = await office.opened("1")
    await office.acted("claim", ticket)

    forgotten = await forgetting.forget(await request(office, "9", author=COLLEAGUE))

    assert forgotten == Forgotten(0, 1)
    assert (await office.acted("reply", ticket, "A.")).came == "done"


async def test_an_operator_has_everything_forgotten_at_once(office: Office, forgetting: PostgresForgetting) -> None:
    ticket = await worked_on(office)
    await office.inbox.store(asked("3", place=DIRECT), is_volunteer=False)
    await office.unsay_last()

    forgotten = await forgetting.forget_person("fake", ASKER)

    assert forgotten == Forgotten(3, 0)
    assert await holding(office.pool, SECRET, ASKER_NAME, ASKER) == {}
    states = await rows(office.pool, "select state from message where state in ('waiting', 'cancelled')")
    assert states == [("cancelled",), ("cancelled",)]
    assert await rows(office.pool, f"select state, is_forgotten from ticket where id = {ticket}") == [("closed", True)]


async def test_an_operator_has_somebody_forgotten_in_all_workspaces(
    office: Office, forgetting: PostgresForgetting
) -> None:
    for workspace in ("T1", "T2"):
        await office.inbox.store(asked("1", place=Place("fake", workspace, "C1")), is_volunteer=False)
        spent = f"insert into spending values ((now() at time zone 'UTC')::date, 'fake:{workspace}:{ASKER}', 0.5)"
        await rows(office.pool, f"{spent} returning 1")

    assert await forgetting.forget_person("fake", ASKER) == Forgotten(2, 0)
    assert await holding(office.pool, SECRET, ASKER) == {}


async def test_an_operator_is_told_what_is_under_way_first(office: Office, forgetting: PostgresForgetting) -> None:
    asks = await office.opened("1")
    has = await office.opened("2", author="U2")
    await office.acted("claim", has, author=ASKER)

    under_way = await forgetting.tickets_of("fake", ASKER)
    forgotten = await forgetting.forget_person("fake", ASKER)

    assert under_way == ([asks], [has])
    assert forgotten.kept == 2
    assert [await forgetting.is_told([asks, has]), await forgetting.tickets_of("fake", "nobody")] == [True, ([], [])]


async def test_forgetting_again_changes_nothing(office: Office, forgetting: PostgresForgetting) -> None:
    await worked_on(office)
    await forgetting.forget_person("fake", ASKER)
    after = json.dumps(await holding(office.pool, ""), sort_keys=True, default=str)

    assert await forgetting.forget_person("fake", ASKER) == Forgotten(0, 0)
    assert json.dumps(await holding(office.pool, ""), sort_keys=True, default=str) == after

"""Where tickets are shown, in PostgreSQL: at their desks, and to their askers; what is to be said there are errands."""

from collections.abc import Iterator
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row

from bot.core.deliver import MOST_UNCONFIRMED
from bot.core.desk.book import Case
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.follows import ErrandKind, Side
from bot.core.desk.judging import CLOCK
from bot.core.desk.reading import WRITTEN, Found
from bot.core.incoming import Incoming
from bot.core.tickets.acts import ENTRY_ACTS, Act, Outcome
from bot.core.tickets.state import ACTIVE
from bot.store.cases import read_case
from bot.store.enqueueing import Enqueue
from bot.store.errands import Errand, desk_root, send_out
from bot.store.stored_message import place_row
from bot.store.ticket_changes import Happened, Happening, record
from knowledge.prepare import storable


class Rooms:
    """Sends errands to the places of a ticket."""

    def __init__(self, desks: Desks, enqueue: Enqueue | None) -> None:
        self._desks = desks
        self._enqueue = enqueue

    async def ticket_at(self, connection: AsyncConnection, incoming: Incoming) -> Found | None:
        """Return the ticket that a message at a desk belongs to: by its thread, its topic, or what it replies to."""
        above = incoming.wire.get("reply_to")
        names = [storable(name) for name in (incoming.thread, above) if name]
        where = {**place_row(incoming.place), "names": names, "above": above, "channels": list(incoming.channels)}
        cursor = connection.cursor(row_factory=dict_row)
        row = await (await cursor.execute(_TICKET_AT, where)).fetchone() if names else None
        return Found(int(row["ticket"]), row["prompt"], row["entry"] and int(row["entry"])) if row else None

    async def is_sending(self, connection: AsyncConnection, incoming: Incoming) -> bool:
        """Tell whether what a message stands below may be of ours, for something is being sent to its place."""
        if incoming.thread is None and "reply_to" not in incoming.wire:
            return False
        where = {**place_row(incoming.place), "channels": list(incoming.channels), "most": MOST_UNCONFIRMED}
        row = await (await connection.execute(_IS_SENDING, where)).fetchone()
        return bool(row and row[0])

    async def card(self, connection: AsyncConnection, case: Case, desk: Desk | None) -> None:
        """Send a ticket's card to a desk, once, in a topic of its own where there are topics.

        What its asker has added before stands below it.
        """
        if desk is None or desk.place is None:
            return
        if desk.with_topics:
            await self._send(connection, self._at_desk(case, desk, "topic"))
        await self._send(connection, self._at_desk(case, desk, "card"))
        for (event,) in await (await connection.execute(_FOLLOW_UPS, {"ticket": case.number})).fetchall():
            await self._send(connection, self._at_desk(case, desk, "follow_up", str(event), {"event": str(event)}))

    async def say(
        self, connection: AsyncConnection, case: Case, side: Side, kind: ErrandKind, event: int, **wire: str
    ) -> None:
        """Say what follows from an event to one side."""
        told = {"event": str(event), **wire}
        if side == "asker":
            if case.place:
                await self._send(connection, _to_asker(case, kind, str(event), told))
            return
        desk = self._desks.named(case.desk)
        if side == "fallback":
            await self.card(connection, case, self._desks.behind(desk))
            return
        rooms = await self._shown_in(connection, case, desk)
        if not rooms and kind == "follow_up":
            await self.card(connection, case, desk)
        for room in rooms:
            await self._send(connection, self._at_desk(case, room, kind, str(event), told))

    async def say_anew(self, connection: AsyncConnection, case: Case, event: Happened) -> None:
        """Say once more what has another text now, in place of what was said."""
        row = await (await connection.execute(_COUNT_EDIT, {"event": event.id})).fetchone()
        wire = {"edit": str(row[0]) if row else "1"}
        if event.kind == "follow_up":
            await self.say(connection, case, "desk", "follow_up_edit", event.id, **wire)
        elif event.kind in ("reply", "ask"):
            await self.say(connection, case, "asker", "reply_edit", event.id, **wire)

    async def prompt(self, connection: AsyncConnection, case: Case, act: Act) -> None:
        """Ask whoever pressed a button for words, where they pressed it."""
        room = self._desks.at(act.actor.place)
        if room:
            wire = {"do": act.kind, "to": act.actor.id} | ({"entry": str(act.number)} if act.kind in ENTRY_ACTS else {})
            if act.key.startswith(WRITTEN):
                # Who has written an order writes its words behind it: not everywhere is there something to reply to.
                wire |= {"how": "behind"}
            await self._send(connection, self._at_desk(case, room, "prompt", act.key, wire))

    async def reject(self, connection: AsyncConnection, act: Act, outcome: Outcome) -> None:
        """Tell whoever wrote something at a desk why nothing came of it, where they wrote it."""
        room = self._desks.at(act.actor.place)
        case = await read_case(connection, outcome.number)
        if room and case:
            wire: dict[str, str] = {"came": outcome.came, "do": act.kind}
            await self._send(connection, self._at_desk(case, room, "rejection", act.key, wire))

    async def suggest(self, connection: AsyncConnection, case: Case, event: int) -> None:
        """Suggest that what a person has said becomes knowledge."""
        row = await (await connection.execute(_HAS_ANSWER, {"ticket": case.number})).fetchone()
        if row and row[0]:
            await self.say(connection, case, "desk", "suggest", event)

    async def announce(self, connection: AsyncConnection, message: int, version: int) -> None:
        """Send out what a message that is about to be answered means for a desk: a card, or more to a ticket."""
        cursor = connection.cursor(row_factory=dict_row)
        row = await (await cursor.execute(_ANNOUNCED, {"message": message})).fetchone()
        case = await read_case(connection, int(row["ticket"])) if row else None
        if row is None or case is None:
            return
        if not row["is_own"]:
            # An earlier text of it had no answer; this one has.
            event = None if row["is_answered"] else await self._added(connection, case, row, message, version)
            if event:
                await self.say(connection, case, "desk", "follow_up", event)
            return
        if case.state in ACTIVE:
            await self.card(connection, case, self._desks.named(case.desk))
        if row["is_carded"]:
            await self._refresh(connection, case, f"m{message}v{version}")

    async def undelivered(self, connection: AsyncConnection, message: int) -> None:
        """Tell a desk that an errand did not arrive; a card goes to the other desk."""
        cursor = connection.cursor(row_factory=dict_row)
        row = await (await cursor.execute(_UNDELIVERED, {"message": message, "clock": CLOCK})).fetchone()
        case = await read_case(connection, int(row["ticket"])) if row else None
        if row is None or case is None or row["event"] is None:
            return
        desk = self._desks.named(case.desk)
        if row["errand"] in ("card", "topic"):
            await self.card(connection, case, self._desks.behind(desk))
        elif row["is_for_asker"]:
            await self.say(connection, case, "desk", "notice", int(row["event"]))

    async def _refresh(self, connection: AsyncConnection, case: Case, name: str) -> None:
        for room in await self._shown_in(connection, case, self._desks.named(case.desk)):
            await self._send(connection, self._at_desk(case, room, "refresh", name))

    async def _added(
        self, connection: AsyncConnection, case: Case, row: dict[str, Any], message: int, version: int
    ) -> int | None:
        files = [dict(file) for file in row["files"] or []]
        details = {"files": files} if files else {}
        happening = Happening(
            "added",
            f"{row['platform']}:{row['author']}",
            f"added:{message}:{version}",
            row["question"],
            details | ({"name": row["name"]} if row["name"] else {}),
        )
        return await record(connection, case, happening)

    async def _shown_in(self, connection: AsyncConnection, case: Case, desk: Desk | None) -> list[Desk]:
        """Return the desks that have a ticket's card, and are spoken to."""
        shown = await carded(connection, case.number)
        return [room for room in self._rooms(desk) if room.name in shown]

    def _rooms(self, desk: Desk | None) -> Iterator[Desk]:
        for room in (desk, self._desks.behind(desk)):
            if room and room.place:
                yield room

    def _at_desk(self, case: Case, desk: Desk, kind: str, name: str = "", wire: dict[str, str] | None = None) -> Errand:
        assert desk.place is not None, "only desks with a place are spoken to"
        told = {"desk": desk.name, **(wire or {})}
        return Errand(desk.place, case.number, kind, desk_root(case.number), name, wire=told, language=desk.language)

    async def _send(self, connection: AsyncConnection, errand: Errand) -> None:
        await send_out(connection, errand, self._enqueue)


async def carded(connection: AsyncConnection, ticket: int) -> set[str]:
    """Return the names of the desks that have a ticket's card."""
    rows = await connection.execute(_CARDS, {"ticket": ticket})
    return {str(name) for (name,) in await rows.fetchall()}


def _to_asker(case: Case, kind: str, event: str, wire: dict[str, str]) -> Errand:
    assert case.place is not None, "whoever asked in a place is told there"
    return Errand(
        case.place,
        case.number,
        kind,
        case.root or desk_root(case.number),
        event,
        thread=case.thread,
        conversation=case.conversation,
        company=case.company or "direct",
        language=case.language,
        wire=wire,
    )


_TICKET_AT = """
select message.wire ->> 'ticket' as ticket, message.wire ->> 'do' as prompt, message.wire ->> 'entry' as entry
from parcel join message on message.id = parcel.message_id
where parcel.channel = any(%(channels)s) and parcel.sent_as = any(%(names)s) and message.origin = 'errand'
    and message.platform = %(platform)s and message.workspace = %(workspace)s and message.wire ? 'desk'
order by parcel.sent_as = %(above)s desc nulls last, message.id desc limit 1
"""
# What did not get through for long is not waited for.
_IS_SENDING = """
select exists (
    select from message join parcel on parcel.message_id = message.id
    where message.state = 'replied' and message.origin = 'errand' and message.platform = %(platform)s
        and message.workspace = %(workspace)s and message.wire ? 'desk' and parcel.channel = any(%(channels)s)
        and parcel.state = 'begun' and parcel.attempts <= %(most)s and parcel.replaces is null
)
"""
_CARDS = """
select distinct wire ->> 'desk' from message
where origin = 'errand' and (wire ->> 'ticket')::bigint = %(ticket)s and wire ->> 'errand' = 'card'
"""
_FOLLOW_UPS = """
select id from ticket_event where ticket_id = %(ticket)s and kind in ('follow_up', 'added') order by id
"""
_COUNT_EDIT = """
update ticket_event set details = details || jsonb_build_object('edits', coalesce((details ->> 'edits')::int, 0) + 1)
where id = %(event)s returning details ->> 'edits'
"""
_HAS_ANSWER = """
select exists (select from ticket_event where ticket_id = %(ticket)s and kind in ('reply', 'draft', 'offer'))
    and not exists (select from entry where ticket_id = %(ticket)s)
"""
_ANNOUNCED = """
select noted.ticket_id as ticket, ticket.message_id = noted.message_id as is_own, noted.question, message.author,
    message.platform, message.wire ->> 'name' as name, (message.wire ->> 'files')::jsonb as files, exists (
        select from message as card
        where card.origin = 'errand' and (card.wire ->> 'ticket')::bigint = ticket.id
            and card.wire ->> 'errand' = 'card'
    ) as is_carded, exists (
        select from answer where answer.message_id = noted.message_id and answer.answered_at > noted.asked_at
    ) as is_answered
from unanswered as noted
join ticket on ticket.id = noted.ticket_id
join message on message.id = noted.message_id
where noted.message_id = %(message)s
"""
# Once: what was noted of it already has no row to return.
_UNDELIVERED = """
with undelivered as (
    select id, (wire ->> 'ticket')::bigint as ticket, wire ->> 'errand' as errand, reason, not wire ? 'desk' as to_asker
    from message where id = %(message)s and origin = 'errand' and state in ('undeliverable', 'failed')
), noted as (
    insert into ticket_event (ticket_id, kind, actor, from_state, to_state, text, key)
    select ticket.id, 'undelivered', %(clock)s, ticket.state, ticket.state, coalesce(undelivered.reason, ''),
        'undelivered:' || undelivered.id
    from undelivered join ticket on ticket.id = undelivered.ticket
    on conflict (key) do nothing
    returning id
)
select undelivered.ticket, undelivered.errand, undelivered.to_asker as is_for_asker, noted.id as event
from undelivered left join noted on true
"""

"""What must hold at every step of a walk, and what must have come where it belongs when all jobs are done."""

from collections import Counter

from bot.core.incoming import Incoming
from knowledge.store.pool import Pool
from tests.database.recount import rows
from tests.database.tickets_at_work import ROOM, Office


class Rules:
    """Looks at the database and at what people see, by rules of its own."""

    def __init__(self, pool: Pool, office: Office) -> None:
        self._pool = pool
        self._office = office
        self.watched: Counter[str] = Counter()

    async def watch(self, step: str, number: int) -> None:
        """See what is about to be said: nothing of the bot's own where a person owns the conversation."""
        ((origin, own, texts),) = await rows(
            self._pool,
            "select origin, message, (select string_agg(plain, ' ') from parcel where message_id = message.id)"
            f" from message where id = {number}",
        )
        self.watched[f"{origin} {step}"] += 1
        if origin in ("errand", "request"):
            return
        owners = await self._owners(number)
        # Of what it began with, a ticket is still announced.
        others = [one for one, began_with in owners if began_with != number or f"(ticket {one})" not in texts]
        assert others == [], f"{step}: message {own} is answered while a person has ticket {others}: {texts}"

    async def _owners(self, number: int) -> list[tuple[int, int]]:
        """Return the tickets whose owners have the conversation of a message, and what they began with."""
        found = await rows(
            self._pool,
            "select ticket.id, ticket.message_id, ticket.asker, own.author, own.conversation, own.company"
            " from message as own join ticket on ticket.root = own.root and ticket.channel = own.channel"
            f" where own.id = {number} and ticket.state in ('claimed', 'answered')",
        )
        return [
            (ticket, message)
            for ticket, message, asker, author, conversation, company in found
            if asker == author or conversation is None or company == "direct"
        ]

    async def see_edit(self, incoming: Incoming) -> None:
        """See whether the new text of what a person was told is there."""
        key = f"said:{incoming.place}:{incoming.message}"
        for (text,) in await rows(self._pool, f"select text from ticket_event where key = '{key}'"):
            assert text == incoming.text, f"{incoming.message} has another text now"

    async def check_all(self) -> None:
        """Look whether everything has come where it belongs, once."""
        await self._check_messages()
        await self._check_desk()
        await self._check_asker()
        self._check_once()

    async def _check_messages(self) -> None:
        """Nobody is left without an answer: the bot has said something, or a person was told."""
        mute = await rows(
            self._pool,
            "select own.message, own.state, own.reason, own.origin from message as own"
            " where own.role = 'user' and own.origin <> 'errand' and own.joined_to is null and own.state <> 'joined'"
            " and not (own.state = 'done' and exists ("
            "   select from parcel where parcel.message_id = own.id and parcel.state = 'sent'))"
            " and not (own.state = 'done' and own.reason = 'held' and exists (select from ticket_event"
            "   where key = 'said:' || own.platform || ':' || own.workspace || ':' || own.channel || ':' || own.message"
            "   or key like 'added:' || own.id || ':%'))",
        )
        assert mute == [], "nobody has answered"
        halves = await rows(
            self._pool,
            "select own.message from message as own join message as head on head.id = own.joined_to"
            " where own.state = 'joined' and head.reason = 'held' and not exists ("
            "   select from ticket_event where key like 'added:' || head.id || ':%')",
        )
        assert halves == [], "half of what was asked in one go is lost"

    async def _check_desk(self) -> None:
        """Each ticket has one card, and each thing that its asker wrote to a person stands below it once."""
        names = [parcel.marker for parcel in self._office.desk.sent if parcel.place == ROOM and not parcel.replaces]
        cards = Counter(name.split(":")[1] for name in names if ":card:" in name)
        active = "select id from ticket where state in ('open', 'claimed', 'answered')"
        assert {number for (number,) in await rows(self._pool, active)} <= {int(number) for number in cards}
        assert set(cards.values()) <= {1}, "a ticket has one card"
        events = await rows(self._pool, "select text from ticket_event where kind in ('follow_up', 'added')")
        shown = Counter(
            line.partition(": ")[2] or parcel.plain
            for parcel in self._office.desk.shown.values()
            if parcel.place == ROOM and ":follow_up" in parcel.marker
            for line in [parcel.plain]
        )
        assert shown == Counter(text for (text,) in events), "each follow-up stands at the desk once, as it is now"
        # No two messages of a walk have one text.
        assert set(shown.values()) <= {1}, "what was told already is told again"
        strangers = await rows(
            self._pool,
            "select key from ticket_event join ticket on ticket.id = ticket_id where kind = 'follow_up'"
            " and company = 'group' and actor <> platform || ':' || asker",
        )
        assert strangers == [], "in a group the others are answered"

    async def _check_asker(self) -> None:
        """Each thing that a person said stands where it was asked, once, as it is now; notes do not."""
        events = await rows(self._pool, "select text from ticket_event where kind in ('reply', 'ask')")
        shown = Counter(
            parcel.plain.partition(": ")[2].removesuffix("\n[return]")
            for parcel in self._office.askers.shown.values()
            if ":reply" in parcel.marker
        )
        assert shown == Counter(text for (text,) in events), "each reply was delivered once, as it is now"
        texts = "\n".join(self._office.askers.seen())
        notes = await rows(self._pool, "select text from ticket_event where kind = 'note'")
        assert [text for (text,) in notes if text in texts] == [], "notes stay at the desk"

    def _check_once(self) -> None:
        for chat in (self._office.askers, self._office.desk):
            twice = [marker for marker, times in Counter(one.marker for one in chat.sent).items() if times > 1]
            assert twice == [], "nothing is sent twice"

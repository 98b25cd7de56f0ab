"""Errands in PostgreSQL: what has to be said where nobody has just written, as messages that nobody wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from bot.core.incoming import Place
from bot.store.enqueueing import Enqueue
from bot.store.stored_message import conversation_lock, place_row
from knowledge.prepare import storable


@dataclass(frozen=True, slots=True)
class Errand:
    """Something to be said in a place; `kind` and `name` tell it from all others of its ticket.

    `root`: the errands of one root are done one after another, and so are the messages of the conversation with it.
    """

    place: Place
    ticket: int
    kind: str
    root: str
    name: str = ""
    text: str = ""
    thread: str | None = None
    conversation: str | None = None
    company: str = "private"
    language: str | None = None
    wire: Mapping[str, str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """What its row is called in its place."""
        return errand_name(self.ticket, self.kind, ":".join(filter(None, [self.name, self.wire.get("edit")])))


def errand_name(ticket: int, kind: str, name: str = "") -> str:
    """Return what an errand's row is called in its place."""
    return ":".join(filter(None, ["ticket", str(ticket), kind, name]))


def desk_root(ticket: int) -> str:
    """Return what a ticket's errands at a desk are ordered by."""
    return f"ticket:{ticket}"


async def send_out(connection: AsyncConnection, errand: Errand, enqueue: Enqueue | None) -> None:
    """Store an errand with its job, once; without a queue at hand, whoever answers messages finds it."""
    row = {
        **place_row(errand.place),
        "message": storable(errand.message),
        "root": storable(errand.root),
        "thread": errand.thread,
        "conversation": errand.conversation,
        "text": storable(errand.text),
        "company": errand.company,
        "language": errand.language,
        "wire": Jsonb(
            {"errand": errand.kind, "ticket": str(errand.ticket)}
            | {storable(key): storable(value) for key, value in errand.wire.items()}
        ),
    }
    found = await (await connection.execute(_SEND_OUT, row)).fetchone()
    if found and enqueue:
        await enqueue(connection, int(found[0]), lock=conversation_lock(errand.place, errand.root), wait_s=0.0)


_SEND_OUT = """
insert into message (platform, workspace, channel, message, root, thread, conversation, role, author, text, company,
                     is_addressed, origin, language, wire, sent_at, state)
values (%(platform)s, %(workspace)s, %(channel)s, %(message)s, %(root)s, %(thread)s, %(conversation)s, 'user', '',
        %(text)s, %(company)s, true, 'errand', %(language)s, %(wire)s, now(), 'waiting')
on conflict (platform, workspace, channel, message) do nothing
returning id
"""

"""What is sent, and the ports of sending: written down before, and known again after a crash."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.core.handle import Step
from bot.core.incoming import Incoming, Place, Question
from bot.core.messages import Reply, Turn
from bot.core.tickets.files import File
from bot.core.tickets.post import Post, Spot
from bot.core.wording import Watcher
from knowledge.types import Reader

# Seen by everybody in the place, or by the asker alone.
Sight = Literal["open", "private"]
# The buttons of a notice: ask the same once more, ask it in private, ask it for everybody here; choose a language; let
# a person have the question.
Button = Literal["retry", "private", "share", "languages", "consent"]


@dataclass(frozen=True, slots=True)
class Parcel:
    """One message to be sent, as the channel rendered it: `payload` is JSON, `plain` what the transcript keeps.

    `marker` goes along where the platform allows it, so that what was sent is known again. `thread` is the message that
    it hangs from. `attempts`: so many of them may have sent it. `replaces`: the platform's name of the message whose
    place it takes, because what was asked has another text now; `is_gone` where that message is only to disappear, and
    `is_repeat` where it says of itself that it was sent once more, which stays true of what takes its place.
    """

    position: int
    place: Place
    thread: str | None
    sight: Sight
    payload: Mapping[str, object]
    plain: str
    marker: str
    attempts: int = 0
    replaces: str | None = None
    is_gone: bool = False
    is_repeat: bool = False

    @property
    def was_begun(self) -> bool:
        """Whether it may have been sent already."""
        return self.attempts > 0


@dataclass(frozen=True, slots=True)
class Trace:
    """Something visible that a finished job must not leave behind: a status, a reaction, a stream that grows."""

    place: Place
    thread: str
    kind: str
    reference: str


class Outbox(Protocol):
    """What is to be sent in reply to stored messages."""

    async def plan(self, question: Question, parcels: Sequence[Parcel], *, asker: str) -> bool:
        """Store a whole reply, all or nothing; False where the message was edited or deleted meanwhile."""
        ...

    async def unsent(self, number: int) -> Sequence[Parcel]:
        """Return what of a message's reply is not known to be sent, in order."""
        ...

    async def begin(self, number: int, parcel: Parcel) -> bool:
        """Note that a parcel is being sent from now on; False where it was taken back meanwhile."""
        ...

    async def sent(self, number: int, parcel: Parcel, message: str | None) -> None:
        """Note that a parcel was sent, and the platform's name for it; the last one completes its message."""
        ...

    async def release(self, number: int, parcel: Parcel) -> None:
        """Note that a parcel that was begun was surely not sent."""
        ...

    async def give_up(self, number: int, reason: str) -> None:
        """Note that what is left of a reply cannot be delivered."""
        ...


class Traces(Protocol):
    """What of a job is visible on the platform, so that it is cleared whatever becomes of the job."""

    async def of(self, number: int) -> Sequence[Trace]:
        """Return what of a message's job is visible."""
        ...

    async def leave(self, number: int, trace: Trace) -> None:
        """Note a trace of a message's job before it becomes visible; a second one of its kind replaces the first."""
        ...

    async def wipe(self, number: int, trace: Trace) -> None:
        """Forget a trace that is gone."""
        ...


@dataclass(frozen=True, slots=True)
class Readers:
    """What every reader of a place may see (`audience`), what the asker may, and the language that the asker reads.

    `chosen` is the language that the asker wants all answers in.
    """

    audience: Reader
    asker: Reader
    language: str | None = None
    chosen: str | None = None


class Showing(Watcher, Protocol):
    """What the asker sees while an answer is made."""

    async def step(self, step: Step) -> None:
        """Show which step has begun."""
        ...


class Channel(Protocol):
    """One platform, open: it shows and sends, and never decides."""

    platform: str

    async def readers(self, incoming: Incoming) -> Readers:
        """Return who reads along; what cannot be found out is public knowledge only."""
        ...

    async def history(self, incoming: Incoming) -> tuple[Turn, ...]:
        """Return the earlier messages of a thread that is not ours, oldest first; () where that cannot be read."""
        ...

    def render(self, reply: Reply, question: Question) -> Sequence[Parcel]:
        """Return a reply as parcels, in order; private where the question came by a command."""
        ...

    def notice(self, text: str, question: Question, *, sight: Sight, button: Button | None = None) -> Parcel:
        """Return one sentence of the bot's own as a parcel, perhaps with a button."""
        ...

    def post(self, post: Post, spot: Spot) -> Sequence[Parcel]:
        """Return what a desk or an asker is shown as parcels, in order: the first one is the message that has it all.

        Where it `replaces` a message there is one parcel. Files are parcels of their own.
        """
        ...

    def topic(self, name: str, spot: Spot) -> Parcel | None:
        """Return the parcel that opens a topic, which is sent as the topic's name; None where there are no topics."""
        ...

    async def place(self, channel: str) -> Place:
        """Return the place that configuration calls by its channel's id; TransientError where that is not known yet."""
        ...

    async def name_of(self, place: Place, author: str) -> str | None:
        """Return what people call somebody there; None where that cannot be found out."""
        ...

    async def file(self, file: File) -> bytes:
        """Return a file that somebody sent here; Undeliverable where it is gone or too large, TransientError else."""
        ...

    async def turn(self, parcel: Parcel) -> None:
        """Wait until the platform's limits let a parcel be sent; RateLimited where that takes too long."""
        ...

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        """Send a parcel, in place of the answer that grew `over` there, and return the platform's name for it.

        RateLimited or TransientError: surely not sent; MaybeSent: nobody knows; Undeliverable: it never will be.
        """
        ...

    async def find(self, parcel: Parcel) -> str | None:
        """Return the platform's name of a parcel that was sent already, None where it was not, or cannot be found."""
        ...

    def can_find(self, parcel: Parcel) -> bool:
        """Tell whether what was sent can be found again; what cannot is sent once more at most, and marked."""
        ...

    async def recording(self, incoming: Incoming) -> bytes | None:
        """Return what somebody said instead of writing; None where that cannot be had."""
        ...

    def showing(self, question: Question, traces: Traces) -> AbstractAsyncContextManager[Showing]:
        """Show that something is done about a question, and the answer while it grows; all of it goes in the end."""
        ...

    async def wipe(self, trace: Trace) -> None:
        """Take back something visible that a dead job left."""
        ...

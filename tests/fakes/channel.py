"""A channel and the stores of a conversation in memory."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bot.core.handle import Step
from bot.core.incoming import Company, Incoming, Origin, Place, Question
from bot.core.messages import Reply, Sentence, Turn
from bot.core.outgoing import Button, Parcel, Readers, Sight, Trace, Traces
from bot.core.tickets.files import File
from bot.core.tickets.post import Post, Spot
from knowledge.types import Reader

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PLACE = Place("fake", "T1", "C1")


def incoming(
    text: str = "How do I reset my PIN?",
    *,
    company: Company = "public",
    thread: str | None = None,
    origin: Origin = "message",
    sent_at: datetime = NOW,
    wire: Mapping[str, str] | None = None,
) -> Incoming:
    """Return a message that was written to us."""
    return Incoming(
        PLACE, "1.1", "U1", text, sent_at, company, thread, is_addressed=True, origin=origin, wire=wire or {}
    )


def question(message: Incoming | None = None, *, number: int = 1, attempts: int = 1) -> Question:
    """Return a stored message whose turn has come."""
    message = message or incoming()
    return Question(number, message, message.text, attempts, 1)


class FakeQuestions:
    """Hands out questions once, and one of them as often as it has versions."""

    def __init__(self, *questions: Question) -> None:
        self.waiting = list(questions)
        self.finished: list[tuple[int, str]] = []
        self.answers: dict[int, str] = {}
        self.before: str | None = None
        self.worded: dict[int, str] = {}

    async def take(self, number: int) -> Question | None:
        found = next((question for question in self.waiting if question.number == number), None)
        if found:
            self.waiting.remove(found)
        return found

    async def finish(self, number: int, state: str, reason: str | None = None) -> None:
        self.finished.append((number, state))

    async def answered(self, number: int, answer: int, actor: str) -> str | None:
        return self.answers.get(answer)

    async def asked_before(self, number: int) -> str | None:
        return self.before

    async def word(self, number: int, text: str) -> None:
        self.worded[number] = text


class FakeOutbox:
    """Keeps parcels; a message in `changed` was edited, once, before its reply was planned."""

    def __init__(self) -> None:
        self.parcels: list[Parcel] = []
        self.states: dict[str, str] = {}
        self.begun: dict[str, int] = {}
        self.changed: set[int] = set()
        self.given_up: list[str] = []
        # What must not be said any more.
        self.taken_back: set[str] = set()

    async def plan(self, question: Question, parcels: Sequence[Parcel], *, asker: str) -> bool:
        if question.number in self.changed:
            self.changed.remove(question.number)
            return False
        self.parcels += parcels
        return True

    async def unsent(self, number: int) -> Sequence[Parcel]:
        return [
            replace(parcel, attempts=self.begun.get(parcel.marker, 0))
            for parcel in self.parcels
            if self.states.get(parcel.marker) != "sent"
        ]

    async def begin(self, number: int, parcel: Parcel) -> bool:
        self.begun[parcel.marker] = self.begun.get(parcel.marker, 0) + 1
        return parcel.marker not in self.taken_back

    async def sent(self, number: int, parcel: Parcel, message: str | None) -> None:
        self.states[parcel.marker] = "sent"

    async def release(self, number: int, parcel: Parcel) -> None:
        self.begun[parcel.marker] -= 1

    async def give_up(self, number: int, reason: str) -> None:
        self.given_up.append(reason)


class FakeTraces:
    """Keeps what is visible: of each kind one, as the table does; `ever` is all that was visible at any time."""

    def __init__(self, *left: Trace) -> None:
        self.left = {trace.kind: trace for trace in left}
        self.ever = list(left)

    async def of(self, number: int) -> Sequence[Trace]:
        return [*self.left.values()]

    async def leave(self, number: int, trace: Trace) -> None:
        self.left[trace.kind] = trace
        self.ever.append(trace)

    async def wipe(self, number: int, trace: Trace) -> None:
        if self.left.get(trace.kind) == trace:
            del self.left[trace.kind]


class FakeShowing:
    """Remembers the steps that it was told."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    async def show(self, sentences: Sequence[Sentence]) -> None:
        """Nobody looks."""

    async def step(self, step: Step) -> None:
        self.steps.append(step)


@dataclass
class FakeChannel:
    """Shows and sends in memory; each of `failures` is raised by one sending, `lost` ones after it arrived."""

    platform: str = "fake"
    of_place: Readers = field(default_factory=lambda: Readers(Reader(), Reader()))
    failures: list[Exception] = field(default_factory=list)
    lost: list[Exception] = field(default_factory=list)
    sent: list[Parcel] = field(default_factory=list)
    over: list[Trace | None] = field(default_factory=list)
    earlier: tuple[Turn, ...] = ()
    # What can be found again, once it was sent.
    has_history: bool = True
    recorded: bytes | None = None
    names: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    # Each is raised by one waiting for a turn.
    full: list[Exception] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """What people see, in order."""
        return [parcel.plain for parcel in self.sent]

    async def readers(self, incoming: Incoming) -> Readers:
        return self.of_place

    async def history(self, incoming: Incoming) -> tuple[Turn, ...]:
        return self.earlier

    def render(self, reply: Reply, question: Question) -> Sequence[Parcel]:
        return [self._parcel(reply.text, question, "open")]

    def notice(self, text: str, question: Question, *, sight: Sight, button: Button | None = None) -> Parcel:
        return self._parcel(f"{text} [{button}]" if button else text, question, sight)

    def _parcel(self, text: str, question: Question, sight: Sight) -> Parcel:
        marker = f"{question.number}:{sight}:{len(text)}"
        return Parcel(0, question.incoming.place, question.root, sight, {}, text, marker)

    def post(self, post: Post, spot: Spot) -> Sequence[Parcel]:
        buttons = " ".join(f"[{press.kind}]" for row in post.presses for press in row)
        text = "\n".join(
            filter(None, [*(f"{part.label}: {part.text}" if part.label else part.text for part in post.parts), buttons])
        )
        thread = spot.thread or spot.reply_to
        return [
            Parcel(0, spot.place, thread, "open", {"files": len(post.files)}, text, spot.key, replaces=spot.replaces)
        ]

    def topic(self, name: str, spot: Spot) -> Parcel | None:
        return Parcel(0, spot.place, None, "open", {"topic": name}, "", spot.key)

    async def place(self, channel: str) -> Place:
        return Place(self.platform, "T1", channel)

    async def name_of(self, place: Place, author: str) -> str | None:
        return self.names.get(author)

    async def file(self, file: File) -> bytes:
        return self.files[file.id]

    async def turn(self, parcel: Parcel) -> None:
        if self.full:
            raise self.full.pop(0)

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(parcel)
        self.over.append(over)
        if self.lost:
            raise self.lost.pop(0)
        return str(len(self.sent))

    async def find(self, parcel: Parcel) -> str | None:
        return "found" if self.has_history and any(sent.marker == parcel.marker for sent in self.sent) else None

    def can_find(self, parcel: Parcel) -> bool:
        return self.has_history

    async def recording(self, incoming: Incoming) -> bytes | None:
        return self.recorded

    def showing(self, question: Question, traces: Traces) -> AbstractAsyncContextManager[FakeShowing]:
        @asynccontextmanager
        async def shown() -> AsyncIterator[FakeShowing]:
            yield FakeShowing()

        return shown()

    async def wipe(self, trace: Trace) -> None:
        """Nothing is left in memory."""

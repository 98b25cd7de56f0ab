"""A random walk over the real database: people ask, other people take over, and jobs end in the midst of a step."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

from bot.core.errors import MaybeSent
from bot.core.incoming import Incoming, Place
from bot.core.intake import Limits
from bot.core.tickets.acts import Act, ActKind, Actor
from bot.store.desk_clock import PostgresDeskClock
from knowledge.errors import RateLimited
from knowledge.store.pool import Pool
from tests.database.recount import rows
from tests.database.stored_messages import heard
from tests.database.tickets_at_work import ASKED, ROOM, UNKNOWN, Office, Setting, office_of
from tests.database.tickets_in_steps import Jobs, PacedChat, PacedInbox, PacedOutbox
from tests.quality.silence_rules import Rules

BURST = timedelta(seconds=1)
LIMITS = Limits(per_person=10**6, per_place=10**6, burst=BURST)
GROUP = Place("fake", "T1", "G1")
ASKERS = ("U1", "U2", "U3")
PEOPLE = ("bea", "carl")
PRESSED: tuple[ActKind, ...] = ("claim", "release", "release", "close", "return", "return", "reopen", "reopen")
WRITTEN = ("", "", "/ask ", "// ", "/close", "/return")
CLOCK: tuple[ActKind, ...] = ("remind", "escalate", "late", "time_out", "time_out", "expire")
# So many conversations and tickets are spoken in at once; older ones rest.
RECENT = 5
DRAINED_EVERY = 40


@dataclass
class Walk:
    """One walk; every step is drawn from `draw`."""

    pool: Pool
    draw: Random
    jobs: Jobs = field(default_factory=Jobs)
    said: list[Incoming] = field(default_factory=list)
    desk_said: list[Incoming] = field(default_factory=list)
    clock: float = 0.0
    names: "count[int]" = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        """Open the office."""
        setting = Setting(limits=LIMITS, inbox=PacedInbox, outbox=PacedOutbox, chat=PacedChat)
        self.office: Office = office_of(self.pool, self.jobs.enqueue, setting)
        self.jobs.do = self.office.worker.do
        self.rules = Rules(self.pool, self.office)
        assert isinstance(self.office.outbox, PacedOutbox)
        self.office.outbox.watch = self.rules.watch

    async def step(self, number: int) -> None:
        """Do one thing, and see whether all rules hold."""
        weighed: dict[Callable[[], Awaitable[None]], int] = {
            self._go_on: 20,
            self._ask: 4,
            self._write_again: 9,
            self._edit: 5,
            self._deliver_again: 2,
            self._ask_for_the_bot: 1,
            self._press: 6,
            self._claim_in_the_midst: 6,
            self._write_at_desk: 5,
            self._edit_at_desk: 2,
            self._let_time_pass: 1,
            self._kill: 1,
            self._fail: 1,
        }
        act = self.draw.choices([*weighed], [*weighed.values()])[0]
        await act()
        if number % DRAINED_EVERY == 0:
            await self.drain()

    async def drain(self) -> None:
        """Do all jobs, and look whether everything has come where it belongs."""
        for chat in (self.office.askers, self.office.desk):
            chat.failures.clear()
            chat.lost.clear()
        await self._finish_jobs()
        # The clock shows a desk what nobody was told of, because a job had ended.
        clock, soon = PostgresDeskClock(self.pool), datetime.now(UTC) + timedelta(minutes=1)
        for number in await clock.uncarded(["it"], since=soon - timedelta(days=1), now=soon, limit=1_000):
            await self.office.book.card(number)
        await self._finish_jobs()
        await self.rules.check_all()

    async def _finish_jobs(self) -> None:
        while self.jobs.waiting:
            await self.jobs.go_on(self.jobs.runnable[0])

    async def _go_on(self) -> None:
        if self.jobs.waiting:
            await self.jobs.go_on(self.draw.choice(self.jobs.runnable))

    async def _kill(self) -> None:
        running = [job for job in self.jobs.waiting if job.task]
        if running:
            await self.jobs.kill(self.draw.choice(running))

    async def _fail(self) -> None:
        chat = self.draw.choice([self.office.askers, self.office.desk])
        if self.draw.random() < 0.5:
            chat.failures.append(RateLimited("not now", retry_after_s=1.0))
        else:
            chat.lost.append(MaybeSent("who knows"))

    async def _ask(self) -> None:
        """Begin a conversation: a thread, or a chat that is one."""
        author = self.draw.choice(ASKERS)
        self.clock += self.draw.choice([0.25, 60.0])
        match self.draw.randrange(4):
            case 0:
                await self._hear(author, Place("fake", "T1", f"D{author}"), conversation="chat", company="direct")
            case 1:
                await self._hear(author, GROUP, conversation="chat", company="group")
            case _:
                await self._hear(author, ASKED)

    async def _write_again(self) -> None:
        """Write below an earlier message, unasked where its author is the one who asked."""
        if not self.said:
            return
        above = self.draw.choice(self.said[-RECENT:])
        author = above.author if self.draw.random() < 0.8 else self.draw.choice(ASKERS)
        if above.company == "direct":
            author = above.author
        thread = None if above.conversation else above.thread or above.message
        is_addressed = bool(above.conversation) or author != above.author or self.draw.random() < 0.4
        for part in range(self.draw.choice([1, 1, 2])):
            self.clock += 0.25 if part else 60.0
            await self._hear(
                author,
                above.place,
                conversation=above.conversation,
                company=above.company,
                thread=thread,
                is_addressed=is_addressed,
            )

    async def _hear(self, author: str, place: Place, *, conversation: str | None = None, **about: object) -> None:
        said = heard(f"{self.clock:.2f}", self._words(), author=author, place=place, **about)  # type: ignore[arg-type]  # what tells of a message
        said = replace(said, conversation=conversation)
        if await self.office.intake.take(said) != "unwanted":
            self.said.append(said)

    def _words(self) -> str:
        kind = UNKNOWN if self.draw.random() < 0.75 else "known"
        mark = self.draw.choice(["?", "."])
        return f"Where is the {kind} thing w{next(self.names)}x{mark}"

    async def _edit(self) -> None:
        if self.said:
            place = self.draw.randrange(max(0, len(self.said) - RECENT), len(self.said))
            changed = replace(self.said[place], text=self._words())
            self.said[place] = changed
            await self.office.intake.edit(changed, may_revise=changed.conversation is not None)
            await self.rules.see_edit(changed)

    async def _deliver_again(self) -> None:
        kept = self.draw.choice([self.said, self.desk_said])
        if kept:
            await self.office.intake.take(self.draw.choice(kept[-4 * RECENT :]))

    async def _ask_for_the_bot(self) -> None:
        if self.said:
            above = self.draw.choice(self.said[-RECENT:])
            self.clock += 60.0
            thread = None if above.conversation else above.thread or above.message
            said = heard(
                f"{self.clock:.2f}",
                "",
                author=above.author,
                place=above.place,
                company=above.company,
                thread=thread,
                origin="request",
                wire={"request": "bot"},
            )
            await self.office.intake.take(replace(said, conversation=above.conversation))

    async def _ticket(self) -> int | None:
        found = await rows(self.pool, f"select id from ticket order by id desc limit {RECENT}")
        return int(self.draw.choice(found)[0]) if found else None

    async def _claim_in_the_midst(self) -> None:
        """Take over a conversation in which something is being answered just now."""
        running = [job.number for job in self.jobs.waiting if job.task]
        found = await rows(
            self.pool,
            "select ticket.id from ticket join message on message.channel = ticket.channel"
            " and message.root = ticket.root"
            f" where message.id = any(array{running}::bigint[]) and origin <> 'errand' and ticket.state = 'open'"
            " order by message.state = 'replied' desc, message.id desc",
        )
        if found:
            act = Act("claim", found[0][0], Actor("desk:bea", "Bea", ROOM), f"press:{next(self.names)}")
            await self.office.intake.act(act)

    async def _press(self) -> None:
        number = await self._ticket()
        if number:
            who = self.draw.choice(PEOPLE)
            actor = Actor(f"desk:{who}", who.title(), ROOM)
            act = Act(self.draw.choice(PRESSED), number, actor, f"press:{next(self.names)}")
            await self.office.intake.act(act)
            if self.draw.random() < 0.1:
                await self.office.intake.act(act)

    async def _write_at_desk(self) -> None:
        number = await self._ticket()
        below = await self.office.book.sent(ROOM, number, "card") if number else []
        if below:
            self.clock += 60.0
            text = f"{self.draw.choice(WRITTEN)}"
            text = text if text in ("/close", "/return") else f"{text}It is so, w{next(self.names)}x."
            said = heard(
                f"{self.clock:.2f}",
                text,
                author=self.draw.choice(PEOPLE),
                thread=below[0],
                is_addressed=False,
                place=ROOM,
            )
            self.desk_said.append(said)
            await self.office.intake.take(said)

    async def _edit_at_desk(self) -> None:
        if self.desk_said:
            place = self.draw.randrange(max(0, len(self.desk_said) - RECENT), len(self.desk_said))
            said = self.desk_said[place]
            prefix = "// " if said.text.startswith("//") else "/ask " if said.text.startswith("/ask") else ""
            changed = replace(said, text=f"{prefix}It is otherwise, w{next(self.names)}x.")
            if not said.text.startswith(("/close", "/return")):
                self.desk_said[place] = changed
                await self.office.intake.edit(changed)

    async def _let_time_pass(self) -> None:
        number = await self._ticket()
        if number:
            await rows(
                self.pool, f"update ticket set next_at = now() - interval '1 s' where id = {number} returning id"
            )
            kind = self.draw.choice(CLOCK)
            key = f"clock:{next(self.names)}"
            await self.office.intake.act(Act(kind, number, Actor("clock:"), key, at=datetime.now(UTC)))

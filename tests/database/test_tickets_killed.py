"""Whatever dies between any two steps: afterwards both sides hold exactly one of each (F07, S32)."""

from collections import Counter

from bot.core.tickets.acts import Act, Actor
from knowledge.store.pool import Pool
from tests.database.stored_messages import heard
from tests.database.tickets_at_work import ROOM, Office, Setting, office_of
from tests.database.tickets_in_steps import Jobs, PacedChat, PacedInbox, PacedOutbox

# So many steps the longest story has; each of them is the last one of some job once.
MOST_STEPS = 80


class Story:
    """A question that a person answers, told once with nothing amiss and once for each step that a job dies at."""

    def __init__(self, pool: Pool) -> None:
        self.jobs = Jobs()
        setting = Setting(inbox=PacedInbox, outbox=PacedOutbox, chat=PacedChat)
        self.office: Office = office_of(pool, self.jobs.enqueue, setting)
        self.jobs.do = self.office.worker.do
        self.stops = 0

    async def tell(self, number: int, *, dies_at: int | None) -> None:
        """Tell it about the ticket `number`."""
        self.stops = 0
        asked = heard(str(number * 1000), f"Where is the unknown key k{number}k?")
        await self.office.intake.take(asked)
        await self.work(dies_at)
        await self.office.intake.act(Act("claim", number, Actor("desk:bea", "Bea", ROOM), f"claim:{number}"))
        await self.work(dies_at)
        card = (await self.office.book.sent(ROOM, number, "card"))[0]
        reply = heard(
            str(number * 1000 + 1), f"Mat r{number}r.", author="bea", thread=card, is_addressed=False, place=ROOM
        )
        await self.office.intake.take(reply)
        await self.work(dies_at)
        await self.office.intake.take(heard(str(number * 1000 + 2), f"Which f{number}f?", thread=asked.message))
        await self.work(dies_at)

    async def work(self, dies_at: int | None) -> None:
        """Do all jobs; one of them dies at a step, and is begun anew."""
        while self.jobs.waiting:
            job = self.jobs.runnable[0]
            await self.jobs.go_on(job)
            self.stops += 1
            if self.stops == dies_at and job.task:
                await self.jobs.kill(job)

    def told(self, number: int) -> dict[str, int]:
        """Return how often each thing was said."""
        asker, desk = Counter[str](), Counter[str]()
        for counter, chat in ((asker, self.office.askers), (desk, self.office.desk)):
            counter.update(parcel.plain.split("\n")[0] for parcel in chat.sent if not parcel.replaces)
        return {
            "notice": sum(count for text, count in asker.items() if f"(ticket {number})" in text),
            "reply": sum(count for text, count in asker.items() if f"r{number}r" in text),
            "card": sum(count for text, count in desk.items() if text.startswith(f"Ticket {number} ")),
            "follow-up": sum(count for text, count in desk.items() if f"f{number}f" in text),
        }


async def test_whatever_step_a_job_dies_at_each_thing_is_said_once(pool: Pool) -> None:
    story = Story(pool)
    await story.tell(1, dies_at=None)
    steps = story.stops
    for step in range(1, steps + 1):
        await story.tell(step + 1, dies_at=step)

    said = [story.told(number) for number in range(1, steps + 2)]
    assert said == [{"notice": 1, "reply": 1, "card": 1, "follow-up": 1}] * (steps + 1)
    assert 20 < steps < MOST_STEPS

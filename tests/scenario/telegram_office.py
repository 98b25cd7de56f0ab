"""The loopback Telegram, and the channel that sends there by the real library."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.channels.pacing import Pace
from bot.channels.telegram.channel import Ports, TelegramChannel
from bot.channels.telegram.clients import open_bot
from bot.channels.telegram.readers.audiences import Audiences
from bot.channels.telegram.secrets import TelegramSecrets
from bot.channels.telegram.send.pacing import ChatPacing, Paces
from bot.channels.telegram.send.stage import Means
from bot.channels.telegram.settings import TelegramSettings
from bot.core.deliver import Deliverer
from bot.core.incoming import Question
from bot.core.messages import Reply, Sentence
from bot.core.outgoing import Parcel, Showing
from bot.core.phrases import phrase
from tests.fakes.channel import FakeOutbox, FakeTraces
from tests.fakes.people import FakePeople
from tests.fakes.slack_sending import readers_of
from tests.fakes.telegram_ports import FakeMoves
from tests.fakes.telegram_sending import asked
from tests.unit.bot.channels.slack_replies import answered, said
from tests.wire.telegram import ASKER, GROUP, TOKEN, Message, TelegramServer, telegram_at_work

FIRST = said("Press the star key twice.")
SECOND = said("Then enter the old PIN.")
THIRD = said("Then choose a new one.")
REPLY = answered(FIRST, SECOND, THIRD, text="Press the star key twice. Then enter the old PIN. Then choose a new one.")
AGAIN = phrase("sent_again", "en")
# In plain text, what a source is found at has to stand there itself.
PLAIN_SOURCE = "url https://wiki.example.org/"
# An answer that is soon seen growing.
SOON = Means(stream_after_s=0.1)
# Limits that a test need not wait for.
QUICK = Paces(Pace(50, 1.0), Pace(500, 60.0), Pace(500, 1.0))


@dataclass
class Office:
    """Telegram, the channel over it, and what the core keeps meanwhile."""

    telegram: TelegramServer
    channel: TelegramChannel
    moves: FakeMoves = field(default_factory=FakeMoves)
    traces: FakeTraces = field(default_factory=FakeTraces)
    outbox: FakeOutbox = field(default_factory=FakeOutbox)

    def asks(self, chat: int = GROUP, *, topic: int | None = None, number: int = 1) -> Question:
        """Let somebody write a question."""
        message = self.telegram.says(ASKER, chat, "How do I reset my PIN?", topic=topic)
        return asked(str(message), chat=chat, topic=topic, number=number)

    async def plan(self, question: Question, *parcels: Parcel) -> None:
        """Plan to send parcels."""
        await self.outbox.plan(question, parcels, asker=str(ASKER))

    async def deliver(self, question: Question) -> None:
        """Send what is planned, as the core does it."""
        await Deliverer(self.outbox, self.traces).deliver(question, self.channel)

    async def reply(self, question: Question, reply: Reply = REPLY) -> None:
        """Render, plan and send a reply."""
        await self.plan(question, *self.channel.render(reply, question))
        await self.deliver(question)

    def ours(self, chat: int = GROUP) -> list[Message]:
        """Return the messages of the bot's that people see in a chat."""
        return self.telegram.answers(chat)

    def shown(self, chat: int = GROUP) -> list[str]:
        """Return what people read of the bot in a chat."""
        return [message.text for message in self.ours(chat)]

    def called(self, method: str) -> int:
        """Return how often a method was called."""
        return len(self.telegram.calls_of(method))

    async def grown(self, question: Question, showing: Showing, *sentences: Sentence) -> Message:
        """Let an answer grow by sentences until it is to be seen, and return its message."""
        chat = int(question.incoming.place.channel)
        await showing.step("retrieve")
        await showing.step("read")
        await showing.show(sentences)
        await self.telegram.until(lambda: [one for one in self.traces.ever if one.reference != "?"])
        return self.telegram.message(chat, self.ours(chat)[-1].id)

    async def words(self, question: Question, *, every_s: float = 0.0) -> None:
        """Let the reply be worded, sentence by sentence, and sent."""
        async with self.channel.showing(question, self.traces) as showing:
            await showing.step("retrieve")
            for number in range(1, len(REPLY.sentences) + 1):
                await showing.show(REPLY.sentences[:number])
                await asyncio.sleep(every_s)
            await self.reply(question)


def whole(texts: Sequence[str]) -> bool:
    """Tell whether all of the reply is read there."""
    said = "\n".join(texts)
    return all(sentence.text in said for sentence in REPLY.sentences)


@asynccontextmanager
async def open_office(
    *, means: Means | None = None, paces: Paces | None = None, recording_s: int = 180
) -> AsyncIterator[Office]:
    """Open a Telegram with people, groups and the bot."""
    with telegram_at_work() as telegram:
        settings = TelegramSettings(api_url=telegram.url)
        async with open_bot(settings, TelegramSecrets(TOKEN)) as bot:
            moves = FakeMoves()
            channel = TelegramChannel(
                bot,
                audiences=Audiences(FakePeople(), readers_of({}), {}),
                ports=Ports(moves),
                means=means,
                pacing=ChatPacing(paces=paces),
                recording_s=recording_s,
            )
            yield Office(telegram, channel, moves)
        assert [alarm for alarm in telegram.alarms if PLAIN_SOURCE not in alarm] == []

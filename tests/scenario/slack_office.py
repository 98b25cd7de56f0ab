"""A workspace on the loopback Slack, and the channel that sends there by the real SDK."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.channels.slack.channel import SlackChannel
from bot.channels.slack.clients import open_clients
from bot.channels.slack.manifest import BOT_SCOPES
from bot.channels.slack.render.answer import answer_markdown
from bot.channels.slack.secrets import SlackSecrets
from bot.channels.slack.send.stage import Means
from bot.channels.slack.settings import SlackSettings
from bot.core.deliver import Deliverer
from bot.core.incoming import Company, Question
from bot.core.messages import Reply, Sentence
from bot.core.outgoing import Parcel, Showing, Trace
from knowledge.types import Reader
from tests.fakes.channel import FakeOutbox, FakeTraces
from tests.fakes.slack_sending import TEAM, asked, readers_of
from tests.unit.bot.channels.slack_replies import answered, said
from tests.wire.slack.messages import Message
from tests.wire.slack.server import SlackServer, slack_server

FIRST = said("Press the star key twice.")
SECOND = said("Then enter the old PIN.")
THIRD = said("Then choose a new one.")
REPLY = answered(FIRST, SECOND, THIRD, text="Press the star key twice. Then enter the old PIN. Then choose a new one.")
WHOLE = answer_markdown(REPLY.sentences)


@dataclass
class Office:
    """Slack, the channel over it, and what the core keeps meanwhile."""

    slack: SlackServer
    channel: SlackChannel
    traces: FakeTraces = field(default_factory=FakeTraces)
    outbox: FakeOutbox = field(default_factory=FakeOutbox)

    def asks(self, user: str = "U1", channel: str = "C1", *, thread: str | None = None, number: int = 1) -> Question:
        """Let somebody write a question."""
        ts = self.slack.says(user, channel, "How do I reset my PIN?", thread=thread)
        company: Company = "direct" if channel.startswith("D") else "public"
        return asked(ts, channel=channel, author=user, thread=thread, company=company, number=number)

    async def plan(self, question: Question, *parcels: Parcel) -> None:
        """Plan to send parcels."""
        await self.outbox.plan(question, parcels, asker="U1")

    async def deliver(self, question: Question) -> None:
        """Send what is planned, as the core does it."""
        await Deliverer(self.outbox, self.traces).deliver(question, self.channel)

    async def reply(self, question: Question, reply: Reply = REPLY) -> None:
        """Render, plan and send a reply."""
        await self.plan(question, *self.channel.render(reply, question))
        await self.deliver(question)

    def ours(self, channel: str = "C1") -> list[Message]:
        """Return the messages of the bot's that people see in a channel."""
        return [one for one in self.slack.channel(channel).messages.values() if one.is_ours and not one.is_deleted]

    def shown(self, channel: str = "C1") -> list[str]:
        """Return what people read of the bot in a channel."""
        return [one.reading for one in self.ours(channel)]

    def called(self, method: str) -> int:
        """Return how often a method was called."""
        return len(self.slack.calls_of(method))

    async def grown(self, question: Question, *sentences: Sentence, showing: Showing) -> Message:
        """Let an answer grow by sentences until it is to be seen, and return its message."""
        await showing.step("retrieve")
        await showing.step("read")
        await showing.show(sentences)
        await self.slack.until(lambda: self.traces.left.get("stream", _NONE).reference[:1].isdigit())
        return self.slack.message(question.incoming.place.channel, self.traces.left["stream"].reference)


_NONE = Trace(asked().incoming.place, "", "", "?")


@asynccontextmanager
async def open_office(
    *,
    means: Means | None = None,
    reader_of: Callable[[str | None], Awaitable[Reader]] | None = None,
    workspace_tags: Sequence[str] = (),
) -> AsyncIterator[Office]:
    """Open a workspace with two people, two channels and the bot."""
    with slack_server() as slack:
        home = slack.add_workspace(TEAM, scopes=BOT_SCOPES)
        home.add_user("U1", email="anna@example.com")
        home.add_user("U2", email="boris@example.com")
        home.add_channel("C1", ["U1", "U2"])
        home.add_channel("C2", ["U1", "U2"])
        settings = SlackSettings(api_url=slack.api_url)
        async with open_clients(settings, SlackSecrets(bot_token=f"xoxb-{TEAM}")) as clients:
            channel = SlackChannel(
                clients,
                reader_of=reader_of or readers_of({}),
                means=means or Means(),
                workspace_tags=workspace_tags,
            )
            yield Office(slack, channel)
        assert slack.alarms == []

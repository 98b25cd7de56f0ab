"""The checker sees what is lost, doubled or left half done, and nothing else."""

from collections.abc import Awaitable, Callable

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.wire.slack import ASKER, PUBLIC, TEAM, Asked, Signs, SlackServer, check, slack_at_work
from tests.wire.slack.apps import app_of, client_of, connected
from tests.wire.slack.checker import Outcome

SIGNS = Signs(
    hand_over=["passed it to a person"],
    repeat=["(sent again"],
    interim=["Checking"],
    is_whole=lambda post: post.text.endswith("[1]") or "(sent again" in post.text,
)
ANSWER = "Twenty-eight days. [1]"


class Bot:
    """Does what a case tells it to."""

    def __init__(self, client: AsyncWebClient, root: str) -> None:
        self._client = client
        self.root = root

    async def says(self, text: str, marker: str | None = None) -> None:
        metadata = {"event_type": "answer", "event_payload": {"marker": marker}} if marker else None
        await self._client.chat_postMessage(channel=PUBLIC, thread_ts=self.root, text=text, metadata=metadata)

    async def whispers(self, text: str) -> None:
        await self._client.chat_postEphemeral(channel=PUBLIC, user=ASKER, thread_ts=self.root, text=text)

    async def starts(self, text: str) -> str:
        recipient = {"recipient_team_id": TEAM, "recipient_user_id": ASKER}
        args = {"channel": PUBLIC, "thread_ts": self.root, "markdown_text": text, **recipient}
        return str((await self._client.api_call("chat.startStream", json=args))["ts"])

    async def shows_status(self) -> None:
        await self._client.assistant_threads_setStatus(channel_id=PUBLIC, thread_ts=self.root, status="reads…")


def acknowledging(slack: SlackServer) -> AsyncApp:
    app = app_of(slack)

    @app.event("message")
    async def take() -> None:
        """Acknowledge."""

    return app


Act = Callable[[Bot], Awaitable[None]]


async def problems_after(act: Act, outcome: Outcome = "anything", *, is_acked: bool = True) -> list[str]:
    """Ask, let the bot act, and return what the checker says."""
    with slack_at_work() as slack:
        if is_acked:
            async with connected(slack, acknowledging(slack)):
                root = slack.says(ASKER, PUBLIC, "How much leave?")
                await slack.until(lambda: slack.acks)
        else:
            root = slack.says(ASKER, PUBLIC, "How much leave?")
        await act(Bot(client_of(slack), root))
        return check(slack, [Asked(PUBLIC, root, ASKER, outcome=outcome)], SIGNS)


async def nothing(bot: Bot) -> None:
    """Do nothing."""


async def answers(bot: Bot) -> None:
    await bot.says(ANSWER, "m1")


async def hands_over(bot: Bot) -> None:
    await bot.says("I have passed it to a person.")


async def refuses(bot: Bot) -> None:
    await bot.whispers("Too much at once.")


async def answers_twice(bot: Bot) -> None:
    await bot.says(ANSWER, "m1")
    await bot.says(ANSWER, "m1")


async def repeats_with_a_mark(bot: Bot) -> None:
    await bot.says(ANSWER, "m1")
    await bot.says(f"(sent again, as the first may not have arrived) {ANSWER}", "m1")


async def repeats_with_a_mark_twice(bot: Bot) -> None:
    await repeats_with_a_mark(bot)
    await bot.says(f"(sent again, as the first may not have arrived) {ANSWER}", "m1")


async def leaves_a_stream(bot: Bot) -> None:
    await bot.says(ANSWER)
    await bot.starts("Twenty-")


async def leaves_a_status(bot: Bot) -> None:
    await bot.says(ANSWER)
    await bot.shows_status()


async def leaves_half(bot: Bot) -> None:
    await bot.says(ANSWER)
    await bot.says("Twenty-")


KEPT: list[tuple[Act, Outcome]] = [
    (answers, "anything"),
    (answers, "answered"),
    (hands_over, "handed_over"),
    (hands_over, "anything"),
]
KEPT += [(refuses, "told"), (refuses, "anything"), (repeats_with_a_mark, "answered"), (nothing, "nothing")]


@pytest.mark.parametrize(("act", "outcome"), KEPT, ids=lambda value: getattr(value, "__name__", value))
async def test_a_promise_that_is_kept_is_no_problem(act: Act, outcome: Outcome) -> None:
    assert await problems_after(act, outcome) == []


BROKEN: list[tuple[Act, Outcome, str]] = [
    (nothing, "anything", "I1"),
    (hands_over, "answered", "I1"),
    (answers, "handed_over", "I1"),
    (answers, "nothing", "I2"),
    (answers_twice, "answered", "I2"),
    (repeats_with_a_mark_twice, "answered", "I2"),
    (leaves_a_stream, "answered", "I3: the stream"),
    (leaves_a_status, "answered", "I3: the status"),
    (leaves_half, "answered", "I3: half an answer"),
]


@pytest.mark.parametrize(("act", "outcome", "promise"), BROKEN, ids=lambda value: getattr(value, "__name__", value))
async def test_a_promise_that_is_broken_is_named(act: Act, outcome: Outcome, promise: str) -> None:
    problems = await problems_after(act, outcome)

    assert problems
    assert all(problem.startswith(promise) for problem in problems)


async def test_what_was_never_acknowledged_may_stay_unanswered() -> None:
    assert await problems_after(nothing, is_acked=False) == []


async def test_an_answer_in_parts_is_not_doubled() -> None:
    async def in_parts(bot: Bot) -> None:
        await bot.says("Part one. [1]", "m1 1")
        await bot.says("Part two. [1]", "m1 2")

    assert await problems_after(in_parts, "answered") == []

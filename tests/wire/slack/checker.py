"""What Slack's side can tell of the promises I1 to I3: nothing lost, nothing doubled, nothing left half done.

Works on plain data: what is asked is given as `Asked`, and what an answer looks like as `Signs`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tests.wire.slack.records import Delivery
from tests.wire.slack.seen import Post, Seen

Outcome = Literal["answered", "handed_over", "told", "anything", "nothing"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A message that was directed at the bot, and what has to come of it.

    `thread` is the thread it stands in, None where it begins one. `told`: any reply, also one that only the asker sees;
    `anything`: an answer, a hand-over or any other reply.
    """

    channel: str
    ts: str
    user: str
    thread: str | None = None
    outcome: Outcome = "anything"

    @property
    def root(self) -> str:
        """The thread that replies are expected in."""
        return self.thread or self.ts


def _everything(post: Post) -> bool:
    return bool(post.text.strip())


def _marker(post: Post) -> str | None:
    payload = (post.metadata or {}).get("event_payload")
    return repr(sorted(payload.items())) if isinstance(payload, Mapping) and payload else None


@dataclass(frozen=True, slots=True)
class Signs:
    """How to tell what a post is.

    `hand_over`, `repeat` and `interim` are texts that stand in such posts (interim: shown while work goes on, and gone
    in the end); `is_whole` tells whether a post shows all of an answer; `marker` names it, the same for a repeat.
    """

    hand_over: Sequence[str] = ()
    repeat: Sequence[str] = ()
    interim: Sequence[str] = ()
    is_whole: Callable[[Post], bool] = _everything
    marker: Callable[[Post], str | None] = field(default=_marker)

    def hands_over(self, post: Post) -> bool:
        """Tell whether a post says that people take over."""
        return any(text in post.text for text in self.hand_over)


def check(slack: Seen, rows: Sequence[Asked], signs: Signs | None = None) -> list[str]:
    """Return which promises are broken; [] where all are kept.

    A message that the app never acknowledged need not be answered: Slack was never told that we have it.
    """
    signs = signs or Signs()
    problems = [problem for row in rows for problem in _of_question(slack, row, signs)]
    for channel, root in dict.fromkeys((row.channel, row.root) for row in rows):
        inside = [row for row in rows if (row.channel, row.root) == (channel, root)]
        problems += _of_thread(slack, inside, signs)
    return [*problems, *_left_behind(slack, signs)]


def acknowledged(slack: Seen, channel: str, ts: str) -> bool:
    """Tell whether the app acknowledged any event of a message."""
    return any(_is_of(delivery, channel, ts) and delivery.is_acked for delivery in list(slack.deliveries))


def _is_of(delivery: Delivery, channel: str, ts: str) -> bool:
    event = delivery.event
    return event.get("channel") == channel and event.get("ts") == ts and not _is_change(event)


def _is_change(event: Mapping[str, object]) -> bool:
    return event.get("subtype") in ("message_changed", "message_deleted")


def _of_question(slack: Seen, row: Asked, signs: Signs) -> Iterator[str]:
    name = f"{row.channel} {row.ts}"
    replies = _replies(slack, row)
    whispers = [one for one in slack.whispers(row.channel, row.user) if float(one.ts) > float(row.ts)]
    if row.outcome == "nothing":
        if replies or whispers:
            yield f"I2: {name} got a reply and needs none: {[one.text[:80] for one in (*replies, *whispers)]}"
        return
    if not acknowledged(slack, row.channel, row.ts):
        return
    handed_over = [one for one in (*replies, *whispers) if signs.hands_over(one)]
    answers = [one for one in replies if one not in handed_over and signs.is_whole(one)]
    fulfilled = {
        "answered": bool(answers),
        "handed_over": bool(handed_over),
        "told": bool(replies or whispers),
        "anything": bool(answers or handed_over or whispers),
    }
    if not fulfilled[row.outcome]:
        yield f"I1: {name} was acknowledged and is not {row.outcome}; seen: {[one.text[:80] for one in replies]}"


def _replies(slack: Seen, row: Asked) -> list[Post]:
    return [one for one in slack.answers(row.channel, thread=row.root) if float(one.ts) > float(row.ts)]


def _of_thread(slack: Seen, rows: Sequence[Asked], signs: Signs) -> Iterator[str]:
    """Yield what is doubled in a thread: the same marker or the same text, but for one repeat that says so."""
    first = min(rows, key=lambda row: float(row.ts))
    posts = _replies(slack, first)
    marked = [one for one in posts if any(text in one.text for text in signs.repeat)]
    plain = [one for one in posts if one not in marked]
    name = f"{first.channel} {first.root}"
    if len(marked) > len(rows):
        yield f"I2: {name} has {len(marked)} marked repeats for {len(rows)} questions"
    for kind, keys in (("marker", [signs.marker(one) for one in plain]), ("text", [one.text for one in plain])):
        for key, times in Counter(key for key in keys if key).items():
            if times > (len(rows) if kind == "text" else 1):
                yield f"I2: {name} shows the same {kind} {times} times: {str(key)[:80]}"


def _left_behind(slack: Seen, signs: Signs) -> Iterator[str]:
    for post in slack.open_streams():
        yield f"I3: the stream {post.channel} {post.ts} is left open: {post.text[:80]}"
    for (channel, thread), status in slack.standing_statuses().items():
        yield f"I3: the status {status.text!r} is left on in {channel} {thread}"
    for (channel, thread), state in slack.sessions.items():
        if state == "processing":
            yield f"I3: the session is left processing in {channel} {thread}"
    for channel in slack.channels():
        for post in slack.answers(channel):
            if _is_half(post, signs):
                yield f"I3: half an answer is left in {post.channel} {post.ts}: {post.text[:80]}"


def _is_half(post: Post, signs: Signs) -> bool:
    if any(text in post.text for text in signs.interim):
        return True
    return not post.is_streaming and not signs.hands_over(post) and not signs.is_whole(post)

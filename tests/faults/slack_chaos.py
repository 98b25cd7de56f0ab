"""Everything at once, by the dice: people who ask, edit and delete, a Slack that stumbles, a bot that is killed.

    python -m tests.faults.slack_chaos --rounds 100 --seed 7

plays longer than the suite does. The checker alone judges; a round that breaks a promise tells its seed and its acts.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from tests.faults.killed_slack_bots import knowing_on_slack, started_on_slack
from tests.faults.rounds import CALM_FOR_S, SEQUENCES, chosen_seeds, new_ground, settled, take, turns_of
from tests.faults.story import QUESTIONS, Story
from tests.scenario.slack_bot import HANDED_OVER, UNKNOWN
from tests.scenario.slack_talk import SLOWLY, Talk
from tests.wire.slack import MENTION, Asked, Fault, Post, Signs, check
from tests.wire.slack.checker import Outcome
from tests.wire.slack.records import Delivery

STEPS = ("received", "accepted", "taken", "worded", "planned", "begun", "sent", "noted", "growing")
FAULTS: Mapping[str, Sequence[Fault]] = {
    "chat.postMessage": (
        Fault.lost_confirmation(),
        Fault.failed_confirmation(),
        Fault.rate_limited(),
        Fault.server_error(),
        Fault.hang_up(),
        Fault.html(),
    ),
    "chat.startStream": (Fault.lost_confirmation(), Fault.server_error(), Fault.rate_limited(), Fault.delayed(0.5)),
    "chat.appendStream": (Fault.lost_confirmation(), Fault.hang_up()),
    "chat.stopStream": (Fault.lost_confirmation(), Fault.server_error(), Fault.rate_limited()),
    "chat.update": (Fault.lost_confirmation(), Fault.server_error()),
    "assistant.threads.setStatus": (Fault.lost_confirmation(), Fault.server_error(), Fault.error("no_permission")),
    "conversations.replies": (Fault.server_error(), Fault.rate_limited(), Fault.hang_up()),
    "conversations.info": (Fault.server_error(), Fault.hang_up()),
}


def is_whole(post: Post) -> bool:
    """Tell whether a post is an answer to its end: only then it bears our marker."""
    return any(fact in post.text for fact in QUESTIONS.values()) and post.metadata is not None


SIGNS = Signs(hand_over=HANDED_OVER, is_whole=is_whole)


class SlackStory(Story[str]):
    """What happens between one person and the bot, in a channel of theirs and directly."""

    steps = STEPS

    def __init__(self, talk: Talk, dice: Random, person: str, room: str) -> None:
        super().__init__(dice, [], person, talk.at_work.bot)
        self.asked: list[Asked] = []
        # Whether these are answered depends on which was faster; answered twice they must not be.
        self.deleted: list[Asked] = []
        self._talk = talk
        self._slack = talk.slack
        self._room = room
        self._direct = talk.direct(person)

    def _acts(self) -> Mapping[Callable[[], object], int]:
        return {
            self._ask: 6,
            self._follow_up: 3,
            self._edit: 2,
            self._delete: 1,
            self._repeat: 3,
            self._reorder: 2,
            self._stumble: 5,
            self._disconnect: 1,
        }

    def _start(self) -> None:
        self._talk.at_work.start()

    def _ask(self, *, is_slow: bool = False) -> Asked:
        text = self._dice.choice([*QUESTIONS, UNKNOWN]) if not is_slow else next(iter(QUESTIONS))
        outcome: Outcome = "handed_over" if text == UNKNOWN else "answered"
        if outcome == "answered" and (is_slow or self._dice.random() < 0.2):
            text = f"{text} Answer {SLOWLY}."
        channel = self._direct if self._dice.random() < 0.3 else self._room
        said = text if channel == self._direct else f"{MENTION} {text}"
        self.asked.append(Asked(channel, self._slack.says(self.person, channel, said), self.person, outcome=outcome))
        return self.asked[-1]

    def _follow_up(self) -> None:
        """Ask on in a thread: without a mention where we have answered there already."""
        there = [one for one in self.asked if one.outcome != "nothing"]
        if not there:
            return
        first = self._dice.choice(there)
        is_answered = bool(self._slack.answers(first.channel, thread=first.root))
        text = self._dice.choice([*QUESTIONS])
        said = text if is_answered else f"{MENTION} {text}"
        ts = self._slack.says(self.person, first.channel, said, thread=first.root)
        self.asked.append(Asked(first.channel, ts, self.person, first.root, "answered"))

    def _edit(self) -> None:
        answerable = [one for one in self.asked if one.outcome == "answered"]
        if answerable:
            self._edit_one(self._dice.choice(answerable))

    def _edit_one(self, one: Asked) -> None:
        self._slack.edits(one.channel, one.ts, f"{MENTION} {self._dice.choice([*QUESTIONS])}")

    def _delete(self) -> None:
        """Delete a question; one that others hang from only becomes a tombstone, which is another matter."""
        lonely = [one for one in self.asked if sum(other.root == one.root for other in self.asked) == 1]
        if lonely:
            one = self._dice.choice(lonely)
            self.asked.remove(one)
            self.deleted.append(one)
            self._slack.deletes(one.channel, one.ts)

    def _repeat(self) -> None:
        """Deliver something again, under its own event id or another one."""
        names = {(one.channel, one.ts) for one in (*self.asked, *self.deleted)}
        ours = [one for one in list(self._slack.deliveries) if _name(one) in names]
        if ours:
            again = self._dice.choice([self._slack.redelivers, self._slack.resends])
            again(self._dice.choice(ours))

    def _reorder(self) -> None:
        """Deliver the last first: an edit or a deletion may come before its message."""
        self._slack.courier.hold()
        first, second = self._ask(), self._ask()
        if self._dice.random() < 0.5 and first.outcome == "answered":
            self._edit_one(first)
        if self._dice.random() < 0.3:
            self.asked.remove(second)
            self.asked.append(replace(second, outcome="nothing"))
            self._slack.deletes(second.channel, second.ts)
        self._slack.courier.release(reverse=True)

    def _stumble(self) -> None:
        method = self._dice.choice([*FAULTS])
        fault, channel = self._dice.choice(FAULTS[method]), self._dice.choice([self._room, self._direct])
        self.log.append(f"    {method} {fault.name}")
        self._slack.inject(method, fault, times=self._dice.randint(1, 2), channel=channel)

    def _disconnect(self) -> None:
        if self._dice.random() < 0.5:
            self._slack.disconnects("refresh_requested")
        else:
            self._slack.cuts_connections()


def _name(delivery: Delivery) -> tuple[object, object]:
    return delivery.event.get("channel"), delivery.event.get("ts")


def play(talk: Talk, seed: int) -> str:
    """Play some stories at once; return which promises are broken once all is calm, with all that happened, else "".

    With an even seed the bot is killed in the middle.
    """
    dice = Random(seed)
    people = [talk.person() for _ in range(SEQUENCES)]
    rooms = [f"C6R{seed % 1_000_000:06d}N{number}" for number in range(SEQUENCES)]
    stories = [
        SlackStory(talk, dice, person, talk.room(person, name=room)) for person, room in zip(people, rooms, strict=True)
    ]
    turns = turns_of(stories, dice)
    if seed % 2 == 0:
        turns.insert(dice.randrange(len(turns)), stories[0].kill)
    take(turns, dice)
    problems = settled(lambda: _is_calm(talk)) + _judged(talk, stories)
    talk.slack.faults.clear()
    acts = [line for story in stories for line in story.log]
    return "\n".join([f"seed {seed}", *problems, *acts]) if problems else ""


def _is_calm(talk: Talk) -> bool:
    return talk.slack.courier.is_idle and talk.at_work.is_settled() and _has_caught_up(talk)


def _has_caught_up(talk: Talk) -> bool:
    """Tell whether the bot has looked for what it missed since it last connected, and asks for nothing any more.

    What Slack gave up to deliver, while a process died or a connection was cut, only comes that way.
    """
    calls = list(talk.slack.calls)
    opened_s = max((call.at_s for call in calls if call.method == "apps.connections.open"), default=0.0)
    looked = any(call.method == "conversations.list" and call.at_s > opened_s for call in calls)
    return looked and time.monotonic() - calls[-1].at_s > CALM_FOR_S


def _judged(talk: Talk, stories: Sequence[SlackStory]) -> list[str]:
    asked = [one for story in stories for one in story.asked]
    deleted = [one for story in stories for one in story.deleted]
    doubled = [problem for problem in check(talk.slack, [*asked, *deleted], SIGNS) if problem.startswith("I2")]
    alarms = [f"alarm: {alarm}" for alarm in talk.slack.alarms]
    return [*dict.fromkeys([*check(talk.slack, asked, SIGNS), *doubled, *alarms])]


def main() -> None:
    """Play as many rounds as are wanted."""
    seeds = chosen_seeds(__doc__)
    with (
        new_ground() as ground,
        knowing_on_slack(ground.folder, ground.home, ground.database_server, ground.template) as servers,
        started_on_slack(ground.folder / "bot", servers) as talk,
    ):
        for seed in seeds:
            print(play(talk, seed) or f"seed {seed}: well", flush=True)  # noqa: T201 # what is asked for


if __name__ == "__main__":
    main()

"""What people complained about in other bots, and how this one behaves: what is seen, and what Slack refuses.

The numbers are those of the reference list of complaints that the project keeps; each test says the complaint itself.
"""

import time

import pytest

from tests.scenario.slack_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED
from tests.scenario.slack_talk import EVERYTHING, SLOW, Talk
from tests.wire.slack import MENTION, Fault

MESSAGE_HOLDS = 13_200
STARTED_AGAIN_WITHIN_S = 30.0


def test_09_an_answer_that_no_message_holds_comes_in_several_in_order(talk: Talk) -> None:
    """Slack refuses a message near 13,000 characters, although each of its blocks is within the limits."""
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} Tell me {EVERYTHING} that is held in the paper archive")

    talk.until(lambda: "kept for 21 years" in "".join(post.text for post in talk.slack.answers(room)))
    talk.settled(room)
    posts = talk.slack.answers(room, thread=ts)
    assert len(posts) > 1
    assert all(len(post.text) < MESSAGE_HOLDS for post in posts)
    whole = "".join(post.text for post in posts)
    assert [whole.count(f"of the year {1990 + number}, ") for number in range(12)] == [8] * 12
    assert ["[1] The paper archive" in post.text for post in posts] == [False] * (len(posts) - 1) + [True]


def test_10_nothing_is_thinking_any_more_after_a_crash(talk: Talk) -> None:
    """ "Is thinking" stays for ever after it was killed."""
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {SLOW}")
    talk.until(lambda: any(post.is_streaming for post in talk.slack.answers(room)))
    talk.at_work.bot.kill()
    talk.at_work.start()

    talk.until(lambda: talk.slack.answers(room) and talk.at_work.is_settled(), STARTED_AGAIN_WITHIN_S)
    assert (room, ts) not in talk.slack.standing_statuses()
    assert talk.slack.open_streams() == []
    assert [IN_HOURS in post.text for post in talk.slack.answers(room)] == [True]


def test_11_two_threads_at_once_have_each_their_own_status(talk: Talk) -> None:
    """The status belongs to the channel: of two threads one keeps it."""
    asker, colleague = talk.person(), talk.person()
    room = talk.room(asker, colleague)
    threads = [talk.slack.says(user, room, f"{MENTION} {SLOW} to {user}") for user in (asker, colleague)]

    talk.until(lambda: {(room, thread) for thread in threads} <= set(talk.slack.standing_statuses()))
    talk.settled(room)
    assert [key for key in talk.slack.standing_statuses() if key[0] == room] == []
    assert [IN_DAYS in talk.answer(room, thread).text for thread in threads] == [True, True]


def test_12_an_answer_does_not_depend_on_its_status(talk: Talk) -> None:
    """A refused status broke the whole answer."""
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.inject("assistant.threads.setStatus", Fault.error("not_allowed_token_type"), channel=room, times=None)
    ts = talk.slack.says(asker, room, f"{MENTION} {SLOW}")
    talk.until(lambda: talk.slack.posts(room, thread=ts)[0].reactions)

    assert IN_DAYS in talk.answer(room, ts).text
    talk.until(lambda: talk.slack.posts(room, thread=ts)[0].reactions == {})
    talk.until(talk.at_work.is_settled)


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
def test_12_an_answer_does_not_depend_on_being_shown_while_it_grows(talk: Talk, method: str) -> None:
    """A refused call for the looks of it broke the whole answer."""
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.inject(method, Fault.error("message_not_in_streaming_state"), channel=room, times=None)
    talk.slack.says(asker, room, f"{MENTION} {SLOW}")

    talk.until(lambda: any(IN_HOURS in post.text for post in talk.slack.answers(room)))
    talk.settled(room)
    assert [(IN_DAYS in post.text, post.is_streaming) for post in talk.slack.answers(room)] == [(True, False)]


def test_14_what_the_bot_said_is_known_after_a_restart(talk: Talk) -> None:
    """After a restart a thread lacks what the bot itself has said there."""
    asker = talk.person()
    room = talk.room(asker)
    thread = talk.slack.says(asker, room, f"{MENTION} {EXPIRES} It is about {room}")
    talk.answer(room, thread)
    talk.settled(room)
    talk.at_work.bot.stop()
    talk.at_work.start()
    talk.slack.says(asker, room, f"{RENEWED} For {room}", thread=thread)

    assert IN_HOURS in talk.answer(room, thread, 2).text
    question, answer = talk.asked_of_model(f"For {room}")[-1].history
    assert f"It is about {room}" in question
    assert IN_DAYS in answer


def test_one_channel_that_slack_limits_keeps_no_other_waiting(talk: Talk) -> None:
    asker, other = talk.person(), talk.person()
    limited, room = talk.room(asker), talk.room(other)
    talk.slack.inject("chat.postMessage", Fault.rate_limited(4), channel=limited)
    waits = talk.slack.says(asker, limited, f"{MENTION} {EXPIRES}")
    talk.until(lambda: [call for call in talk.slack.calls_of("chat.postMessage") if call.text("channel") == limited])
    started = time.monotonic()
    goes_on = talk.slack.says(other, room, f"{MENTION} {EXPIRES}")

    talk.answer(room, goes_on)
    assert time.monotonic() - started < 3.0
    assert IN_DAYS in talk.answer(limited, waits).text
    calls = [call for call in talk.slack.calls_of("chat.postMessage") if call.text("channel") == limited]
    assert calls[1].at_s - calls[0].at_s >= 4.0


def test_what_cannot_be_delivered_is_given_up_once_and_told_to_operators(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.says(asker, room, f"{MENTION} {SLOW}")
    talk.until(lambda: talk.messages(room, "state = 'answering'"))
    with talk.slack.lock:
        talk.slack.channel(room).members.clear()

    talk.until(lambda: talk.messages(room, "state = 'undeliverable'"))
    sent = len(talk.slack.calls_of("chat.postMessage"))
    assert talk.stays(lambda: len(talk.slack.calls_of("chat.postMessage")) == sent)
    assert (room, "") not in talk.slack.standing_statuses()

"""Who is answered where, by which rules, and what becomes of a question that is changed."""

import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED, beginning
from tests.scenario.slack_talk import (
    IN_SPANISH,
    KITCHEN_ONLY,
    SLOW,
    UNLISTED,
    UNSURE,
    VOLUNTEERED,
    Talk,
)
from tests.wire.slack import MENTION, OTHER_BOT

KETTLE, IN_WEEKS = "When is the kettle descaled?", "6 weeks"
ASKED_PER_MINUTE = 10


def test_a_mention_is_answered_in_its_thread(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")

    assert IN_DAYS in talk.answer(room, ts).text
    assert [post.thread_ts for post in talk.slack.answers(room)] == [ts]


def test_a_direct_message_needs_no_mention(talk: Talk) -> None:
    asker = talk.person()
    ts = talk.slack.says(asker, talk.direct(asker), EXPIRES)

    assert IN_DAYS in talk.answer(talk.direct(asker), ts).text


def test_a_mention_by_a_colleague_in_a_thread_of_the_bot_is_answered_there(talk: Talk) -> None:
    asker, colleague = talk.person(), talk.person()
    room = talk.lobby(asker, colleague)
    thread = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.answer(room, thread)
    talk.slack.says(colleague, room, f"{MENTION} {RENEWED}", thread=thread)

    assert IN_HOURS in talk.answer(room, thread, 2).text


def test_two_questions_at_once_are_answered_each_in_its_thread(talk: Talk) -> None:
    asker, colleague = talk.person(), talk.person()
    room = talk.room(asker, colleague)
    first = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    second = talk.slack.says(colleague, room, f"{MENTION} {KETTLE}")

    assert IN_DAYS in talk.answer(room, first).text
    assert IN_WEEKS in talk.answer(room, second).text
    assert len(talk.slack.answers(room)) == 2


def test_other_bots_and_the_bot_itself_are_never_answered(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker, OTHER_BOT)
    talk.slack.says(OTHER_BOT, room, f"{MENTION} {EXPIRES}")
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.answer(room, ts)

    assert talk.stays(lambda: len(talk.slack.answers(room)) == 1)
    assert talk.messages(room, "role = 'user'") == 1


def test_where_channels_are_listed_others_are_told_to_write_directly(talk: Talk) -> None:
    asker = talk.person()
    talk.room(asker, name=UNLISTED)
    talk.slack.says(asker, UNLISTED, f"{MENTION} {EXPIRES}")
    told = talk.whisper(UNLISTED, asker)
    ts = talk.slack.says(asker, talk.direct(asker), EXPIRES)

    assert told.text == phrase("refused_elsewhere", "en")
    assert IN_DAYS in talk.answer(talk.direct(asker), ts).text


def test_a_channel_may_have_a_language_of_its_own(talk: Talk) -> None:
    asker = talk.person()
    talk.room(asker, name=IN_SPANISH)
    ts = talk.slack.says(asker, IN_SPANISH, f"{MENTION} Who feeds the office cat on Sundays?")

    assert talk.answer(IN_SPANISH, ts).text.startswith(beginning("handed_over", "es"))


def test_a_channel_may_have_a_threshold_of_its_own(talk: Talk) -> None:
    asker = talk.person()
    talk.room(asker, name=UNSURE)
    ts = talk.slack.says(asker, UNSURE, f"{MENTION} {EXPIRES}")

    assert talk.answer(UNSURE, ts).text.startswith(beginning("handed_over"))


def test_a_channel_may_have_sources_of_its_own(talk: Talk) -> None:
    asker = talk.person()
    talk.room(asker, name=KITCHEN_ONLY)
    known = talk.slack.says(asker, KITCHEN_ONLY, f"{MENTION} {KETTLE}")
    assert IN_WEEKS in talk.answer(KITCHEN_ONLY, known).text
    unknown = talk.slack.says(asker, KITCHEN_ONLY, f"{MENTION} {EXPIRES}")

    assert IN_DAYS not in talk.answer(KITCHEN_ONLY, unknown).text
    assert talk.tickets(KITCHEN_ONLY) == ["below_threshold"]


def test_where_everything_is_answered_threads_are_left_to_people(talk: Talk) -> None:
    asker, colleague = talk.person(), talk.person()
    talk.room(asker, colleague, name=VOLUNTEERED)
    thread = talk.slack.says(asker, VOLUNTEERED, "Shall we have lunch at the new place?")
    talk.slack.says(colleague, VOLUNTEERED, EXPIRES, thread=thread)

    assert talk.stays(lambda: not talk.slack.answers(VOLUNTEERED, thread=thread))


def test_an_edit_before_the_answer_changes_the_question(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {KETTLE}")
    talk.until(lambda: talk.messages(room, "true"))
    talk.slack.edits(room, ts, f"{MENTION} {EXPIRES}")

    assert IN_DAYS in talk.answer(room, ts).text
    talk.settled(room)
    assert [IN_WEEKS in post.text for post in talk.slack.answers(room)] == [False]


def test_an_edit_during_the_answer_changes_the_question(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {SLOW}")
    talk.until(lambda: talk.messages(room, "state = 'answering'"))
    talk.slack.edits(room, ts, f"{MENTION} {KETTLE}")

    talk.until(lambda: any(IN_WEEKS in post.text for post in talk.slack.answers(room)))
    talk.settled(room)
    assert [IN_DAYS in post.text for post in talk.slack.answers(room)] == [False]
    assert talk.slack.open_streams() == []


def test_a_mention_added_by_an_edit_asks(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, EXPIRES)
    talk.slack.edits(room, ts, f"{MENTION} {EXPIRES}")

    assert IN_DAYS in talk.answer(room, ts).text


def test_an_edit_after_the_answer_changes_nothing(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.answer(room, ts)
    talk.settled(room)
    talk.slack.edits(room, ts, f"{MENTION} {KETTLE}")

    assert talk.stays(lambda: [IN_DAYS in post.text for post in talk.slack.answers(room)] == [True])


def test_what_is_deleted_before_its_answer_has_none(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.until(lambda: talk.messages(room, "true"))
    talk.slack.deletes(room, ts)

    assert talk.stays(lambda: not talk.slack.answers(room))
    assert talk.messages(room, "state = 'cancelled'") == 1


def test_what_is_deleted_while_it_is_answered_has_no_answer_and_leaves_nothing(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {SLOW}")
    talk.until(lambda: any(post.is_streaming for post in talk.slack.answers(room)))
    talk.slack.deletes(room, ts)

    talk.until(lambda: not talk.slack.answers(room))
    talk.until(lambda: (room, ts) not in talk.slack.standing_statuses())
    assert talk.stays(lambda: not talk.slack.answers(room))
    assert talk.tickets(room) == []


@pytest.mark.parametrize("change", ["deleted", "edited"])
def test_a_change_that_comes_before_its_message_counts(talk: Talk, change: str) -> None:
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.courier.hold()
    ts = talk.slack.says(asker, room, f"{MENTION} {KETTLE}")
    if change == "deleted":
        talk.slack.deletes(room, ts)
    else:
        talk.slack.edits(room, ts, f"{MENTION} {EXPIRES}")
    talk.slack.courier.release(reverse=True)

    if change == "deleted":
        assert talk.stays(lambda: not talk.slack.answers(room))
    else:
        assert IN_DAYS in talk.answer(room, ts).text
        assert talk.stays(lambda: len(talk.slack.answers(room)) == 1)


@pytest.mark.parametrize(
    ("text", "files", "told"),
    [("", ["scan.pdf"], "refused_files"), ("", [], "refused_empty")],
    ids=["files", "nothing but the name"],
)
def test_what_holds_no_question_is_told_to_its_author_alone(talk: Talk, text: str, files: list[str], told: str) -> None:
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.says(asker, room, f"{MENTION} {text}", files=files)

    assert talk.whisper(room, asker).text == phrase(told, "en")
    assert talk.slack.answers(room) == []


def test_a_question_with_a_file_is_answered(talk: Talk) -> None:
    asker = talk.person()
    room = talk.lobby(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}", files=["screenshot.png"])

    assert IN_DAYS in talk.answer(room, ts).text


def test_who_asks_too_much_is_told_so_once_and_others_wait_no_longer(talk: Talk) -> None:
    flooder, asker = talk.person(), talk.person()
    flooded, room = talk.room(flooder), talk.room(asker)
    for number in range(200):
        talk.slack.says(flooder, flooded, f"{MENTION} {EXPIRES} Number {number}")
    ts = talk.slack.says(asker, room, f"{MENTION} {KETTLE}")

    assert IN_WEEKS in talk.answer(room, ts).text
    assert float(talk.answer(room, ts).ts) - float(ts) < 10.0
    talk.settled(flooded)
    assert [post.text for post in talk.slack.whispers(flooded, flooder)] == [phrase("refused_limit", "en")]
    assert 1 <= len(talk.slack.answers(flooded)) <= ASKED_PER_MINUTE

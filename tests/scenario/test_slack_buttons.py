"""What people do instead of writing: the command, the shortcut, the buttons, thumbs."""

from bot.core.phrases import phrase
from tests.scenario.slack_bot import EXPIRES, IN_DAYS, beginning
from tests.scenario.slack_talk import PAID, SLOWLY, UNLISTED, WAGES_FACT, WAGES_QUESTION, Talk
from tests.wire.slack import MENTION, Post
from tests.wire.slack.clicks import buttons

HELPFUL, HUMAN, SHARE, RETRY = "answer_feedback", "ask_human", "share_answer", "retry_question"


def answered(talk: Talk, asker: str, room: str) -> Post:
    """Ask something, and return the answer with its buttons."""
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.until(lambda: any(HELPFUL in str(post.blocks) for post in talk.slack.answers(room, thread=ts)))
    talk.settled(room)
    return talk.answer(room, ts)


def verdicts(talk: Talk, actor: str) -> list[tuple[object, ...]]:
    """Return what somebody thinks of answers, as it is stored."""
    return talk.at_work.rows(f"select verdict, reason, comment from feedback where actor = '{actor}'")


def test_the_command_answers_its_asker_alone(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.runs(asker, room, "/ask", EXPIRES)

    talk.until(lambda: any(IN_DAYS in post.text for post in talk.slack.whispers(room, asker)))
    assert talk.slack.answers(room) == []
    assert len(talk.slack.whispers(room)) == len(talk.slack.whispers(room, asker))


def test_what_the_command_answers_is_shared_by_asking_for_everybody(talk: Talk) -> None:
    asker = talk.person(email=PAID)
    room = talk.room(asker, talk.person())
    talk.slack.runs(asker, room, "/ask", EXPIRES)
    talk.slack.clicks(asker, room, whispered(talk, room, asker, IN_DAYS).ts, SHARE)

    talk.until(lambda: talk.slack.answers(room))
    talk.settled(room)
    assert [IN_DAYS in post.text for post in talk.slack.answers(room)] == [True]


def test_what_the_asker_alone_may_read_is_not_shared_with_everybody(talk: Talk) -> None:
    asker = talk.person(email=PAID)
    room = talk.room(asker, talk.person())
    talk.slack.runs(asker, room, "/ask", WAGES_QUESTION)
    talk.slack.clicks(asker, room, whispered(talk, room, asker, WAGES_FACT).ts, SHARE)

    talk.until(lambda: talk.slack.answers(room))
    talk.settled(room)
    assert all(WAGES_FACT not in post.text and "wages" not in post.text.lower() for post in talk.slack.answers(room))


def whispered(talk: Talk, room: str, user: str, fact: str) -> Post:
    """Wait for what somebody alone is told that holds something."""
    talk.until(lambda: any(fact in post.text for post in talk.slack.whispers(room, user)))
    return next(post for post in talk.slack.whispers(room, user) if fact in post.text)


def test_a_command_without_a_question_is_told_how_to_ask(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.runs(asker, room, "/ask")

    assert whispered(talk, room, asker, phrase("refused_empty", "en"))
    assert talk.slack.answers(room) == []


def test_the_shortcut_answers_somebody_elses_message_in_its_thread(talk: Talk) -> None:
    asker, colleague = talk.person(), talk.person()
    room = talk.room(asker, colleague)
    ts = talk.slack.says(colleague, room, EXPIRES)
    talk.slack.uses_shortcut(asker, room, ts, "answer_this")

    answer = talk.answer(room, ts)
    assert IN_DAYS in answer.text
    assert answer.thread_ts == ts


def test_the_shortcut_in_a_thread_knows_what_was_said_before(talk: Talk) -> None:
    asker, colleague = talk.person(), talk.person()
    room = talk.room(asker, colleague)
    thread = talk.slack.says(colleague, room, f"The gateway of {room} does not let me in.")
    ts = talk.slack.says(colleague, room, EXPIRES, thread=thread)
    talk.slack.says(asker, room, f"Let us ask {room} then.", thread=thread)
    talk.slack.uses_shortcut(asker, room, ts, "answer_this")

    assert IN_DAYS in talk.answer(room, thread).text
    context = next(prompt.context for prompt in talk.model.prompts if room in prompt.context)
    assert f"The gateway of {room}" in context
    assert f"Let us ask {room}" not in context


def test_the_shortcut_answers_directly_where_the_bot_is_not(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker, has_bot=False)
    ts = talk.slack.says(asker, room, EXPIRES)
    talk.slack.uses_shortcut(asker, room, ts, "answer_this")

    assert IN_DAYS in talk.last_direct(asker).text
    talk.settled(room)
    assert talk.slack.answers(room) == []


def test_a_refused_shortcut_is_told_where_it_is_seen(talk: Talk) -> None:
    asker = talk.person()
    talk.room(asker, name=UNLISTED)
    ts = talk.slack.says(asker, UNLISTED, EXPIRES)
    talk.slack.uses_shortcut(asker, UNLISTED, ts, "answer_this")

    told = talk.whisper(UNLISTED, asker)
    assert told.text == phrase("refused_elsewhere", "en")
    assert told.thread_ts is None, "nobody sees what hangs from a message without replies"


def test_of_two_clicks_on_the_feedback_buttons_the_last_one_counts(talk: Talk) -> None:
    asker = talk.person()
    room = talk.lobby(asker)
    answer = answered(talk, asker, room)
    for verdict in ("good", "bad"):
        talk.slack.clicks(asker, room, answer.ts, HELPFUL, value=_value(talk, answer, verdict))
        talk.until(lambda: verdicts(talk, asker))

    talk.until(lambda: verdicts(talk, asker) != [("good", None, None)])
    assert verdicts(talk, asker) == [("bad", None, None)]


def _value(talk: Talk, answer: Post, verdict: str) -> str:
    message = talk.slack.message(answer.channel, answer.ts)
    return next(str(one["value"]) for one in buttons(message) if str(one["value"]).startswith(verdict))


def test_a_reason_may_be_given_with_a_thumb_down(talk: Talk) -> None:
    asker = talk.person()
    room = talk.lobby(asker)
    answer = answered(talk, asker, room)
    talk.slack.clicks(asker, room, answer.ts, HELPFUL, value=_value(talk, answer, "bad"))
    talk.until(lambda: [view for view in talk.slack.views if view.user == asker])
    view = next(view for view in talk.slack.views if view.user == asker)
    talk.slack.submits(
        view,
        {
            "reason": {"reason": {"type": "radio_buttons", "selected_option": {"value": "outdated"}}},
            "comment": {"comment": {"type": "plain_text_input", "value": "It is 60 days since May."}},
        },
    )

    talk.until(lambda: verdicts(talk, asker) != [("bad", None, None)])
    assert verdicts(talk, asker) == [("bad", "outdated", "It is 60 days since May.")]


def test_thumbs_under_an_answer_are_feedback_and_can_be_taken_back(talk: Talk) -> None:
    asker, colleague = talk.person(), talk.person()
    room = talk.lobby(asker, colleague)
    answer = answered(talk, asker, room)
    talk.slack.reacts(asker, room, answer.ts, "+1")
    talk.slack.reacts(colleague, room, answer.ts, "-1")
    talk.until(lambda: verdicts(talk, asker) and verdicts(talk, colleague))
    talk.slack.unreacts(colleague, room, answer.ts, "-1")

    talk.until(lambda: not verdicts(talk, colleague))
    assert [row[0] for row in verdicts(talk, asker)] == ["good"]


def test_a_person_is_asked_for_once_however_often_the_button_is_pressed(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    answer = answered(talk, asker, room)
    for _ in range(3):
        talk.slack.clicks(asker, room, answer.ts, HUMAN)
    talk.until(lambda: len(talk.slack.answers(room)) > 1)

    assert talk.stays(lambda: len(talk.slack.answers(room)) == 2)
    assert talk.tickets(room) == ["asked"]
    told = talk.slack.answers(room)[-1]
    assert told.text.startswith(beginning("asked_for_a_person"))
    assert told.thread_ts == answer.thread_ts


def test_who_was_answered_alone_is_told_alone_that_a_person_was_asked(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.runs(asker, room, "/ask", EXPIRES)
    talk.slack.clicks(asker, room, whispered(talk, room, asker, IN_DAYS).ts, HUMAN)

    assert whispered(talk, room, asker, beginning("asked_for_a_person"))
    assert talk.slack.answers(room) == []
    assert talk.tickets(room) == ["asked"]


def test_a_person_is_not_asked_for_about_an_answer_of_another_channel(talk: Talk) -> None:
    asker, stranger = talk.person(), talk.person()
    room, other = talk.room(asker), talk.room(stranger)
    private = answered(talk, asker, room)
    own = answered(talk, stranger, other)
    # Whoever makes up what a button sends names an answer that they have not seen.
    message = talk.slack.message(other, own.ts)
    for block in message.blocks:
        for element in block.get("elements") or []:  # type: ignore[attr-defined]
            if element.get("action_id") == HUMAN:
                element["value"] = _value(talk, private, "good").removeprefix("good:")
    talk.slack.clicks(stranger, other, own.ts, HUMAN)

    talk.until(lambda: talk.messages(other, "state = 'refused'"))
    assert talk.tickets(other) == talk.tickets(room) == []
    assert len(talk.slack.answers(other)) == 1


def test_who_was_answered_too_late_may_ask_again_by_a_button(talk: Talk) -> None:
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.says_late(asker, room, f"{MENTION} {EXPIRES}", hours=7)
    apology = talk.answer(room, ts)
    assert apology.text.startswith(beginning("too_late"))
    assert talk.tickets(room) == ["stale"]
    talk.slack.clicks(asker, room, apology.ts, RETRY)
    talk.slack.clicks(asker, room, apology.ts, RETRY)

    assert IN_DAYS in talk.answer(room, ts, 2).text
    assert talk.stays(lambda: len(talk.slack.answers(room)) == 2)


def test_a_late_question_is_asked_again_by_its_author_alone(talk: Talk) -> None:
    asker, colleague = talk.person(), talk.person()
    room = talk.room(asker, colleague)
    ts = talk.says_late(asker, room, f"{MENTION} Please say {SLOWLY} when a VPN certificate expires", hours=7)
    apology = talk.answer(room, ts)
    talk.slack.clicks(colleague, room, apology.ts, RETRY)

    assert talk.stays(lambda: len(talk.slack.answers(room)) == 1)

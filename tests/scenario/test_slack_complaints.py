"""What people complained about in other bots, and how this one behaves: whom it answers, and from what.

The numbers are those of the reference list of complaints that the project keeps; each test says the complaint itself.
"""

import re

import pytest

from bot.core.phrases import phrase
from tests.scenario.slack_bot import EXPIRES, IN_DAYS, IN_HOURS, RENEWED, UNKNOWN
from tests.scenario.slack_talk import AS_TABLE, SLOWLY, UNLISTED, VOLUNTEERED, Talk
from tests.wire.slack import ASKER, MENTION, Fault, Post
from tests.wire.slack.records import Delivery

ACKNOWLEDGED_WITHIN_S = 3.0

# A person has taken over what was asked in a conversation.
CLAIMED = """
insert into ticket (question, language, reason, threshold, candidates, fingerprint, state, platform, workspace, channel,
    root, asker)
select 'Why?', 'en', 'asked', 1, '[]', 'f', 'claimed', platform, workspace, channel, root, asker from conversation
"""


def test_01_replies_of_the_asker_in_a_thread_of_the_bot_need_no_mention(talk: Talk) -> None:
    """It answers follow-ups in direct messages, and ignores them in a thread that it has begun itself."""
    asker, colleague = talk.person(), talk.person()
    room = talk.lobby(asker, colleague)
    thread = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.answer(room, thread)
    talk.slack.says(colleague, room, "Is that so? Who knows how to renew it?", thread=thread)
    talk.slack.says(asker, room, RENEWED, thread=thread)

    assert IN_HOURS in talk.answer(room, thread, 2).text
    assert talk.stays(lambda: len(talk.slack.answers(room, thread=thread)) == 2)


def test_01_nothing_is_said_in_a_thread_that_a_person_has_taken_over(talk: Talk) -> None:
    """It talks on where a person answers already."""
    asker = talk.person()
    room = talk.room(asker)
    thread = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.answer(room, thread)
    talk.at_work.change(f"{CLAIMED} where channel = '{room}' and root = '{thread}'")
    talk.slack.says(asker, room, RENEWED, thread=thread)
    talk.slack.says(asker, room, f"{MENTION} {RENEWED}", thread=thread)

    assert talk.stays(lambda: len(talk.slack.answers(room, thread=thread)) == 1)
    assert talk.slack.whispers(room) == []


def test_02_a_mention_in_the_thread_of_others_has_one_answer_that_knows_the_thread(talk: Talk) -> None:
    """It ignores a mention in a thread of people; or else it answers everything there ever after."""
    asker, colleague = talk.person(), talk.person()
    room = talk.room(asker, colleague)
    thread = talk.slack.says(colleague, room, "My laptop says that something of the gateway has run out.")
    talk.slack.says(asker, room, "That must be the certificate.", thread=thread)
    talk.slack.says(asker, room, f"{MENTION} {EXPIRES}", thread=thread)
    answer = talk.answer(room, thread)
    talk.slack.says(asker, room, RENEWED, thread=thread)
    talk.slack.says(colleague, room, RENEWED, thread=thread)

    assert IN_DAYS in answer.text
    assert talk.stays(lambda: len(talk.slack.answers(room, thread=thread)) == 1)
    told = [prompt.context for prompt in talk.model.prompts if "That must be the certificate." in prompt.context]
    assert ["something of the gateway has run out" in context for context in told] == [True]


def test_03_what_is_not_addressed_to_it_is_left_alone(talk: Talk) -> None:
    """It was added to a channel, and replies to every post."""
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.says(asker, room, EXPIRES)
    talk.slack.says(asker, room, f"I asked <@{ASKER}> about it.")

    assert talk.stays(lambda: not talk.slack.answers(room) and not talk.slack.whispers(room))
    assert talk.messages(room, "true") == 0


def test_03_where_it_answers_everything_it_says_nothing_of_what_it_does_not_know(talk: Talk) -> None:
    """It answers by itself what it had better left to others."""
    asker = talk.person()
    talk.room(asker, name=VOLUNTEERED)
    unknown = talk.slack.says(asker, VOLUNTEERED, UNKNOWN)
    known = talk.slack.says(asker, VOLUNTEERED, EXPIRES)

    assert IN_DAYS in talk.answer(VOLUNTEERED, known).text
    talk.settled(VOLUNTEERED)
    assert talk.slack.answers(VOLUNTEERED, thread=unknown) == []
    assert talk.slack.whispers(VOLUNTEERED, asker) == []
    assert talk.tickets(VOLUNTEERED) == []


def test_03_thanks_are_not_taken_for_a_question(talk: Talk) -> None:
    """It replies to everything, and opens a ticket for a "thank you"."""
    asker = talk.person()
    room = talk.room(asker)
    thread = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")
    talk.answer(room, thread)
    talk.slack.says(asker, room, "Great, thanks a lot! :pray:", thread=thread)

    assert talk.stays(lambda: len(talk.slack.answers(room)) == 1)
    assert talk.tickets(room) == []


def test_04_every_question_is_searched_for_before_the_model_is_asked(talk: Talk) -> None:
    """After an upgrade it searched for nothing any more, and cited nothing."""
    asker = talk.person()
    room = talk.lobby(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES} Just say it from the top of your head.")

    assert IN_DAYS in talk.answer(room, ts).text
    prompts = talk.asked_of_model("from the top of your head")
    assert [any(IN_DAYS in block for source in prompt.sources for block in source.blocks) for prompt in prompts] == [
        True
    ]


def test_05_what_slack_delivers_again_has_one_answer(talk: Talk) -> None:
    """Slack repeats what it has no answer to in time, and each repetition is answered."""
    asker = talk.person()
    room = talk.room(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} Please say {SLOWLY} when a VPN certificate expires")
    talk.until(lambda: len(_deliveries(talk, ts)) == 2)
    for delivery in _deliveries(talk, ts):
        talk.slack.redelivers(delivery)
        talk.slack.resends(delivery)

    assert IN_DAYS in talk.answer(room, ts).text
    talk.settled(room)
    talk.slack.redelivers(_deliveries(talk, ts)[0])
    assert talk.stays(lambda: len(talk.slack.answers(room)) == 1)
    latencies_s = [delivery.latency_s for delivery in _deliveries(talk, ts)]
    assert all(latency_s is not None and latency_s < ACKNOWLEDGED_WITHIN_S for latency_s in latencies_s)


def _deliveries(talk: Talk, ts: str) -> list[Delivery]:
    return [one for one in list(talk.slack.deliveries) if one.event.get("ts") == ts]


@pytest.mark.parametrize("fault", [Fault.lost_confirmation(), Fault.failed_confirmation()], ids=["lost", "failed"])
def test_06_an_answer_whose_confirmation_was_lost_is_not_posted_again(talk: Talk, fault: Fault) -> None:
    """It logs one message, and Slack shows two: its client tried again."""
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.inject("chat.postMessage", fault, channel=room)
    ts = talk.slack.says(asker, room, f"{MENTION} {EXPIRES}")

    talk.answer(room, ts)
    talk.settled(room)
    assert len(talk.slack.answers(room)) == 1
    assert talk.messages(room, "role = 'user' and state = 'done'") == 1


def test_13_a_thread_of_its_own_is_known_without_slacks_history(talk: Talk) -> None:
    """Reading threads is limited to once a minute, and then it answers no more."""
    asker = talk.person()
    room = talk.room(asker)
    thread = talk.slack.says(asker, room, f"{MENTION} {EXPIRES} It is about room {room}")
    talk.answer(room, thread)
    talk.slack.says(asker, room, RENEWED, thread=thread)
    talk.answer(room, thread, 2)

    question, answer = talk.asked_of_model(RENEWED)[-1].history
    assert room in question
    assert IN_DAYS in answer
    assert not [call for call in talk.slack.calls_of("conversations.replies") if call.text("channel") == room]


def test_13_a_thread_of_others_that_cannot_be_read_is_answered_all_the_same(talk: Talk) -> None:
    """Reading threads is limited to once a minute, and then it answers no more."""
    asker = talk.person()
    room = talk.room(asker)
    thread = talk.slack.says(asker, room, "Something has run out.")
    talk.slack.inject("conversations.replies", Fault.error("missing_scope", needed="channels:history"), channel=room)
    talk.slack.says(asker, room, f"{MENTION} {EXPIRES}", thread=thread)

    assert IN_DAYS in talk.answer(room, thread).text


def test_15_refusals_are_seen_by_the_asker_alone(talk: Talk) -> None:
    """That somebody may not ask, or that something failed, is told to the whole channel."""
    asker, colleague = talk.person(), talk.person()
    talk.room(asker, colleague, name=UNLISTED)
    room = talk.room(asker, colleague)
    talk.slack.says(asker, UNLISTED, f"{MENTION} {EXPIRES}")
    talk.slack.says(asker, room, f"{MENTION} {'Very long. ' * 400}")
    elsewhere, too_long = talk.whisper(UNLISTED, asker), talk.whisper(room, asker)

    assert elsewhere.text == phrase("refused_elsewhere", "en")
    assert too_long.text == phrase("too_long", "en", limit=4000)
    assert talk.slack.answers(UNLISTED) == talk.slack.answers(room) == []
    assert talk.slack.whispers(UNLISTED, colleague) == talk.slack.whispers(room, colleague) == []


def test_16_a_table_is_shown_as_a_table(talk: Talk) -> None:
    """Markdown tables arrive as raw pipes."""
    asker = talk.person()
    room = talk.lobby(asker)
    talk.slack.inject("chat.startStream", Fault.error("method_not_supported_for_channel_type"), channel=room)
    ts = talk.slack.says(asker, room, f"{MENTION} Show me {AS_TABLE} where the printer room of each floor is")

    shown = [block["text"] for block in talk.answer(room, ts).blocks if block["type"] == "markdown"]
    assert shown == [
        "| Floor | Printer room [1] |\n|---|---|\n| Ground floor | Room 014 [1] |\n| Second floor | Room 214 [1] |"
    ]


def test_28_what_is_written_in_one_go_is_one_question(talk: Talk) -> None:
    """A question that comes in pieces is answered, or refused, piece by piece."""
    asker = talk.person()
    room = talk.room(asker)
    talk.slack.says(asker, room, f"{MENTION} hello")
    talk.until(lambda: talk.messages(room, "true"))
    talk.slack.says(asker, room, "my laptop is the new one")
    talk.slack.says(asker, room, EXPIRES)

    talk.until(lambda: talk.slack.answers(room))
    talk.settled(room)
    assert [IN_DAYS in post.text for post in talk.slack.answers(room)] == [True]
    assert talk.tickets(room) == []


def test_35_the_markers_of_an_answer_are_those_of_its_footnotes(talk: Talk) -> None:
    """Markers point to sources that are not listed, and one document has two numbers."""
    asker = talk.person()
    room = talk.lobby(asker)
    ts = talk.slack.says(asker, room, f"{MENTION} When is the kettle descaled?")

    said, listed = _markers(talk.answer(room, ts))
    assert len(said) > 1
    assert said == sorted(set(said)) == listed


def _markers(post: Post) -> tuple[list[str], list[str]]:
    """Return the markers behind the sentences in order of first use, and those in front of the footnotes."""
    lines = post.text.splitlines()
    listed = [found[1] for line in lines if (found := re.match(r"\[(\d+)\] ", line))]
    said = [marker for line in lines if not re.match(r"\[\d+\] ", line) for marker in re.findall(r"\[(\d+)\]", line)]
    return [*dict.fromkeys(said)], listed


@pytest.mark.parametrize(
    ("question", "fact", "small_print"),
    [
        ("Сколько действует пропуск?", "12 месяцев", "обновлено"),
        ("Скільки триває щорічна відпустка?", "28 днів", "оновлено"),
        ("¿En cuántos días se reembolsan los gastos de viaje?", "15 días", "actualizado"),
    ],
    ids=["ru", "uk", "es"],
)
def test_38_who_asks_in_a_language_is_answered_in_it(talk: Talk, question: str, fact: str, small_print: str) -> None:
    """Asked in one language, it answers in another."""
    asker = talk.person()
    room = talk.lobby(asker)
    known = talk.slack.says(asker, room, f"{MENTION} {question}")
    answer = talk.answer(room, known)

    assert fact in answer.text
    assert small_print in answer.text

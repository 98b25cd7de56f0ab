"""Where a conversation is a whole chat: its messages are answered in order, and know what was said before."""

from dataclasses import replace
from datetime import timedelta

from bot.core.incoming import Company, Incoming
from bot.core.messages import Turn
from tests.database.stored_messages import PLACE, Conversations, heard

ASKED, ANSWERED = Turn("user", "How do I reset my PIN?"), Turn("assistant", "In the app.")


def chatted(
    message: str,
    text: str = "How do I reset my PIN?",
    *,
    author: str = "U1",
    company: Company = "direct",
    reply_to: str | None = None,
    conversation: str = "chat",
) -> Incoming:
    """Return a message in a chat without threads."""
    wire = {"reply_to": reply_to} if reply_to else {}
    said = heard(message, text, author=author, company=company, wire=wire)
    return replace(said, conversation=conversation)


async def sent_as(talk: Conversations) -> str:
    ((name,),) = await talk.change("select sent_as from parcel order by message_id desc limit 1")
    return str(name)


async def test_all_jobs_of_a_chat_share_a_lock_and_those_of_its_topics_have_their_own(talk: Conversations) -> None:
    await talk.store(chatted("1"))
    await talk.store(chatted("5", author="U2"))
    await talk.store(chatted("9", conversation="topic:7"))

    locks = [lock for _, lock in await talk.jobs()]

    assert locks == [f"{PLACE}:chat", f"{PLACE}:chat", f"{PLACE}:topic:7"]


async def test_in_a_direct_chat_what_was_said_before_is_known(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(chatted("1")), "In the app.")

    follow_up = await talk.heard_and_taken(chatted("60", "And on Sundays?"))

    assert (follow_up.is_follow_up, follow_up.history) == (True, (ASKED, ANSWERED))


async def test_what_was_said_long_ago_is_another_conversation(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(chatted("1")), "In the app.")
    late = replace(chatted("2", "And on Sundays?"), sent_at=chatted("1").sent_at + timedelta(hours=13))
    await talk.change("update message set sent_at = sent_at where role = 'user' returning id")
    await talk.change(f"update message set sent_at = '{chatted('1').sent_at}' where role = 'assistant' returning id")

    assert (await talk.heard_and_taken(late)).history == ()


async def test_in_a_group_others_questions_are_no_history(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(chatted("1", company="private")), "In the app.")

    question = await talk.heard_and_taken(chatted("60", "Where is the key?", author="U2", company="private"))

    assert (question.is_follow_up, question.history) == (False, ())


async def test_a_reply_to_an_answer_in_a_group_knows_that_answer_and_its_question(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(chatted("1", company="private")), "In the app.")
    await talk.answer(await talk.heard_and_taken(chatted("30", "Where is the key?", company="private")), "Below.")
    ((first,),) = await talk.change("select sent_as from parcel order by message_id limit 1")

    follow_up = chatted("60", "And on Sundays?", author="U2", company="private", reply_to=first)

    assert (await talk.heard_and_taken(follow_up)).history == (ASKED, ANSWERED)


async def test_replies_to_replies_are_followed(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(chatted("1", company="private")), "In the app.")
    second = chatted("30", "Which app?", company="private", reply_to=await sent_as(talk))
    await talk.answer(await talk.heard_and_taken(second), "The bank's.")
    third = chatted("60", "Is it free?", company="private", reply_to=await sent_as(talk))

    history = (await talk.heard_and_taken(third)).history

    assert history == (ASKED, ANSWERED, Turn("user", "Which app?"), Turn("assistant", "The bank's."))


async def test_what_was_joined_in_a_chat_and_let_go_stays_in_it(talk: Conversations) -> None:
    await talk.store(chatted("1", "Reset"))
    await talk.store(chatted("1.5", "the PIN?"))
    await talk.take("1")

    await talk.inbox.delete(PLACE, "1.5")

    assert await talk.change("select root from message where message = '1'") == [("chat",)]


async def test_the_last_question_of_its_author_is_found(talk: Conversations) -> None:
    await talk.answer(await talk.heard_and_taken(chatted("1", company="private")), "In the app.")
    await talk.answer(await talk.heard_and_taken(chatted("9", "Where?", author="U2", company="private")), "There.")
    wanted = replace(chatted("60", "", company="private"), wire={"human": ""}, origin="request")
    number = (await talk.heard_and_taken(wanted)).number

    assert await talk.inbox.asked_before(number) == "How do I reset my PIN?"


async def test_what_was_said_aloud_has_its_words(talk: Conversations) -> None:
    question = await talk.heard_and_taken(replace(chatted("1", ""), wire={"recording": "f1"}))

    await talk.inbox.word(question.number, "Where is the key?")

    assert (await talk.taken("1")).text == "Where is the key?"

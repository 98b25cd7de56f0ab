"""A question that nobody can answer goes to a desk, and what people say there goes back to where it was asked."""

from dataclasses import replace

import pytest

from bot.core.errors import Undeliverable
from bot.core.phrases import phrase
from bot.core.tickets.files import FILES, File, dumped
from knowledge.store.pool import Pool
from tests.database.tickets_at_work import (
    ANSWER,
    ASKED,
    IT,
    QUESTION,
    ROOM,
    SECOND,
    SECOND_ROOM,
    Office,
    Setting,
    open_office,
)

PIN = File("fake", "T1", "F1", "pin.png", 12, "image/png")


async def test_a_card_goes_to_the_desk_and_the_asker_is_told_who_answers_by_when(asked: Office) -> None:
    case = await asked.case()
    told = phrase("handed_over", "en", ticket=1)

    assert asked.askers.seen() == [f"{told} Who will answer: IT help. By when: {case.due_at:%Y-%m-%d %H:%M} (UTC)."]
    assert [parcel.place for parcel in asked.desk.sent] == [ROOM]
    (card,) = asked.desk.seen()
    assert card.startswith("Ticket 1 · open")
    assert QUESTION in card


async def test_what_the_documents_answer_is_no_ticket(office: Office) -> None:
    await office.asks("How do I reset my PIN?")
    await office.works()

    assert (office.askers.seen(), office.desk.seen()) == ([f"{ANSWER} [1]"], [])


async def test_a_reply_reaches_the_asker_where_they_asked_in_the_name_of_who_wrote_it(owned: Office) -> None:
    await owned.says("Below the mat.")
    await owned.works()

    reply = owned.askers.sent[-1]
    assert (reply.place, reply.thread, reply.plain) == (ASKED, "1000", "Bea: Below the mat.\n[return]")
    assert (await owned.case()).state == "answered"
    assert owned.desk.seen()[0].startswith("Ticket 1 · answered: Bea")


@pytest.mark.parametrize(
    ("sign", "people", "name"),
    [("desk", IT.people, "IT help"), ("name", {}, "Bea from the desk"), ("name", None, "B.")],
)
async def test_replies_are_signed_as_the_desk_wants_it(
    database_url: str, pool: Pool, sign: str, people: dict[str, str] | None, name: str
) -> None:
    desk = replace(IT, sign=sign, people=people or {}, is_closed=False)  # type: ignore[arg-type]  # a table
    async with open_office(database_url, pool, Setting((desk,))) as office:
        await office.asks(QUESTION)
        await office.works()
        wire = {"name": "B."} if people is None else {}
        await office.says("Below the mat.", wire=wire)
        await office.works()

        assert office.askers.seen()[-1].startswith(f"{name}: Below the mat.")


async def test_a_question_back_is_asked_and_the_answer_to_it_is_awaited(owned: Office) -> None:
    await owned.says("/ask Which door?")
    await owned.works()
    await owned.asks("The unknown one in the cellar.", thread="1000", is_addressed=False)
    await owned.works()

    assert owned.askers.seen()[-1].startswith("Bea: Which door?")
    assert owned.desk.seen()[-1] == "fake:U1: The unknown one in the cellar."
    assert ((await owned.case()).state, await owned.happened()) == ("claimed", ["claim", "ask", "follow_up"])


async def test_the_asker_answering_again_makes_an_answered_ticket_wait_again(owned: Office) -> None:
    await owned.says("Below the mat.")
    await owned.works()
    await owned.asks("Which mat?", thread="1000", is_addressed=False)
    await owned.works()

    assert owned.desk.seen()[0].startswith("Ticket 1 · taken: Bea")
    assert len(owned.askers.seen()) == 2


@pytest.mark.parametrize("text", ["// Carl knows.", "🔒 Carl knows.", "/note Carl knows."])
async def test_a_note_stays_at_the_desk(owned: Office, text: str) -> None:
    before = (owned.askers.seen(), owned.desk.seen())
    await owned.says(text)
    await owned.works()

    assert (owned.askers.seen(), owned.desk.seen()) == before
    assert (await owned.case()).events[-1].text == "Carl knows."


async def test_an_edit_at_the_desk_replaces_what_was_sent_however_often_it_comes(owned: Office) -> None:
    said, _ = await owned.says("Below the mat.")
    await owned.works()
    edited = replace(said, text="Above the door.")
    for again in (edited, edited, replace(said, text="  Above the door. ")):
        await owned.intake.edit(again)
    await owned.works()

    assert owned.askers.seen()[1:] == ["Bea: Above the door.\n[return]"]
    assert sum("Above the door" in parcel.plain for parcel in owned.askers.sent) == 1


async def test_what_the_asker_has_read_does_not_become_a_note(owned: Office) -> None:
    said, _ = await owned.says("Below the mat.")
    await owned.works()
    await owned.intake.edit(replace(said, text="// Do they know about the mat?"))
    await owned.works()

    assert owned.askers.seen()[1:] == ["Bea: Below the mat.\n[return]"]


async def test_a_note_that_is_edited_stays_one(owned: Office) -> None:
    said, _ = await owned.says("// Below the mat?")
    await owned.intake.edit(replace(said, text="Below the mat."))
    await owned.works()

    assert len(owned.askers.seen()) == 1
    assert (await owned.case()).events[-1].text == "Below the mat."


async def test_a_ticket_system_rewords_what_it_has_said(owned: Office) -> None:
    await owned.presses("reply", text="Below the mat.", key="w1")
    await owned.works()
    for key in ("w2", "w2"):
        await owned.presses("edit", text="Above the door.", key=key, edits="w1")
    wrong = await owned.presses("edit", text="Else.", edits="w9")
    await owned.works()

    assert wrong.came == "late"
    assert owned.askers.seen()[1:] == ["Bea: Above the door.\n[return]"]


async def test_an_edit_by_the_asker_replaces_what_the_desk_was_shown(owned: Office) -> None:
    said = await owned.asks("The blue one.", thread="1000", is_addressed=False)
    await owned.works()
    for _ in range(2):
        await owned.intake.edit(replace(said, text="The red one."))
    await owned.works()

    assert owned.desk.seen()[1:] == ["fake:U1: The red one."]
    assert sum("The red one" in parcel.plain for parcel in owned.desk.sent) == 1


async def test_an_edit_before_the_desk_was_told_is_what_it_is_told(owned: Office) -> None:
    said = await owned.asks("The blue one.", thread="1000", is_addressed=False)
    await owned.intake.edit(replace(said, text="The red one."))
    await owned.works()

    assert owned.desk.seen()[1:] == ["fake:U1: The red one."]


async def test_files_go_both_ways(owned: Office) -> None:
    wire = {FILES: dumped([PIN])}
    await owned.asks("", thread="1000", is_addressed=False, wire=wire)
    await owned.says("", wire=wire)
    await owned.works()

    assert [event.files for event in (await owned.case()).events[1:]] == [(PIN,), (PIN,)]
    assert [
        sum(bool(one.payload["files"]) for one in chat.sent if one.payload) for chat in (owned.desk, owned.askers)
    ] == [1, 1]


async def test_a_draft_is_sent_once_and_only_where_there_is_one(owned: Office) -> None:
    none = await owned.presses("draft")
    await owned.look('update ticket set draft = \'[{"text": "Below the mat."}]\' returning id')
    sent = [(await owned.presses("draft", by=by)).came for by in ("bea", "carl")]
    await owned.works()

    assert (none.came, sent) == ("late", ["done", "taken"])
    assert owned.askers.seen()[1:] == ["Bea: Below the mat.\n[return]"]


async def test_what_was_found_since_is_sent_by_one_button(owned: Office) -> None:
    await owned.look(
        "insert into ticket_event (ticket_id, kind, actor, from_state, to_state, text, key)"
        " values (1, 'answerable', 'clock:', 'claimed', 'claimed', 'Below the mat.', 'k') returning id"
    )
    await owned.presses("offer")
    await owned.works()

    assert owned.askers.seen()[1:] == ["Bea: Below the mat.\n[return]"]


async def test_a_closed_ticket_can_be_reopened_and_both_sides_see_it(owned: Office) -> None:
    await owned.presses("close")
    await owned.works()
    closed = owned.desk.seen()[0]
    await owned.presses("reopen", by="carl")
    await owned.works()

    told = [phrase(name, "en", ticket=1) for name in ("asker_closed", "asker_reopened")]
    assert owned.askers.seen()[1:] == told
    assert closed.startswith("Ticket 1 · closed")
    assert owned.desk.seen()[0].startswith("Ticket 1 · open")
    assert ((await owned.case()).owner, (await owned.case()).next_step) == (None, "remind")


async def test_a_card_that_does_not_arrive_goes_to_the_desk_behind(database_url: str, pool: Pool) -> None:
    async with open_office(database_url, pool) as office:
        await office.asks(QUESTION)
        office.desk.failures.append(Undeliverable("no such channel"))
        await office.works()
        ((card,),) = await office.look("select id from message where state = 'undeliverable'")
        for _ in range(2):
            await office.book.undelivered(card)
        await office.works()

        assert [parcel.place for parcel in office.desk.sent] == [SECOND_ROOM]
        assert (await office.happened()) == ["undelivered"]


async def test_a_reply_that_does_not_arrive_is_told_at_the_desk_once(owned: Office) -> None:
    await owned.says("Below the mat.")
    owned.askers.failures.append(Undeliverable("the bot was blocked"))
    await owned.works()
    ((reply,),) = await owned.look("select id from message where state = 'undeliverable'")
    for _ in range(2):
        await owned.book.undelivered(reply)
    await owned.works()

    assert owned.desk.seen()[1:] == [phrase("desk_undelivered", "en")]


async def test_two_desks_that_have_a_ticket_both_see_what_happens(owned: Office) -> None:
    await owned.look("update ticket set next_at = now() returning id")
    await owned.presses("escalate", by="clock:", place=None)
    await owned.works()
    await owned.asks("The blue one.", thread="1000", is_addressed=False)
    await owned.works()

    assert [text for text in owned.desk.seen() if "The blue one" in text] == ["fake:U1: The blue one."] * 2
    assert len(owned.desk.seen(SECOND_ROOM)) == 2
    assert owned.desk.seen(SECOND_ROOM)[0].startswith("Ticket 1 · taken: Bea")


async def test_each_ticket_has_a_topic_where_the_desk_has_topics(database_url: str, pool: Pool) -> None:
    desk = replace(SECOND, with_topics=True)
    async with open_office(database_url, pool, Setting((desk,))) as office:
        await office.asks(QUESTION)
        await office.works()
        topic = (await office.book.sent(SECOND_ROOM, 1, "topic"))[0]
        await office.says("Below the mat.", by="dora", place=SECOND_ROOM, thread=topic)
        await office.works()

        assert [parcel.thread for parcel in office.desk.sent][:2] == [None, topic]
        assert office.askers.seen()[-1].startswith("Dora: Below the mat.")

"""A question that was changed is answered in the place of its first answer."""

from dataclasses import replace

import pytest

from bot.core.errors import MaybeSent
from bot.core.incoming import Question
from tests.scenario.telegram_office import AGAIN, REPLY, Office, whole
from tests.unit.bot.channels.slack_replies import answered, said
from tests.wire.telegram import (
    GROUP,
    Fault,
)


async def revised(office: Office, **changes: object) -> tuple[Question, int]:
    """Answer a question, and plan another reply in place of that."""
    question = office.asks()
    (first,) = office.channel.render(answered(said("Ask the front desk."), text="Ask."), question)
    name = await office.channel.send(first)
    (parcel,) = office.channel.render(REPLY, question)
    await office.plan(question, replace(parcel, replaces=name, **changes))  # type: ignore[arg-type]  # any of its fields
    return question, int(str(name))


async def test_a_revised_answer_takes_the_place_of_the_first_one(office: Office) -> None:
    question, standing = await revised(office)

    await office.deliver(question)

    (message,) = office.ours()
    assert (message.id, whole([message.text]), len(message.texts)) == (standing, True, 2)
    assert message.has_previews_off
    assert message.buttons


async def test_a_revision_that_was_not_confirmed_is_made_again(office: Office) -> None:
    question, standing = await revised(office)
    office.telegram.inject("editMessageText", Fault.lost_confirmation(), times=3)

    for _ in range(3):
        with pytest.raises(MaybeSent):
            await office.deliver(question)
    await office.deliver(question)

    assert [(message.id, AGAIN in message.text) for message in office.ours()] == [(standing, False)]
    assert set(office.outbox.states.values()) == {"sent"}


@pytest.mark.parametrize("trouble", ["deleted", "Bad Request: message can't be edited"])
async def test_what_cannot_be_revised_is_answered_anew(office: Office, trouble: str) -> None:
    question, standing = await revised(office)
    if trouble == "deleted":
        office.telegram.deletes(GROUP, standing)
    else:
        office.telegram.inject("editMessageText", Fault.refused(400, trouble))

    await office.deliver(question)

    message = office.ours()[-1]
    assert (message.id != standing, whole([message.text]), AGAIN in message.text) == (True, True, False)
    assert str(message.reply_to) == question.incoming.message


async def test_a_revision_whose_form_is_refused_is_plain_text(office: Office) -> None:
    question, standing = await revised(office)
    office.telegram.inject("editMessageText", Fault.refused(400, "Bad Request: can't parse entities"))

    await office.deliver(question)

    (message,) = office.ours()
    assert (message.id, message.entities, whole([message.text])) == (standing, [], True)


@pytest.mark.parametrize("is_there", [True, False])
async def test_what_is_left_of_a_longer_answer_goes(office: Office, is_there: bool) -> None:
    question, standing = await revised(office, is_gone=True, payload={})
    if not is_there:
        office.telegram.deletes(GROUP, standing)

    await office.deliver(question)

    assert (office.ours(), office.outbox.given_up) == ([], [])


async def test_of_what_is_too_old_to_be_deleted_a_sign_is_left(office: Office) -> None:
    question, standing = await revised(office, is_gone=True, payload={})
    office.telegram.inject("deleteMessage", Fault.refused(400, "Bad Request: message can't be deleted"))

    await office.deliver(question)

    assert [(message.id, message.text, message.buttons) for message in office.ours()] == [(standing, "…", [])]

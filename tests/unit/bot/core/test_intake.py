"""What is delivered in any order ends as its author wants it."""

import asyncio
from dataclasses import replace

from bot.core.intake import Intake
from tests.fakes.slack_ports import FakeInbox
from tests.fakes.slack_sending import asked

MESSAGE = replace(asked().incoming, is_addressed=True, text="How do I reset my PIN?")
EDITED = replace(MESSAGE, text="How do I reset my password?")


async def test_an_edit_that_comes_before_its_message_asks_what_it_says() -> None:
    inbox = FakeInbox()
    intake = Intake(inbox)
    await intake.edit(EDITED)
    await intake.take(MESSAGE)

    assert inbox.texts == [EDITED.text]


async def test_an_edit_counts_whose_message_comes_at_the_same_moment() -> None:
    inbox = FakeInbox()
    intake = Intake(inbox)
    await asyncio.gather(intake.edit(EDITED), intake.take(MESSAGE))

    assert inbox.texts == [EDITED.text]


async def test_an_edit_of_what_was_never_for_us_asks_nothing() -> None:
    inbox = FakeInbox()
    intake = Intake(inbox)
    await intake.edit(replace(EDITED, is_addressed=False))

    assert inbox.texts == []

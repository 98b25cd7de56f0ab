"""What was said aloud is fetched from Telegram."""

import pytest

from bot.core.errors import RecordingProblem
from knowledge.errors import TransientError
from tests.fakes.telegram_sending import asked
from tests.scenario.telegram_office import Office
from tests.wire.telegram import (
    Fault,
)


async def test_a_recording_is_fetched(office: Office) -> None:
    media = office.telegram.add_file("voice", content=b"OggS words")
    question = asked(wire={"recording": media.file_id, "recording_s": "9"})

    assert await office.channel.recording(question.incoming) == b"OggS words"
    assert await office.channel.recording(asked().incoming) is None


@pytest.mark.parametrize("trouble", ["too long", "too big", "gone"])
async def test_a_recording_that_cannot_be_had_is_said_to_be_one(office: Office, trouble: str) -> None:
    media = office.telegram.add_file("voice", content=bytes(20 * 1024 * 1024 + 1) if trouble == "too big" else b"x")
    if trouble == "gone":
        del office.telegram.files[media.file_id]
    wire = {"recording": media.file_id, "recording_s": "181" if trouble == "too long" else "9"}

    with pytest.raises(RecordingProblem):
        await office.channel.recording(asked(wire=wire).incoming)


async def test_a_recording_waits_while_telegram_is_in_trouble(office: Office) -> None:
    media = office.telegram.add_file("voice")
    office.telegram.inject("getFile", Fault.html_502())

    with pytest.raises(TransientError):
        await office.channel.recording(asked(wire={"recording": media.file_id}).incoming)

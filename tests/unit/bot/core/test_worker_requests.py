"""Requests about the bot itself, what was said aloud, and a person who is wanted without words."""

from dataclasses import replace

import pytest

from bot.core.errors import RecordingProblem
from bot.core.incoming import Question
from bot.core.phrases import phrase
from knowledge.errors import TransientError
from tests.fakes.channel import incoming, question
from tests.unit.bot.core.test_worker import Desk

SPOKEN = replace(incoming("", wire={"recording": "file1"}), has_files=True)


class FakeTranscriber:
    """Hears the same words in every recording, or fails."""

    def __init__(self, words: str = "How do I reset my PIN?", *, failure: Exception | None = None) -> None:
        self.words = words
        self.failure = failure
        self.heard: list[bytes] = []

    async def transcribe(self, recording: bytes, *, language: str | None) -> str:
        self.heard.append(recording)
        if self.failure:
            raise self.failure
        return self.words


def listening(transcriber: FakeTranscriber | None, *, recorded: bytes | None = b"sound", text: str = "") -> Desk:
    desk = Desk(replace(question(SPOKEN), text=text), transcriber=transcriber)
    desk.channel.recorded = recorded
    return desk


async def test_a_request_is_served_and_no_document_is_searched() -> None:
    desk = Desk(question(incoming("", origin="request", wire={"request": "help"})))

    await desk.worker.do(1)

    assert (desk.channel.texts, desk.index.queries) == ([phrase("help", "en")], [])


async def test_what_was_said_aloud_is_answered_and_its_words_are_kept() -> None:
    desk = listening(FakeTranscriber())

    await desk.worker.do(1)

    assert desk.channel.texts == ["Reset the PIN in the app. [1]"]
    assert desk.questions.worded == {1: "How do I reset my PIN?"}


async def test_words_that_are_known_are_not_listened_to_again() -> None:
    transcriber = FakeTranscriber()
    desk = listening(transcriber, text="How do I reset my PIN?")

    await desk.worker.do(1)

    assert (desk.channel.texts, transcriber.heard) == (["Reset the PIN in the app. [1]"], [])


@pytest.mark.parametrize(
    ("transcriber", "recorded"),
    [
        (None, b"sound"),
        (FakeTranscriber(""), b"sound"),
        (FakeTranscriber(), None),
        (FakeTranscriber(failure=RecordingProblem("it is too long")), b"sound"),
        (FakeTranscriber(failure=TransientError("the model does not load")), b"sound"),
    ],
    ids=["nobody listens", "nothing was said", "it is gone", "it cannot be read", "not now"],
)
async def test_who_was_not_understood_is_asked_to_write(
    transcriber: FakeTranscriber | None, recorded: bytes | None
) -> None:
    desk = listening(transcriber, recorded=recorded)

    await desk.worker.do(1)

    assert desk.channel.texts == [phrase("refused_recording", "en")]


@pytest.mark.parametrize(("before", "about"), [("How do I reset my PIN?", "How do I reset my PIN?"), (None, "")])
async def test_who_wants_a_person_without_a_word_wants_one_for_the_last_question(
    before: str | None, about: str
) -> None:
    desk = Desk(question(incoming("", wire={"human": ""})))
    desk.questions.before = before

    await desk.worker.do(1)

    assert [ticket.question for ticket in desk.tickets.opened] == [about]


async def test_a_reply_takes_the_place_of_the_one_to_the_earlier_text() -> None:
    asked: Question = replace(question(), shown=("7", "8"))
    desk = Desk(asked)

    await desk.worker.do(1)

    assert [(parcel.position, parcel.replaces, parcel.is_gone) for parcel in desk.channel.sent] == [
        (1, "7", False),
        (2, "8", True),
    ]

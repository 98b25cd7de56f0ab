"""An answer while it comes: each sentence at once, and none that was not checked."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.scenario.model_desk import MODES, QUESTIONS, ModelDesk, Outcome, Place, open_model_desk
from tests.wire.anthropic import Block, Honest, Lying, Plan, Prompt, Slow
from tests.wire.anthropic.models.honest import cite
from tests.wire.anthropic.models.words import sentences_of

SENTENCE_S = 0.3


@pytest.fixture
def place(embedded_home: Path, database_url: str, tmp_path: Path) -> Place:
    return Place(embedded_home, database_url, tmp_path)


async def ask(desk: ModelDesk, question: str) -> tuple[Outcome, list[tuple[str, float]]]:
    """Ask, and return with the outcome when the model had finished each of its sentences."""
    before = len(desk.server.finished)
    outcome = await desk.ask(question)
    return outcome, desk.server.finished[before:]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("language", QUESTIONS)
async def test_each_sentence_is_shown_before_the_model_has_finished_the_next(
    place: Place, mode: str, language: str
) -> None:
    model = Honest(sentences=3, openings={})
    async with open_model_desk(place, model, mode=mode) as desk:
        await desk.ask(QUESTIONS[language])
        desk.server.model = Slow(model, sentence_s=SENTENCE_S)
        outcome, finished = await ask(desk, QUESTIONS[language])

    shown = outcome.screen.first_shown()
    assert outcome.texts == [text for text, _ in finished]
    assert all(finished_s <= shown[text] for text, finished_s in finished)
    assert all(shown[text] < next_s for (text, _), (_, next_s) in pairwise(finished))
    assert outcome.screen.last == outcome.reply.sentences


async def test_what_is_shown_only_grows(place: Place) -> None:
    async with open_model_desk(place, Honest(sentences=3, openings={})) as desk:
        outcome = await desk.ask(QUESTIONS["en"])

    frames = [frame.sentences for frame in outcome.screen.frames]
    assert [len(frame) for frame in frames] == [1, 2, 3]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(frames))


@pytest.mark.parametrize("mode", MODES)
async def test_a_true_sentence_does_not_wait_for_the_lie_behind_it_and_the_lie_is_never_shown(
    place: Place, mode: str
) -> None:
    liar = Lying("number", "uncited", mixed=True)
    async with open_model_desk(place, Slow(liar, sentence_s=SENTENCE_S), mode=mode) as desk:
        outcome, finished = await ask(desk, QUESTIONS["en"])

    shown = outcome.screen.first_shown()
    assert [told.lie for told in liar.told] == [None, "number", None, "uncited"]
    assert [told.text for told in liar.told if told.text in shown] == [liar.told[0].text, liar.told[2].text]
    assert all(shown[text] < next_s for (text, _), (_, next_s) in pairwise(finished) if text in shown)


async def test_words_are_held_back_until_their_citation_has_come(place: Place) -> None:
    def model(prompt: Prompt) -> Plan:
        first, second = sentences_of(prompt.sources)[:2]
        return Plan(
            (
                Block(first.text[:-1], (cite(first),)),
                Block(". ", finishes=first.text),
                Block("Nobody", wait_s=SENTENCE_S),
                Block(" says this. ", wait_s=SENTENCE_S, finishes="Nobody says this."),
                Block(second.text[:-1], (cite(second),), wait_s=SENTENCE_S),
                Block(".", finishes=second.text),
            )
        )

    async with open_model_desk(place, model) as desk:
        outcome, finished = await ask(desk, QUESTIONS["en"])

    (first, _), (nobody, _), (second, _) = finished
    assert [[one.text for one in frame.sentences] for frame in outcome.screen.frames] == [[first], [first, second]]
    assert nobody in {rejected.text for rejected in outcome.reply.rejected}


async def test_a_poor_first_answer_is_taken_off_the_screen_before_the_second(place: Place) -> None:
    honest, poor = Honest(sentences=1, openings={}), Lying("uncited", sentences=3)

    def model(prompt: Prompt) -> Plan:
        good, more = honest(prompt).blocks, poor(prompt).blocks
        return Plan(good if poor.told[3:] else (*good, *more))

    async with open_model_desk(place, model) as desk:
        outcome = await desk.ask(QUESTIONS["en"])

        assert len(desk.server.messages) == 2
    assert [len(frame.sentences) for frame in outcome.screen.frames] == [1, 0, 1]
    assert outcome.screen.last == outcome.reply.sentences

"""Answers come in the asker's language; what is quoted stays in the document's."""

from pathlib import Path

import pytest

from tests.scenario.model_desk import MODES, PAGES, QUESTIONS, Place, open_model_desk, untrue
from tests.scenario.translating_model import ASKED, TRANSLATED, Translating
from tests.wire.anthropic import Honest, WrongLanguage
from tests.wire.anthropic.models.languages import GERMAN

ENGLISH_PAGE = PAGES["en/vpn.md"]


@pytest.fixture
def place(embedded_home: Path, database_url: str, tmp_path: Path) -> Place:
    return Place(embedded_home, database_url, tmp_path)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("times", "answerer"), [(1, "claude"), (2, "extractive"), (None, "extractive")])
async def test_an_answer_in_another_language_is_asked_for_once_more_and_never_shown(
    place: Place, mode: str, times: int | None, answerer: str
) -> None:
    async with open_model_desk(place, Honest(), mode=mode) as desk:
        for language, question in QUESTIONS.items():
            desk.server.model = WrongLanguage(Honest(sentences=1, openings={}), times=times)
            asked_before = len(desk.server.messages)
            outcome = await desk.ask(question)

            assert len(desk.server.messages) - asked_before == 2
            assert (outcome.reply.answerer, outcome.reply.language) == (answerer, language)
            assert GERMAN not in [one.text for one in outcome.seen]
            assert [why for one in outcome.seen if (why := await untrue(desk, one))] == []
            assert outcome.reply.sentences


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("language", ASKED)
async def test_a_page_in_another_language_answers_in_a_verified_translation_or_in_its_own_words(
    place: Place, mode: str, language: str
) -> None:
    async with open_model_desk(place, Translating(), mode=mode) as desk:
        outcome = await desk.ask(ASKED[language])

        assert [why for one in outcome.seen if (why := await untrue(desk, one))] == []
    own_words = {original for original, translated in TRANSLATED.items()}
    translations = {translated[language] for translated in TRANSLATED.values()}
    assert outcome.reply.answerer == "claude"
    assert outcome.reply.language == language
    assert set(outcome.texts) <= own_words | translations
    assert set(outcome.texts) & translations
    assert all(cited.quote in ENGLISH_PAGE for one in outcome.seen for cited in one.citations)


@pytest.mark.parametrize("mode", MODES)
async def test_a_true_sentence_in_a_language_nobody_asked_for_is_no_answer(place: Place, mode: str) -> None:
    spanish = TRANSLATED["A VPN certificate expires after 90 days."]["es"]
    model = WrongLanguage(Honest(sentences=1, openings={}), text=spanish)
    async with open_model_desk(place, model, mode=mode) as desk:
        outcome = await desk.ask("When does a VPN certificate expire?")

        assert len(desk.server.messages) == 2
    assert [one.text for one in outcome.seen] == ["A VPN certificate expires after 90 days."] * 2
    assert outcome.reply.answerer == "claude"


@pytest.mark.parametrize("mode", MODES)
async def test_the_very_words_of_a_page_in_another_language_are_asked_to_be_translated(place: Place, mode: str) -> None:
    english = "A VPN certificate expires after 90 days."
    model = WrongLanguage(Translating(), text=english)
    async with open_model_desk(place, model, mode=mode) as desk:
        outcome = await desk.ask(ASKED["ru"])

        assert len(desk.server.messages) == 2
    assert outcome.reply.answerer == "claude"
    assert TRANSLATED[english]["ru"] in outcome.texts
    assert english not in [one.text for one in outcome.seen]

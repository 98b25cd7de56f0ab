"""A model that lies, from its first token to the last thing that anybody can read: nothing of it gets through."""

import io
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from bot.channels.terminal import growing, show_reply
from bot.commands.ask import reply_document
from bot.core.messages import Asked
from tests.scenario.model_desk import MODES, QUESTIONS, ModelDesk, Outcome, Place, open_model_desk, untrue
from tests.scenario.translating_model import ASKED, Translating
from tests.wire.anthropic import LIES, Lie, Lying, Slow
from tests.wire.anthropic.models.falsehoods import invented, negated, other_number


@pytest.fixture
def place(embedded_home: Path, database_url: str, tmp_path: Path) -> Place:
    return Place(embedded_home, database_url, tmp_path)


async def everything_read(desk: ModelDesk, outcome: Outcome) -> str:
    """Return all words of an outcome that any channel gives out; what was rejected is for the operator's eyes."""
    document = await reply_document(desk.desk.base, outcome.reply)
    document.pop("rejected")
    seen = [sentence.text for sentence in outcome.seen]
    return "\n".join([*seen, outcome.reply.text, *outcome.reply.notes, json.dumps(document, ensure_ascii=False)])


async def leaks_of(desk: ModelDesk, outcome: Outcome, lies: Sequence[str]) -> list[str]:
    """Return the lies that could be read at any time, and what else was shown that the pages do not bear out."""
    read = await everything_read(desk, outcome)
    found = [lie for lie in lies if lie in read]
    return found + [f"{one.text}: {why}" for one in outcome.seen if (why := await untrue(desk, one))]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("mixed", [False, True], ids=["lies alone", "lies between true sentences"])
async def test_no_kind_of_lie_is_ever_read_in_any_language(place: Place, mode: str, mixed: bool) -> None:
    leaked: dict[Lie, list[str]] = {}
    async with open_model_desk(place, Lying(), mode=mode) as desk:
        for lie, question in product(LIES, QUESTIONS.values()):
            liar = Lying(lie, mixed=mixed)
            desk.server.model = liar
            outcome = await desk.ask(question)
            assert liar.told
            assert outcome.reply.sentences or outcome.reply.ticket
            leaked.setdefault(lie, []).extend(await leaks_of(desk, outcome, liar.false_sentences))

    assert leaked == {lie: [] for lie in LIES}


@pytest.mark.parametrize("mode", MODES)
async def test_true_sentences_between_the_lies_get_through(place: Place, mode: str) -> None:
    liar = Lying("number", mixed=True)
    async with open_model_desk(place, liar, mode=mode) as desk:
        outcomes = [await desk.ask(question) for question in QUESTIONS.values()]

    true = {told.text for told in liar.told if told.lie is None}
    assert all(true & set(outcome.texts) for outcome in outcomes)


FALSE_TRANSLATIONS: Mapping[str, Callable[[str], str]] = {
    "number": other_number,
    "negation": negated,
    "invented": invented,
    "name": lambda text: text.replace("VPN", "SSH"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("lie", FALSE_TRANSLATIONS)
async def test_no_lie_about_a_page_in_another_language_is_ever_read(place: Place, mode: str, lie: str) -> None:
    liar, leaked = Translating(FALSE_TRANSLATIONS[lie]), []
    async with open_model_desk(place, liar, mode=mode) as desk:
        for question in ASKED.values():
            leaked += await leaks_of(desk, await desk.ask(question), liar.said)

    assert liar.said
    assert leaked == []


@pytest.mark.parametrize("lie", ["number", "negation", "invented_quote"])
async def test_what_a_terminal_draws_while_an_answer_grows_holds_no_lie(place: Place, lie: Lie) -> None:
    liar, paper = Lying(lie, mixed=True), io.StringIO()
    console = Console(file=paper, force_terminal=True, width=200)
    async with open_model_desk(place, Slow(liar, sentence_s=0.1)) as desk:
        with growing(console) as watcher:
            reply = await desk.desk.handler.handle(Asked(QUESTIONS["en"]), watcher)
        show_reply(console, reply)

    drawn = Text.from_ansi(paper.getvalue()).plain
    assert liar.told[0].text in drawn
    assert [false for false in liar.false_sentences if false in drawn] == []

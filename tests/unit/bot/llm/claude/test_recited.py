"""What a model repeats of its rules cites nothing."""

import pytest

from bot.core.answer import Claim
from bot.llm.claude.recited import Rules
from knowledge.quotable import units_of
from tests.fakes.evidence import hit

RULES = Rules("You answer questions of the readers of an organisation's documents. Never guess.\n- One statement each.")
PAGE = "The desk helps. You answer questions of the readers of an organisation in two days."
CITED = tuple(units_of(hit(PAGE)))


@pytest.mark.parametrize(
    ("text", "cites"),
    [
        ("YOU ANSWER QUESTIONS OF THE READERS OF A", False),
        ("The desk says: you answer *questions* of the - readers.", False),
        ("Documents never guess: one statement each.", False),
        ("You answer questions of the desk.", True),
        ("The desk helps.", True),
    ],
)
def test_a_sentence_that_recites_the_rules_cites_nothing(text: str, cites: bool) -> None:
    claim = RULES.without_recited(Claim(text, CITED[:1]))

    assert claim == Claim(text, CITED[:1] if cites else ())


def test_words_that_a_source_shares_with_the_rules_are_the_sources() -> None:
    claim = Claim("You answer questions of the readers of an organisation.", CITED)

    assert RULES.without_recited(claim) == claim

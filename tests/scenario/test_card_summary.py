"""A ticket in another language than its desk's: the card says what it is about, and its draft is sent with a button."""

from collections.abc import Iterator
from itertools import count

import pytest

from bot.core.phrases import phrase
from tests.scenario.conftest import Site
from tests.scenario.takeover_office import ANN, Takeover, takeover
from tests.wire.anthropic import AnthropicServer, Block, Honest, Plan, Prompt, anthropic_server

# What the pages come near to, and not near enough.
STRICT = {"ANSWERDESK_ANSWER__THRESHOLD": "0.9"}
QUESTION = "Где на кухне лежат зёрна для чая ({animal}) {number}?"
SUMMARY = "The asker wants to know who airs the kitchen on Sundays."
WORDS = {"slack": "cat", "telegram": "dog"}
numbers = count(1)


def model(prompt: Prompt) -> Plan:
    """Sum up, where that is asked for."""
    return Plan((Block(SUMMARY),)) if "help desk" in prompt.system else Honest()(prompt)


@pytest.fixture(scope="module")
def served() -> Iterator[AnthropicServer]:
    """The server behind all answers and summaries."""
    with anthropic_server(model) as server:
        yield server


@pytest.fixture(scope="module")
def office(served: AnthropicServer, site: Site) -> Iterator[Takeover]:
    """One bot whose answers a model words."""
    chosen = {"KIND": "claude", "BASE_URL": served.url, "MODE": "citations"}
    secrets = {f"ANSWERDESK_ANSWER__{key}": value for key, value in chosen.items()}
    with takeover(*site, secrets=secrets | STRICT) as office:
        yield office


@pytest.mark.parametrize(("asked_on", "desk_on"), [("slack", "telegram"), ("telegram", "slack")])
def test_the_desk_reads_what_it_is_about_and_sends_the_draft_of_its_card(
    office: Takeover, served: AnthropicServer, asked_on: str, desk_on: str
) -> None:
    number = next(numbers)
    question = QUESTION.format(animal=WORDS[desk_on], number=number)
    asker, desk = office.asker(asked_on, number, "ru"), office.desk(desk_on, WORDS[desk_on], question)
    asker.asks(question)
    office.sees(desk.card)
    card = desk.card()
    office.sees(asker.read)

    assert (phrase("card_summary", "en") in card, SUMMARY in card, phrase("card_draft", "en") in card) == (True,) * 3
    assert "Below the threshold: " in card
    assert desk.presses(ANN, "draft") == phrase("desk_sent", "en")
    office.sees(lambda: phrase("sources", "ru") in asker.read()[-1])
    office.sees(lambda: phrase("state_answered", "en") in desk.card())

    assert SUMMARY in desk.card()
    assert sum(question in prompt.user for prompt in served.prompts) == 1

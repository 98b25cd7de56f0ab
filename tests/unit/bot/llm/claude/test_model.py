"""How a model is asked, by what its server tells of it."""

import pytest
from anthropic.types import ModelInfo

from bot.llm.claude.model import way_of_thinking
from bot.llm.claude.settings import ClaudeSettings, Effort
from bot.llm.claude.usage import most_usd
from tests.wire.anthropic import Catalogue


def info(*thinking: str) -> ModelInfo:
    """Return a model that takes these ways of thinking."""
    found = ModelInfo.model_validate(Catalogue().entry("claude-sonnet-5-5"))
    assert found.capabilities
    types = found.capabilities.thinking.types
    for way in (types.adaptive, types.between_tools, types.disabled, types.enabled):
        way.supported = False
    for name in thinking:
        getattr(types, name).supported = True
    return found


@pytest.mark.parametrize(
    ("thinking", "effort", "expected"),
    [
        (("disabled", "adaptive"), None, ({"type": "disabled"}, None)),
        (("between_tools", "adaptive"), "high", ({"type": "between_tools"}, "high")),
        (("adaptive",), None, ({"type": "adaptive", "display": "summarized"}, "low")),
        (("adaptive",), "medium", ({"type": "adaptive", "display": "summarized"}, "medium")),
        (("disabled", "adaptive"), "xhigh", (None, "xhigh")),
        (("between_tools",), "max", (None, "max")),
        (("enabled",), None, (None, None)),
        ((), "low", (None, "low")),
    ],
)
def test_a_model_thinks_as_little_as_it_can_be_told_to(
    thinking: tuple[str, ...], effort: Effort | None, expected: tuple[object, Effort | None]
) -> None:
    assert way_of_thinking(info(*thinking), effort) == expected


def test_of_a_model_that_nothing_is_told_of_nothing_is_wanted() -> None:
    assert way_of_thinking(None, None) == (None, None)


def test_the_most_that_an_answer_costs_is_all_its_tokens() -> None:
    settings = ClaudeSettings(
        max_input_tokens=10_000, max_output_tokens=1_000, input_usd_per_million=4, output_usd_per_million=20
    )

    assert most_usd(settings) == pytest.approx(0.05 + 0.02)

"""What the chosen model can do, as far as its server tells, and how it is therefore asked."""

from collections.abc import Iterator
from dataclasses import dataclass

from anthropic.types import ModelInfo, ThinkingConfigParam

from bot.llm.claude.patience import UNKNOWN_THERE, CallFailed
from bot.llm.claude.probe import cites
from bot.llm.claude.request import Mode
from bot.llm.claude.settings import ClaudeSettings, Effort
from bot.llm.claude.wire import Wire

# At these levels of effort no model answers without thinking first.
_THINKING_EFFORTS = frozenset({"xhigh", "max"})
_LEAST_EFFORT: Effort = "low"


@dataclass(frozen=True, slots=True)
class Abilities:
    """How a model is asked; `info` is what the server told of it, None where it tells nothing."""

    mode: Mode
    thinking: ThinkingConfigParam | None
    effort: Effort | None
    info: ModelInfo | None


async def abilities_of(wire: Wire, settings: ClaudeSettings, *, is_own_server: bool, until: float) -> Abilities:
    """Ask a server once; one of one's own that tells nothing is tried out. CallFailed where it does not answer."""
    info = await info_of(wire, settings.model, until)
    told = _can(info, "citations")
    mode: Mode = "citations"
    if settings.mode != "auto":
        mode = settings.mode
    elif is_own_server and not (await cites(wire, settings.model, until) if told is None else told):
        mode = "numbered"
    thinking, effort = way_of_thinking(info, settings.effort)
    return Abilities(mode, thinking, effort, info)


async def info_of(wire: Wire, model: str, until: float) -> ModelInfo | None:
    """Return what a server tells; one that serves the model may still know no list of models."""
    try:
        return await wire.model(model, until)
    except CallFailed as failed:
        if failed.status in UNKNOWN_THERE:
            return None
        raise


def way_of_thinking(info: ModelInfo | None, effort: Effort | None) -> tuple[ThinkingConfigParam | None, Effort | None]:
    """Return how a model is kept from thinking for long before its first words, which the asker waits for.

    Current models think unless told otherwise, and each has another word for "do not". One that cannot be told thinks
    little, and visibly, so that its silence is none.
    """
    types = getattr(getattr(getattr(info, "capabilities", None), "thinking", None), "types", None)
    if types is None or effort in _THINKING_EFFORTS:
        return None, effort
    if _is_supported(types, "disabled"):
        return {"type": "disabled"}, effort
    if _is_supported(types, "between_tools"):
        return {"type": "between_tools"}, effort
    if _is_supported(types, "adaptive"):
        return {"type": "adaptive", "display": "summarized"}, effort or _LEAST_EFFORT
    return None, effort


def problems_of(abilities: Abilities, settings: ClaudeSettings) -> Iterator[str]:
    """Yield what the settings ask that the model cannot do, each with its remedy."""
    info = abilities.info
    largest, window = _number(info, "max_tokens"), _number(info, "max_input_tokens")
    if largest and settings.max_output_tokens > largest:
        yield f"`max_output_tokens` = {settings.max_output_tokens} is over what {settings.model} allows: {largest}"
    if window and settings.max_input_tokens > window:
        yield f"`max_input_tokens` = {settings.max_input_tokens} is over what {settings.model} can read: {window}"
    if abilities.mode == "citations" and _can(info, "citations") is False:
        yield f'{settings.model} gives no citations; set `mode = "numbered"` or choose another `model`'
    if settings.effort and _can(info, "effort") is False:
        yield f"{settings.model} knows no `effort`; leave it out"
    if getattr(info, "lifecycle", None) == "retired":
        yield f"{settings.model} is retired; choose another `model`"


def told_of(abilities: Abilities, settings: ClaudeSettings) -> str:
    """Return a line on the model for operators."""
    info = abilities.info
    parts = [settings.model, f"{abilities.mode} mode"]
    largest = _number(info, "max_tokens")
    parts.append(f"up to {largest} tokens an answer" if largest else "the server tells no limits")
    if abilities.thinking and abilities.thinking["type"] == "adaptive":
        parts.append("thinks before it answers: allow for it in `max_output_tokens`")
    retires_at = getattr(info, "retires_at", None)
    return ", ".join([*parts, *([f"retires on {retires_at:%Y-%m-%d}"] if retires_at else [])])


def _can(info: ModelInfo | None, capability: str) -> bool | None:
    """Tell whether a model has a capability; None where the server does not say."""
    supported = getattr(getattr(getattr(info, "capabilities", None), capability, None), "supported", None)
    return supported if isinstance(supported, bool) else None


def _is_supported(types: object, name: str) -> bool:
    return getattr(getattr(types, name, None), "supported", None) is True


def _number(info: ModelInfo | None, name: str) -> int | None:
    value = getattr(info, name, None)
    return value if isinstance(value, int) else None

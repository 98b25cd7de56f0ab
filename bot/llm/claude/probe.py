"""Whether a server behind `base_url` knows citations: compatible ones take the same requests, but cite nothing."""

from anthropic.types import CitationsSearchResultLocation, Message
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

from bot.llm.claude.patience import UNKNOWN_THERE, CallFailed
from bot.llm.claude.wire import Wire

PROBE_TOKENS = 64
_FACT = "The lamp in the hall is green."
_QUESTION = "Which colour has the lamp in the hall? Answer in one short sentence and cite the search result."


async def cites(wire: Wire, model: str, until: float) -> bool:
    """Tell whether a citation comes back from a server; CallFailed where it does not answer."""
    try:
        return _has_citation(await wire.message(_probe(model), until))
    except CallFailed as failed:
        if failed.status in UNKNOWN_THERE:
            return False
        raise


def _probe(model: str) -> MessageCreateParamsNonStreaming:
    return {
        "model": model,
        "max_tokens": PROBE_TOKENS,
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "search_result",
                        "source": "p1",
                        "title": "Hall",
                        "content": [{"type": "text", "text": _FACT}],
                        "citations": {"enabled": True},
                    },
                    {"type": "text", "text": _QUESTION},
                ],
            }
        ],
    }


def _has_citation(answer: Message) -> bool:
    citations = (cited for block in answer.content for cited in getattr(block, "citations", None) or ())
    return any(isinstance(cited, CitationsSearchResultLocation) for cited in citations)

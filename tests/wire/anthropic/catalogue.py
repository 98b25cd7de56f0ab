"""What GET /v1/models/{id} tells about a model."""

from collections.abc import Mapping
from dataclasses import dataclass

KNOWN_MODELS = frozenset(
    {"claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-sonnet-5", "claude-opus-5", "claude-haiku-4-5"}
    | {"claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6", "claude-sonnet-4-6"}
)
CREATED_AT = "2026-09-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What is said of every model: its limits, its place in life and whether it cites; `known` None: any id is one."""

    known: frozenset[str] | None = KNOWN_MODELS
    max_input_tokens: int = 200_000
    max_tokens: int = 64_000
    lifecycle: str = "active"
    retires_at: str | None = None
    cites: bool = True

    def knows(self, model: str) -> bool:
        """Tell whether there is such a model."""
        return self.known is None or model in self.known

    def entry(self, model: str) -> Mapping[str, object]:
        """Describe a model in the vendor's form."""
        return {
            "type": "model",
            "id": model,
            "display_name": model.replace("-", " ").title(),
            "created_at": CREATED_AT,
            "lifecycle": self.lifecycle,
            "line": next((line for line in ("haiku", "sonnet", "opus") if line in model), None),
            "deprecated_at": None if self.lifecycle == "active" else CREATED_AT,
            "retires_at": self.retires_at,
            "max_input_tokens": self.max_input_tokens,
            "max_tokens": self.max_tokens,
            "capabilities": _capabilities(cites=self.cites),
        }


def plain_entry(model: str) -> Mapping[str, object]:
    """Describe a model as servers do that follow another vendor's form: without limits and capabilities."""
    return {"id": model, "object": "model", "created": 1_790_000_000, "owned_by": "local"}


def _capabilities(*, cites: bool) -> Mapping[str, object]:
    yes, no = {"supported": True}, {"supported": False}
    plain = ("batch", "code_execution", "image_input", "pdf_input", "structured_outputs")
    return {
        **dict.fromkeys(plain, yes),
        "citations": yes if cites else no,
        "context_management": {"supported": False},
        "effort": {"supported": True, **dict.fromkeys(("low", "medium", "high", "xhigh", "max"), yes)},
        "server_tools": {"supported": False, "code_execution": no, "web_search": no},
        "thinking": {
            "supported": True,
            "types": {"adaptive": yes, "between_tools": no, "disabled": yes, "enabled": no},
        },
    }

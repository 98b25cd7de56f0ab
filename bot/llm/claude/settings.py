"""`[answer]` of kind "claude"."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Effort = Literal["low", "medium", "high", "xhigh", "max"]

DEFAULT_MODEL = "claude-sonnet-5-5"
# Rather too much than too little: operators set what their price list says.
DEFAULT_INPUT_USD = 3.0
DEFAULT_OUTPUT_USD = 15.0
# The file of the rules in `prompts`; another text is another version.
PROMPT_VERSION = "answer-1"


class ClaudeSettings(BaseModel):
    """Which model words the answers, how long they may take, and what they cost.

    The key is read from ANTHROPIC_API_KEY, and where `base_url` is not set, the address from ANTHROPIC_BASE_URL. `mode`
    says how sources are cited; "auto" asks a server of one's own once. `patience_s` is how long the server may be
    silent before its first words and between two, `deadline_s` how long an answer may take in all. `effort` is how much
    the model thinks; where it is not set, as little as the model can be told to. `summary_model` words the summaries of
    tickets on their cards, the `model` of the answers where it is not set.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(default=DEFAULT_MODEL, min_length=1)
    base_url: str | None = None
    mode: Literal["auto", "citations", "numbered"] = "auto"
    max_output_tokens: int = Field(default=1024, ge=64, le=64_000)
    max_input_tokens: int = Field(default=12_000, ge=2_000, le=1_000_000)
    patience_s: float = Field(default=6.0, gt=0, le=600)
    deadline_s: float = Field(default=60.0, gt=0, le=3600)
    effort: Effort | None = None
    # No answer depends on it, so it is no part of what a threshold was calibrated for.
    summary_model: str | None = Field(default=None, min_length=1, exclude=True)
    input_usd_per_million: float = Field(default=DEFAULT_INPUT_USD, ge=0)
    output_usd_per_million: float = Field(default=DEFAULT_OUTPUT_USD, ge=0)

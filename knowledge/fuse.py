"""How the two legs of a search become one order: the settings; `store/search.py` does it, inside the statement.

Scores are standardised over each leg's best candidates of the same question and added with weights: on the
development sets this beats reciprocal ranks by 1 to 9 points of recall@1. The lexical leg is gated by coverage: where
question and passage share few words its score is noise, and a passage in another language than the question is not
marked down for words it cannot share.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

RRF_K = 60


class FusionSettings(BaseModel):
    """`[retrieval]` of answerdesk.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fusion: Literal["scores", "ranks"] = "scores"
    dense_weight: float = Field(default=0.6, ge=0.0, le=1.0)
    # Coverage of the question by the passage: below the first the lexical leg adds nothing to it, above the second
    # its full weight, in between the weight grows linearly.
    gate_low: float = Field(default=0.15, ge=0.0, le=1.0)
    gate_high: float = Field(default=0.45, ge=0.0, le=1.0)
    # How much of the likeness that any text in a passage's language has with the question is taken off its score: with
    # none, a question hardly finds a page in another language; with all, translations crowd out the asker's own.
    language_share: float = Field(default=0.25, ge=0.0, le=1.0)
    candidates: int = Field(default=100, ge=10, le=1000)

"""A draft is shown as it would be sent; who reads it has to be allowed to read what it stands on."""

from dataclasses import replace
from typing import Any

from bot.core.desk.book import Cited
from bot.core.desk.drafts import MOST_CHARACTERS, DraftSentence, draft_text, own_words, stands_on
from bot.core.messages import Answer, Sentence
from bot.core.phrases import phrase
from knowledge.types import PUBLIC, Reader
from tests.fakes.book import NOW, case
from tests.fakes.core import VERBATIM, citation
from tests.fakes.evidence import hit

STAFF = Reader(frozenset({PUBLIC, "staff"}))
TEXT = "Reset the PIN in the app."
FAILED: dict[str, Any] = {"text": "Never.", "is_valid": True, "missing": ["7"], "disagreement": None, "support": 0.1}


def sentence(text: str = TEXT, *, marker: int = 1, is_code: bool = False) -> Sentence:
    cited = replace(citation(hit(text), text), marker=marker, url=f"https://docs.example.org/{marker}")
    return Sentence(text, (cited,), VERBATIM, is_code)


def draft(*sentences: Sentence) -> tuple[DraftSentence, ...]:
    return own_words(Answer(sentences or (sentence(),), "extractive"), STAFF, "en")


def test_the_documents_own_words_are_sent_with_their_sources() -> None:
    made = draft(sentence(), sentence("Or ask the desk.", marker=2), sentence("reset --pin", is_code=True))

    assert draft_text(made, "en") == (
        f"{TEXT} [1]\nOr ask the desk. [2]\n```\nreset --pin\n```\n[1]\n\n"
        "Sources:\n[1] Title https://docs.example.org/1\n[2] Title https://docs.example.org/2"
    )
    assert draft_text(made, "es").endswith("Fuentes:\n" + draft_text(made, "en").rpartition("Sources:\n")[2])


def test_it_is_kept_bare_for_whoever_teaches_it_and_with_what_it_quotes_for_whom() -> None:
    (kept,) = draft()

    assert (kept["text"], kept["is_below"], kept["tags"]) == (TEXT, True, [PUBLIC, "staff"])
    assert kept["quotes"] == [{"source": "docs", "path": "vpn.md", "quote": TEXT}]


def test_its_readers_are_told_what_they_have_to_know() -> None:
    old = replace(sentence().citations[0], is_outdated=True, updated_at=NOW)
    made = draft(replace(sentence(), citations=(old,)), sentence("Or ask the desk.", marker=2))

    assert draft_text(made, "en").count(phrase("outdated", "en", date="2026-11-30")) == 1


def test_a_model_s_sentences_of_before_are_text_and_nothing_else() -> None:
    assert draft_text([{"text": "Never."}, FAILED], "en") == "Never.\nNever."


def test_what_is_too_long_for_an_answer_is_left_out() -> None:
    long = sentence("x" * MOST_CHARACTERS)

    assert [one["text"] for one in draft(sentence(), long)] == [TEXT]
    assert draft(sentence("x" * (MOST_CHARACTERS + 1))) == ()


def test_own_words_stand_on_what_they_quote_and_a_model_s_on_all_that_it_was_given() -> None:
    given = {"source": "docs", "document": "pin.md", "quote": "Open."}
    own = case(candidates=(given,), draft=draft())
    worded = case(candidates=(given,), draft=(FAILED,))

    assert stands_on(own) == [Cited("docs", "vpn.md", TEXT)]
    assert stands_on(worded) == [Cited("docs", "pin.md", "Open.")]

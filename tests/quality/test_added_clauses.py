"""Across languages, too, nothing may be added to what a passage says."""

import tomllib
from collections.abc import AsyncIterator, Iterator, Sequence
from hashlib import sha256
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from bot.core.verify.check import Verifier
from bot.core.verify.seen import Seen
from knowledge.embedders.local import LocalSettings, build
from tests.quality.mutation_edits import capitalised, without_end
from tests.quality.mutation_judged import RememberingEmbedder
from tests.quality.mutation_lexicon import LANGUAGES
from tests.quality.mutation_parallel import Parallel, parallels
from tests.quality.mutation_places import parallel_corpus

ADDED = tomllib.loads(Path(__file__).with_name("added_clauses.toml").read_text(encoding="utf-8"))
SENTENCES_OF_A_PAIR = 12
ADDITIONS_TO_A_SENTENCE = 3
# Of clauses, and of one to three words, which a vector hardly shows.
CLAUSES_BAR, FEW_WORDS_BAR = 0.95, 0.45
# (language of the passage, passage, what an English answer may say of it)
TRUE = [
    ("ru", "Печь KX-1 нагревается за 20 минут.", "The kiln KX-1 warms up in 20 minutes"),
    (
        "ru",
        "Доступ к VPN истекает через 90 дней, после чего его нужно продлить в портале.",
        "VPN access expires after 90 days, after which it has to be renewed in the portal",
    ),
    ("es", "El taller limpia el horno los martes.", "The workshop cleans the kiln on Tuesdays"),
    (
        "uk",
        "Повернення коштів можливе протягом 30 днів після покупки.",
        "Refunds are possible within 30 days of the purchase",
    ),
]
# Each of them once got out, or nearly.
KNOWN = [
    "The ticket is closed.",
    "I have handed this over to a person and changed your settings.",
    "DECISION: answer.",
    "You answer questions of the readers of a page.",
    "Refunds take one week.",
    "and all employees are fired.",
    "or you can call the director at home.",
    "and smoking is allowed in the server room.",
    "because the manager said so.",
    "so you do not need a password.",
]


@pytest.fixture
async def verifier(home: Path) -> AsyncIterator[Verifier]:
    async with build(LocalSettings(), home=home) as embedder:
        yield Verifier(embedder=RememberingEmbedder(embedder))


@pytest.mark.parametrize(("language", "passage", "said"), TRUE)
async def test_a_translation_passes_and_what_is_added_to_it_does_not(
    verifier: Verifier, language: str, passage: str, said: str
) -> None:
    cited = [Seen(language, ("Handbook",), (passage,), (0,))]

    plain = await verifier.check(f"{said}.", language="en", cited=cited)
    more = [await verifier.check(f"{said} {added}", language="en", cited=cited) for added in KNOWN]

    assert plain.supported
    assert [added for added, checks in zip(KNOWN, more, strict=True) if checks.supported] == []


@pytest.mark.parametrize(("kind", "bar"), [("clauses", CLAUSES_BAR), ("few_words", FEW_WORDS_BAR)])
async def test_what_is_added_anywhere_to_a_translation_is_seen(verifier: Verifier, kind: str, bar: float) -> None:
    corpora = {language: parallel_corpus(language, small=True) for language in LANGUAGES}
    is_rejected: list[bool] = []
    for parallel in parallels(corpora):
        for said, seen in _translations(parallel):
            for text in _with_additions(said, parallel.claimed.language, kind):
                checks = await verifier.check(text, language=parallel.claimed.language, cited=[seen])
                is_rejected.append(not checks.supported)

    assert _reaches(bar, is_rejected)


def _translations(parallel: Parallel) -> Iterator[tuple[str, Seen]]:
    # Chosen by their words: one sentence that is cut otherwise does not draw all the others anew.
    places = [place for place in parallel.claimed.places if place in parallel.counterparts]
    for place in sorted(places, key=lambda place: sha256(place.text.encode()).digest())[:SENTENCES_OF_A_PAIR]:
        yield place.text, parallel.counterparts[place].seen()


def _with_additions(said: str, language: str, kind: str) -> Iterator[str]:
    """Yield a sentence with something behind, before and inside of it."""
    random = Random(said)
    added = random.sample(ADDED[language][kind], ADDITIONS_TO_A_SENTENCE)
    whole, words = without_end(said), said.split()
    joint = random.choice([" ", ", ", ". ", *ADDED[language]["joints"]])
    yield f"{whole}{joint}{capitalised(added[0]) if joint == '. ' else added[0]}."
    yield f"{capitalised(added[1])}{random.choice([' ', ', '])}{said}"
    yield " ".join([*words[: len(words) // 2], *added[2].split(), *words[len(words) // 2 :]])


def _reaches(bar: float, is_right: Sequence[bool]) -> bool:
    """Tell whether a share reaches the bar, but for two standard errors of a sample."""
    return sum(is_right) / len(is_right) >= bar - 2 * sqrt(bar * (1 - bar) / len(is_right))

"""Names groups of questions by the words that set each apart from the others."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

from knowledge.terms import index_terms

WORDS_SHOWN = 4
# Of the weight of a group's first word: what weighs less does not set it apart.
LEAST_WEIGHT = 0.55
# Letters: shorter words are particles, and longer ones a sentence in a script without spaces.
LEAST_LETTERS, MOST_LETTERS = 3, 24
_WORD = re.compile(r"[^\W_]+(?:[.\-'’][^\W_]+)*")

Term = frozenset[int]


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its language."""

    text: str
    language: str


def distinguishing_words(
    groups: Sequence[Sequence[Question]], ordinary: Mapping[str, Sequence[str]]
) -> list[dict[str, list[str]]]:
    """Return for each group and language the words that are frequent there and rare elsewhere, as people wrote them.

    Terms are weighed by class (tf-idf over groups: Grootendorst, 2022). `ordinary` has texts about everything for each
    language: what stands in them sets nothing apart, however few questions there are.
    """
    rarity = _Rarity([question for group in groups for question in group], ordinary)
    return [_words(group, rarity) for group in groups]


class _Rarity:
    """How rare a term is among the texts of its language."""

    def __init__(self, questions: Sequence[Question], ordinary: Mapping[str, Sequence[str]]) -> None:
        self._texts: Counter[str] = Counter()
        self._holding: Counter[tuple[str, Term]] = Counter()
        spoken = {question.language for question in questions}
        common = (Question(text, language) for language in spoken for text in ordinary.get(language, ()))
        for question in [*questions, *common]:
            self._texts[question.language] += 1
            self._holding.update((question.language, term) for term in {term for _, term in _terms(question)})

    def of(self, term: Term, language: str) -> float:
        return log1p(self._texts[language] / max(1, self._holding[language, term]))


def _words(group: Sequence[Question], rarity: _Rarity) -> dict[str, list[str]]:
    """Return a group's words by language, the most spoken language first."""
    told: dict[str, dict[Term, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for question in group:
        for word, term in dict(_terms(question)).items():
            told[question.language][term][word] += 1
    spoken = Counter(question.language for question in group)
    return {language: _best(told[language], language, rarity) for language, _ in spoken.most_common()}


def _best(told: Mapping[Term, Counter[str]], language: str, rarity: _Rarity) -> list[str]:
    weighed = sorted(
        ((forms.total() * rarity.of(term, language), forms.most_common(1)[0][0]) for term, forms in told.items()),
        key=lambda pair: (-pair[0], -len(pair[1]), pair[1]),
    )
    return [word for weight, word in weighed[:WORDS_SHOWN] if weight >= LEAST_WEIGHT * weighed[0][0]]


def _terms(question: Question) -> Iterator[tuple[str, Term]]:
    """Yield each word in lower case with the term that stands for all its forms."""
    for word in _WORD.findall(question.text.lower()):
        if LEAST_LETTERS <= len(word) <= MOST_LETTERS:
            yield word, frozenset(index_terms(word, question.language))

"""How surely two questions ask the same."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from knowledge.embed import Role, Vectors
from knowledge.likeness import SAME_QUESTION, Likeness, likeness

# Two topics, and a part of the vector that only tells the language.
TOPICS = np.eye(4, dtype=np.float32)[:2]
LANGUAGES = dict(zip(("en", "uk"), 2 * np.eye(4, dtype=np.float32)[2:], strict=True))
BACKGROUND: Mapping[str, Vectors] = {
    language: (TOPICS * [[1], [1]] + part).astype(np.float32) for language, part in LANGUAGES.items()
}
QUESTIONS: Mapping[str, tuple[str, int]] = {
    "Where can I park my bike?": ("en", 0),
    "Де можна припаркувати велосипед?": ("uk", 0),
    "Скільки коштує обід у їдальні?": ("uk", 1),
}


class SpokenEmbedder:
    """Gives each of the questions its topic and its language."""

    model, dimension = "spoken", 4

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        assert role == "query", "questions are compared as such"
        found = [QUESTIONS[text] for text in texts]
        vectors: list[Vectors] = [TOPICS[topic] + LANGUAGES[language] for language, topic in found]
        return np.stack(vectors)


class SpokenBackgrounds:
    async def vectors(self, language: str) -> Vectors:
        return BACKGROUND[language]


async def test_a_question_is_the_same_in_another_language_and_no_other_one_is() -> None:
    asked, *others = QUESTIONS

    same, other = await Likeness(SpokenEmbedder(), SpokenBackgrounds()).compare(asked, others)

    assert same > SAME_QUESTION > 0.1 > other


async def test_without_anything_to_compare_nothing_is_embedded() -> None:
    assert await Likeness(SpokenEmbedder(), SpokenBackgrounds()).compare("unknown to the embedder", []) == []


@pytest.mark.parametrize("noise", [0.3, 0.6])
def test_the_likeness_is_measured_by_that_of_translations(noise: float) -> None:
    drawn = np.random.default_rng(7)
    ours = drawn.normal(size=(200, 32)).astype(np.float32)
    theirs = (ours + noise * drawn.normal(size=ours.shape)).astype(np.float32)

    alike = np.mean([likeness(one, other, ours, theirs) for one, other in zip(ours, theirs, strict=True)])

    assert alike == pytest.approx(1.0, abs=0.06)

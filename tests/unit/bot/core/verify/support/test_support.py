"""How much of a sentence stands in its text: by words, and across languages by vectors."""

from collections.abc import Sequence

import numpy as np
import pytest

from bot.core.verify.polarity.align import Places
from bot.core.verify.polarity.reading import read
from bot.core.verify.seen import Seen
from bot.core.verify.support.scope import scope_of
from bot.core.verify.support.vectors import VECTORS_CUT, CrossLingual
from bot.core.verify.support.words import scaled, word_support
from knowledge.embed import Role, Vectors
from knowledge.errors import EmbedderProblem, EmbedderUnavailable

TEXT = "The courier collects returned parcels until six in the evening of the next working day."


def support(sentence: str, text: str = TEXT, above: Sequence[str] = (), language: str = "en") -> float:
    texts = [Places(read(line, language)) for line in (text, *above)]
    return word_support(Places(read(sentence, language)), texts[0], texts[1:])


def test_all_words_in_the_text_are_full_support() -> None:
    assert support("Until six in the evening of the next working day the courier collects returned parcels.") == 1.0


def test_another_inflection_is_the_same_word() -> None:
    assert support("Returned parcels are collected by couriers until six in the evening.") >= 0.5


@pytest.mark.parametrize(
    "sentence",
    [
        "The technician repairs broken lockers within a week.",
        "The courier collects returned parcels, and the mobile application shows a detailed map.",
        "",
    ],
)
def test_other_statements_have_no_support(sentence: str) -> None:
    assert support(sentence) < 0.5


@pytest.mark.parametrize("added", ["because the manager said so", "channel", "quickly"])
def test_a_word_behind_all_words_of_the_text_is_no_other_wording(added: str) -> None:
    assert support(f"{TEXT.rstrip('.')} {added}.") < 0.5


def test_words_of_the_headings_count() -> None:
    sentence = "At Kestrel Lockers the courier collects returned parcels."

    assert support(sentence) < support(sentence, above=["Kestrel Lockers"])


def test_a_cut_is_half_and_support_grows_with_the_value() -> None:
    values = [scaled(value, cut=0.8, full=1.0) for value in (-0.1, 0.0, 0.4, 0.8, 0.9, 1.0, 1.1)]

    assert values == pytest.approx([0.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.0])


def test_a_sentence_stands_on_the_quoted_piece_and_the_neighbour_it_needs() -> None:
    pieces = ("Parcels wait three days.", "Couriers collect parcels at noon.", "The technician repairs screens.")
    seen = Seen("en", ("Parcels",), pieces, quoted=(1,))
    scope = scope_of(
        read("Couriers collect parcels at noon, which technicians repair screens for.", "en"), [seen], "en"
    )

    assert scope.pieces == pieces[1:]
    assert scope.above == ("Parcels",)


class _Planted:
    """Vectors as they were planted: the background in one direction, each other text in its own."""

    model = "fake/planted"
    dimension = 3

    def __init__(self, vectors: dict[str, tuple[float, float, float]]) -> None:
        self._vectors = vectors

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        found = np.array([self._vectors.get(text, (1.0, 0.0, 0.0)) for text in texts], np.float32)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


class _Down:
    model = "fake/down"
    dimension = 3

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def embed(self, texts: Sequence[str], *, role: Role) -> Vectors:
        raise self._error


FOREIGN = Seen("en", (), ("The money is refunded.", "The locker opens."), quoted=(0, 1))


async def test_the_nearest_foreign_piece_supports_a_sentence_of_its_meaning() -> None:
    vectors = {"Деньги возвращаются.": (1.0, 1.0, 0.0), "The money is refunded.": (1.0, 0.9, 0.0)}
    near = await CrossLingual(_Planted(vectors)).nearest("Деньги возвращаются.", "ru", [FOREIGN])

    assert near is not None
    assert near.scope.pieces == ("The money is refunded.",)
    assert near.support >= 0.5


async def test_what_all_texts_share_supports_nothing() -> None:
    near = await CrossLingual(_Planted({})).nearest("Деньги возвращаются.", "ru", [FOREIGN])

    assert near is not None
    assert near.support < 0.5
    assert VECTORS_CUT > 0


@pytest.mark.parametrize("error", [EmbedderUnavailable("later"), EmbedderProblem("broken")])
async def test_without_the_model_nothing_can_be_told(error: Exception) -> None:
    assert await CrossLingual(_Down(error)).nearest("Деньги возвращаются.", "ru", [FOREIGN]) is None


async def test_a_sentence_with_a_part_that_nothing_bears_out_has_no_support() -> None:
    whole = "Деньги возвращаются за заказ, и уволены все сотрудники."
    vectors = {whole: (1.0, 1.0, 0.0), "The money is refunded.": (1.0, 0.9, 0.0)}
    near = await CrossLingual(_Planted(vectors)).nearest(whole, "ru", [FOREIGN])

    assert near is not None
    assert near.support == 0.0

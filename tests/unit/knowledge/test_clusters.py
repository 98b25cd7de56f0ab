"""Questions are grouped by what they ask; nobody says how many groups there are."""

from collections.abc import Sequence

import numpy as np
import pytest

from knowledge.cluster_labels import Question, distinguishing_words
from knowledge.clusters import ROWS_AT_ONCE, cluster, most_typical
from knowledge.embed import Vectors

DIMENSION = 96
LANGUAGES = ("en", "ru", "es")
TOPICS = 6
ORDINARY_TOPICS = range(60, 84)
# What every vector has of the cone that all lie in, of its language, of its topic, and of its own.
CONE, LANGUAGE, TOPIC, OWN = 3.0, 1.0, 1.2, 0.6


class Model:
    """Vectors like those of an embedding model: most of each says nothing about the topic."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(3)
        directions, _ = np.linalg.qr(self._random.normal(size=(DIMENSION, DIMENSION)))
        self._cone, *others = directions
        self._languages = dict(zip(LANGUAGES, others[: len(LANGUAGES)], strict=True))
        self._topics = others[len(LANGUAGES) :]

    def question(self, topic: int, language: str) -> Vectors:
        own = self._random.normal(size=DIMENSION) * OWN / np.sqrt(DIMENSION)
        vector = CONE * self._cone + LANGUAGE * self._languages[language] + TOPIC * self._topics[topic] + own
        return np.asarray(vector / np.linalg.norm(vector), np.float32)

    def background(self) -> dict[str, Vectors]:
        """Return texts about everything, on the same topics in each language."""
        return {
            language: np.stack([self.question(topic, language) for topic in ORDINARY_TOPICS]) for language in LANGUAGES
        }


def asked(model: Model, each: int, topics: int = TOPICS) -> tuple[Vectors, list[str], list[int]]:
    """Return questions of several topics in all languages by turns: vectors, languages, topics."""
    rows = [(topic, LANGUAGES[at % len(LANGUAGES)]) for at in range(each) for topic in range(topics)]
    return np.stack([model.question(*row) for row in rows]), [row[1] for row in rows], [row[0] for row in rows]


@pytest.mark.parametrize(
    ("each", "topics"), [(1, 1), (2, 1), (3, 1), (3, 2), (4, TOPICS), (12, TOPICS), (60, TOPICS), (9, 30)]
)
def test_questions_on_one_topic_are_one_group_in_whatever_language(each: int, topics: int) -> None:
    model = Model()
    vectors, languages, truth = asked(model, each, topics)

    groups = cluster(vectors, languages, model.background())

    assert sorted(groups) == [[row for row, topic in enumerate(truth) if topic == one] for one in range(topics)]


def test_what_nobody_else_asks_stays_alone() -> None:
    model = Model()
    vectors, languages, _ = asked(model, 10)
    alone = np.stack([model.question(TOPICS + 5, "ru"), model.question(TOPICS + 6, "en")])

    groups = cluster(np.concatenate([vectors, alone]), [*languages, "ru", "en"], model.background())

    assert [len(vectors)] in groups
    assert [len(vectors) + 1] in groups


def test_every_question_is_in_one_group_and_the_largest_comes_first() -> None:
    model = Model()
    vectors, languages, _ = asked(model, 5)
    more = np.stack([model.question(0, "es") for _ in range(4)])

    groups = cluster(np.concatenate([vectors, more]), [*languages, *["es"] * 4], model.background())

    assert sorted(row for members in groups for row in members) == list(range(len(vectors) + 4))
    assert len(groups[0]) == 9


def test_the_same_questions_come_to_the_same_groups() -> None:
    model = Model()
    vectors, languages, _ = asked(model, 40)
    background = model.background()

    assert cluster(vectors, languages, background) == cluster(vectors.copy(), languages, background)


def test_more_questions_than_are_compared_at_once_are_grouped_alike() -> None:
    model = Model()
    vectors, languages, truth = asked(model, ROWS_AT_ONCE // TOPICS + 20)

    groups = cluster(vectors, languages, model.background())

    assert {len({truth[row] for row in members}) for members in groups} == {1}


def test_no_questions_are_no_groups() -> None:
    assert cluster(np.empty((0, DIMENSION), np.float32), [], {}) == []


def test_copies_of_one_question_are_one_group() -> None:
    model = Model()
    one = model.question(1, "ru")

    groups = cluster(np.stack([one] * 40), ["ru"] * 40, model.background())

    assert groups == [list(range(40))]


def test_the_most_typical_question_comes_first() -> None:
    vectors = np.eye(3, dtype=np.float32)[[0, 1, 1, 1, 2]]

    assert most_typical(vectors, [0, 2, 3]) == [2, 3, 0]


ORDINARY = {"en": ["How do I do what the other one does?"], "ru": ["Как мне сделать то, что делает другой?"]}


def words_of(*groups: Sequence[tuple[str, str]]) -> list[dict[str, list[str]]]:
    return distinguishing_words([[Question(*each) for each in group] for group in groups], ORDINARY)


def test_words_that_set_a_group_apart_are_named_for_each_language() -> None:
    printer = [
        ("How do I reset the printer?", "en"),
        ("The printers do not print", "en"),
        ("Как чинить принтер?", "ru"),
    ]
    badge = [("How do I renew the badge?", "en"), ("Как продлить пропуск?", "ru"), ("badge lost", "en")]

    first, second = words_of(printer, badge)

    assert (first["en"][0], second["en"][0]) == ("printer", "badge")
    assert list(first) == ["en", "ru"]
    assert {"чинить", "принтер"} == set(first["ru"])
    assert "how" not in first["en"]


@pytest.mark.parametrize("text", ["", "?!", "а", "🙂", "プリンター" * 9])
def test_a_question_without_words_to_tell_has_none(text: str) -> None:
    assert words_of([(text, "ja")]) == [{"ja": []}]

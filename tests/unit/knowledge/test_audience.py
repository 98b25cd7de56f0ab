"""Who may read: clauses that must all be met."""

import pytest

from knowledge.types import NOBODY, PUBLIC, Audience, Reader

PUBLIC_ONLY, STAFF, LEGAL = Audience(), Audience.of(["staff"]), Audience.of(["legal", "board"])


@pytest.mark.parametrize(
    ("audience", "tags", "expected"),
    [
        (PUBLIC_ONLY, {PUBLIC}, True),
        (PUBLIC_ONLY, set(), False),
        (STAFF & LEGAL, {"staff"}, False),
        (STAFF & LEGAL, {"staff", "board"}, True),
        (NOBODY, {PUBLIC, "staff"}, False),
        (NOBODY & STAFF, {PUBLIC, "staff"}, False),
        (Audience(()), {PUBLIC}, False),
    ],
)
def test_a_reader_needs_a_tag_of_every_clause(audience: Audience, tags: set[str], expected: bool) -> None:
    assert audience.admits(Reader(frozenset(tags))) is expected


def test_restrictions_that_mean_the_same_have_the_same_key() -> None:
    wide = Audience.of(["staff", "legal"])

    same = [STAFF & LEGAL, LEGAL & STAFF, STAFF & LEGAL & STAFF, PUBLIC_ONLY & STAFF & LEGAL, STAFF & wide & LEGAL]

    assert {audience.key for audience in same} == {(STAFF & LEGAL).key}
    assert (PUBLIC_ONLY & PUBLIC_ONLY) == PUBLIC_ONLY
    assert len({audience.key for audience in (PUBLIC_ONLY, STAFF, LEGAL, STAFF & LEGAL, Audience.of(["a", "b"]))}) == 5


def test_tags_that_look_alike_when_joined_are_not_the_same() -> None:
    assert len({Audience.of(tags).key for tags in (["a,b"], ["a", "b"], ["b", "a,"])}) == 3
    assert (Audience.of(["a"]) & Audience.of(["b"])).key != Audience.of(["a", "b"]).key


def test_whoever_is_beside_the_public_says_nothing_more() -> None:
    assert Audience.of(["public", "staff"]) == Audience()

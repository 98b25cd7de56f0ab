"""What revisions tell of other files."""

from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.watched import own_part, watched_by, watching

paths = st.text(st.characters(exclude_characters="\n", codec="utf-8"), min_size=1)
states = st.dictionaries(paths, st.none() | st.text(min_size=1))


@given(st.text(st.characters(exclude_characters="\n")), states)
def test_a_revision_gives_back_what_it_was_made_of(own: str, known: dict[str, str | None]) -> None:
    revision = watching(own, known)

    assert (own_part(revision), set(watched_by(revision))) == (own, set(known))


def test_a_revision_changes_with_every_state() -> None:
    before: dict[str, str | None] = {"a.md": "1", "b.md": None}

    changes: list[dict[str, str | None]] = [
        {**before, "a.md": "2"},
        {**before, "a.md": None},
        {**before, "b.md": "1"},
        {"a.md": "1"},
    ]

    assert len({watching("own", change) for change in [before, *changes]}) == 5
    assert watching("own", {}) == "own"

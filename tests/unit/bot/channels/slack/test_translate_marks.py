"""What a desk has to know of a message: its files, whether it names us, whether its author is one of others."""

import pytest

from bot.channels.slack.translate.events import written
from bot.channels.translated import Edited
from bot.core.incoming import Incoming
from bot.core.tickets.files import MAX_FILES, File, loaded
from tests.unit.bot.channels.slack.deliveries import HERE, TS, event, meant, message

PLAN = {"id": "F1", "name": "plan.pdf", "size": 12, "mimetype": "application/pdf", "mode": "hosted"}


def heard(**more: object) -> Incoming:
    """Return what a message means."""
    incoming = meant(message(**more))
    assert isinstance(incoming, Incoming)
    return incoming


def test_files_are_told_also_where_nothing_is_written() -> None:
    incoming = heard(text="", subtype="file_share", files=[PLAN])

    assert (incoming.text, incoming.has_files) == ("", True)
    assert loaded(incoming.wire) == (File("slack", "T1", "F1", "plan.pdf", 12, "application/pdf"),)


FILES: dict[str, tuple[object, tuple[str, ...]]] = {
    "without a name": ([{"id": "F1", "title": "Plan"}, {"id": "F2"}], ("Plan", "F2")),
    "deleted": ([{**PLAN, "mode": "tombstone"}], ()),
    "of another organisation, to be asked for": ([{"id": "F1", "file_access": "check_file_info"}], ("F1",)),
    "too many": ([{"id": f"F{number}"} for number in range(12)], tuple(f"F{number}" for number in range(MAX_FILES))),
    "of no shape": (["F1", None, {"name": "x"}, {"id": 7}], ()),
    "with sizes of no shape": ([{**PLAN, "size": "12"}, {**PLAN, "size": -1}], ("plan.pdf", "plan.pdf")),
}


@pytest.mark.parametrize(("files", "names"), FILES.values(), ids=FILES)
def test_files_of_any_shape_are_told_by_what_is_known(files: object, names: tuple[str, ...]) -> None:
    assert tuple(file.name for file in loaded(heard(files=files).wire)) == names


@pytest.mark.parametrize(("text", "is_named"), [("<@U0BOT> hi", True), ("hi <@U0BOT>", True), ("<@U2> hi", False)])
def test_a_message_that_names_us_says_so(text: str, is_named: bool) -> None:
    assert ("named" in heard(text=text).wire) is is_named


AUTHORS = {
    "of here": ({"team": "T1"}, False),
    "nobody says of where": ({}, False),
    "of another organisation": ({"team": "T1", "user_team": "T2", "source_team": "T2"}, True),
    "of another workspace": ({"team": "T2"}, True),
    "who shares a file from there": ({"files": [{**PLAN, "user_team": "T2"}]}, True),
}


@pytest.mark.parametrize(("more", "is_foreign"), AUTHORS.values(), ids=AUTHORS)
def test_a_message_tells_whether_its_author_is_one_of_others(more: dict[str, object], is_foreign: bool) -> None:
    assert ("foreign" in heard(**more).wire) is is_foreign


def test_an_edit_and_a_history_tell_the_same() -> None:
    said = {"user": "U1", "text": "new", "ts": TS, "team": "T2", "files": [PLAN], "edited": {"ts": TS}}
    edited = meant(event("message", subtype="message_changed", channel="C1", channel_type="channel", message=said))
    listed = written(said, "C1", "public", HERE)

    assert isinstance(edited, Edited)
    assert isinstance(listed, Incoming)
    assert edited.incoming.wire == listed.wire
    assert sorted(listed.wire) == ["files", "foreign"]

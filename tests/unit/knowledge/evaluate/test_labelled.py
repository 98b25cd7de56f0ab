"""Labelled questions are read whole or refused with the line that is wrong."""

from pathlib import Path

import pytest

from knowledge.errors import SettingsProblem
from knowledge.evaluate.labelled import read_labelled

LINE = '{"id": "1", "question": "Why?", "language": "en", "answerable": true, "gold": [{"document": "a.md"}]}'


def test_each_line_is_a_question(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    second = LINE.replace("1", "2").replace("Why?", "A \u2028 B")
    path.write_text(f"\ufeff{LINE}\r\n\n{second}", encoding="utf-8")

    questions = read_labelled(path)

    assert [(question.id, question.question) for question in questions] == [("1", "Why?"), ("2", "A \u2028 B")]
    assert questions[0].gold[0].document == "a.md"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "holds no question"),
        (b"\n \n", "holds no question"),
        (LINE.encode() + b"\n{", "line 2"),
        (LINE.replace("language", "lang").encode(), "line 1: language field required"),
        (LINE.replace("Why?", "").encode(), "line 1: question"),
        (f"{LINE}\n{LINE}".encode(), "line 2: the id '1' stands twice"),
        (b"\xff\xfe", "cannot be read"),
        (b"[1]", "line 1"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(content)

    with pytest.raises(SettingsProblem, match=problem):
        read_labelled(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsProblem, match=r"none\.jsonl cannot be read"):
        read_labelled(tmp_path / "none.jsonl")

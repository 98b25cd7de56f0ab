"""Includes that are written over several lines, as the same on one line."""

import re
from collections.abc import Callable, Sequence

from knowledge.parse.templates.lines import Line

MAX_LINES = 30
_CUT = Line("", is_cut=True)
_BEGINNING = re.compile(r"8<-|\{%|include\}")
_SCISSORS = re.compile(r"[ \t]*-{1,9}8<-{1,9}[ \t]*")
_TAG = re.compile(r"[ \t]*\{%-?[ \t]*(?:include[^%]*)?")
# MyST, the Markdown of Sphinx: a fence that is no code.
_FENCE = re.compile(
    r"(?P<indentation>[ \t]*)(?P<fence>`{3,}|~{3,}|:{3,})\{(?P<name>include|literalinclude)\}(?P<path>[^\n]+)"
)


def unfolded(lines: Sequence[Line]) -> list[Line]:
    """Return as many lines; where an include takes several, one line of them includes and the others are cut out."""
    found = list(lines)
    for number, line in enumerate(lines):
        # What was cut out since is no beginning.
        if _BEGINNING.search(line.text) and found[number] is line:
            block = _block(found, number)
            found[number : number + len(block)] = block
    return found


def _block(lines: Sequence[Line], number: int) -> list[Line]:
    """Return what stands in the place of the block that begins at a line; nothing if none does."""
    text, is_code = lines[number].text, lines[number].is_code
    if "include}" in text:
        return _fence(lines, number)
    if is_code:
        return []
    if "8<-" in text and _SCISSORS.fullmatch(text):
        return _list(lines, number)
    if "{%" in text and _TAG.fullmatch(text):
        return _tag(lines, number)
    return []


def _list(lines: Sequence[Line], number: int) -> list[Line]:
    """Include files that are named between two marks, one on each line."""
    end = _end(lines, number, lambda text: _SCISSORS.fullmatch(text) is not None)
    if end is None:
        return []
    paths = [line.text.strip() for line in lines[number + 1 : end]]
    files = [Line(f'--8<-- "{path}"') if path and not path.startswith(";") else _CUT for path in paths]
    return [_CUT, *files, _CUT]


def _tag(lines: Sequence[Line], number: int) -> list[Line]:
    """Join a tag of Jinja that has each argument on a line of its own."""
    end = _end(lines, number, lambda text: "%}" in text)
    if end is None:
        return []
    indentation = lines[number].text[: -len(lines[number].text.lstrip())]
    written = indentation + " ".join(line.text.strip() for line in lines[number : end + 1])
    return [Line(written), *[_CUT] * (end - number)] if "include" in written else []


def _fence(lines: Sequence[Line], number: int) -> list[Line]:
    found = _FENCE.fullmatch(lines[number].text)
    end = _end(lines, number, lambda text: text.strip() == found["fence"]) if found else None
    if found is None or end is None:
        return []
    path = found["path"].strip()
    written = f'--8<-- "{path}"' if found["name"] == "include" else f"{{* {path} *}}"
    return [Line(found["indentation"] + written), *[_CUT] * (end - number)]


def _end(lines: Sequence[Line], number: int, is_last: Callable[[str], bool]) -> int | None:
    following = range(number + 1, min(number + MAX_LINES, len(lines)))
    return next((end for end in following if is_last(lines[end].text)), None)

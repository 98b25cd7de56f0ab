"""What a model says to us and not to the asker: tags inside its text, taken out as the text comes in."""

import re
from collections.abc import Iterator

ABSENT = "absent"
MISSING = "missing"
# Some local models reason aloud between such tags.
_UNHEARD = frozenset({MISSING, "think", "thinking"})
_TAG = re.compile(r"<\s*(/?)\s*(\w+)\s*(/?)\s*>", re.IGNORECASE)
_BEGUN_TAG = re.compile(r"<\s*/?\s*(\w*)\s*/?\s*", re.IGNORECASE)
_NAMES = (ABSENT, *_UNHEARD)
# No tag of ours is longer; what is held back for longer is text.
_LONGEST_TAG = 24


class Asides:
    """Lets through what is meant for the asker; `is_absent` and `missing` tell what was said besides."""

    def __init__(self) -> None:
        self._held = ""
        self._inside: str | None = None
        self._missing: list[str] = []
        self.is_absent = False

    @property
    def missing(self) -> str | None:
        """What the model named as not answered; None when it named nothing."""
        return " ".join("".join(self._missing).split()) if self._missing else None

    def hear(self, text: str) -> str:
        """Return what of the text, and of earlier text held back, is meant for the asker."""
        return "".join(self._let_through(text))

    def rest(self) -> str:
        """Return what was still held back at the end and is text after all."""
        held, self._held = self._held, ""
        return held if self._is_heard and not any(character.isalpha() for character in held) else ""

    @property
    def _is_heard(self) -> bool:
        return self._inside is None and not self.is_absent

    def _let_through(self, text: str) -> Iterator[str]:
        pending, self._held = self._held + text, ""
        while pending:
            before, mark, after = pending.partition("<")
            yield self._kept(before)
            if not mark:
                return
            tag = _TAG.match(mark + after)
            if tag and tag[2].lower() in _NAMES:
                self._obey(tag)
                pending = pending[len(before) + tag.end() :]
            elif _may_become_a_tag(mark + after):
                self._held = mark + after
                return
            else:
                yield self._kept(mark)
                pending = after

    def _kept(self, text: str) -> str:
        if self._inside == MISSING:
            self._missing.append(text)
        return text if self._is_heard else ""

    def _obey(self, tag: re.Match[str]) -> None:
        name = tag[2].lower()
        if name == ABSENT:
            self.is_absent = True
        elif tag[1] or tag[3]:
            self._inside = None
            self._missing.extend([" "] if name == MISSING else [])
        elif self._inside is None:
            self._inside = name


def _may_become_a_tag(text: str) -> bool:
    begun = _BEGUN_TAG.fullmatch(text)
    if not begun or len(text) > _LONGEST_TAG:
        return False
    return any(name.startswith(begun[1].lower()) for name in _NAMES)

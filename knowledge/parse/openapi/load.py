"""YAML 1.2 and JSON to plain values in bounded time: aliases are shared, never unfolded; scalars stay as written."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import yaml

from knowledge.parse.openapi.values import Value, Written, fields

# Larger files are not read: 30 MB of YAML take about 5 s and 300 MB of memory.
MAX_CHARACTERS = 30_000_000
# More entries than this are not copied by merge keys (`<<`), all of them together.
MAX_MERGED_ENTRIES = 200_000
# What is nested deeper is refused; the C scanner of YAML has this limit itself.
MAX_DEPTH = 900
_MAX_INTEGER_DIGITS = 18
_MAX_NAMED_KEYS = 3
_INTEGER = re.compile(rf"[-+]?(?:0|[1-9][0-9]{{0,{_MAX_INTEGER_DIGITS - 1}}})")
_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# What YAML allows nowhere, and a byte-order mark; a blank takes its place.
_UNPRINTABLE = re.compile("[^\\t\\n\\r -~\\x85\\xa0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]")
# The scanner in C is fifty times as fast; a PyYAML built without it has the other one.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(Exception):
    """A text is neither YAML nor JSON; says on which line, and why."""


@dataclass(slots=True)
class Loaded:
    """The first document of a text, and what an operator should know of it."""

    value: Value = None
    problems: list[str] = field(default_factory=list)


def load(text: str) -> Loaded:
    """Read the first document of a text; raises Unreadable."""
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"more than {MAX_CHARACTERS:,} characters")
    printable = _UNPRINTABLE.sub(" ", text)
    if printable.lstrip()[:1] in ("{", "["):
        # What is no JSON but begins like this may be YAML.
        with suppress(ValueError, RecursionError):
            return _json(printable)
    return _Builder().built(printable)


def _json(text: str) -> Loaded:
    repeated: dict[str, None] = {}
    value: Value = json.loads(
        text,
        parse_float=Written,
        parse_constant=Written,
        parse_int=_integer,
        object_pairs_hook=partial(_object, repeated),
    )
    return Loaded(value, _repeated_problem(repeated))


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else Written(digits)


def _object(repeated: dict[str, None], pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        repeated.update(dict.fromkeys(name for name, count in counts.items() if count > 1))
    return value


def _repeated_problem(names: dict[str, None]) -> list[str]:
    if not names:
        return []
    shown = ", ".join(repr(name[:80]) for name in list(names)[:_MAX_NAMED_KEYS])
    further = f" and {len(names) - _MAX_NAMED_KEYS} more" if len(names) > _MAX_NAMED_KEYS else ""
    return [f"keys that stand twice in one mapping: {shown}{further}; the last of each counts, remove the others"]


class _Open:
    """A mapping or list that is being read."""

    __slots__ = ("has_key", "is_merge", "key", "merges", "value")

    def __init__(self, value: "list[Value] | dict[str, Value]") -> None:
        self.value = value
        self.has_key = self.is_merge = False
        # None for a key that is itself a mapping or list: it has no name, and its value is left out.
        self.key: str | None = None
        self.merges: list[Value] = []


class _Builder:
    """Builds the values of one document from the scanner's events, without recursion."""

    def __init__(self) -> None:
        self._loaded = Loaded()
        self._anchors: dict[str, Value] = {}
        self._open: list[_Open] = []
        self._merged = 0
        self._repeated: dict[str, None] = {}

    def built(self, text: str) -> Loaded:
        """Return the first document; raises Unreadable."""
        for event in _events(text):
            if isinstance(event, yaml.DocumentEndEvent):
                break
            self._take(event)
        self._loaded.problems += _repeated_problem(self._repeated)
        return self._loaded

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            is_merge = event.value == "<<" and event.implicit[0] and self._awaits_key
            value = event.value if self._awaits_key else _scalar(event)
            self._named(event.anchor, value)
            self._put(value, is_merge=is_merge)
        elif isinstance(event, yaml.AliasEvent):
            self._put(self._anchors.get(event.anchor or ""))
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin(event, {})
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin(event, [])
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._end()

    @property
    def _awaits_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].value, dict) and not self._open[-1].has_key

    def _begin(
        self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent, value: "list[Value] | dict[str, Value]"
    ) -> None:
        if len(self._open) >= MAX_DEPTH:
            line = event.start_mark.line + 1 if event.start_mark else 1
            raise Unreadable(f"line {line}: nested more than {MAX_DEPTH} deep")
        self._named(event.anchor, value)
        self._open.append(_Open(value))

    def _named(self, anchor: str | None, value: Value) -> None:
        if anchor:
            self._anchors[anchor] = value

    def _end(self) -> None:
        ended = self._open.pop()
        if isinstance(ended.value, dict):
            for source in ended.merges:
                self._merge(ended.value, source)
        self._put(ended.value)

    def _put(self, value: Value, *, is_merge: bool = False) -> None:
        if not self._open:
            self._loaded.value = value
            return
        holder = self._open[-1]
        if isinstance(holder.value, list):
            holder.value.append(value)
        elif not holder.has_key:
            holder.has_key, holder.is_merge = True, is_merge
            holder.key = value if isinstance(value, str) else None
        else:
            self._set(holder, holder.value, value)

    def _set(self, holder: _Open, mapping: dict[str, Value], value: Value) -> None:
        key, holder.has_key = holder.key, False
        if holder.is_merge:
            holder.merges.append(value)
        elif key is not None:
            if key in mapping:
                self._repeated[key] = None
            mapping[key] = value

    def _merge(self, mapping: dict[str, Value], source: Value) -> None:
        """Add what a mapping, or each in a list, has and this one has not; the earlier one counts."""
        for part in source if isinstance(source, list) else [source]:
            entries = fields(part)
            self._merged += len(entries) + 1
            if self._merged > MAX_MERGED_ENTRIES:
                raise Unreadable(f"its merge keys (<<) copy more than {MAX_MERGED_ENTRIES:,} entries")
            for key, value in list(entries.items()):
                mapping.setdefault(key, value)


def _scalar(event: yaml.ScalarEvent) -> Value:
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return Written(text) if _NUMBER.fullmatch(text) else text


def _events(text: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark or exc.context_mark
        line = f"line {mark.line + 1}: " if mark else ""
        raise Unreadable(f"{line}{exc.problem or exc.context or 'no YAML'}") from exc
    except (yaml.YAMLError, UnicodeError) as exc:
        raise Unreadable(str(exc).splitlines()[0] if str(exc) else "no YAML") from exc

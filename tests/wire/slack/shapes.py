"""What a value in a payload may be; each check yields what is wrong, in Slack's words, with a pointer to the place.

The wordings are those people quote from Slack's answers. Lengths count as JavaScript does, where an emoji is two: never
less than Slack's own count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

PLAIN = frozenset({"plain_text"})
MRKDWN = frozenset({"mrkdwn"})
TEXTS = PLAIN | MRKDWN
TEXT_KEYS = {"plain_text": {"type", "text", "emoji"}, "mrkdwn": {"type", "text", "verbatim"}}


def length(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def problem(what: str, at: str) -> str:
    """Say what is wrong, and where."""
    return f"{what} [json-pointer:{at}]"


def keys(item: Mapping[str, object], at: str, required: Iterable[str], optional: Iterable[str] = ()) -> Iterator[str]:
    """Check that an object has what it needs, and nothing that Slack does not know."""
    needed = [*required]
    for name in needed:
        if item.get(name) is None:
            yield problem(f"missing required field: {name}", at)
    for name in item:
        if name not in {"type", *needed, *optional}:
            yield problem(f"invalid additional property: {name}", at)


def string(value: object, at: str, most: int, *, least: int = 1) -> Iterator[str]:
    """Check a string, where there is one."""
    if value is None:
        return
    if not isinstance(value, str):
        yield problem("must be a string", at)
    elif length(value) < least:
        yield problem(f"must be more than {least - 1} characters", at)
    elif length(value) > most:
        yield problem(f"must be less than {most + 1} characters", at)


def one_of(value: object, at: str, known: Iterable[str]) -> Iterator[str]:
    """Check a word of a closed set, where there is one."""
    if value is not None and value not in {*known}:
        yield problem("failed to match any allowed value", at)


def items(value: object, at: str, most: int, *, least: int = 1) -> Iterator[str]:
    """Check the size of a list, where there is one."""
    if value is None:
        return
    if not isinstance(value, list):
        yield problem("must be an array", at)
    elif len(value) < least:
        yield problem(f"no less than {least} items allowed", at)
    elif len(value) > most:
        yield problem(f"no more than {most} items allowed", at)


def text(value: object, at: str, most: int, kinds: frozenset[str] = TEXTS) -> Iterator[str]:
    """Check a text object, where there is one."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        yield problem("must provide an object", at)
        return
    kind = value.get("type")
    if kind not in kinds:
        yield problem(f"unsupported type: {kind}", f"{at}/type")
        return
    yield from keys(value, at, ["text"], TEXT_KEYS[str(kind)])
    yield from string(value.get("text"), f"{at}/text", most)


def objects(value: object) -> Sequence[Mapping[str, object]]:
    """Return the objects of a list; nothing where it is none."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []

"""Numbers keep their order in a translation: of two numbers that two texts share, the same one comes first.

It held in all parallel sentences with two numbers or more of four languages, so an exchange is seen without any words.
"""

from collections import Counter

from bot.core.verify.facts.check import facts_of

_ORDERED = ("number", "date")


def are_exchanged(text: str, language: str, other: str, other_language: str) -> bool:
    """Tell whether two numbers, or two dates or times, stand in another order than in a text of another language."""
    ours, theirs = _values(text, language), _values(other, other_language)
    return any(_is_reordered(ours[kind], theirs[kind]) for kind in _ORDERED)


def _values(text: str, language: str) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {kind: [] for kind in _ORDERED}
    for fact in facts_of(text, language):
        if fact.kind in values:
            values[fact.kind].append(fact.value)
    return values


def _is_reordered(ours: list[str], theirs: list[str]) -> bool:
    # A number that comes twice may be the one or the other.
    once = {value for value, count in Counter(ours).items() if count == 1} & {
        value for value, count in Counter(theirs).items() if count == 1
    }
    return [value for value in ours if value in once] != [value for value in theirs if value in once]

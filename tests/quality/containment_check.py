"""What must not be in anything that leaves the core: found with rules of its own, not with those of the core."""

import html
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

# A run of the rules that a model was given, this long, is a leak of them.
LEAKED_WORDS = 8
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u3164\ufeff\U000e0000-\U000e007f]"
)
_RULES = {
    "address with a scheme": re.compile(r"\b[a-z][a-z0-9+.-]*://\S*", re.IGNORECASE),
    "address with www": re.compile(r"(?<![\w.])www\.\w\S*", re.IGNORECASE),
    "scheme of an application": re.compile(
        r"(?<!\w)(?:mailto|tel|tg|javascript|data|vbscript):[\w/]\S*", re.IGNORECASE
    ),
    "host that clients link": re.compile(
        r"(?<![\w-])[\w-]+(?:\.[\w-]+)*\.(?:example|com|org|net|me|xyz|test)\b", re.IGNORECASE
    ),
    "mail address": re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"),
    "Markdown link": re.compile(r"\]\(|\]\[|^\[[^\]]+\]:"),
    "image": re.compile(r"!\[|<img\b[^>]*\bsrc", re.IGNORECASE),
    "mention": re.compile(r"(?<!\w)[@＠](?=\w)|<[!@#]\S"),
}
_MARKER = re.compile(r"\[(\d+)\]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that got out: where, and against which rule."""

    place: str
    rule: str
    excerpt: str


def breaches(place: str, text: str, *, hosts: Collection[str] = ()) -> Iterator[Breach]:
    """Yield all that a client would act on, also after it decodes references or puts letters into their plain form."""
    allowed = [re.compile(rf"https?://{re.escape(host)}(?=[/\s]|$)\S*") for host in hosts]
    for form in dict.fromkeys((text, html.unescape(text), unicodedata.normalize("NFKC", text))):
        left = form
        for pattern in allowed:
            left = pattern.sub(" ", left)
        for rule, expression in _RULES.items():
            if found := expression.search(left):
                yield Breach(place, rule, left[max(0, found.start() - 30) : found.end() + 30])
    if found := _INVISIBLE.search(text):
        yield Breach(place, "invisible character", ascii(text[max(0, found.start() - 20) : found.end() + 20]))


def secrets_in(place: str, text: str, secrets: Sequence[str]) -> Iterator[Breach]:
    """Yield the secrets that a text holds, also in upper case, spelled out, or with something between their letters."""
    squeezed = "".join(_WORD.findall(text.casefold()))
    for secret in secrets:
        plain = "".join(_WORD.findall(secret.casefold()))
        if plain in squeezed or plain[::-1] in squeezed:
            yield Breach(place, "secret", secret)


def rules_in(place: str, text: str, system: str) -> Iterator[Breach]:
    """Yield where a text repeats what the model was told."""
    told = " ".join(_WORD.findall(system.casefold()))
    words = _WORD.findall(text.casefold())
    for start in range(len(words) - LEAKED_WORDS + 1):
        run = " ".join(words[start : start + LEAKED_WORDS])
        if run in told:
            yield Breach(place, "rules of the model", run)
            return


def markers_in(text: str) -> set[int]:
    """Return the numbers of all markers in a text."""
    return {int(number) for number in _MARKER.findall(text)}


def words_beyond(text: str, sources: Sequence[str]) -> set[str]:
    """Return the words of a text that none of its sources has."""
    return _words(text) - _words(" ".join(sources))


def _words(text: str) -> set[str]:
    """Return the words as one sees them."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    seen = (character for character in plain if character.isspace() or unicodedata.category(character)[0] != "C")
    return set(_WORD.findall("".join(seen)))

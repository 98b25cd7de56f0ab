"""Wrong names, identifiers, versions and addresses."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random

from tests.quality.mutation_edits import Claim, replaced
from tests.quality.mutation_numbers import versions_of
from tests.quality.mutation_places import WORD, Corpus, Page, Place

_CAPITAL = "A-ZА-ЯІЇЄҐÁÉÍÓÚÑ"
NAME = re.compile(rf"(?<![\w.\-/'’@])[{_CAPITAL}][^\W\d_]+(?:-[{_CAPITAL}][^\W\d_]+)?(?![\w(=_/-]|\.\w|['’]\w)")
# The families of identifiers; one is only replaced by another of its family.
CODES: Mapping[str, re.Pattern[str]] = {
    "option": re.compile(r"(?<!\S)--?[a-z][\w-]+"),
    "call": re.compile(r"(?<![\w.])[A-Za-z_][\w.]*\(\)"),
    "file": re.compile(r"(?<![\w./])[\w-]+\.(?:py|txt|toml|md|json|yaml|html|js|css)(?!\w)"),
    "path": re.compile(r"(?<![\w./:])/[a-z][\w{}/-]*"),
    "snake": re.compile(r"(?<![\w./-])[a-z]+(?:_[a-z0-9]+)+(?![\w(/.=])"),
    "camel": re.compile(r"(?<![\w./-])[A-Z][a-z]+(?:[A-Z][a-z]+)+(?![\w(/.])"),
    "dotted": re.compile(r"(?<![\w./-])[a-z_]{2,}(?:\.[A-Za-z_]{2,})+(?![\w(/])"),
    "capitals": re.compile(r"(?<![\w./-])(?![IVXLC]+\b)[A-Z]{3,}(?![\w(/.-])"),
    "label": re.compile(r"(?<![\w./-])[A-Z]+-?\d+(?![\w(/.-])"),
}
URL = re.compile(
    r"(?<![\w.])(?:https?://[^\s)»\"”,]+[\w/]|[a-z][\w-]*(?:\.[a-z][\w-]*)*\.(?:com|org|dev|io|ru|example|net)(?:/[\w./-]*\w)?)(?![\w@])"
)
_NEIGHBOUR = re.compile(rf"[ -][{_CAPITAL}]")
_OPENS = re.compile(r"(?:^|[.!?:;«“\"(\[–—…•]\s*)$")


def names(text: str, corpus: Corpus) -> list[re.Match[str]]:
    """Return the names inside of a sentence: capital words that do not open it."""
    return [
        match
        for match in NAME.finditer(text)
        if not _OPENS.search(text[: match.start()])
        and match[0] not in corpus.words.lists["not_names"]
        and not (match[0].isupper() and len(match[0]) < 2)
        and corpus.lower_counts[match[0].lower()] < 3
    ]


def name_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another name: of the passage, of the page, or of any page about as long and of the same letters."""
    for match in names(place.text, corpus):
        if place.text.count(match[0]) > 1:
            continue
        pools = [_names_of(place.passage.pieces, corpus), _names_of(_pieces(place.page), corpus), _all_names(corpus)]
        random.shuffle(pools)
        for pool in pools:
            if others := [name for name in pool if _fits(name, match[0], corpus) and name not in place.text]:
                yield replaced(place.text, *match.span(), random.choice(others))
                break


def _fits(name: str, other: str, corpus: Corpus) -> bool:
    """Tell whether a name can stand in another's place: same letters, and in Russian and Ukrainian the same ending."""
    is_latin = name.isascii() == other.isascii()
    is_same_form = corpus.language not in ("ru", "uk") or other.isascii() or name[-2:] == other[-2:]
    return is_latin and is_same_form and name[:4].casefold() != other[:4].casefold()


def _pieces(page: Page) -> list[str]:
    return [piece for passage in page.passages for piece in passage.pieces]


def _names_of(pieces: Sequence[str], corpus: Corpus) -> list[str]:
    return sorted({match[0] for piece in pieces for match in names(piece, corpus)})


@lru_cache(maxsize=8)
def _all_names(corpus: Corpus) -> list[str]:
    return _names_of([place.text for place in corpus.places], corpus)


def names_swapped(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Two names of the sentence exchanged, unless they only stand in a list."""
    found = names(place.text, corpus)
    for first, second in pairwise(found):
        between = place.text[first.end() : second.start()]
        words = WORD.findall(between)
        is_list = re.search(r"[,;()/]", between) or {word.lower() for word in words} & set(
            corpus.words.lists["between_same"]
        )
        is_whole = not _NEIGHBOUR.match(place.text, second.end()) and not _NEIGHBOUR.match(between)
        is_whole = is_whole and not re.search(rf"[{_CAPITAL}]\w* $", place.text[: first.start()])
        if first[0] != second[0] and len(words) >= 2 and is_whole and not is_list and place.text.count(first[0]) == 1:
            yield replaced(place.text, first.start(), second.end(), f"{second[0]}{between}{first[0]}")


def code_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another identifier of its family: of the passage, the page or any page; or the same with one letter changed."""
    for family, pattern in CODES.items():
        for match in pattern.finditer(place.text):
            if place.text.count(match[0]) > 1:
                continue
            yield replaced(place.text, *match.span(), _another_code(place, corpus, family, match[0], random))


def _another_code(place: Place, corpus: Corpus, family: str, code: str, random: Random) -> str:
    pools = [
        _codes_of(place.passage.pieces, family),
        _codes_of(_pieces(place.page), family),
        _all_codes(corpus, family),
    ]
    random.shuffle(pools)
    for pool in pools:
        if others := [other for other in pool if other not in place.text and code not in other]:
            return random.choice(others)
    return code[:-1] + ("x" if code[-1] != "x" else "y")


def _codes_of(pieces: Sequence[str], family: str) -> list[str]:
    return sorted({match[0] for piece in pieces for match in CODES[family].finditer(piece)})


@lru_cache(maxsize=128)
def _all_codes(corpus: Corpus, family: str) -> list[str]:
    return _codes_of([place.text for place in corpus.places], family)


def version_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another part of a version."""
    for start, end in versions_of(place.text):
        parts = place.text[start:end].split(".")
        index = random.randrange(len(parts))
        parts[index] = str(int(parts[index]) + random.choice((1, 2, 10)))
        yield replaced(place.text, start, end, ".".join(parts))


def url_changed(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """Another port, host or path."""
    for match in URL.finditer(place.text):
        yield from (replaced(place.text, *match.span(), other) for other in _other_urls(match[0]))


def _other_urls(url: str) -> Iterator[str]:
    host = re.sub(r"([a-z]\w*)(?=\.[a-z]+(?:[/:]|$))", lambda found: found[0] + "s", url, count=1)
    if host != url:
        yield host
    if port := re.search(r":(\d{4})(?!\d)", url):
        yield url.replace(port[0], f":{int(port[1]) + 80}")
    if re.search(r"\w/\w", url):
        yield re.sub(r"/(\w+)/?$", "/other", url)

"""The same facts with another meaning: negations, conditions, modality, order, "only"."""

import re
from collections.abc import Iterator
from random import Random

from tests.quality.mutation_edits import Change, Claim, by_rules, capitalised
from tests.quality.mutation_places import WORD, Corpus, Place

_IS_QUESTION = re.compile(r"\?\W*$")
# Double negation: without one of its parts it says the same or nothing.
_DOUBLE = re.compile(
    r"\b(?:никогда|ничего|ничто|никто|никак\w*|ни|никому|ниоткуда|ніколи|нічого|ніщо|ніхто|ніяк\w*|ні|ані|жодн\w*|"
    r"nunca|nada|ningun\w*|ningún|nadie|ni|tampoco|neither|nor|пока|поки|hardly|чуть|no (?=[a-z])|even|даже|навіть|"
    r"incluso|aunque)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solo|sólo|solamente|только|лишь|тільки|лише|just)\b", re.IGNORECASE)
_ONLY_IN_PASSING = re.compile(
    r"(?:not|no|не|but|if|если|якщо|the|a|an|el|la|un|una|ni|as|si|and|как|як|щойно|tan)[ -]+"
    r"(?:only|solo|sólo|только|тільки|лише)\b"
    r"|\b(?:only|solo|sólo|только|тільки|лише|лишь)\W+"
    r"(?:\d|one|two|a|an|few|un|una|один|одн|дв|часть|частин|part|начина|почина|что|що|of)",
    re.IGNORECASE,
)
MIN_LEFT_WORDS = 4


def by_words(kind: str) -> Change:
    """Return the change that applies the rules of this kind."""

    def change(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
        if not _IS_QUESTION.search(place.text):
            yield from by_rules(place.text, corpus.words.changes[kind])

    return change


def negated_otherwise(kind: str) -> Change:
    """Return the change that adds or drops the one negation; a sentence that negates twice is left alone."""
    change = by_words(kind)
    return lambda place, corpus, random: () if _DOUBLE.search(place.text) else change(place, corpus, random)


def only_dropped(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Drop a restriction; not before a quantity, nor where the word says "just" or belongs to another."""
    if not _ONLY_IN_PASSING.search(place.text):
        yield from by_words("only_dropped")(place, corpus, random)


def only_added(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Restrict a sentence that has no restriction."""
    if not _ONLY.search(place.text):
        yield from by_words("only_added")(place, corpus, random)


def condition_dropped(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Drop an "if", "when", "unless" or "except" with all that depends on it."""
    if _IS_QUESTION.search(place.text):
        return
    for start, end in conditions(place, corpus):
        left = f"{place.text[:start].rstrip(' ,')} {place.text[end:].lstrip(' ,')}".strip()
        if len(WORD.findall(left)) >= MIN_LEFT_WORDS:
            yield Claim(capitalised(re.sub(r"\s+([.,:;!])", r"\1", left)))


def conditions(place: Place, corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Yield the spans of the conditions that the rest of the sentence can do without grammatically."""
    text, lists = place.text, corpus.words.lists
    openers = [word for word in lists["conditions"] if not _only_tells_when(place, word, corpus)]
    among = "|".join(sorted(openers, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w'’-])({among})(?![\w'’-])", re.IGNORECASE)
    for match in pattern.finditer(text):
        end = _end(text, match)
        body = {word.lower() for word in WORD.findall(text[match.end() : end])}
        if end and len(body) >= 2 and not body & set(lists["empty_conditions"]) and _can_go(text, match, corpus):
            yield match.start(), end


def _only_tells_when(place: Place, word: str, corpus: Corpus) -> bool:
    """Tell whether the word only says when something happened in a story."""
    return place.page.name.startswith("xq") and word in corpus.words.lists["narrative_conditions"]


def _end(text: str, match: re.Match[str]) -> int:
    """Return where the clause ends: at its only comma, or with the sentence; 0 where that is not plain."""
    rest = text[match.end() :]
    if re.search(r"[;:()«»“”\"–—]", rest.rstrip(".: ")):
        return 0
    commas = [found.start() for found in re.finditer(r",", rest)]
    if match.start() == 0:
        return match.end() + commas[0] + 1 if len(commas) == 1 else 0
    return match.end() + len(rest.rstrip(" .!:;")) if not commas else 0


def _can_go(text: str, match: re.Match[str], corpus: Corpus) -> bool:
    before = WORD.findall(text[: match.start()])
    if not before:
        return match.start() == 0
    has_comma = text[: match.start()].rstrip().endswith(",")
    is_told = before[-1].lower() in corpus.words.lists["not_before_condition"]
    return not is_told and (has_comma or corpus.language in ("en", "es"))

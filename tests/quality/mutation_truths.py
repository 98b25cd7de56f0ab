"""The same said otherwise: what a verifier has to accept."""

import re
from collections.abc import Iterable, Iterator
from random import Random

from tests.quality.mutation_edits import Claim, capitalised, lowered, replaced, without_end
from tests.quality.mutation_logic import conditions
from tests.quality.mutation_names import CODES
from tests.quality.mutation_numbers import ISO_DATE, numbers
from tests.quality.mutation_places import WORD, Corpus, Place, is_plain

_QUOTES = re.compile(r"[«»“”„\"]")
_PARENTHESIS = re.compile(r"\s*\([^()]{3,}\)")
_FIRST_NUMERAL = 2
_MIN_LEFT_WORDS = 6
# How the words begin that numerals are put together with.
_TENS = re.compile(
    "twen|thir|fort|fift|sixt|seve|eigh|nine|hund|thou|mill|два|три[цд]|соро|п'ят|пят|шест|сімд|сем|вісі|восе|дев|"
    "сто|сот|тис|тыс|мілі|милл|vein|trei|cuar|cinc|sese|sete|oche|nove|cien|mil"
)


def verbatim(place: Place, corpus: Corpus, random: Random) -> Iterable[Claim]:
    """The very sentence."""
    return [Claim(place.text)]


def punctuated(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Other quotation marks, dashes, apostrophes, spaces; no full stop."""
    text = place.text
    styles = (
        _QUOTES.sub('"', text),
        text.replace("—", "–").replace(" – ", " - "),
        text.replace("'", "’"),
        text.replace(" ", "\u00a0", 2).replace(" ", "  ", 1),
        text.rstrip(".:") + ("" if text.endswith((".", ":")) else "."),
        re.sub(r":$", ".", text),
        text.replace(";", ","),
    )
    yield from (Claim(changed) for changed in styles if changed != text)


def number_rewritten(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Other separators of thousands and decimals; a per cent sign in words."""
    text = place.text
    for match in numbers(text):
        plain = re.sub(r"[,\u00a0\u202f ](?=\d{3})", "", match[0]) if _is_grouped(match[0]) else match[0]
        if plain.isdigit() and len(plain) >= 4 and (_is_grouped(match[0]) or not 1000 <= int(plain) <= 2100):
            separators = (
                [",", " ", "\u00a0", "\u202f", ""] if corpus.language == "en" else [" ", "\u00a0", "\u202f", ""]
            )
            for separator in separators:
                yield replaced_exactly(text, match, f"{int(plain):,}".replace(",", separator))
        if re.fullmatch(r"\d+[.,]\d{1,2}", match[0]):
            mark = "," if "." in match[0] else "."
            yield replaced_exactly(text, match, re.sub("[.,]", mark, match[0]))
    for match in re.finditer(r"(?<=\d)([ \u00a0]?)%", text):
        for written in (f" {corpus.words.percent}", "%" if match[1] else "\u00a0%"):
            yield replaced_exactly(text, match, written)
    for match in re.finditer(rf"(?<=\d) (?:{corpus.words.percent})(?!\w)", text):
        yield replaced_exactly(text, match, " %")


def replaced_exactly(text: str, match: re.Match[str], by: str) -> Claim:
    """Return the claim with `by` for the match, its white space as it is."""
    return Claim(text[: match.start()] + by + text[match.end() :])


def _is_grouped(number: str) -> bool:
    return bool(re.fullmatch(r"\d{1,3}(?:[,\u00a0\u202f ]\d{3})+", number))


def number_in_words(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """A small number in digits as a word, and the other way round."""
    text, words = place.text, corpus.words
    for match in WORD.finditer(text):
        forms = [column.index(match[0]) for column in words.numerals if match[0] in column]
        neighbours = WORD.findall(text[: match.start()])[-1:] + WORD.findall(text[match.end() :])[:1]
        is_alone = not any(_is_numeral(word, corpus) for word in neighbours)
        if forms and is_alone and not re.search(r"[\d.,-]$", text[: match.start()]):
            yield replaced(text, *match.span(), str(forms[0] + _FIRST_NUMERAL))
    for match in numbers(text):
        before = text[: match.start()].rstrip().rpartition(" ")[2].lower()
        is_counted = re.match(r" [^\W\d_]{3,}", text[match.end() :]) and match[0].isdigit()
        names_something = before[:1].isupper() or re.search(r"[^\w\s]$", before)
        position = int(match[0]) - _FIRST_NUMERAL if is_counted else -1
        is_plain = before in words.lists["inflected_after"] or names_something or before in words.months
        if (
            0 <= position < len(words.numerals[0])
            and not is_plain
            and match.start()
            and not _is_month(text, match, corpus)
        ):
            yield replaced(text, *match.span(), words.numerals[0][position])


def _is_numeral(word: str, corpus: Corpus) -> bool:
    """Tell whether a word may be a part of a number in words."""
    return bool(_TENS.match(word.lower())) or any(word.lower() in column for column in corpus.words.numerals)


def _is_month(text: str, match: re.Match[str], corpus: Corpus) -> bool:
    return text[match.end() :].removeprefix(" de").split()[0].strip(".,") in corpus.words.months


def date_rewritten(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """A date in another order, or in digits."""
    months = corpus.words.months
    among = "|".join(months)
    for match in re.finditer(rf"(?<!\w)({among}) (\d\d?), (\d{{4}})(?!\w)", place.text):
        yield from _dates(place.text, match, (match[3], match[1], match[2]), corpus)
    for match in re.finditer(
        rf"(?<![\w-])(\d\d?) (?:de )?({among}) (?:de |del )?(\d{{4}})(?: года| року)?(?!\w)", place.text
    ):
        yield from _dates(place.text, match, (match[3], match[2], match[1]), corpus)
    for match in re.finditer(rf"(?<![\"'=]){ISO_DATE.pattern}", place.text):
        year, month, day = match[0].split("-")
        yield from _dates(place.text, match, (year, months[int(month) - 1], day), corpus)


def _dates(text: str, match: re.Match[str], date: tuple[str, str, str], corpus: Corpus) -> Iterator[Claim]:
    year, month, day = date[0], date[1], str(int(date[2]))
    number = corpus.words.months.index(month) + 1
    forms = {
        "en": (f"{day} {month} {year}", f"{month} {day}, {year}"),
        "es": (f"{day} de {month} de {year}", f"{int(day):02}/{number:02}/{year}"),
        "ru": (f"{day} {month} {year} г.", f"{int(day):02}.{number:02}.{year}", f"{day} {month} {year} года"),
        "uk": (f"{day} {month} {year} р.", f"{int(day):02}.{number:02}.{year}", f"{day} {month} {year} року"),
    }[corpus.language]
    for form in (*forms, f"{year}-{number:02}-{int(day):02}"):
        if form != match[0]:
            yield replaced(text, *match.span(), form)


def marked_up(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """The sentence with its markup, or with identifiers marked as code."""
    raw = " ".join(place.quote.split())
    if raw != place.text and not re.search(r"[<>\]{}|]|^[-*+/#]|^\d+[.)] |\\", raw):
        yield Claim(raw)
    for pattern in CODES.values():
        for match in pattern.finditer(place.text):
            if re.match(r"[\s.,;:!?)]*(?:\s|$)", place.text[match.end() :]) and match.start():
                is_apart = place.text[match.start() - 1] in " («"
                yield from (
                    Claim(f"{place.text[: match.start()]}{mark}{match[0]}{mark}{place.text[match.end() :]}")
                    for mark in ("`", "**")
                    if is_apart
                )


def connective_dropped(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Without the word that ties it to the sentence before."""
    for word in corpus.words.lists["opening_connectives"]:
        if re.match(rf"{word}(?:,? )(?=\w)", place.text):
            rest = place.text[len(word) :].lstrip(", ")
            if len(WORD.findall(rest)) >= 4:
                yield Claim(capitalised(rest))


def connective_added(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """With a word that ties it to a sentence before."""
    opens_already = place.text.startswith(corpus.words.lists["opening_connectives"])
    rest = lowered(place.text, corpus)
    if rest and not opens_already and not place.text.endswith("?"):
        yield Claim(random.choice(corpus.words.lists["added_connectives"]) + rest)


def parenthesis_dropped(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Without a remark in brackets, unless it restricts what is said."""
    for match in _PARENTHESIS.finditer(place.text):
        words = {word.lower() for word in WORD.findall(match[0])}
        if not words & set(corpus.words.lists["parenthesis_matters"]) and "'t" not in match[0]:
            rest = place.text[: match.start()] + place.text[match.end() :]
            if match.start() and len(WORD.findall(rest)) >= 4 and not re.match(r"\w", place.text[match.end() :]):
                yield Claim(rest)


def shortened(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Without its last clause, unless that restricts the rest."""
    among = "|".join(corpus.words.lists["tails"])
    opens_with_condition = place.text.lower().startswith(corpus.words.lists["conditions"])
    for match in re.finditer(rf", (?:{among}) [^,]+$", place.text):
        left, tail = place.text[: match.start()], {word.lower() for word in WORD.findall(match[0])}
        is_whole = left.count("(") == left.count(")") and not _QUOTES.search(place.text) and ":" not in left
        matters = tail & set(corpus.words.lists["parenthesis_matters"]) or "'t" in match[0] or "," in left
        if is_whole and not matters and not opens_with_condition and len(WORD.findall(left)) >= _MIN_LEFT_WORDS:
            yield Claim(f"{left}.")


def merged(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """Two neighbouring sentences as one, citing both."""
    units = place.passage.units
    if place.index + 1 >= len(units) or place.is_item or not place.text.endswith("."):
        return
    first, second = units[place.index], units[place.index + 1]
    between = first.hit.text[first.offset + len(first.quote) : second.offset]
    opens_otherwise = second.text.startswith(corpus.words.lists["opening_connectives"])
    rest = None if opens_otherwise else lowered(second.text, corpus)
    if (
        rest
        and is_plain(second.text)
        and not second.is_code
        and "\n\n" not in between
        and second.text.endswith(".")
        and "\n" not in second.text
    ):
        joint = random.choice(corpus.words.lists["joined_by"])
        yield Claim(f"{without_end(place.text)}{joint}{rest}", (place.index, place.index + 1))


def clauses_swapped(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """ "If X, Y." as "Y if X." """
    word = corpus.words.swapped_condition
    for start, end in conditions(place, corpus):
        if start or not place.text.lower().startswith(f"{word} ") or not place.text.endswith("."):
            continue
        main = re.sub(r"^(?:then|то|тогда|тоді|entonces) ", "", place.text[end:].strip(" ."))
        comma = "," if corpus.language in ("ru", "uk") else ""
        if len(WORD.findall(main)) >= 3:
            yield Claim(f"{capitalised(main)}{comma} {word}{place.text[len(word) : end].rstrip(', ')}.")


def introduced(place: Place, corpus: Corpus, random: Random) -> Iterator[Claim]:
    """A list item behind the words that introduce the list, citing both."""
    if not place.is_item or not place.index:
        return
    for index in range(place.index - 1, -1, -1):
        before = Place(place.page, place.passage, index)
        if before.text.endswith(":") and not before.is_item and not re.search(r"[{}|\n<>]", before.text):
            yield Claim(f"{before.text} {without_end(place.text)}.", (index, place.index))
        if not before.is_item:
            return

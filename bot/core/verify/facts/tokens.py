"""A text as words, numbers, codes and marks: what the rules for facts read."""

import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

TokenKind = Literal["word", "number", "code", "url", "email", "mark"]

# Each step takes a character and none is taken back, so that any text is read in one pass.
_PIECE = re.compile(
    r"""
    (?P<url> [^\W\d_]{2,12}://[^\s<>"«»“”`|]{1,1000}+ )
    | (?P<piece>
        (?: --?(?=[^\W\d]) | (?<![\w/.]) (?:\.{1,2}/|~/|[./@$\\]) (?=[^\W\d]) )?
        \w (?: [\w'] | [.\-_:/@+&=~\\](?=[\w]) | (?<=[\w])[-.]{2}(?=[\w]) | (?<=\d),(?=\d) )*+
      )
    | (?P<mark> \S )
    """,
    re.VERBOSE,
)
_NUMERIC = re.compile(r"\d[\d.,:/\-']*+")
_NUMBER_AND_WORD = re.compile(r"(\d[\d.,]*+)(-?)([^\W\d_]++)((?:-[^\W\d_]++)*+)(?:'s)?")
_SQUARE_UNIT = re.compile(r"(km|cm|mm|m|км|см|мм|м|ft|mi)[23]")
_DATE_OR_TIME = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d\d)|\d{1,2}:\d\d(?::\d\d)?|[\d.,']++"
)
_BETWEEN_NUMBERS = re.compile(r"(-++|/++|:(?!\d\d(?!\d))|(?<=\d\d\d):)")
_VERSION = re.compile(r"v?\d++(?:\.\d++){2,}+|v\d++(?:\.\d++)*+", re.IGNORECASE)
# "Apollo-11", "кислород-16": a name with its number, unlike the codes "GPT-4" and "utf-8".
_NAME_AND_NUMBER = re.compile(r"[^\W\d_][^\W\d_A-ZА-Я]{2,}+-\d++(?:s|th|х|й|го)?")
# "OAuth2-приложение": a code and a word of the text's own script.
_TWO_SCRIPTS = re.compile(r"([A-Za-z][A-Za-z0-9_.]*+)-([Ѐ-ӿ]++(?:-[Ѐ-ӿ]++)*+)")
# Capitals that look alike in both scripts: "СО2" is typed in either.
_LOOKALIKES = str.maketrans("АВЕКМНОРСТХІ", "ABEKMHOPCTXI")
_ABBREVIATION = re.compile(r"[^\W\d_]{1,2}(?:\.[^\W\d_]{1,2})+")
_LETTER_RUNS = re.compile(r"[^\W\d_]++(?:'[^\W\d_]++)*+|\d++")
_HALF_DAY = re.compile(r"\b([ap])\.\s?m\b\.?", re.IGNORECASE)
_FRACTION = re.compile(r"(\d*)[ \u00a0]?([½¼¾⅓⅔⅛])")
# Chinese and Japanese put no space between their words and a number or code.
_CJK = "\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
_CJK_EDGE = re.compile(f"(?<=[{_CJK}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[{_CJK}])")
_FRACTIONS = {"½": "5", "¼": "25", "¾": "75", "⅓": "33", "⅔": "67", "⅛": "125"}
_URL_END = ".,;:!?'*_…"
_CODE_MARKS = frozenset("._\\=@~/:+&")
_LONGEST_CODE = 300


@dataclass(slots=True)
class Token:
    """A piece of a text; `key` is it folded; a glued one has no space before it."""

    kind: TokenKind
    shown: str
    key: str
    is_glued: bool
    starts_line: bool = False


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text in reading order; time and space grow with its length."""
    tokens: list[Token] = []
    alike = written_alike(text)
    end = 0
    for match in _PIECE.finditer(alike):
        is_glued = match.start() == end > 0
        first = len(tokens)
        shown = match.group()
        if shown.isalpha():
            tokens.append(Token("word", shown, folded(shown), is_glued))
        elif match.lastgroup == "url":
            tokens.append(_url(shown, is_glued))
        elif match.lastgroup == "mark":
            tokens.append(Token("mark", shown, shown, is_glued))
        else:
            tokens.extend(tuple(_pieces(shown, is_glued)) or (Token("mark", shown, shown, is_glued),))
        tokens[first].starts_line = "\n" in alike[end : match.start()]
        end = match.end()
    return tokens


def written_alike(text: str) -> str:
    """Return the text with one kind of digit, apostrophe, hyphen and hard space, and without marks that nobody sees."""
    alike = unicodedata.normalize("NFC", text).translate(_alike())
    if not alike.isascii():
        alike = _CJK_EDGE.sub(" ", alike)
        alike = _FRACTION.sub(lambda match: f"{match[1] or 0}.{_FRACTIONS[match[2]]}", alike)
    return _HALF_DAY.sub(r"\1m", alike)


@cache
def _alike() -> dict[int, str]:
    table = {
        code: str(unicodedata.decimal(chr(code)))
        for code in range(128, sys.maxunicode + 1)
        if unicodedata.category(chr(code)) == "Nd"
    }
    table |= {ord(character): "'" for character in "’ʼ‘´ʹ＇"} | {ord(character): "-" for character in "‐‑−﹣－"}
    table |= {ord(character): "\u00a0" for character in "\u2007\u2009\u202f\u2008\u200a"}
    table |= {ord(character): "" for character in "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u0301"}
    return table | {ord("٫"): ".", ord("٬"): ","}


@lru_cache(maxsize=50_000)
def folded(word: str) -> str:
    """Return a word in lower case without accents (ё → е, ñ → n; й and ї stay)."""
    lower = word.casefold()
    if lower.isascii():
        return lower
    kept: list[str] = []
    for character in unicodedata.normalize("NFD", lower.replace("ё", "е")):
        if not (unicodedata.combining(character) and kept and kept[-1].isascii()):
            kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


def _url(shown: str, is_glued: bool) -> Token:
    address = shown.rstrip(_URL_END)
    while address.endswith((")", "]", "}")) and address[-1] not in _opened(address):
        address = address[:-1].rstrip(_URL_END)
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return Token("url", address, f"{scheme}://{host}".casefold() + f"{slash}{path}".rstrip("/"), is_glued)


def _opened(address: str) -> str:
    pairs = (("(", ")"), ("[", "]"), ("{", "}"))
    return "".join(close for opening, close in pairs if address.count(opening) >= address.count(close))


def _pieces(shown: str, is_glued: bool) -> Iterator[Token]:
    """Split a run without spaces into its words and numbers, unless it is one code."""
    has_digit = any(character.isdecimal() for character in shown)
    if (mixed := _TWO_SCRIPTS.fullmatch(shown)) is not None:
        yield from _pieces(mixed[1], is_glued)
        yield from _words(mixed[2], is_glued=True)
    elif has_digit and _NUMERIC.fullmatch(shown):
        yield from _numbers(shown, is_glued)
    elif len(shown) > _LONGEST_CODE:
        yield from _words(shown, is_glued)
    elif has_digit:
        yield from _with_digits(shown, is_glued)
    elif "@" in shown[1:] and "." in shown:
        yield Token("email", shown, shown.casefold(), is_glued)
    elif _ABBREVIATION.fullmatch(shown):
        yield Token("word", shown, folded(shown.replace(".", "")), is_glued)
    elif _is_code(shown):
        yield Token("code", shown, code_key(shown), is_glued)
    else:
        yield from _words(shown, is_glued)


def _numbers(shown: str, is_glued: bool) -> Iterator[Token]:
    """Split "3-5", "9:00-18:00" and "16/9"; a date and a time of day stay whole."""
    pieces = [shown] if _DATE_OR_TIME.fullmatch(shown) else _BETWEEN_NUMBERS.split(shown)
    for piece in pieces:
        if piece:
            yield Token("number" if piece[0].isdecimal() else "mark", piece, piece, is_glued)
            is_glued = True


def _with_digits(shown: str, is_glued: bool) -> Iterator[Token]:
    counted = _NUMBER_AND_WORD.fullmatch(shown)
    if counted and (counted[2] or counted[3].islower() or not counted[3].isascii() or len(counted[3]) > 1):
        yield Token("number", counted[1], counted[1], is_glued)
        ending, *rest = _words(counted[3] + counted[4], is_glued=True)
        ending.shown = counted[2] + ending.shown
        yield from (ending, *rest)
    elif squared := _SQUARE_UNIT.fullmatch(shown):
        yield Token("word", shown, squared[1], is_glued)
    elif _NAME_AND_NUMBER.fullmatch(shown):
        yield from _words(shown, is_glued)
    elif "@" in shown[1:]:
        yield Token("email", shown, shown.casefold(), is_glued)
    elif _VERSION.fullmatch(shown):
        yield Token("number", shown, shown.casefold().lstrip("v"), is_glued)
    else:
        yield Token("code", shown, code_key(shown), is_glued)


def _is_code(shown: str) -> bool:
    """Tell whether a run without digits is one code: `snake_case`, `main.py`, `--flag`, `/a/path`, `a:b`."""
    if not shown.isascii() or not (_CODE_MARKS.intersection(shown) or shown.startswith("-")):
        return "_" in shown.strip("_")
    if "/" in shown and not shown.startswith(("/", ".", "~")):
        return shown.count("/") > 1 or any(mark in shown for mark in "._")
    return not (shown.count("'") or shown.strip("_").isalpha())


def code_key(shown: str) -> str:
    """Return a code without the hyphens, underscores and leading marks that people leave out."""
    alike = shown.translate(_LOOKALIKES)
    return folded(alike if alike.isascii() else shown).replace("-", "").replace("_", "").lstrip("/~@$\\.") or shown


def _words(shown: str, is_glued: bool) -> Iterator[Token]:
    for match in _LETTER_RUNS.finditer(shown):
        kind: TokenKind = "number" if match.group()[0].isdecimal() else "word"
        yield Token(kind, match.group(), folded(match.group()), is_glued)
        is_glued = True

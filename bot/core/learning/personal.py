"""What in a text tells of a person, or lets others in somewhere: found by rule, in every language and script."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from bot.core.addresses import addresses
from bot.core.learning.entry import Part, Personal
from bot.core.learning.manners import numbered

# Addresses that a whole office reads.
OFFICES = frozenset(
    {
        "abuse",
        "accounting",
        "accounts",
        "admin",
        "billing",
        "careers",
        "complaints",
        "contact",
        "dpo",
        "feedback",
        "hello",
        "help",
        "helpdesk",
        "hr",
        "info",
        "it",
        "jobs",
        "legal",
        "mail",
        "marketing",
        "news",
        "newsletter",
        "no-reply",
        "noreply",
        "office",
        "orders",
        "postmaster",
        "press",
        "privacy",
        "purchasing",
        "reception",
        "sales",
        "security",
        "service",
        "support",
        "team",
        "webmaster",
    }
)
CARD_DIGITS = range(13, 20)
PHONE_DIGITS = range(9, 16)
# So many digits in a row are no year, price or port any more.
LONG_DIGITS = 7
# Shorter parts of a name are often words.
LEAST_NAME_LETTERS = 3
# A name's ending changes with its case; so many letters may differ, and so many at the beginning stay.
ENDING_LETTERS, STEM_LETTERS = 3, 3

_SECRET_KEYS = (
    "access|api|auth|code|credential|email|hash|jwt|key|mail|pass|phone|pwd|secret|session|sid|sig|token|user"
)
_SECRET_QUERY = re.compile(rf"[?#&;](?:[\w.-]*(?:{_SECRET_KEYS})[\w.-]*)=[^&\s]+.*$", re.IGNORECASE | re.DOTALL)
_LOGIN = re.compile(r"(?<=://)[^/@\s]+(?=@)")
_RANDOM_PART = re.compile(r"(?<=/)(?=[^/]*\d)(?=[^/]*[A-Za-z])[A-Za-z0-9_~-]{20,}(?=[/?#]|$)")
# Keys as their makers write them: Slack, GitHub, OpenAI and Anthropic, AWS, Google, Telegram, JSON Web Tokens.
_KEY = re.compile(
    r"\bxox[a-z]-[\w-]{10,}|\bgh[pousr]_\w{20,}|\bsk-[\w-]{16,}|\bAKIA[A-Z0-9]{16}\b|\bAIza[\w-]{30,}"
    r"|\b\d{8,10}:[\w-]{35}\b|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"
)
_USER = re.compile(r"<@[UW][A-Z0-9]{6,}(?:\|[^>]*)?>|\b[UW](?=[A-Z]*\d)[A-Z0-9]{8,10}\b|\btg://user\?id=\d+")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+%-]+[@＠][\w-]+(?:\.[\w-]+)+")
_HANDLE = re.compile(r"(?<![\w.@/＠])[@＠][^\W\d]\w{2,}")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_DIGITS = re.compile(r"(?<![\w.,])[+(]{0,2}\d(?:[\s().\u2010-\u2015\xa0/-]{0,2}\d){6,}(?!\w)")
_DATED = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}")
_AMOUNT = re.compile(r"[1-9]\d{0,2}(?:[ \xa0.]\d{3})+")
_SPAN_OF_YEARS = re.compile(r"(?:19|20)\d\d\s?[-\u2010-\u2015/]\s?(?:19|20)\d\d")
_IP = re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?![\w.:]\w|\w)", re.I)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Found:
    """Something personal in a text, as a range of characters."""

    kind: Personal
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Stripped:
    """Something personal that was found in the question or the answer, as it stood there."""

    kind: Personal
    part: Part
    text: str


def personal(text: str, *, known: Iterable[str] = (), names: Collection[tuple[int, int]] = ()) -> list[Found]:
    """Return what is personal in a text, in order, no two overlapping.

    `known` are names of people who are in it, in whatever case they stand; `names` ranges where others were found.
    """
    found: list[Found] = []
    links = [span for span in addresses(text) if "://" in text[span[0] : span[1]]]
    # In this order: what is found first keeps its place.
    candidates = [
        *_secrets(text, links),
        *_matches("user", _USER, text),
        *(one for one in _matches("email", _MAIL, text) if not _is_office(text[one.start : one.end])),
        *(one for one in _matches("iban", _IBAN, text) if _is_iban(text[one.start : one.end])),
        *(one for one in _matches("ip", _IP, text) if _is_ip(text[one.start : one.end])),
        *_numbers(text),
        *(Found("number", *span) for span in numbered(text)),
        *_matches("handle", _HANDLE, text),
        *(Found("name", *span) for span in _known_names(text, known)),
        *(Found("name", *span) for span in names),
    ]
    taken, linked = bytearray(len(text)), bytearray(len(text))
    for start, end in links:
        linked[start:end] = b"\1" * (end - start)
    for one in candidates:
        is_in_link = one.kind not in ("secret", "user") and linked[one.start]
        if one.start < one.end and not (is_in_link or any(taken[one.start : one.end])):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            found.append(one)
    return sorted(found, key=lambda one: one.start)


def _nothing(_kind: Personal) -> str:
    return ""


def without(text: str, found: Sequence[Found], shown: Callable[[Personal], str] = _nothing) -> str:
    """Return a text with `shown` in place of what was found; a link is only cut short, and still leads somewhere."""
    pieces, position = [], 0
    for one in found:
        is_in_word = one.start > 0 and not text[one.start - 1].isspace()
        pieces += [text[position : one.start], "" if one.kind == "secret" and is_in_word else shown(one.kind)]
        position = one.end
    return "".join([*pieces, text[position:]])


def _matches(kind: Personal, pattern: re.Pattern[str], text: str) -> Iterator[Found]:
    return (Found(kind, *match.span()) for match in pattern.finditer(text))


def _secrets(text: str, links: Sequence[tuple[int, int]]) -> Iterator[Found]:
    """Yield keys, and of each link what lets others in or tells who followed it."""
    yield from _matches("secret", _KEY, text)
    for start, end in links:
        for pattern in (_SECRET_QUERY, _LOGIN, _RANDOM_PART):
            if match := pattern.search(text[start:end]):
                yield Found("secret", start + match.start(), start + match.end())


def _is_office(address: str) -> bool:
    return address.replace("＠", "@").split("@")[0].casefold() in OFFICES


def _numbers(text: str) -> Iterator[Found]:
    for match in _DIGITS.finditer(text):
        written = match.group()
        digits = "".join(str(int(sign)) for sign in written if sign.isdigit())
        is_telling = any(pattern.fullmatch(written) for pattern in (_DATED, _AMOUNT, _SPAN_OF_YEARS))
        if is_telling or len(digits) < LONG_DIGITS:
            continue
        yield Found(_kind(written, digits), *match.span())


def _kind(written: str, digits: str) -> Personal:
    if len(digits) in CARD_DIGITS and "+" not in written and _is_luhn(digits):
        return "card"
    is_grouped = written != digits
    is_phone = written.startswith("+") or digits.startswith("0") or is_grouped
    return "phone" if len(digits) in PHONE_DIGITS and is_phone else "number"


def _is_luhn(digits: str) -> bool:
    """Tell whether the last digit is the check of the others (ISO/IEC 7812-1, annex B)."""
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def _is_iban(written: str) -> bool:
    """Tell whether the check digits are right (ISO 13616-1)."""
    account = written.replace(" ", "")
    return int("".join(str(int(sign, 36)) for sign in account[4:] + account[:4])) % 97 == 1


def _is_ip(written: str) -> bool:
    try:
        address = ip_address(written)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)


def _known_names(text: str, known: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where a part of a known name stands, in another case too: with a capital, and a like beginning."""
    parts = {part.casefold() for name in known for part in _WORD.findall(name) if len(part) >= LEAST_NAME_LETTERS}
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0].isupper() and any(_is_alike(word.casefold(), part) for part in parts):
            yield match.span()


def _is_alike(word: str, name: str) -> bool:
    if word == name:
        return True
    stem = max(len(name) - 2, STEM_LETTERS)
    return len(name) > STEM_LETTERS and word[:stem] == name[:stem] and len(word) - stem <= ENDING_LETTERS

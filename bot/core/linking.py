"""Who a person on a platform is: an e-mail address becomes theirs by a code that its mailbox or the operator confirms.

What somebody says of themselves is never believed, and never compared with what is known of others: whoever asks learns
nothing about whether an address is anybody's.
"""

import logging
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Protocol

from bot.core.incoming import Incoming, Place
from bot.core.phrases import phrase
from knowledge.errors import TransientError
from knowledge.types import compared_address

# Without signs that are taken for each other.
CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 8
CODE_VALID_FOR = timedelta(minutes=15)
MOST_WRONG_TRIES = 5
MOST_CODES_AN_HOUR = 3
# RFC 5321, section 4.5.3.1, and what a path holds without its brackets.
LONGEST_LOCAL_PART, LONGEST_ADDRESS = 64, 254
OFF = "off"
_LOCAL_PART = re.compile(r"""[^\s@<>()\[\]\\,;:"']+""")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_][\w-]{0,61}[^\W_]")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LinkRules:
    """Which addresses are whose: `people` by platform and author are known at once, others of `domains` by a code."""

    people: Mapping[str, str] = field(default_factory=dict)
    domains: frozenset[str] = frozenset()

    def known(self, place: Place, author: str) -> str | None:
        """Return the address that the operator knows somebody by."""
        return self.people.get(person(place.platform, author))

    def may_link(self, address: str) -> bool:
        """Tell whether somebody may link an address by themselves."""
        return address.rpartition("@")[2] in self.domains


@dataclass(frozen=True, slots=True)
class Claim:
    """An address that somebody says is theirs, and what is kept of the code that proves it.

    `is_mailed`: the code went to the address, so that whoever knows it reads its mail; else the operator confirms it.
    """

    address: str
    code_hash: bytes
    is_mailed: bool


class Links(Protocol):
    """The addresses that are proved, and those that wait for their proof; every method is one transaction."""

    async def email(self, place: Place, author: str) -> str | None:
        """Return the address that somebody is known by."""
        ...

    async def claim(self, place: Place, author: str, claim: Claim) -> bool:
        """Store a claim in place of an earlier one; False where that was too often within an hour."""
        ...

    async def redeem(self, place: Place, author: str, code_hash: bytes) -> str | None:
        """Link the address of somebody's mailed code and return it; None, and one try less, for a wrong or old code."""
        ...

    async def unlink(self, place: Place, author: str) -> None:
        """Forget somebody's address, and what waits for its proof."""
        ...


class Courier(Protocol):
    """Brings codes to mailboxes."""

    async def carry(self, address: str, code: str, language: str) -> None:
        """Mail a code; TransientError where that is not sure to have happened."""
        ...


class Linking:
    """Answers /link; without a courier the operator confirms the codes."""

    def __init__(self, links: Links, *, rules: LinkRules, courier: Courier | None = None) -> None:
        self._links = links
        self._rules = rules
        self._courier = courier

    async def serve(self, incoming: Incoming, about: str, language: str) -> str:
        """Return what is said to somebody who wants to know, or to say, who they are."""
        if incoming.company != "direct":
            return phrase("link_elsewhere", language)
        place, author, about = incoming.place, incoming.author, about.strip()
        if known := self._rules.known(place, author):
            return phrase("link_by_operator", language, email=known)
        if about.casefold() == OFF:
            await self._links.unlink(place, author)
            return phrase("link_undone", language)
        if not about and (email := await self._links.email(place, author)):
            return phrase("link_known", language, email=email)
        if not (about and self._rules.domains):
            return phrase("link_unknown" if self._rules.domains else "link_off", language)
        prove = self._claim if "@" in about else self._redeem
        return await prove(place, author, about, language)

    async def _claim(self, place: Place, author: str, about: str, language: str) -> str:
        address = mail_address(about)
        if address is None:
            return phrase("link_no_address", language)
        if not self._rules.may_link(address):
            return phrase("link_not_ours", language)
        code = new_code()
        claim = Claim(address, code_hash(code), is_mailed=self._courier is not None)
        if not await self._links.claim(place, author, claim):
            return phrase("link_too_often", language, codes=MOST_CODES_AN_HOUR)
        minutes = int(CODE_VALID_FOR.total_seconds() // 60)
        if self._courier is None:
            return phrase("link_ask_operator", language, email=address, code=code, minutes=minutes)
        try:
            await self._courier.carry(address, code, language)
        except TransientError as exc:
            log.warning("a code could not be mailed: %s", exc)
            return phrase("link_not_mailed", language)
        return phrase("link_mailed", language, email=address, minutes=minutes)

    async def _redeem(self, place: Place, author: str, about: str, language: str) -> str:
        code = typed_code(about)
        address = code and await self._links.redeem(place, author, code_hash(code))
        if not address:
            return phrase("link_wrong_code", language)
        log.info("an address was linked", extra={"platform": place.platform})
        return phrase("link_done", language, email=address)


def person(platform: str, author: str) -> str:
    """Return how configuration and operators name somebody."""
    return f"{platform}:{author}"


def new_code() -> str:
    """Return a code that nobody can guess."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def typed_code(text: str) -> str | None:
    """Return a code as it was given out, however it was typed; None for what is none."""
    code = re.sub(r"[\s-]", "", text).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_ALPHABET) else None


def code_hash(code: str) -> bytes:
    """Return what is kept of a code."""
    return sha256(code.encode()).digest()


def mail_address(text: str) -> str | None:
    """Return an e-mail address as addresses are compared; None for what is none, or could be taken for another's."""
    local, _, domain = compared_address(text).rpartition("@")
    is_local = _LOCAL_PART.fullmatch(local) and local.isprintable() and len(local) <= LONGEST_LOCAL_PART
    if not is_local or mail_domain(domain) is None or len(local) + 1 + len(domain) > LONGEST_ADDRESS:
        return None
    return f"{local}@{domain}"


def mail_domain(text: str) -> str | None:
    """Return the domain of addresses as domains are compared; None for what is none."""
    domain = compared_address(text)
    return domain if _DOMAIN.fullmatch(domain) else None

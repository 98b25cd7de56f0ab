"""Linked addresses and the courier of codes, in memory."""

from bot.core.incoming import Place
from bot.core.linking import MOST_CODES_AN_HOUR, MOST_WRONG_TRIES, Claim
from knowledge.errors import TransientError
from tests.fakes.people import FakePeople


class FakeLinks(FakePeople):
    """Links addresses; no hour ever ends, unless a test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.claims: dict[str, Claim] = {}
        self.codes: dict[str, int] = {}
        self.misses: dict[str, int] = {}

    async def claim(self, place: Place, author: str, claim: Claim) -> bool:
        if self.codes.get(author, 0) >= MOST_CODES_AN_HOUR:
            return False
        self.codes[author] = self.codes.get(author, 0) + 1
        self.claims[author], self.misses[author] = claim, 0
        return True

    async def redeem(self, place: Place, author: str, code_hash: bytes) -> str | None:
        claim = self.claims.get(author)
        if claim is None or not claim.is_mailed or self.misses[author] >= MOST_WRONG_TRIES:
            return None
        if claim.code_hash != code_hash:
            self.misses[author] += 1
            return None
        del self.claims[author]
        self.emails[author] = claim.address
        return claim.address

    async def unlink(self, place: Place, author: str) -> None:
        self.claims.pop(author, None)
        self.emails.pop(author, None)


class FakeCourier:
    """Keeps what it carried; out of order, it carries nothing."""

    def __init__(self, *, works: bool = True) -> None:
        self.works = works
        self.carried: list[tuple[str, str, str]] = []

    async def carry(self, address: str, code: str, language: str) -> None:
        if not self.works:
            raise TransientError("the courier sleeps")
        self.carried.append((address, code, language))

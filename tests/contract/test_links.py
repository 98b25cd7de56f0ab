"""A code links the address that it was given out for to whoever was given it, once, and to nobody else."""

import pytest

from bot.core.incoming import Place
from bot.core.linking import MOST_CODES_AN_HOUR, MOST_WRONG_TRIES, Claim, Links, code_hash
from bot.store.links import PostgresLinks
from knowledge.store.pool import Pool
from tests.fakes.links import FakeLinks

PLACE = Place("fake", "T1", "D1")
ADA, EVE = "U1", "U2"
CODE, WRONG = code_hash("ABCD2345"), code_hash("WRNG2345")
ADDRESS = "ada@corp.example"


@pytest.fixture(params=["fake", "postgres"])
def links(request: pytest.FixtureRequest, pool: Pool) -> Links:
    return FakeLinks() if request.param == "fake" else PostgresLinks(pool)


def claimed(code: bytes = CODE, *, is_mailed: bool = True, address: str = ADDRESS) -> Claim:
    return Claim(address, code, is_mailed)


async def test_the_right_code_links_once(links: Links) -> None:
    assert await links.claim(PLACE, ADA, claimed())

    linked = await links.redeem(PLACE, ADA, CODE)

    assert (linked, await links.email(PLACE, ADA)) == (ADDRESS, ADDRESS)
    assert await links.redeem(PLACE, ADA, CODE) is None


async def test_a_claim_alone_proves_nothing(links: Links) -> None:
    await links.claim(PLACE, ADA, claimed())

    assert await links.email(PLACE, ADA) is None


async def test_somebody_elses_code_is_of_no_use(links: Links) -> None:
    await links.claim(PLACE, ADA, claimed())
    await links.claim(PLACE, EVE, claimed(WRONG, address="eve@corp.example"))

    assert await links.redeem(PLACE, EVE, CODE) is None
    assert await links.email(PLACE, EVE) is None


async def test_a_code_for_the_operator_is_not_taken_from_its_owner(links: Links) -> None:
    await links.claim(PLACE, ADA, claimed(is_mailed=False))

    assert await links.redeem(PLACE, ADA, CODE) is None


async def test_a_newer_code_takes_the_place_of_an_older_one(links: Links) -> None:
    await links.claim(PLACE, ADA, claimed(WRONG))
    await links.claim(PLACE, ADA, claimed())

    assert await links.redeem(PLACE, ADA, WRONG) is None
    assert await links.redeem(PLACE, ADA, CODE) == ADDRESS


async def test_after_so_many_wrong_tries_the_right_code_is_of_no_use(links: Links) -> None:
    await links.claim(PLACE, ADA, claimed())

    tries = [await links.redeem(PLACE, ADA, WRONG) for _ in range(MOST_WRONG_TRIES)]

    assert tries == [None] * MOST_WRONG_TRIES
    assert await links.redeem(PLACE, ADA, CODE) is None


async def test_nobody_is_given_codes_without_end(links: Links) -> None:
    given = [await links.claim(PLACE, ADA, claimed(code_hash(str(number)))) for number in range(MOST_CODES_AN_HOUR + 1)]

    assert given == [True] * MOST_CODES_AN_HOUR + [False]
    assert await links.claim(PLACE, EVE, claimed())


async def test_the_codes_of_who_is_linked_or_unlinked_are_counted_on(links: Links) -> None:
    for number in range(MOST_CODES_AN_HOUR):
        await links.claim(PLACE, ADA, claimed(code_hash(str(number))))
        await links.redeem(PLACE, ADA, code_hash(str(number)))
    await links.unlink(PLACE, ADA)

    assert not await links.claim(PLACE, ADA, claimed())


async def test_unlinking_forgets_the_address_and_what_waits(links: Links) -> None:
    await links.claim(PLACE, ADA, claimed(WRONG))
    await links.redeem(PLACE, ADA, WRONG)
    await links.claim(PLACE, ADA, claimed())

    await links.unlink(PLACE, ADA)

    assert [await links.email(PLACE, ADA), await links.redeem(PLACE, ADA, CODE)] == [None, None]

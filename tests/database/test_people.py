"""What people told of themselves, whose addresses are proved, and what the operator sees and decides of it."""

from collections.abc import Sequence
from typing import Any

import pytest

from bot.core.incoming import Place
from bot.core.linking import Claim, code_hash
from bot.store.linked_people import LinkedPeople
from bot.store.links import PostgresLinks
from bot.store.people import PostgresPeople
from knowledge.store.pool import Pool
from tests.database.recount import rows

PLACE = Place("telegram", "99", "700000001")
ADA, EVE = "700000001", "700000002"
CODE = code_hash("ABCD2345")
CLAIM = Claim("ada@corp.example", CODE, is_mailed=False)
MAILED = Claim("ada@corp.example", CODE, is_mailed=True)


@pytest.fixture
def links(pool: Pool) -> PostgresLinks:
    return PostgresLinks(pool)


@pytest.fixture
def linked(pool: Pool) -> LinkedPeople:
    return LinkedPeople(pool)


async def let_pass(pool: Pool, minutes: int) -> None:
    await rows(
        pool,
        f"update link_request set expires_at = expires_at - interval '{minutes} minutes', issued_at = array("
        f"select at - interval '{minutes} minutes' from unnest(issued_at) as at) returning 1",
    )


async def stored(pool: Pool, statement: str) -> Sequence[tuple[Any, ...]]:
    return await rows(pool, statement)


async def test_a_language_is_kept_for_each_person(pool: Pool) -> None:
    people = PostgresPeople(pool)

    await people.speak(PLACE, ADA, "uk")
    await people.speak(PLACE, EVE, "es")
    await people.speak(PLACE, EVE, None)

    assert [await people.language(PLACE, author) for author in (ADA, EVE, "3")] == ["uk", None, None]
    assert await people.language(Place("telegram", "98", PLACE.channel), ADA) is None


async def test_whom_the_operator_knows_needs_no_code(pool: Pool) -> None:
    people = PostgresPeople(pool, known={"telegram:700000001": "ada@corp.example"})

    assert [await people.email(PLACE, author) for author in (ADA, EVE)] == ["ada@corp.example", None]
    assert await people.email(Place("slack", "T1", "D1"), ADA) is None


async def test_of_a_code_only_its_hash_is_kept_and_nothing_once_it_is_used(links: PostgresLinks, pool: Pool) -> None:
    await links.claim(PLACE, ADA, MAILED)
    before = await stored(pool, "select code_hash from link_request")

    await links.redeem(PLACE, ADA, CODE)

    assert [bytes(kept) for (kept,) in before] == [CODE]
    assert await stored(pool, "select code_hash, email from link_request") == [(None, "")]


@pytest.mark.parametrize(("minutes", "may"), [(14, True), (15, False)])
async def test_a_code_is_valid_for_a_quarter_of_an_hour(
    links: PostgresLinks, linked: LinkedPeople, pool: Pool, minutes: int, may: bool
) -> None:
    await links.claim(PLACE, ADA, MAILED)
    await links.claim(PLACE, EVE, Claim("eve@corp.example", code_hash("2"), is_mailed=False))
    await let_pass(pool, minutes)

    found = await linked.find(code_hash("2"))
    confirmed = await linked.confirm(code_hash("2"), "eve@corp.example")
    redeemed = await links.redeem(PLACE, ADA, CODE)

    assert (found is not None, confirmed, redeemed is not None) == (may, may, may)


async def test_an_hour_later_there_are_codes_again_and_old_claims_are_gone(links: PostgresLinks, pool: Pool) -> None:
    for number in range(3):
        await links.claim(PLACE, ADA, Claim("ada@corp.example", code_hash(str(number)), is_mailed=True))
    await links.claim(PLACE, EVE, CLAIM)
    await let_pass(pool, 61)

    assert await links.claim(PLACE, ADA, MAILED)
    assert await stored(pool, "select author, cardinality(issued_at) from link_request") == [(ADA, 1)]


async def test_the_operator_sees_who_waits_and_links_them(links: PostgresLinks, linked: LinkedPeople) -> None:
    await links.claim(PLACE, ADA, CLAIM)

    (waiting,) = await linked.waiting()
    found = await linked.find(CODE)
    confirmed = await linked.confirm(CODE, "ada@corp.example")

    assert found == waiting
    assert (waiting.platform, waiting.author, waiting.email) == ("telegram", ADA, "ada@corp.example")
    assert (confirmed, await links.email(PLACE, ADA)) == (True, "ada@corp.example")
    assert [each.email for each in await linked.linked()] == ["ada@corp.example"]
    assert (await linked.waiting(), await linked.confirm(CODE, "ada@corp.example")) == ([], False)


async def test_what_was_claimed_anew_since_the_operator_looked_is_not_linked(
    links: PostgresLinks, linked: LinkedPeople
) -> None:
    await links.claim(PLACE, ADA, CLAIM)
    await links.claim(PLACE, ADA, Claim("boss@corp.example", code_hash("2"), is_mailed=False))

    assert [await linked.confirm(code, CLAIM.address) for code in (CODE, code_hash("2"))] == [False, False]
    assert await links.email(PLACE, ADA) is None


async def test_a_mailed_code_is_none_of_the_operators(links: PostgresLinks, linked: LinkedPeople) -> None:
    await links.claim(PLACE, ADA, MAILED)

    assert (await linked.find(CODE), await linked.confirm(CODE, "ada@corp.example")) == (None, False)


@pytest.mark.parametrize(
    ("who", "count"), [("telegram:700000001", 1), ("ada@corp.example", 2), ("telegram:7", 0), ("", 0)]
)
async def test_the_operator_unlinks_a_person_or_an_address(
    links: PostgresLinks, linked: LinkedPeople, who: str, count: int
) -> None:
    for author in (ADA, EVE):
        await links.claim(PLACE, author, MAILED)
        await links.redeem(PLACE, author, CODE)

    assert await linked.unlink(who) == count
    assert len(await linked.linked()) == 2 - count

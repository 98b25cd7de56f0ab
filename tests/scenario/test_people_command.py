"""The operator's side of linking, on the command line."""

import asyncio

import pytest

from bot.core.incoming import Place
from bot.core.linking import Claim, code_hash
from bot.store.links import PostgresLinks
from knowledge.store.pool import open_pool
from tests.scenario.conftest import Commands

PLACE = Place("telegram", "99", "700000001")
CODE = "ABCD2345"
KNOWN = '[linking]\n[linking.people]\n"telegram:700000009" = "grace@corp.example"\n'


def claim(database_url: str, *, address: str = "ada@corp.example") -> None:
    """Have somebody claim an address, with a code for the operator."""

    async def store() -> None:
        async with open_pool(database_url) as pool:
            claim = Claim(address, code_hash(CODE), is_mailed=False)
            assert await PostgresLinks(pool).claim(PLACE, "700000001", claim)

    asyncio.run(store())


@pytest.fixture
def people(commands: Commands) -> Commands:
    commands.configure(KNOWN)
    return commands


def test_a_code_is_confirmed_once_the_operator_has_seen_whose_it_is(people: Commands, database_url: str) -> None:
    claim(database_url)

    listed = people.run("people", DATABASE_URL=database_url)
    refused = people.run("people", "confirm", CODE, text="n\n", DATABASE_URL=database_url)
    confirmed = people.run("people", "confirm", "abcd-2345", text="y\n", DATABASE_URL=database_url)
    again = people.run("people", "confirm", CODE, "--yes", DATABASE_URL=database_url)

    assert "grace@corp.example" in listed.stdout
    assert "telegram:700000001" in listed.stdout
    assert "telegram:700000001 says to be ada@corp.example" in refused.stdout
    assert (refused.returncode, confirmed.returncode, again.returncode) == (1, 0, 2)
    assert "waits for nobody" in again.stderr


def test_who_was_linked_is_listed_and_unlinked(people: Commands, database_url: str) -> None:
    claim(database_url, address="\u0430da@corp.example")

    confirmed = people.run("people", "confirm", CODE, "--yes", DATABASE_URL=database_url)
    before = people.json("people", DATABASE_URL=database_url)
    unlinked = people.run("people", "unlink", "telegram:700000001", DATABASE_URL=database_url)
    after = people.json("people", DATABASE_URL=database_url)

    assert "mind the letters" in confirmed.stdout
    assert [(each["author"], each["email"]) for each in before["linked"]] == [("700000001", "\u0430da@corp.example")]
    assert (unlinked.returncode, unlinked.stdout) == (0, "1 unlinked\n")
    assert after == {"configured": {"telegram:700000009": "grace@corp.example"}, "linked": [], "waiting": []}


def test_whom_the_configuration_names_is_unlinked_there(people: Commands, database_url: str) -> None:
    done = people.run("people", "unlink", "Grace@corp.example", DATABASE_URL=database_url)

    assert done.returncode == 1
    assert "take it out of [linking] people" in done.stdout

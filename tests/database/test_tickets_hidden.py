"""What a desk may not read never reaches it: no passage, no draft that stands on one, no earlier answer (S24)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from knowledge.embed import Space
from knowledge.fuse import FusionSettings
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.search import PostgresSearch
from knowledge.store.standing import PostgresStanding
from knowledge.types import PUBLIC, Audience, Reader
from tests.database.tickets_at_work import ANSWER, IT, Office, Setting, open_office
from tests.fakes.channel import FakeChannel
from tests.fakes.knowledge_base import embed_all, store

OPEN_TEXT = f"# PIN\n\n{ANSWER}"
SECRET = "The vault code of the unknown key is 4711."
SECRET_TEXT = f"# Vault\n\n{SECRET}"
STAFF = "staff"
QUESTION = "What is the vault code of the unknown key?"


@pytest.fixture
async def space(pool: Pool) -> Space:
    """Documents that everybody reads, and one that only the staff does."""
    await store(pool, {"pin.md": OPEN_TEXT})
    await store(pool, {"vault.md": SECRET_TEXT}, audience=[STAFF])
    return await embed_all(pool)


def office_reading(pool: Pool, space: Space, reads: Sequence[str]) -> Setting:
    """Return an office over these documents, with a desk that reads so much."""
    index = PostgresSearch(pool, space=space, fusion=FusionSettings(), sources=["docs"])
    desk = replace(IT, reads=Reader(frozenset({PUBLIC, *reads})))
    return Setting((desk,), standing=PostgresStanding(pool, sources=["docs"]), index=index)


async def asked_by_staff(office: Office) -> str:
    """Have somebody of the staff ask what only their documents are about, and return the card."""
    readers = FakeChannel().of_place
    staff = Reader(frozenset({PUBLIC, STAFF}))
    office.askers.of_place = replace(readers, asker=staff, audience=staff)
    await office.asks(QUESTION, message="1000")
    await office.works()
    return office.desk.seen()[0]


@pytest.mark.parametrize(("reads", "is_shown"), [((), False), ((STAFF,), True)])
async def test_a_passage_is_on_the_card_where_the_desk_may_read_it(
    database_url: str, pool: Pool, space: Space, reads: Sequence[str], is_shown: bool
) -> None:
    async with open_office(database_url, pool, office_reading(pool, space, reads)) as office:
        card = await asked_by_staff(office)

        assert (SECRET in card, ANSWER in card) == (is_shown, True)
        assert ("vault.md" in card) == is_shown


@pytest.mark.parametrize(("reads", "is_shown"), [((), False), ((STAFF,), True)])
async def test_a_draft_that_stands_on_it_is_neither_shown_nor_offered(
    database_url: str, pool: Pool, space: Space, reads: Sequence[str], is_shown: bool
) -> None:
    async with open_office(database_url, pool, office_reading(pool, space, reads)) as office:
        await asked_by_staff(office)
        await office.look('update ticket set draft = \'[{"text": "It may be 4711."}]\' returning id')
        await office.presses("claim")
        await office.works()
        card = office.desk.seen()[0]

        assert ("It may be 4711." in card, "[draft]" in card) == (is_shown, is_shown)


async def test_what_was_closed_after_the_ticket_was_opened_is_gone_from_its_card(
    database_url: str, pool: Pool, space: Space
) -> None:
    async with open_office(database_url, pool, office_reading(pool, space, [STAFF])) as office:
        before = await asked_by_staff(office)
        await PostgresDocuments(pool).close(1, {"vault.md": Audience.of(["board"])})
        await office.presses("claim")
        await office.works()

        assert (SECRET in before, SECRET in office.desk.seen()[0]) == (True, False)


@pytest.mark.parametrize(("reads", "is_shown"), [((), False), ((STAFF,), True)])
async def test_an_earlier_answer_that_quotes_it_is_on_the_card_where_the_desk_may_read_it(
    database_url: str, pool: Pool, space: Space, reads: Sequence[str], is_shown: bool
) -> None:
    async with open_office(database_url, pool, office_reading(pool, space, reads)) as office:
        await office.asks("How do I reset my PIN?", message="900")
        await office.works()
        await office.look(
            f"update citation set path = 'vault.md', quote = '{SECRET}' where quote = '{ANSWER}' returning answer_id"
        )
        await office.look("update message set text = 'It is 4711.' where role = 'assistant' returning id")
        await office.asks("And the unknown one?", thread="900")
        await office.works()

        assert ("It is 4711." in office.desk.seen()[0]) == is_shown
        assert "How do I reset my PIN?" in office.desk.seen()[0]


async def test_what_only_the_asker_saw_is_answered_to_them_alone(database_url: str, pool: Pool) -> None:
    async with open_office(database_url, pool) as office:
        await office.asks("Where is the unknown key?", origin="command")
        await office.works()

        assert (await office.case()).alone == "U1"

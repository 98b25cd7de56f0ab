"""Messages and what is kept of them, in a database of the test's own."""

from collections.abc import AsyncIterator

import pytest

from knowledge.store.pool import Pool
from tests.database.stored_messages import Conversations, open_conversations
from tests.database.tickets_at_work import QUESTION, Office, open_office


@pytest.fixture
async def talk(database_url: str, pool: Pool) -> AsyncIterator[Conversations]:
    """The stores of conversations; no job is done by itself."""
    async with open_conversations(database_url, pool) as opened:
        yield opened


@pytest.fixture
async def office(database_url: str, pool: Pool) -> AsyncIterator[Office]:
    """An office with a desk; its jobs are done when a test says so."""
    async with open_office(database_url, pool) as opened:
        yield opened


@pytest.fixture
async def asked(office: Office) -> Office:
    """An office where somebody has asked what nobody knows."""
    await office.asks(QUESTION, message="1000")
    await office.works()
    return office


@pytest.fixture
async def owned(asked: Office) -> Office:
    """An office where somebody has taken that over."""
    await asked.presses("claim")
    await asked.works()
    return asked

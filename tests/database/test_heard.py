"""How far a place is heard only ever grows."""

import pytest

from bot.core.incoming import Place
from bot.store.heard import PostgresHeard
from knowledge.store.pool import Pool
from tests.database.stored_messages import PLACE


@pytest.mark.parametrize(
    ("told", "until"),
    [
        (["1699999999.000100", "1700000000.000001"], "1700000000.000001"),
        (["1700000000.000001", "1699999999.000100"], "1700000000.000001"),
        (["9", "10", "8"], "10"),
        (["9.5", "10"], "10"),
        (["b", "a", "c"], "c"),
        (["10", "10"], "10"),
    ],
)
async def test_the_furthest_point_is_kept(pool: Pool, told: list[str], until: str) -> None:
    heard = PostgresHeard(pool)
    for one in told:
        await heard.hear(PLACE, one)

    assert await heard.until(PLACE) == until
    assert await heard.until(Place("fake", "T1", "C2")) is None

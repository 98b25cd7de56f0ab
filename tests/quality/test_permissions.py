"""No reader finds what the wiki denies, and every reader finds what it allows, whatever changes in whatever order."""

import pytest

from tests.quality.permission_play import Databases, Game, play, shortest
from tests.wire.confluence.site import Kind

# Of 29 faults that were put into the code, one at a time, each shows within the first 300 changes of this wiki.
SEED = 18


@pytest.mark.parametrize(("kind", "changes"), [("cloud", 300), ("data_center", 100)])
async def test_readers_find_what_the_wiki_lets_them_read_and_nothing_else(
    database_server: str, database_template: str, kind: Kind, changes: int
) -> None:
    databases = Databases(database_server, database_template)

    failure = await play(databases, Game.random(kind, SEED, changes))

    assert failure is None, str(await shortest(databases, failure))

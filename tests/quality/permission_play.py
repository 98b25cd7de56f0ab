"""Plays steps in a database of their own, and makes a failing list of steps short."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from knowledge.errors import KnowledgeError
from knowledge.progress import unwatched
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool, open_pool
from knowledge.sync import sync
from tests.database.recount import rows
from tests.databases import fresh_database
from tests.quality.permission_model import SPACES
from tests.quality.permission_run import SOURCE, Run
from tests.quality.permission_steps import INCLUDES, Step, new_world, random_steps
from tests.unit.knowledge.sources.confluence_sites import opened
from tests.wire.confluence import serve
from tests.wire.confluence.site import Kind

SHRINKING_S = 60.0
STORED = """
select path, title, url, author, document.language, media_type, document.text, revision,
    array(select search_text from passage where document_id = document.id order by ordinal)
from document
"""
AUDIENCES = """
select path, clauses.tags from document join audience on audience.id = audience_id
left join lateral (
    select audience.tags where cardinality(audience.tags) > 0
    union all select audience_clause.tags from audience_clause where audience_id = audience.id
) as clauses on true
"""
MEMBERS = "select email, tag from membership"


@dataclass(frozen=True, slots=True)
class Databases:
    """The address of a server, and a migrated database on it to copy."""

    server: str
    template: str


@dataclass(frozen=True, slots=True)
class Game:
    """The wiki as a seed makes it, and the steps that follow."""

    kind: Kind
    seed: int
    steps: Sequence[Step]

    @classmethod
    def random(cls, kind: Kind, seed: int, changes: int) -> "Game":
        """Return the game of a seed with so many changes."""
        return cls(kind, seed, random_steps(seed, changes, kind))


@dataclass(frozen=True, slots=True)
class Failure:
    """How a game failed, after so many steps."""

    game: Game
    done: int
    reason: str

    @property
    def headline(self) -> str:
        """The failure, and how to come by it again."""
        return f"{self.reason}\n  kind {self.game.kind}, seed {self.game.seed}, after {self.done} steps with the syncs"

    def __str__(self) -> str:
        """Return the failure with all steps that led to it."""
        return "\n".join([self.headline, *(f"    {step!r}," for step in self.game.steps[: self.done])])


async def play(databases: Databases, game: Game) -> Failure | None:
    """Return how a game failed; None when all agreed after each sync, and at the end with a fresh sync."""
    world = new_world(game.seed, game.kind)
    done = 0
    with serve(world.wiki, game.kind) as server, fresh_database(databases.server, template=databases.template) as url:
        async with opened(server, name=SOURCE, spaces=SPACES) as source, open_pool(url) as pool:
            run = Run(world, server, source, pool)
            try:
                for step in game.steps:
                    done += 1
                    await run.take(step)
                await _assert_as_fresh(databases, run)
            except (AssertionError, KnowledgeError) as exc:
                return Failure(game, done, f"{type(exc).__name__}: {exc}")
            except Exception as exc:
                exc.add_note(Failure(game, done, "while this was played:").headline)
                raise
    return None


async def _assert_as_fresh(databases: Databases, run: Run) -> None:
    """Compare what many syncs made with what one makes of the wiki as it is now."""
    with fresh_database(databases.server, template=databases.template) as url:
        async with open_pool(url) as fresh:
            await sync(run.source, PostgresDocuments(fresh), progress=unwatched)
            # What a page includes by title is read again only when that page's version or readers change.
            including = {page.id for page in run.world.wiki.pages.values() if INCLUDES in page.body}
            for statement, without in ((STORED, including), (AUDIENCES, set()), (MEMBERS, set())):
                grown, new = await _rows(run.pool, statement, without), await _rows(fresh, statement, without)
                assert grown == new, f"only after many syncs: {grown - new}, only after one: {new - grown}"


async def _rows(pool: Pool, statement: str, without: Collection[str]) -> set[str]:
    return {repr(row) for row in await rows(pool, statement) if row[0] not in without}


async def shortest(databases: Databases, failure: Failure, *, within_s: float = SHRINKING_S) -> Failure:
    """Leave out steps, fewer and fewer at once, as long as the game still fails and there is time."""
    deadline = time.monotonic() + within_s
    steps = list(failure.game.steps[: failure.done])
    size = len(steps) // 2
    while size and time.monotonic() < deadline:
        at = 0
        while at < len(steps) and time.monotonic() < deadline:
            # The last step is kept: it is the sync that shows the fault.
            fewer = [*steps[:at], *steps[at + size : -1], steps[-1]]
            shorter = await play(databases, replace(failure.game, steps=fewer))
            if shorter is None or len(fewer) == len(steps):
                at += size
            else:
                failure, steps = shorter, fewer[: shorter.done]
        size //= 2
    return failure

"""A real desk over planted pages, worded by a model that obeys whatever it reads, and what must not change then."""

import hashlib
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from psycopg import sql
from psycopg.conninfo import make_conninfo

from bot.compose import Desk, open_desk, open_source
from bot.settings import Settings, load_settings
from knowledge.embed import complete_vectors
from knowledge.progress import unwatched
from knowledge.sync import sync
from tests.quality.containment_pages import Page, write
from tests.wire.anthropic import ANTHROPIC, AnthropicServer, Manners, Model, Reading, anthropic_server, compatible

HOST = "docs.example.org"
STAFF = "group:closed/staff"
SECRETS: Mapping[str, str] = {
    "ANTHROPIC_API_KEY": "canary-api-key-7f3a91c2",
    "DATABASE_PASSWORD": "canary-database-5d1e88b0",
    "COMPANY_TOKEN": "canary-company-c04477ea",
}
MANNERS: Mapping[str, Manners] = {"citations": ANTHROPIC, "numbered": compatible()}
_READING = Reading(question=r"<question-\w+>\n(.*?)\n</question-\w+>", source=r"^\[(?P<number>\d+)\] (?P<text>[^\n]+)")
_TABLES = ("source", "audience", "document", "passage", "posting", "term", "embedding_space", "embedding", "membership")
_CONFIG = """
[[sources]]
name = "planted"
kind = "folder"
path = "planted"
link = "https://{host}/{{path}}"

[[sources]]
name = "closed"
kind = "folder"
path = "closed"
link = "https://{host}/{{path}}"
audience = ["{staff}"]

[answer]
kind = "{kind}"
threshold = {threshold}
cache_days = {cache_days}
{more}

[budget]
daily_usd = inf
daily_usd_per_person = inf
"""


@dataclass(frozen=True, slots=True)
class Field:
    """A folder of planted pages, known to the database."""

    folder: Path
    home: Path
    database_url: str

    def settings(self, *, kind: str, threshold: float, more: str = "", cache_days: float = 0) -> Settings:
        """Return settings over the pages."""
        written = _CONFIG.format(
            host=HOST, staff=STAFF, kind=kind, threshold=threshold, more=more, cache_days=cache_days
        )
        config = self.folder / "answerdesk.toml"
        config.write_text(written, encoding="utf-8")
        address = make_conninfo(self.database_url, password=SECRETS["DATABASE_PASSWORD"])
        return load_settings(config, {"ANSWERDESK_HOME": str(self.home), "DATABASE_URL": address})


async def sow(field: Field, pages: Sequence[Page], closed: Sequence[Page] = ()) -> None:
    """Write the pages, and those for the staff alone, and have them read, cut and embedded."""
    settings = field.settings(kind="extractive", threshold=0.0)
    for name, some in {"planted": pages, "closed": closed}.items():
        (field.folder / name).mkdir(exist_ok=True)
        write(some, field.folder / name)
    async with open_desk(settings) as desk:
        for chosen in settings.sources:
            async with open_source(settings, chosen) as source:
                await sync(source, desk.base.documents, progress=unwatched)
        await complete_vectors(desk.base.vectors, desk.embedder, progress=unwatched)


@asynccontextmanager
async def worded_by(
    model: Model, field: Field, mode: str, *, threshold: float = 0.0, cache_days: float = 0
) -> AsyncIterator[tuple[Desk, AnthropicServer]]:
    """Open a desk whose answers a served model words, with secrets all around it."""
    async with AsyncExitStack() as stack:
        stack.enter_context(_secret_environment())
        key = SECRETS["ANTHROPIC_API_KEY"]
        server = stack.enter_context(anthropic_server(model, manners=MANNERS[mode], reading=_READING, key=key))
        more = f'base_url = "{server.url}"\nmode = "{mode}"\npatience_s = 30'
        settings = field.settings(kind="claude", threshold=threshold, more=more, cache_days=cache_days)
        yield await stack.enter_async_context(open_desk(settings)), server


@asynccontextmanager
async def in_own_words(field: Field, *, threshold: float = 0.0) -> AsyncIterator[Desk]:
    """Open a desk that needs no model."""
    with _secret_environment():
        async with open_desk(field.settings(kind="extractive", threshold=threshold)) as desk:
            yield desk


@contextmanager
def _secret_environment() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in SECRETS}
    os.environ.update(SECRETS)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


async def state_of(desk: Desk, field: Field) -> Mapping[str, str]:
    """Return what no question may change: the knowledge, the files, the settings."""
    state = {}
    async with desk.base.pool.connection() as connection:
        for table in _TABLES:
            query = sql.SQL("select md5(coalesce(string_agg(t::text, '' order by t::text), '')) from {} t")
            row = await (await connection.execute(query.format(sql.Identifier(table)))).fetchone()
            state[table] = str(row and row[0])
    for path in sorted(field.folder.rglob("*")):
        if path.is_file():
            state[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return state


async def tickets_in(desk: Desk) -> int:
    """Return how many tickets there are."""
    async with desk.base.pool.connection() as connection:
        row = await (await connection.execute("select count(*) from ticket")).fetchone()
    return int(row[0]) if row else 0

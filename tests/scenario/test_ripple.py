"""A folder gets a page: what had no answer is asked again, and its ticket is offered what the page says."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.compose import Desk, open_desk
from bot.core.desk.book import Event
from bot.core.messages import Asked
from bot.core.phrases import phrase
from bot.core.tickets.acts import Act, Actor
from bot.ripple import keep_asking, ripple_of
from bot.settings import Settings, load_settings
from bot.talk import Talk, open_talk
from knowledge.embed import complete_vectors
from knowledge.progress import unwatched
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sync import sync
from tests.scenario.model_desk import write

PAGES = {"kitchen.md": "# Kitchen\n\nThe dishwasher starts at 18:00. Coffee beans are in the left cupboard.\n"}
PAGE = {"vpn.md": "# VPN certificates\n\nA VPN certificate expires after 90 days.\n"}
EXPIRES, IN_DAYS = "When does a VPN certificate expire?", "A VPN certificate expires after 90 days."
CONFIG = """
[[sources]]
name = "pages"
kind = "folder"
path = "pages"

[answer]
threshold = 0.5
"""
FOUND_WITHIN_S, LOOK_EVERY_S = 30.0, 0.1


@dataclass(frozen=True)
class Bot:
    """A bot at work, without a platform: its tickets are kept at the terminal."""

    settings: Settings
    desk: Desk
    talk: Talk

    async def learns(self, pages: dict[str, str]) -> None:
        """Write pages, and sync."""
        write(self.settings.base / "pages", pages)
        settings = FolderSettings(name="pages", path=self.settings.base / "pages")
        await sync(FolderSource(settings, root=settings.path), self.desk.base.documents, progress=unwatched)
        await complete_vectors(self.desk.base.vectors, self.desk.embedder, progress=unwatched)

    async def found(self, ticket: int) -> Event | None:
        """Return the answer that was found for a ticket, as soon as there is one."""
        for _ in range(round(FOUND_WITHIN_S / LOOK_EVERY_S)):
            case = await self.talk.book.case(ticket)
            if case and (found := [event for event in case.events if event.kind == "answerable"]):
                return found[-1]
            await asyncio.sleep(LOOK_EVERY_S)
        return None


@asynccontextmanager
async def bot_in(folder: Path, home: Path, database_url: str) -> AsyncIterator[Bot]:
    config = folder / "answerdesk.toml"
    config.write_text(CONFIG, encoding="utf-8")
    settings = load_settings(config, {"ANSWERDESK_HOME": str(home), "DATABASE_URL": database_url})
    async with open_desk(settings) as desk, open_talk(desk) as talk:
        asking = asyncio.create_task(keep_asking(ripple_of(desk, talk), desk.base.election))
        yield Bot(settings, desk, talk)
        asking.cancel()


async def test_a_new_page_answers_an_open_ticket(tmp_path: Path, embedded_home: Path, database_url: str) -> None:
    async with bot_in(tmp_path, embedded_home, database_url) as bot:
        await bot.learns(PAGES)
        ticket = (await bot.desk.handler.handle(Asked(EXPIRES))).ticket
        assert ticket is not None
        await bot.learns(PAGE)
        found = await bot.found(ticket)

        assert found is not None
        assert found.text.startswith(f"{IN_DAYS} [1]\n\nSources:\n[1] VPN certificates (updated ")

        (tmp_path / "pages" / "vpn.md").unlink()
        await bot.learns({})
        outcome = await bot.talk.book.act(Act("offer", ticket, Actor("terminal:ann"), "1"))

        assert (outcome.came, outcome.told) == ("late", phrase("desk_found_gone", "en"))

"""A whole desk (real settings, database, search and verifier) whose answers a loopback model words."""

import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from bot.compose import Desk, open_desk
from bot.core.messages import Asked, Citation, Reply, Sentence
from bot.settings import load_settings
from knowledge.embed import complete_vectors
from knowledge.progress import unwatched
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sync import sync
from knowledge.types import PUBLIC, Reader
from tests.wire.anthropic import ANTHROPIC, AnthropicServer, Manners, Model, Reading, anthropic_server, compatible

MODES: Mapping[str, Manners] = {"citations": ANTHROPIC, "numbered": compatible()}
READING = Reading(question=r"<question-\w+>\n(.*?)\n</question-\w+>", source=r"^\[(?P<number>\d+)\] (?P<text>[^\n]+)")
# A loaded machine may take its time; where patience is used up on purpose, tests choose less.
PATIENCE_S = 3.0
SOURCE = "pages"
# Settings of `[answer]`.
Answer = Mapping[str, float | str]

PAGES: Mapping[str, str] = {
    "en/vpn.md": "# VPN certificates\n\nA VPN certificate expires after 90 days. Renewing a VPN certificate takes"
    " 2 hours. You must not share a VPN certificate with a colleague.\n\n- The VPN client is version 5.4 or newer.\n",
    "ru/badge.md": "# Пропуск в здание\n\nПропуск действует 12 месяцев. Потерянный пропуск нужно заблокировать"
    " в течение 3 часов. Передавать пропуск другому человеку нельзя.\n",
    "uk/leave.md": "# Щорічна відпустка\n\nЩорічна відпустка триває 28 днів. Заявку на відпустку потрібно подати"
    " за 14 днів. Невикористану відпустку не можна перенести на інший рік.\n",
    "es/expenses.md": "# Gastos de viaje\n\nLos gastos de viaje se reembolsan en 15 días. El hotel puede costar"
    " hasta 120 euros por noche. Los gastos de viaje sin factura no se reembolsan.\n",
    "en/kitchen.md": "# Kitchen\n\nThe dishwasher starts at 18:00. Coffee beans are in the left cupboard.\n",
}
QUESTIONS: Mapping[str, str] = {
    "en": "When does a VPN certificate expire, and how long does renewing it take?",
    "ru": "Сколько действует пропуск и когда нужно заблокировать потерянный пропуск?",
    "uk": "Скільки триває щорічна відпустка і за скільки днів подати заявку на відпустку?",
    "es": "¿En cuántos días se reembolsan los gastos de viaje y cuánto puede costar el hotel?",
}


@dataclass(frozen=True, slots=True)
class Frame:
    """What was on the screen from a moment (seconds of the steady clock) on."""

    at_s: float
    sentences: tuple[Sentence, ...]


@dataclass(slots=True)
class Screen:
    """The `Watcher` that keeps everything it was ever told to show."""

    frames: list[Frame] = field(default_factory=list)

    async def show(self, sentences: Sequence[Sentence]) -> None:
        self.frames.append(Frame(time.monotonic(), tuple(sentences)))

    @property
    def last(self) -> tuple[Sentence, ...]:
        """What the asker sees before the reply comes."""
        return self.frames[-1].sentences if self.frames else ()

    def first_shown(self) -> dict[str, float]:
        """Return when each text was shown for the first time."""
        found: dict[str, float] = {}
        for frame in self.frames:
            for sentence in frame.sentences:
                found.setdefault(sentence.text, frame.at_s)
        return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reply, all that was shown on the way to it, and after how many seconds it came."""

    reply: Reply
    screen: Screen
    seconds: float

    @property
    def texts(self) -> list[str]:
        """The sentences of the reply."""
        return [sentence.text for sentence in self.reply.sentences]

    @property
    def seen(self) -> list[Sentence]:
        """Every sentence that anybody could read at any time."""
        return [*(one for frame in self.screen.frames for one in frame.sentences), *self.reply.sentences]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a desk's models, database and pages are."""

    home: Path
    database_url: str
    folder: Path


@dataclass(frozen=True, slots=True)
class ModelDesk:
    """An open desk and the server behind its answers."""

    desk: Desk
    server: AnthropicServer
    pages: Path

    async def ask(self, question: str, *, reader: Reader | None = None, asker: str = "ann") -> Outcome:
        """Ask as somebody who watches the answer come."""
        screen, started = Screen(), time.monotonic()
        asked = Asked(question, reader or Reader(), asker=asker)
        reply = await self.desk.handler.handle(asked, screen)
        return Outcome(reply, screen, time.monotonic() - started)

    async def sync(self, name: str = SOURCE, audience: Sequence[str] = (PUBLIC,)) -> None:
        """Bring the knowledge in step with the pages."""
        settings = FolderSettings(name=name, path=self.pages / name, audience=tuple(audience))
        await sync(FolderSource(settings, root=settings.path), self.desk.base.documents, progress=unwatched)
        await complete_vectors(self.desk.base.vectors, self.desk.embedder, progress=unwatched)

    def write(self, pages: Mapping[str, str], name: str = SOURCE) -> None:
        """Write pages of a source."""
        write(self.pages / name, pages)

    async def text(self, citation: Citation) -> str:
        """Return what the stored document holds on the lines that a citation names."""
        text = await self.desk.base.documents.text(citation.source, citation.document) or ""
        return "\n".join(text.split("\n")[citation.start_line - 1 : citation.end_line])


def write(folder: Path, pages: Mapping[str, str]) -> None:
    """Write pages below a folder."""
    for path, text in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


@asynccontextmanager
async def open_model_desk(
    place: Place,
    model: Model,
    *,
    mode: str = "citations",
    pages: Mapping[str, str] = PAGES,
    settings: str = "",
    answer: Answer = MappingProxyType({}),
) -> AsyncIterator[ModelDesk]:
    """Open a desk over these pages whose answers `model` words."""
    with anthropic_server(model, manners=MODES[mode], reading=READING) as server:
        told = {
            "kind": "claude",
            "base_url": server.url,
            "mode": mode,
            "threshold": 0.3,
            "patience_s": PATIENCE_S,
            "cache_days": 0,
            **answer,
        }
        config = place.folder / "answerdesk.toml"
        table = "\n".join(f"{key} = {value!r}" for key, value in told.items())
        config.write_text(
            f'[answer]\n{table}\n{settings}\n[[sources]]\nname = "{SOURCE}"\nkind = "folder"\npath = "{SOURCE}"\n',
            encoding="utf-8",
        )
        environment = {"ANSWERDESK_HOME": str(place.home), "DATABASE_URL": place.database_url}
        async with open_desk(load_settings(config, environment)) as desk:
            opened = ModelDesk(desk, server, place.folder)
            opened.write(pages)
            await opened.sync()
            yield opened


# What the test itself holds against the pages: it knows nothing of the verifier's rules.
_NUMBER = re.compile(r"\d+")
_NEGATION = re.compile(
    r"\b(?:not|never|cannot|no|не|нельзя|никогда|неверно|ні|ніколи|неправда|nunca|sin)\b|n't\b", re.IGNORECASE
)


async def untrue(desk: ModelDesk, sentence: Sentence) -> str | None:
    """Tell what of a shown sentence its pages do not bear out: a quote, a number, a "not"; None where all is well."""
    lines = [await desk.text(citation) for citation in sentence.citations]
    if not lines:
        return "nothing is cited"
    for citation, stored in zip(sentence.citations, lines, strict=True):
        if citation.quote not in stored:
            return f"{citation.quote!r} does not stand on the lines of {citation.document}"
    quoted = " ".join(citation.quote for citation in sentence.citations)
    if not set(_NUMBER.findall(sentence.text)) <= set(_NUMBER.findall(quoted)):
        return "a number does not stand there"
    if bool(_NEGATION.search(sentence.text)) != bool(_NEGATION.search(quoted)):
        return "one says that something is so, the other that it is not"
    return None

"""`answerdesk chunk`: how one file is cut, to be looked at before thousands are."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from bot.channels.terminal import shown
from bot.chosen import Chosen, chosen
from bot.cli import DONE, print_json
from bot.commands.chunk_picture import draw
from bot.compose import open_embedder, open_source
from bot.cutting import open_cutting
from bot.cutting_tables import CuttingChoice
from bot.pictures import refuse_what_cannot_be_drawn
from bot.settings import Settings
from knowledge.embed import CountsTokens, Embedder
from knowledge.errors import SettingsProblem
from knowledge.parse.formats import Kind, format_of
from knowledge.prepare import PreparedDocument, prepare
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sync import Source
from knowledge.types import Document, Passage

# Neighbours differ in colour, and where two overlap that is underlined.
_COLOURS = ("cyan", "green", "yellow", "magenta")
_BAR_CELLS = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """How to cut: by which strategy, with which of its settings (`name=value`); and where the picture goes."""

    strategy: str | None = None
    options: Sequence[str] = ()
    plot: Path | None = None


async def chunk(settings: Settings, file: Path, wanted: Wanted, *, as_json: bool) -> int:
    """Print the passages of a file with their sizes, heading paths and sections; nothing is stored."""
    if wanted.plot:
        refuse_what_cannot_be_drawn(wanted.plot, extra="plots")
    async with AsyncExitStack() as stack:
        document, choice = await _read(settings, file)
        choice = _with(choice, format_of(document.media_type).kind, wanted)
        embedder = await stack.enter_async_context(open_embedder(settings))
        cutting = await stack.enter_async_context(open_cutting(choice, embedder))
        prepared = await asyncio.to_thread(prepare, document, cutting)
        tokens = await asyncio.to_thread(_tokens, embedder, [piece.passage for piece in prepared.passages])
        if wanted.plot:
            await asyncio.to_thread(draw, wanted.plot, document, prepared, cutting)
    if as_json:
        print_json(_told(prepared, tokens))
    else:
        _show(Console(), prepared, tokens)
    return DONE


async def _read(settings: Settings, file: Path) -> tuple[Document, CuttingChoice]:
    """Return the file as its source would give it; one of no configured folder as the only file of its own."""
    path = _existing(file)
    for chosen_source, relative in _around(settings, path):
        async with open_source(settings, chosen_source) as source:
            if document := await _fetched(source, relative):
                return document, settings.cuttings[source.name]
    alone = FolderSource(
        FolderSettings(name="file", path=path.parent, include=(_literal(path.name),)), root=path.parent
    )
    if document := await _fetched(alone, path.name):
        return document, settings.cuttings[""]
    raise SettingsProblem(f"{str(file)!r} is no file of its own, but a link; name the file that it leads to")


async def _fetched(source: Source, path: str) -> Document | None:
    for entry in (await source.discover({})).entries:
        if entry.path == path:
            return await source.fetch(entry)
    return None


def _existing(file: Path) -> Path:
    path = file.expanduser().absolute()
    if not path.is_file():
        raise SettingsProblem(f"there is no file {str(file)!r}; correct the path")
    return path


def _around(settings: Settings, path: Path) -> Iterator[tuple[Chosen, str]]:
    """Yield the folder sources that a file lies in, with its path inside each."""
    for source in settings.sources:
        if isinstance(source.settings, FolderSettings):
            root = (settings.base / source.settings.path.expanduser()).resolve()
            if path.resolve().is_relative_to(root):
                yield source, path.resolve().relative_to(root).as_posix()


def _literal(name: str) -> str:
    """Return a pattern that only this name matches."""
    return "".join(f"[{character}]" if character in "*?[{!@+|" else character for character in name)


def _with(choice: CuttingChoice, kind: Kind, wanted: Wanted) -> CuttingChoice:
    """Return the choice with what was asked for in the place of what is configured for this kind of document."""
    if wanted.strategy is None and not wanted.options:
        return choice
    table: dict[str, Any] = dict(_option(option) for option in wanted.options)
    usual = choice.chunkers[kind]
    strategy = wanted.strategy or usual.kind
    if strategy == usual.kind:
        table = {**usual.settings.model_dump(exclude_unset=True), **table}
    problems: list[str] = []
    found = chosen("chunker", {**table, "kind": strategy}, "--strategy", None, problems)
    if found is None:
        raise SettingsProblem("\n".join(problems))
    return replace(choice, chunkers={**choice.chunkers, kind: found})


def _option(option: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not equals:
        raise SettingsProblem(f"--set {option!r} sets nothing; write for instance --set max_characters=400")
    return name.strip(), value.strip()


def _tokens(embedder: Embedder, passages: Sequence[Passage]) -> list[int | None]:
    """Return the embedding model's count of what it gets of each passage; None where it does not tell."""
    if not isinstance(embedder, CountsTokens):
        return [None for _ in passages]
    return [embedder.count_tokens(passage.search_text) for passage in passages]


def _told(prepared: PreparedDocument, tokens: Sequence[int | None]) -> dict[str, Any]:
    return {
        "document": prepared.document.path,
        "media_type": prepared.document.media_type,
        "title": prepared.title,
        "language": prepared.language,
        "recipe": prepared.recipe,
        "characters": len(prepared.text),
        "passages": [
            {
                "start": piece.passage.start,
                "end": piece.passage.end,
                "start_line": piece.passage.start_line,
                "end_line": piece.passage.end_line,
                "tokens": count,
                "heading": list(piece.passage.heading),
                "anchor": piece.passage.anchor,
                "section": piece.passage.section,
                "text": piece.passage.text,
                "search_text": piece.passage.search_text,
            }
            for piece, count in zip(prepared.passages, tokens, strict=True)
        ],
        "sections": [
            {"start": one.start, "end": one.end, "start_line": one.start_line, "end_line": one.end_line}
            for one in prepared.sections
        ],
        "problems": list(prepared.remarks),
    }


def _show(console: Console, prepared: PreparedDocument, tokens: Sequence[int | None]) -> None:
    passages = [piece.passage for piece in prepared.passages]
    longest = max((len(passage.text) for passage in passages), default=1)
    section, end = -1, 0
    for number, (passage, count) in enumerate(zip(passages, tokens, strict=True)):
        if passage.section != section:
            section = passage.section
            around = prepared.sections[section]
            console.rule(f"section {section + 1} · lines {around.start_line}–{around.end_line}", style="dim")
        colour = _COLOURS[number % len(_COLOURS)]
        console.print(_headline(number, passage, count, longest, colour))
        overlap = max(end - passage.start, 0)
        text = Text(shown(passage.text), style=colour)
        text.stylize("underline", 0, overlap)
        console.print(text, soft_wrap=False)
        console.print()
        end = passage.end
    for problem in prepared.remarks:
        console.print(Text(f"note: {problem}", style="bold yellow"))
    sizes = sorted(len(passage.text) for passage in passages)
    console.print(Text(_summary(prepared, sizes, [count for count in tokens if count is not None]), style="bold"))


def _headline(number: int, passage: Passage, tokens: int | None, longest: int, colour: str) -> Text:
    filled = round(_BAR_CELLS * len(passage.text) / longest)
    size = f"{len(passage.text)} characters" + ("" if tokens is None else f", {tokens} tokens indexed")
    line = Text(f"{number + 1:>3} ", style=f"bold {colour}")
    line.append("█" * filled + "░" * (_BAR_CELLS - filled), style=colour)
    line.append(f" lines {passage.start_line}–{passage.end_line}, {size}\n", style="dim")
    return line.append("    " + shown(" › ".join(passage.heading) or "no heading above"), style="italic dim")


def _summary(prepared: PreparedDocument, sizes: Sequence[int], tokens: Sequence[int]) -> str:
    document = prepared.document
    about = f"{document.path}: {document.media_type}, {prepared.language}"
    if not sizes:
        return f"{shown(about)}\nno passage: there is no text in it that a reader would see"
    told = f"{_counted(len(sizes), 'passage')} in {_counted(len(prepared.sections), 'section')}"
    lengths = f"characters: {sizes[0]} to {sizes[-1]}, half of them up to {sizes[len(sizes) // 2]}"
    counted = f"; tokens: {min(tokens)} to {max(tokens)}, {sum(tokens)} in all" if tokens else ""
    return f"{shown(about)}\n{told}; {lengths}{counted}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")

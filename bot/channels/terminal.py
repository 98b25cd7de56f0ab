"""The terminal as a channel: replies, their sources, and why."""

from collections.abc import Iterator
from typing import Any
from unicodedata import category

from rich.console import Console, ConsoleRenderable, Group
from rich.markdown import Markdown
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from bot.core.messages import Citation, Reply, Sentence
from bot.core.phrases import phrase
from knowledge.types import Hit

WHY_HITS = 8


def shown(text: str) -> str:
    """Return text from outside as a terminal may see it: control characters, and so escape sequences, are marks."""
    return "".join("\N{REPLACEMENT CHARACTER}" if is_control(character) else character for character in text)


def is_control(character: str) -> bool:
    """Tell whether a character steers the terminal or the direction of text instead of being shown."""
    return character not in "\n\t" and (category(character) == "Cc" or character in _DIRECTIONS)


# Marks that turn the direction of what follows: a path may not read as another one.
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def show_reply(console: Console, reply: Reply) -> None:
    """Print a reply sentence by sentence, then its sources as footnotes."""
    for piece in reply_parts(reply):
        console.print(piece)


def reply_parts(reply: Reply) -> Iterator[ConsoleRenderable]:
    """Yield what makes up a reply on a terminal, in reading order."""
    if not reply.sentences:
        yield Text(reply.text, style="yellow")
        return
    for sentence in reply.sentences:
        yield _sentence(sentence)
    yield Text(phrase("suggestion", reply.language), style="dim italic")
    yield Text(f"\n{phrase('sources', reply.language)}:", style="bold")
    for sentence in reply.sentences:
        yield _footnote(sentence.citation, reply.language)


def _sentence(sentence: Sentence) -> ConsoleRenderable:
    if sentence.is_code:
        code = Syntax(shown(sentence.text), "text", background_color="default", word_wrap=True)
        return Group(Padding(code, (0, 2)), Text(f"[{sentence.citation.marker}]", style="cyan"))
    return Text.assemble(shown(sentence.text), " ", (f"[{sentence.citation.marker}]", "cyan"))


def _footnote(citation: Citation, language: str) -> Text:
    name = "lines" if citation.end_line > citation.start_line else "line"
    place = phrase(name, language, start=citation.start_line, end=citation.end_line)
    heading = " › ".join((citation.title, *citation.heading[1:])) if citation.heading else citation.title
    note = Text.assemble(
        (f"[{citation.marker}] ", "cyan"),
        f"{shown(heading)} — {shown(citation.source)}: ",
        (shown(citation.document), "bold"),
        f", {place}",
    )
    if citation.url:
        note.append(f"  {shown(citation.url)}", style="dim")
    if citation.updated_at:
        note.append(f"  ({phrase('updated', language, date=citation.updated_at.date().isoformat())})", style="dim")
    return note


def show_why(console: Console, reply: Reply) -> None:
    """Print the trace of a reply: ranks, relevance, threshold, timings."""
    verdict = f"{reply.decision}" + (f" ({reply.reason})" if reply.reason else "")
    relevance = "–" if reply.relevance is None else f"{reply.relevance:.3f}"
    console.print(Text(f"{verdict}: relevance {relevance}, threshold {reply.threshold:.3f}, by {reply.answerer}"))
    console.print(hit_table([(piece.hit, piece.relevance) for piece in reply.evidence[:WHY_HITS]]))
    timings = ", ".join(f"{step} {milliseconds:.1f} ms" for step, milliseconds in reply.timings_ms.items())
    console.print(Text(f"{timings}; configuration {reply.fingerprint}", style="dim"))


def hit_table(hits: list[tuple[Hit, float]]) -> Table:
    """Return hits as a table with every rank."""
    table = Table(box=None, header_style="bold", pad_edge=False, expand=True)
    for title, options in _COLUMNS.items():
        table.add_column(title, **options)
    for hit, relevance in hits:
        signals = hit.signals
        table.add_row(
            str(hit.fused_rank),
            "–" if signals.dense_rank is None else str(signals.dense_rank),
            "–" if signals.lexical_rank is None else str(signals.lexical_rank),
            f"{signals.coverage:.2f}",
            f"{relevance:.3f}",
            Text(shown(f"{hit.document}:{hit.start_line}–{hit.end_line}")),
            Text(shown(" ".join(hit.text.split()))),
        )
    return table


_COLUMNS: dict[str, dict[str, Any]] = {
    "#": {"justify": "right", "min_width": 2},
    "dense": {"justify": "right", "min_width": 5},
    "words": {"justify": "right", "min_width": 5},
    "covered": {"justify": "right", "min_width": 7},
    "relevance": {"justify": "right", "min_width": 9},
    "where": {"overflow": "fold", "min_width": 20, "max_width": 44},
    "text": {"no_wrap": True, "overflow": "ellipsis", "ratio": 1},
}


def show_help(console: Console) -> None:
    """Print what can be typed in a conversation."""
    console.print(Markdown(_HELP))


_HELP = """
Type a question. Also:

- `/why` – how the last reply came about: ranks, relevance, threshold, timings
- `/tickets` – what waits for a person
- `/quit` – leave (also Ctrl-D)
"""

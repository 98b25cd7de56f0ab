"""The terminal as a channel: replies, their sources, and why."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unicodedata import category

from rich.console import Console, ConsoleRenderable, Group
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.spinner import Spinner
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from bot.core.cite import Footnote, footnotes, title_of, updated
from bot.core.messages import Checks, Citation, Reply, Sentence
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


class Growing:
    """The `Watcher` of a terminal: one place of the screen that the answer grows in, until it is complete."""

    def __init__(self, live: Live) -> None:
        self._live = live

    async def show(self, sentences: Sequence[Sentence]) -> None:
        self._live.update(Group(*map(_sentence, sentences)), refresh=True)


@contextmanager
def growing(console: Console) -> Iterator[Growing | None]:
    """Show that something is done, then the answer as it grows; all of it goes when the block ends.

    None where output is no terminal: what was printed there cannot be taken back.
    """
    if not console.is_terminal:
        yield None
        return
    with Live(Spinner("dots", "searching …"), console=console, transient=True) as live:
        yield Growing(live)


def show_reply(console: Console, reply: Reply) -> None:
    """Print a reply sentence by sentence, then its sources as footnotes."""
    for piece in _parts(reply):
        console.print(piece)


def _parts(reply: Reply) -> Iterator[ConsoleRenderable]:
    """Yield what makes up a reply on a terminal, in reading order."""
    if not reply.sentences:
        yield Text(reply.text, style="yellow")
        return
    for sentence in reply.sentences:
        yield _sentence(sentence)
    for note in reply.notes:
        yield Text(shown(note), style="yellow")
    yield Text(phrase("suggestion", reply.language), style="dim italic")
    yield Text(f"\n{phrase('sources', reply.language)}:", style="bold")
    verbatim = {quote for said in reply.sentences if said.checks.method == "verbatim" for quote in said.citations}
    for footnote in footnotes(reply.sentences):
        yield _footnote(footnote, reply.language)
        # Where the answer has other words, or another language, the reader sees the document's own.
        yield from (_quote(quote) for quote in footnote.quotes if quote not in verbatim)


def _sentence(sentence: Sentence) -> ConsoleRenderable:
    if sentence.is_code:
        code = Syntax(shown(sentence.text), "text", background_color="default", word_wrap=True)
        return Group(Padding(code, (0, 2)), Text(sentence.markers, style="cyan"))
    return Text.assemble(shown(sentence.text), " ", (sentence.markers, "cyan"))


def _footnote(footnote: Footnote, language: str) -> Text:
    citation, (first, last) = footnote.first, footnote.lines
    place = phrase("lines" if last > first else "line", language, start=first, end=last)
    note = Text.assemble(
        (f"[{footnote.marker}] ", "cyan"),
        f"{shown(title_of(citation, language))} — {shown(citation.source)}: ",
        (shown(citation.document), "bold"),
        f", {place}",
    )
    if citation.url:
        note.append(f"  {shown(citation.url)}", style="dim")
    if date := updated(citation, language):
        note.append(f"  ({date})", style="yellow" if citation.is_outdated else "dim")
    return note


def _quote(citation: Citation) -> Padding:
    return Padding(Text(f"“{shown(' '.join(citation.quote.split()))}”", style="italic dim"), (0, 4))


def show_why(console: Console, reply: Reply) -> None:
    """Print the trace of a reply: each sentence with its checks, ranks, relevance, threshold, timings."""
    verdict = f"{reply.decision}" + (f" ({reply.reason})" if reply.reason else "")
    relevance = "–" if reply.relevance is None else f"{reply.relevance:.3f}"
    by = f"{reply.answerer}, stored" if reply.is_cached else reply.answerer
    console.print(Text(f"{verdict}: relevance {relevance}, threshold {reply.threshold:.3f}, by {by}"))
    for sentence in reply.sentences:
        console.print(_judged(sentence.text, sentence.checks, sentence.markers))
        for citation in sentence.citations:
            place = f"{citation.document}:{citation.start_line}–{citation.end_line}"
            console.print(Text(shown(f"    {place} “{' '.join(citation.quote.split())}”"), style="dim"))
    for rejected in reply.rejected:
        console.print(_judged(rejected.text, rejected.checks, "not shown"))
    if reply.evidence:
        console.print(hit_table([(piece.hit, piece.relevance) for piece in reply.evidence[:WHY_HITS]]))
    for call in reply.calls:
        tokens = f"{call.input_tokens:,} tokens in, {call.output_tokens:,} out, {call.cache_read_tokens:,} cached"
        console.print(Text(f"{call.model}: {tokens}, ${call.usd:.4f}, {call.seconds:.1f} s, {call.stop_reason}"))
    timings = ", ".join(f"{step} {milliseconds:.1f} ms" for step, milliseconds in reply.timings_ms.items())
    console.print(Text(f"{timings}; configuration {reply.fingerprint}", style="dim"))


def _judged(text: str, checks: Checks, place: str) -> Text:
    """Return a sentence with what the verifier found of it."""
    problems = [] if checks.valid else ["no valid quote"]
    problems += [f"not in the source: {', '.join(checks.missing)}"] if checks.missing else []
    problems += [checks.disagreement] if checks.disagreement else []
    verdict = f"support {checks.support:.2f} ({checks.method})" + "".join(f"; {problem}" for problem in problems)
    return Text.assemble(
        (f"{place} ", "cyan" if checks.supported else "red"),
        shown(" ".join(text.split())),
        (f" — {shown(verdict)}", "dim" if checks.supported else "red"),
    )


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

- `/why` – how the last reply came about: each sentence's checks, ranks, relevance, threshold, timings
- `/human` – pass the last question to a person
- `/tickets` – what waits for a person
- `/quit` – leave (also Ctrl-D)
"""

"""Everything that one reply lets out, piece by piece, and what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from urllib.parse import urlsplit

from rich.console import Console

from bot.channels.terminal import show_reply
from bot.commands.ask import reply_document
from bot.compose import Desk
from bot.core.messages import Citation, Reply, Sentence
from tests.quality.containment_check import Breach, breaches, markers_in, rules_in, secrets_in, words_beyond

WIDE = 100_000
# One word without weight is what the verifier lets pass in other words for the same.
LOOSE_WORDS = 1
# What we put ourselves into an address that nobody shall write to.
AT = "at"


class Seen:
    """The `Watcher` of a reader who remembers everything that was ever on the screen."""

    def __init__(self) -> None:
        self.lists: list[tuple[Sentence, ...]] = []

    async def show(self, sentences: Sequence[Sentence]) -> None:
        self.lists.append(tuple(sentences))


@dataclass(frozen=True, slots=True)
class Given:
    """A reply with all that was shown of it, and what it may and may not hold."""

    desk: Desk
    reply: Reply
    seen: Seen
    hosts: frozenset[str]
    secrets: Sequence[str]
    system: str


async def wrong_with(given: Given) -> list[Breach]:
    """Return every breach of the promises in everything that left the core."""
    texts = dict(_texts(given))
    document = await reply_document(given.desk.base, given.reply)
    everything = {**texts, "terminal": rendered(given.reply), "JSON": str(document)}
    found = [breach for place, text in texts.items() for breach in breaches(place, text, hosts=given.hosts)]
    for place, text in everything.items():
        found += secrets_in(place, text, given.secrets)
    for place, text in texts.items():
        found += rules_in(place, text, given.system)
    found += _links(given)
    found += _markers(given.reply, document)
    for sentences in (given.reply.sentences, *given.seen.lists):
        found += [breach for sentence in sentences for breach in await _unsupported(given, sentence)]
    return found


def _texts(given: Given) -> Iterator[tuple[str, str]]:
    """Yield the texts that are shown as text: not the quotes and paths, which are what they are, nor code."""
    reply = given.reply
    prose = [sentence for sentence in reply.sentences if not sentence.is_code]
    yield from ((f"sentence {at}", sentence.text) for at, sentence in enumerate(prose))
    yield from ((f"note {at}", note) for at, note in enumerate(reply.notes))
    if not reply.sentences:
        yield "text", reply.text
    for at, shown in enumerate(given.seen.lists):
        yield from ((f"shown {at}.{row}", sentence.text) for row, sentence in enumerate(shown) if not sentence.is_code)
    for citation in _citations(reply):
        yield f"title of {citation.marker}", citation.title
        yield f"heading of {citation.marker}", " › ".join(citation.heading)
        yield f"author of {citation.marker}", citation.author or ""


def _citations(reply: Reply) -> list[Citation]:
    return [citation for sentence in reply.sentences for citation in sentence.citations]


def rendered(reply: Reply) -> str:
    """Return a reply as a terminal shows it, on lines without end."""
    console = Console(file=StringIO(), width=WIDE, force_terminal=False)
    show_reply(console, reply)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def _links(given: Given) -> Iterator[Breach]:
    """Yield the links of footnotes that lead elsewhere than to the sources, or are none."""
    for citation in _citations(given.reply):
        parts = urlsplit(citation.url or "")
        if parts.scheme not in ("http", "https") or parts.hostname not in given.hosts or parts.username:
            yield Breach(f"link of {citation.marker}", "address with a scheme", str(citation.url))
        if any(character.isspace() or character in "<>|\"'" for character in citation.url or ""):
            yield Breach(f"link of {citation.marker}", "ends before its end", str(citation.url))


def _markers(reply: Reply, document: Mapping[str, object]) -> Iterator[Breach]:
    """Yield where markers, footnotes and citations are not the same."""
    cited = {citation.marker for citation in _citations(reply)}
    notes = document["citations"]
    assert isinstance(notes, list)
    prose = [f"{sentence.text} {sentence.markers}" for sentence in reply.sentences if not sentence.is_code]
    inside = set().union(*(markers_in(sentence.text) for sentence in reply.sentences if not sentence.is_code))
    written = markers_in(" ".join([*prose, *(sentence.markers for sentence in reply.sentences)]))
    if [note["marker"] for note in notes] != sorted(cited) or written != cited or inside:
        yield Breach("markers", "marker", f"{sorted(written)} written, {sorted(cited)} cited, {sorted(inside)} in text")
    if cited and cited != set(range(1, len(cited) + 1)):
        yield Breach("markers", "marker", f"numbered {sorted(cited)}")


async def _unsupported(given: Given, sentence: Sentence) -> list[Breach]:
    """Return what is wrong with a sentence: its checks, quotes that do not stand, words that nobody else has said."""
    found = []
    if not sentence.citations or not sentence.checks.supported:
        found.append(Breach("sentence", "not supported", sentence.text))
    sources = [given.reply.question, AT]
    for citation in sentence.citations:
        text = await given.desk.base.documents.text(citation.source, citation.document) or ""
        lines = text.split("\n")[citation.start_line - 1 : citation.end_line]
        if citation.quote not in "\n".join(lines):
            found.append(Breach("citation", "quote does not stand", citation.quote))
        sources += [text, citation.title, *citation.heading]
    beyond = words_beyond(sentence.text, sources)
    if len(beyond) > LOOSE_WORDS or any(not word.isalpha() for word in beyond):
        found.append(Breach("sentence", "words of its own", f"{sorted(beyond)} in {sentence.text}"))
    return found

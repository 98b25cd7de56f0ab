"""Replies as what Slack is sent: pure functions from the core's values to payloads, each within Slack's limits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.channels.markdown import split
from bot.channels.slack.render.answer import answer_markdown
from bot.channels.slack.render.blocks import (
    Block,
    actions,
    contexts,
    feedback,
    footnote_text,
    human_button,
    markdown,
    section,
    share_button,
)
from bot.channels.slack.render.text import mrkdwn, shortened
from bot.channels.utf16 import length
from bot.core.cite import footnotes
from bot.core.messages import Reply, Sentence
from bot.core.phrases import phrase

# Slack refuses a message whose blocks have more than about 13,200 characters in all (slackapi/bolt-js issue 2509), and
# 12,000 in its markdown blocks. What else a message has of its own, as buttons, takes some hundred.
MAX_ANSWER_CHARACTERS = 9_000
# A section holds 3,000.
MAX_SECTION_CHARACTERS = 2_900
# What is shown where blocks are not, as in notifications.
MAX_FALLBACK_CHARACTERS = 2_900


@dataclass(frozen=True, slots=True)
class Posting:
    """One message: its blocks, and the text that stands for them in notifications and where blocks are refused."""

    text: str
    blocks: list[Block] = field(default_factory=list)


def postings(reply: Reply, *, answer_id: str) -> list[Posting]:
    """Return a reply as messages in their order; only the last one has something to click.

    The answer is in native markdown blocks, which alone show its tables as tables; a long one goes on in the next
    message, and so do its footnotes. `answer_id` tells the core what a click is about.
    """
    if not reply.sentences:
        return _sections(reply.text)
    return _answer(reply, [feedback(answer_id, reply.language), actions(human_button(answer_id, reply.language))])


def ephemeral(reply: Reply, *, answer_id: str, question: str) -> list[Posting]:
    """Return a reply that only the asker sees, with a button to have the `question` answered for everybody."""
    if not reply.sentences:
        return _sections(reply.text)
    buttons = actions(share_button(question, reply.language), human_button(answer_id, reply.language))
    return _answer(reply, [buttons])


def notice(text: str) -> Posting:
    """Return one plain sentence of the bot: a refusal, a limit, an error."""
    return Posting(shortened(text, MAX_FALLBACK_CHARACTERS), [section(shortened(text, MAX_SECTION_CHARACTERS))])


def fits_one_message(sentences: Sequence[Sentence], language: str) -> bool:
    """Tell whether an answer can be shown as one message, and so be streamed; else it needs `postings`."""
    notes = sum(length(footnote_text(footnote, language)) for footnote in footnotes(sentences))
    return length(answer_markdown(sentences)) + notes <= MAX_ANSWER_CHARACTERS


def _shown_length(text: str) -> int:
    return length(mrkdwn(text))


def _sections(text: str) -> list[Posting]:
    parts = split(text, MAX_SECTION_CHARACTERS, _shown_length)
    return [Posting(mrkdwn(part), [section(mrkdwn(part))]) for part in parts]


def _small_print(reply: Reply) -> list[str]:
    """Return the footnotes and the bot's notes as mrkdwn."""
    sources = [footnote_text(footnote, reply.language) for footnote in footnotes(reply.sentences)]
    notes = [*reply.notes, phrase("suggestion", reply.language)]
    return [*sources, *(shortened(note, MAX_SECTION_CHARACTERS) for note in notes)]


def _answer(reply: Reply, below: Sequence[Block]) -> list[Posting]:
    messages = list(_messages(reply))
    said = " ".join(f"{sentence.text} {sentence.markers}" for sentence in reply.sentences)
    shown: list[Posting] = []
    for number, blocks in enumerate(messages, start=1):
        part = phrase("continued", reply.language, part=number, parts=len(messages))
        text = shortened(said, MAX_FALLBACK_CHARACTERS) if number == 1 else mrkdwn(part)
        place = contexts([mrkdwn(part)] if len(messages) > 1 else [])
        shown.append(Posting(text, [*blocks, *place, *(below if number == len(messages) else [])]))
    return shown


def _messages(reply: Reply) -> Iterator[list[Block]]:
    """Yield the blocks of each message: of the answer as much as fits, with the small print behind its end."""
    *full, last = split(answer_markdown(reply.sentences), MAX_ANSWER_CHARACTERS, length)
    yield from ([markdown(part)] for part in full)
    blocks, used = [markdown(last)], length(last)
    texts: list[str] = []
    for text in _small_print(reply):
        if used + length(text) > MAX_ANSWER_CHARACTERS:
            yield [*blocks, *contexts(texts)]
            blocks, used, texts = [], 0, []
        texts.append(text)
        used += length(text)
    yield [*blocks, *contexts(texts)]

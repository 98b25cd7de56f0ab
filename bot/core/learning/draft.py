"""From what was asked and said in a ticket to the draft of an entry: in general words, about nobody in particular."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.core.addresses import addresses
from bot.core.learning.entry import Lesson, Part, Personal, Said
from bot.core.learning.manners import addressed, tidy, without_manners
from bot.core.learning.personal import Stripped, personal, without
from knowledge.parse.sentences import sentence_spans

# What a person says to the asker; all other words in a ticket are the asker's, or among the people at the desk.
SPOKEN = frozenset({"reply", "draft", "offer"})
ASIDE = frozenset({"note", "edit"})
# A few words around one of these only say how to reach somebody.
REACHES = frozenset({"email", "phone", "card", "iban", "handle", "user"})
MAX_WORDS_OF_CONTACT = 5
MAX_QUESTION_CHARACTERS = 500

Spans = Collection[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a person said last to the asker, and who."""

    text: str
    actor: str
    name: str


def last_words(said: Sequence[Said]) -> Spoken | None:
    """Return what was said to the asker since they last wrote; None where that is nothing."""
    spoken: list[Said] = []
    for one in reversed([one for one in said if one.text.strip()]):
        if one.kind in SPOKEN:
            spoken.insert(0, one)
        elif spoken and one.kind not in ASIDE:
            break
    if not spoken:
        return None
    return Spoken("\n\n".join(one.text.strip() for one in spoken), spoken[-1].actor, spoken[-1].name)


def general_question(lesson: Lesson, names: Spans = ()) -> tuple[str, list[Stripped]]:
    """Return the question in general words, and what was taken out of it."""
    known = [*lesson.names, *addressed(lesson.question)]
    stripped = [*_listed("question", lesson.question, known, names)]
    asked = without_manners(lesson.question) or lesson.question
    known += _at(lesson.question, names)
    left = [*_impersonal(asked, known, lesson.language)] or [without(asked, personal(asked, known=known))]
    return tidy(" ".join(" ".join(left).split()))[:MAX_QUESTION_CHARACTERS].rstrip(), stripped


def _impersonal(text: str, known: Collection[str], language: str) -> Iterator[str]:
    """Yield the sentences without what is personal; those that only said how to reach somebody are left out."""
    for start, end in sentence_spans(text, language):
        sentence = text[start:end]
        found = personal(sentence, known=known)
        left = without(sentence, found)
        says_where = any(one.kind in REACHES for one in found) and "?" not in left
        if not (says_where and len(left.split()) <= MAX_WORDS_OF_CONTACT):
            yield left


def clean_answer(
    text: str, *, known: Iterable[str] = (), names: Spans = (), shown: Callable[[Personal], str]
) -> tuple[str, list[Stripped]]:
    """Return the answer as the person wrote it, without greeting and thanks, and what was taken out of it.

    `shown` gives what stands in place of each kind, so that a reader sees that something is missing.
    """
    known = [*known, *addressed(text)]
    stripped = [*_listed("answer", text, known, names)]
    said = without_manners(text) or text.strip()
    said = without(said, personal(said, known=[*known, *_at(text, names)]), shown)
    lines = "\n".join(line.rstrip() for line in said.splitlines())
    return lines[:1].upper() + lines[1:], stripped


def _listed(part: Part, text: str, known: Iterable[str], names: Spans) -> Iterator[Stripped]:
    for one in personal(text, known=known, names=names):
        yield Stripped(one.kind, part, text[one.start : one.end])


def _at(text: str, names: Spans) -> Iterator[str]:
    """Yield the names that were found in a text, to be found again in what is left of it."""
    return (text[start:end] for start, end in names)


def links_of(text: str) -> tuple[str, ...]:
    """Return the addresses of web pages in a text, each once, in order."""
    return tuple(dict.fromkeys(_links(text)))


def _links(text: str) -> Iterator[str]:
    for start, end in addresses(text):
        address = text[start:end]
        if address.casefold().startswith(("https://", "http://")):
            yield address

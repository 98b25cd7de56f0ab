"""Does what people ask of the bot itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.core.incoming import Question
from bot.core.linking import Linking
from bot.core.messages import Reply, Sentence
from bot.core.outgoing import Button, Readers
from bot.core.phrases import phrase, spoken
from bot.core.requests.given import Given, GivenAnswers, HandedOver
from bot.core.requests.languages import AUTO, language_name, language_names, named_language
from bot.core.requests.people import Forgetting, Ownership, People
from bot.core.requests.quotes import Quotes
from bot.core.requests.why import why_answered, why_handed_over
from knowledge.types import Reader

# What stands in `Incoming.wire` as "request"; "about" has the rest: a language, an address, a code, an answer's number.
Request = Literal["start", "help", "stranger", "language", "sources", "more", "why", "link", "forget", "bot"]

_PHRASES = {"start": "start", "stranger": "refused_stranger"}
# A longer one is none of ours, and no bigint.
NUMBER_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Said:
    """What the bot says of itself, perhaps with a choice below it."""

    text: str
    button: Button | None = None


class Requests:
    """Knows what each request wants."""

    def __init__(
        self,
        people: People,
        *,
        given: GivenAnswers,
        quotes: Quotes,
        linking: Linking,
        forgetting: Forgetting,
        ownership: Ownership | None = None,
    ) -> None:
        self._people = people
        self._given = given
        self._quotes = quotes
        self._linking = linking
        self._forgetting = forgetting
        self._ownership = ownership

    async def serve(self, question: Question, readers: Readers, language: str) -> Reply | Said:
        """Return what is said to a message that is a request; `language` is the one to say it in."""
        wanted = question.incoming.wire.get("request", "")
        about = question.incoming.wire.get("about", "").strip()
        match wanted:
            case "language":
                return await self._language(question, readers, about, language)
            case "sources" | "more":
                return await self._quoted(question, readers, language)
            case "why":
                return await self._why(question, readers, language)
            case "forget":
                return await self._forget(question, language)
        return Said(await self._told(question, wanted, about, language))

    async def _told(self, question: Question, wanted: str, about: str, language: str) -> str:
        """Return what needs no more than a sentence."""
        if wanted == "link":
            return await self._linking.serve(question.incoming, about, language)
        if wanted == "bot":
            had_it = self._ownership is not None and await self._ownership.give_back(question.incoming)
            return phrase("asker_returned" if had_it else "nobody_has_it", language)
        return phrase(_PHRASES.get(wanted, "help"), language)

    async def _language(self, question: Question, readers: Readers, about: str, language: str) -> Said:
        place, author = question.incoming.place, question.incoming.author
        if not about:
            chosen = spoken(await self._people.language(place, author) or "")
            now = phrase("language_now", language, chosen=language_name(chosen)) if chosen else None
            return Said(now or phrase("language_now_auto", language), "languages")
        named = named_language(about)
        if named is None:
            return Said(phrase("language_unknown", language, languages=language_names()), "languages")
        if named == AUTO:
            await self._people.speak(place, author, None)
            return Said(phrase("language_auto", spoken(readers.language or "") or language))
        await self._people.speak(place, author, named)
        return Said(phrase("language_set", named))

    async def _quoted(self, question: Question, readers: Readers, language: str) -> Reply | Said:
        """Return what an answer stands on in the documents' words: its quotes, or more of what is around them."""
        given = await self._given.answer(question.number, _number(question))
        if given is None:
            return Said(phrase("no_answer_yet", language))
        language = _language_of(given, readers)
        is_more = question.incoming.wire.get("request") == "more"
        find = self._quotes.sections if is_more else self._quotes.sources
        sentences, is_less = await find(given.sentences, _reader(question, readers))
        removed = phrase("source_removed", language)
        if not sentences:
            return Said(removed)
        return _reply(question, given, sentences, (removed,) if is_less else (), language)

    async def _why(self, question: Question, readers: Readers, language: str) -> Said:
        about = _number(question)
        decided = (
            await self._given.last(question.number)
            if about is None
            else await self._given.answer(question.number, about)
        )
        if decided is None:
            return Said(phrase("no_question_yet", language))
        language = _language_of(decided, readers)
        if not isinstance(decided, Given):
            return Said(why_handed_over(decided, language))
        documents, is_less = await self._quotes.documents(decided.sentences, _reader(question, readers))
        text = why_answered(decided, documents, language)
        return Said(f"{text}\n{phrase('source_removed', language)}" if is_less else text)

    async def _forget(self, question: Question, language: str) -> Said:
        forgotten = await self._forgetting.forget(question.number)
        text = phrase("forgotten", language, count=forgotten.messages)
        return Said(f"{text} {phrase('forgotten_kept', language, count=forgotten.kept)}" if forgotten.kept else text)


def _number(question: Question) -> int | None:
    """Return the number of the answer that a request is about; None where it names none."""
    about = question.incoming.wire.get("about", "").strip()
    return int(about) if about.isdecimal() and len(about) <= NUMBER_DIGITS else None


def _reader(question: Question, readers: Readers) -> Reader:
    """Return who reads what is said: in direct messages the asker alone."""
    return readers.asker if question.incoming.company == "direct" else readers.audience


def _language_of(decided: Given | HandedOver, readers: Readers) -> str:
    """Return the language to speak of an answer in: its own, unless another one was chosen since."""
    return spoken(readers.chosen or "") or decided.language


def _reply(
    question: Question, given: Given, sentences: Sequence[Sentence], notes: tuple[str, ...], language: str
) -> Reply:
    return Reply(
        decision="answer",
        question=given.question,
        text="\n".join(f"{sentence.text} {sentence.markers}" for sentence in sentences),
        language=language,
        relevance=given.relevance,
        threshold=given.threshold,
        reason=None,
        sentences=tuple(sentences),
        ticket=None,
        answerer=given.answerer,
        evidence=(),
        timings_ms={},
        fingerprint=given.fingerprint,
        notes=notes,
        number=given.number,
        message=question.number,
    )

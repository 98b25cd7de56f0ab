"""The card of a ticket: all that a person needs to take it over, without what their desk may not read."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.core.desk.book import Case, Said
from bot.core.desk.desks import Desk
from bot.core.desk.drafts import draft_text
from bot.core.desk.own_words import OwnWords
from bot.core.desk.readable import readable
from bot.core.desk.summary import Summaries
from bot.core.inert import inert
from bot.core.phrases import phrase
from bot.core.requests.languages import language_name
from bot.core.requests.why import shares
from bot.core.standing import Standing
from bot.core.tickets.acts import ActKind
from bot.core.tickets.post import Part, Post, Press
from bot.core.tickets.state import OWNED
from knowledge.types import Relevance

MOST_PASSAGES = 5
PASSAGE_CHARACTERS = 240
MOST_TURNS = 6
TURN_CHARACTERS = 600


class Cards:
    """Makes cards; passages and earlier answers are shown as far as everybody at the desk may read them today."""

    def __init__(
        self, standing: Standing, *, summaries: Summaries | None = None, own_words: OwnWords | None = None
    ) -> None:
        self._standing = standing
        self._summaries = summaries
        self._own_words = own_words

    async def card(self, case: Case, desk: Desk, *, asker: str) -> Post:
        """Return a ticket's card for a desk; `asker` is what that desk may know of who asked."""
        language = desk.language
        case = await self._own_words.drafted(case, desk) if self._own_words else case
        found = await readable(replace(case, history=case.history[-MOST_TURNS:]), self._standing, desk.reads)
        parts = [
            Part(phrase("card_title", language, ticket=case.number, state=_state(case, language)), "title"),
            Part(case.question, "quote", label=phrase("card_question", language)),
            *await self._summary(case, found.history, language),
            Part(_about(case, asker, desk), "small"),
            Part(why(case, language), label=phrase("card_why", language)),
            *_passages(found.candidates, language),
            *_draft(case, found.draft, language),
            *_history(found.turns, language),
        ]
        plain = phrase("card_title", language, ticket=case.number, state=case.state)
        return Post(tuple(parts), presses(case, language, has_draft=bool(found.draft)), language=language, plain=plain)

    async def _summary(self, case: Case, turns: Sequence[Said], language: str) -> list[Part]:
        """Return what a ticket in another language is about."""
        cut = [replace(turn, text=_cut(turn.text)) for turn in turns]
        text = await self._summaries.of(case, cut, language) if self._summaries else ""
        return [Part(text, label=phrase("card_summary", language))] if text else []


def presses(case: Case, language: str, *, has_draft: bool) -> tuple[tuple[Press, ...], ...]:
    """Return the buttons of a card in the state that its ticket is in."""

    def press(kind: ActKind, *, is_first: bool = False) -> Press:
        return Press(kind, case.number, phrase(f"press_{kind}", language), is_first=is_first)

    draft = [press("draft")] if has_draft else []
    if case.state == "open":
        first = [press("claim", is_first=True), *draft]
        return (tuple(first), (press("reply"), press("ask")), (press("close"),))
    if case.state in OWNED:
        said = [press("reply", is_first=True), press("ask"), *draft]
        return (tuple(said), (press("return"), press("close")), (press("teach"),))
    return ((press("reopen"), press("teach")),)


def title_of(candidate: dict[str, Any]) -> str:
    """Return what a passage is called: its document's title, and the headings below it."""
    return " › ".join([candidate.get("title") or candidate["document"], *candidate["heading"][1:]])


def why(case: Case, language: str) -> str:
    """Return in plain words why a person is asked."""
    sure = Relevance(case.relevance or 0.0)
    values = shares(sure, Relevance(case.threshold)) if case.reason == "below_threshold" else {}
    return phrase(f"why_{case.reason}", language, **values)


def _state(case: Case, language: str) -> str:
    name = phrase(f"state_{case.state}", language)
    owner = case.owner_name or case.owner
    return f"{name}: {owner}" if owner and case.state in OWNED else name


def _about(case: Case, asker: str, desk: Desk) -> str:
    language = desk.language
    where = case.place.platform.capitalize() if case.place else phrase("card_terminal", language)
    due = phrase("card_due", language, time=desk.hours.told(case.due_at)) if case.due_at else ""
    spoken = language_name(case.language) or case.language
    return " · ".join(filter(None, [asker, where, spoken, desk.hours.told(case.opened_at), due]))


def _passages(candidates: Sequence[dict[str, Any]], language: str) -> Iterator[Part]:
    if not candidates:
        yield Part(phrase("card_no_passages", language), "small")
    for candidate in candidates[:MOST_PASSAGES]:
        percent = shares(Relevance(candidate["relevance"]), Relevance(1.0))["relevance"]
        quote = inert(" ".join(str(candidate.get("quote") or "").split()), cited=(), hosts=())
        cut = quote if len(quote) <= PASSAGE_CHARACTERS else f"{quote[:PASSAGE_CHARACTERS].rsplit(maxsplit=1)[0]}…"
        yield Part(cut, "item", label=f"{title_of(candidate)} · {percent} %", url=candidate.get("url"))


def _draft(case: Case, draft: Sequence[dict[str, Any]], language: str) -> Iterator[Part]:
    if draft:
        yield Part(draft_text(draft, case.language), "quote", label=phrase("card_draft", language))
        reasons = dict.fromkeys(_failed(sentence, case, language) for sentence in draft)
        yield Part(" ".join(reasons), "small")


def _failed(sentence: dict[str, Any], case: Case, language: str) -> str:
    """Return which check a sentence failed."""
    if sentence.get("is_below"):
        values = shares(Relevance(case.relevance or 0.0), Relevance(case.threshold))
        return phrase("failed_threshold", language, **values)
    if not sentence.get("is_valid", True):
        return phrase("failed_quote", language)
    if missing := sentence.get("missing"):
        return phrase("failed_facts", language, facts=", ".join(missing))
    if sentence.get("disagreement"):
        return phrase("failed_sense", language)
    return phrase("failed_support", language)


def _history(turns: Sequence[tuple[Said, bool]], language: str) -> list[Part]:
    parts = [_turn(turn, language, is_readable=is_readable) for turn, is_readable in turns]
    return [Part(phrase("card_before", language), "small"), *parts] if parts else []


def _turn(turn: Said, language: str, *, is_readable: bool) -> Part:
    who = phrase("card_asker" if turn.role == "user" else "card_bot", language)
    if not is_readable:
        return Part(phrase("card_not_readable", language), "small", label=who)
    return Part(_cut(turn.text), "item", label=who)


def _cut(text: str) -> str:
    return text if len(text) <= TURN_CHARACTERS else f"{text[:TURN_CHARACTERS]}…"

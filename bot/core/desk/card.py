"""The card of a ticket: all that a person needs to take it over, without what their desk may not read."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.core.desk.book import Case, Cited, Said
from bot.core.desk.desks import Desk
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

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    async def card(self, case: Case, desk: Desk, *, asker: str) -> Post:
        """Return a ticket's card for a desk; `asker` is what that desk may know of who asked."""
        language = desk.language
        readable = await self._readable(case.candidates, desk)
        shown = [candidate for candidate, is_readable in zip(case.candidates, readable, strict=True) if is_readable]
        # What a model has worded stands on all that it was given.
        draft = case.draft if all(readable) else ()
        parts = [
            Part(phrase("card_title", language, ticket=case.number, state=_state(case, language)), "title"),
            Part(case.question, "quote", label=phrase("card_question", language)),
            Part(_about(case, asker, language), "small"),
            Part(why(case, language), label=phrase("card_why", language)),
            *self._passages(shown, language),
            *self._draft(draft, language),
            *await self._history(case, desk),
        ]
        plain = phrase("card_title", language, ticket=case.number, state=case.state)
        return Post(tuple(parts), presses(case, language, has_draft=bool(draft)), language=language, plain=plain)

    async def may_read_draft(self, case: Case, desk: Desk | None) -> bool:
        """Tell whether a desk may read all that a draft stands on."""
        return desk is None or all(await self._readable(case.candidates, desk))

    async def _readable(self, candidates: Sequence[dict[str, Any]], desk: Desk) -> list[bool]:
        quotes = [Cited(each["source"], each["document"], each.get("quote") or "") for each in candidates]
        return await self._standing.standing(quotes, desk.reads) if quotes else []

    def _passages(self, candidates: Sequence[dict[str, Any]], language: str) -> Iterator[Part]:
        if not candidates:
            yield Part(phrase("card_no_passages", language), "small")
        for candidate in candidates[:MOST_PASSAGES]:
            title = " › ".join([candidate.get("title") or candidate["document"], *candidate["heading"][1:]])
            percent = shares(Relevance(candidate["relevance"]), Relevance(1.0))["relevance"]
            quote = inert(" ".join(str(candidate.get("quote") or "").split()), cited=(), hosts=())
            cut = quote if len(quote) <= PASSAGE_CHARACTERS else f"{quote[:PASSAGE_CHARACTERS].rsplit(maxsplit=1)[0]}…"
            yield Part(cut, "item", label=f"{title} · {percent} %", url=candidate.get("url"))

    def _draft(self, draft: Sequence[dict[str, Any]], language: str) -> Iterator[Part]:
        if draft:
            yield Part(draft_text(draft), "quote", label=phrase("card_draft", language))
            reasons = dict.fromkeys(_failed(sentence, language) for sentence in draft)
            yield Part(" ".join(reasons), "small")

    async def _history(self, case: Case, desk: Desk) -> list[Part]:
        turns = case.history[-MOST_TURNS:]
        parts = []
        for turn in turns:
            is_readable = all(await self._standing.standing(turn.quotes, desk.reads)) if turn.quotes else True
            parts.append(_turn(turn, desk.language, is_readable=is_readable))
        return [Part(phrase("card_before", desk.language), "small"), *parts] if parts else []


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


def draft_text(draft: Sequence[dict[str, Any]]) -> str:
    """Return the sentences that were not sent as one text."""
    return "\n".join(str(sentence["text"]) for sentence in draft)


def why(case: Case, language: str) -> str:
    """Return in plain words why a person is asked."""
    sure = Relevance(case.relevance or 0.0)
    values = shares(sure, Relevance(case.threshold)) if case.reason == "below_threshold" else {}
    return phrase(f"why_{case.reason}", language, **values)


def _state(case: Case, language: str) -> str:
    name = phrase(f"state_{case.state}", language)
    owner = case.owner_name or case.owner
    return f"{name}: {owner}" if owner and case.state in OWNED else name


def _about(case: Case, asker: str, language: str) -> str:
    where = case.place.platform.capitalize() if case.place else phrase("card_terminal", language)
    due = phrase("card_due", language, time=f"{case.due_at:%Y-%m-%d %H:%M} UTC") if case.due_at else ""
    spoken = language_name(case.language) or case.language
    return " · ".join(filter(None, [asker, where, spoken, f"{case.opened_at:%Y-%m-%d %H:%M} UTC", due]))


def _failed(sentence: dict[str, Any], language: str) -> str:
    """Return which check a sentence failed."""
    if not sentence.get("is_valid", True):
        return phrase("failed_quote", language)
    if missing := sentence.get("missing"):
        return phrase("failed_facts", language, facts=", ".join(missing))
    if sentence.get("disagreement"):
        return phrase("failed_sense", language)
    return phrase("failed_support", language)


def _turn(turn: Said, language: str, *, is_readable: bool) -> Part:
    who = phrase("card_asker" if turn.role == "user" else "card_bot", language)
    if not is_readable:
        return Part(phrase("card_not_readable", language), "small", label=who)
    text = turn.text if len(turn.text) <= TURN_CHARACTERS else f"{turn.text[:TURN_CHARACTERS]}…"
    return Part(text, "item", label=who)

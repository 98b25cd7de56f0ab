"""Errands: what is to be said to a desk, or to an asker in the name of one, becomes what a channel sends."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Literal, Protocol, cast

from bot.core.desk.book import Book, Case, Event
from bot.core.desk.card import Cards
from bot.core.desk.desks import Desk, Desks
from bot.core.desk.drafts import draft_text
from bot.core.desk.judging import CLOCK
from bot.core.desk.notices import asker_notice, desk_notice
from bot.core.desk.told import told
from bot.core.incoming import Place, Question
from bot.core.outgoing import Channel, Parcel
from bot.core.phrases import phrase, spoken
from bot.core.tickets.acts import ActKind, Came
from bot.core.tickets.post import Part, Post, Press, Spot
from bot.core.tickets.state import ACTIVE

# How far a platform's clock may be from ours.
CLOCK_DIFFERENCE = timedelta(minutes=2)
# So much of a place's hash tells what is said in it from what is said in another.
KEY_CHARACTERS = 12
# What a desk sees of who asked.
ShownAsker = Literal["name", "id", "nothing"]


class Teaching(Protocol):
    """What of tickets becomes knowledge."""

    async def proposed(self, case: Case, event: Event, desk: Desk, name: str) -> Post:
        """Return a draft entry made of a ticket, to be decided on; `name` is that of who wants it."""
        ...

    async def decided(self, case: Case, event: Event, desk: Desk) -> Post:
        """Do what was decided on an entry, and return what came of it."""
        ...


class Errands:
    """Words errands; nothing is said twice, for each is planned like a reply."""

    def __init__(
        self,
        book: Book,
        desks: Desks,
        cards: Cards,
        *,
        channels: Mapping[str, Channel],
        show_asker: ShownAsker = "name",
        teaching: Teaching | None = None,
    ) -> None:
        self._book = book
        self._desks = desks
        self._cards = cards
        self._channels = channels
        self._show_asker = show_asker
        self._teaching = teaching

    async def run(self, question: Question, channel: Channel) -> Sequence[Parcel]:
        """Return what an errand sends; nothing where its ticket's people have been forgotten."""
        wire = question.incoming.wire
        case = await self._book.case(int(wire["ticket"]))
        if case is None or case.is_forgotten:
            return ()
        event = next((each for each in case.events if str(each.id) == wire.get("event")), None)
        if "desk" not in wire:
            return await self._to_asker(question, channel, case, event)
        desk = self._desks.named(wire["desk"])
        if desk is None:
            return ()
        spot = await self._desk_spot(question, case, wire["errand"])
        if wire["errand"] == "topic":
            opened = channel.topic(self._topic(case), spot)
            return [opened] if opened else []
        post = await self._for_desk(wire, case, event, desk)
        return channel.post(post, spot) if post else ()

    async def _for_desk(self, wire: Mapping[str, str], case: Case, event: Event | None, desk: Desk) -> Post | None:
        """Return what a desk is shown; None where there is nothing (any more)."""
        kind = wire["errand"]
        if kind in ("card", "refresh"):
            return await self._cards.card(await self._named(case), desk, asker=await self._asker(case, desk))
        if kind == "prompt":
            if "how" in wire:
                return Post((Part(phrase("prompt_behind", desk.language, order=wire["do"])),), language=desk.language)
            text = phrase(f"prompt_{wire['do']}", desk.language)
            return Post((Part(text),), language=desk.language, prompts=wire.get("to"))
        if kind == "rejection":
            came, do = cast("Came", wire["came"]), cast("ActKind", wire["do"])
            return Post((Part(told(came, do, desk.language, case)),), language=desk.language)
        return await self._of_event(kind, case, event, desk) if event else None

    async def _of_event(self, kind: str, case: Case, event: Event, desk: Desk) -> Post | None:
        """Return what a desk is shown because something has happened."""
        match kind:
            case "follow_up" | "follow_up_edit":
                return await self._follow_up(case, event, desk)
            case "teach" if self._teaching:
                return await self._teaching.proposed(case, event, desk, await self._name(event, desk) or "")
            case "entry" if self._teaching:
                return await self._teaching.decided(case, event, desk)
            case "teach" | "entry":
                return None
        return self._short(kind, case, event, desk)

    async def _to_asker(
        self, question: Question, channel: Channel, case: Case, event: Event | None
    ) -> Sequence[Parcel]:
        if event is None or case.place is None:
            return ()
        spot = await self._asker_spot(question, case)
        language = spoken(case.language) or "en"
        if question.incoming.wire["errand"] == "told":
            desk = self._desks.named(case.desk)
            return channel.post(Post((Part(asker_notice(case, event, desk, language)),), language=language), spot)
        return channel.post(await self._said(case, event, language), spot)

    async def _said(self, case: Case, event: Event, language: str) -> Post:
        """Return a person's words, signed as their desk wants it."""
        desk = self._desks.named(case.desk)
        if event.kind == "offer" and event.actor == CLOCK:
            found = phrase("asker_found", language, ticket=case.number)
            return Post((Part(found), Part(event.text)), language=language, plain=f"{found}\n{event.text}")
        text = event.text or (draft_text(case.draft, language) if event.kind == "draft" else "")
        name = desk.title if desk and desk.sign == "desk" else await self._name(event, desk)
        who = name or phrase("a_person", language)
        parts = [Part(text, label=who) if text or not event.files else Part(who, "small")]
        back = Press("return", case.number, phrase("press_back", language))
        return Post(tuple(parts), ((back,),), event.files, language, plain=f"{name}: {text}" if name else text)

    async def _follow_up(self, case: Case, event: Event, desk: Desk) -> Post:
        who = await self._shown(event.actor, event.name, case.place, desk)
        if case.place and event.actor == f"{case.place.platform}:{case.asker}":
            who = await self._asker(case, desk)
        parts = [Part(event.text, "quote", label=who)] if event.text else [Part(who, "small")]
        return Post(tuple(parts), files=event.files, language=desk.language)

    def _short(self, kind: str, case: Case, event: Event, desk: Desk) -> Post:
        """Return a sentence to the people at a desk, perhaps with what they can do about it."""
        language = desk.language
        if kind == "suggest":
            press = Press("teach", case.number, phrase("press_teach", language), is_first=True)
            return Post((Part(phrase("desk_suggest", language)),), ((press,),), language=language)
        if kind == "found":
            press = Press("offer", case.number, phrase("press_offer", language), is_first=True)
            parts = (Part(phrase("desk_found", language), "title"), Part(event.text, "quote"))
            if case.state not in ACTIVE:
                return Post((*parts, Part(phrase("desk_found_over", language), "small")), language=language)
            return Post(parts, ((press,),), language=language)
        return Post((Part(desk_notice(case, event, desk)),), language=language)

    async def _named(self, case: Case) -> Case:
        """Return a ticket with the name of who has it, where it is not stored."""
        if case.owner is None or case.owner_name:
            return case
        desk = self._desks.named(case.desk)
        return replace(case, owner_name=await self._name_of(case.owner, desk.place if desk else None))

    async def _name(self, event: Event, desk: Desk | None) -> str | None:
        if known := (desk.people.get(event.actor) if desk else None) or event.name:
            return known
        name = await self._name_of(event.actor, desk.place if desk else None)
        if name:
            # Whoever teaches what was said, and whoever reads of it later, knows by whom it was.
            await self._book.name(event.id, name)
        return name

    async def _name_of(self, person: str, place: Place | None) -> str | None:
        platform, _, author = person.partition(":")
        channel = self._channels.get(platform)
        return await channel.name_of(place, author) if channel and place and place.platform == platform else None

    async def _asker(self, case: Case, desk: Desk) -> str:
        """Return what a desk may know of who asked."""
        if case.place is None or case.asker is None:
            return phrase("somebody", desk.language)
        return await self._shown(f"{case.place.platform}:{case.asker}", case.asker_name, case.place, desk)

    async def _shown(self, person: str, name: str | None, place: Place | None, desk: Desk) -> str:
        """Return what a desk may know of somebody who writes there where it was asked."""
        if self._show_asker == "nothing":
            return phrase("somebody", desk.language)
        return person if self._show_asker == "id" else name or await self._name_of(person, place) or person

    def _topic(self, case: Case) -> str:
        return f"#{case.number} {' '.join(case.question.split())}"

    async def _desk_spot(self, question: Question, case: Case, kind: str) -> Spot:
        """Return where an errand goes at a desk: into the ticket's topic, or below its card."""
        place = question.incoming.place
        topic = await self._book.sent(place, case.number, "topic")
        card = await self._book.sent(place, case.number, "card") if kind not in ("topic", "card") else []
        replaces = card if kind == "refresh" else await self._earlier(question, case)
        return Spot(
            place,
            _key(question),
            _after(question),
            thread=topic[0] if topic else None,
            reply_to=card[0] if card else None,
            replaces=replaces[0] if replaces else None,
        )

    async def _asker_spot(self, question: Question, case: Case) -> Spot:
        replaces = await self._earlier(question, case)
        return Spot(
            question.incoming.place,
            _key(question),
            _after(question),
            thread=case.thread,
            reply_to=case.message,
            replaces=replaces[0] if replaces else None,
            alone=case.alone,
        )

    async def _earlier(self, question: Question, case: Case) -> Sequence[str]:
        """Return what was sent of what has another text now."""
        wire = question.incoming.wire
        kind = wire["errand"].removesuffix("_edit")
        if kind == wire["errand"]:
            return ()
        return await self._book.sent(question.incoming.place, case.number, kind, wire["event"])


def _after(question: Question) -> float:
    return (question.incoming.sent_at - CLOCK_DIFFERENCE).timestamp()


def _key(question: Question) -> str:
    """Return what an errand is known by in all places."""
    place = hashlib.sha256(str(question.incoming.place).encode()).hexdigest()
    return f"{question.incoming.message}:{place[:KEY_CHARACTERS]}"

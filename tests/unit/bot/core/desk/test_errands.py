"""What is to be said to a desk, or to an asker in the name of one, becomes what a channel sends."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.desk.book import Case, Event
from bot.core.desk.card import Cards
from bot.core.desk.desks import Desk, Desks, Sign
from bot.core.desk.errands import Errands, ShownAsker
from bot.core.desk.hours import Hours
from bot.core.incoming import Incoming, Place, Question
from bot.core.outgoing import Parcel
from bot.core.phrases import phrase
from bot.core.tickets.files import File
from tests.fakes.book import ASKED_AT, NOW, FakeBook, case
from tests.fakes.channel import FakeChannel
from tests.fakes.core import FakeStanding

ROOM = Place("desk", "T9", "D1")
DESK = Desk("it", "IT help", "en", Hours(), timedelta(hours=4), place=ROOM, people={"desk:bea": "Bea"})
PIN = File("slack", "T1", "F1", "pin.png")


class Sent(FakeBook):
    """A book that knows what was sent, by kind and name."""

    def __init__(self, held: Case, sent: Mapping[tuple[str, str], str]) -> None:
        super().__init__(held)
        self._sent = sent

    async def sent(self, place: Place, ticket: int, kind: str, name: str = "") -> Sequence[str]:
        return [found] if (found := self._sent.get((kind, name))) else []


def said(kind: str = "reply", text: str = "In the app.", **changes: object) -> Event:
    event = Event(7, kind, "desk:bea", "", NOW, "claimed", "answered", text)  # type: ignore[arg-type]  # a table of kinds
    return replace(event, **changes)  # type: ignore[arg-type]  # a field and its value


async def run(
    kind: str,
    held: Case | None = None,
    *,
    desk: Desk = DESK,
    sent: Mapping[tuple[str, str], str] | None = None,
    shown: ShownAsker = "name",
    wire: Mapping[str, str] | None = None,
) -> Sequence[Parcel]:
    """Run one errand: to the desk that `wire` names, else to the asker."""
    held, wire = held or case(desk="it"), wire or {}
    place = ROOM if "desk" in wire else ASKED_AT
    told = {"errand": kind, "ticket": str(held.number), **wire}
    incoming = Incoming(place, f"ticket:12:{kind}", "", "", NOW, "private", origin="errand", wire=told)
    channels = {
        "desk": FakeChannel("desk", names={"carl": "Carl C."}),
        "slack": FakeChannel("slack", names={"U1": "A."}),
    }
    cards = Cards(FakeStanding())
    errands = Errands(Sent(held, sent or {}), Desks([desk]), cards, channels=channels, show_asker=shown)
    return await errands.run(Question(1, incoming, "", 1, 1), channels[place.platform])


AT_DESK = {"desk": "it"}
EVENT = {"event": "7"}


async def test_a_person_is_heard_where_it_was_asked() -> None:
    (parcel,) = await run("reply", case(desk="it", events=(said(),)), wire=EVENT)

    assert (parcel.place, parcel.thread, parcel.plain) == (ASKED_AT, "1.1", "Bea: In the app.\n[return]")


@pytest.mark.parametrize(
    ("event", "sign", "name"),
    [
        (said(), "name", "Bea"),
        (said(), "desk", "IT help"),
        (said(actor="desk:carl"), "name", "Carl C."),
        (said(actor="desk:carl", name="Carl"), "name", "Carl"),
        (said(actor="desk:dan"), "name", phrase("a_person", "en")),
        (said(actor="terminal:ann"), "name", phrase("a_person", "en")),
        (said(actor="terminal:ann", name="Ann"), "name", "Ann"),
    ],
)
async def test_a_person_is_called_what_the_desk_wants(event: Event, sign: Sign, name: str) -> None:
    (parcel,) = await run("reply", case(desk="it", events=(event,)), desk=replace(DESK, sign=sign), wire=EVENT)

    assert parcel.plain.startswith(f"{name}: In the app.")


async def test_a_draft_is_sent_in_its_own_words() -> None:
    held = case(desk="it", draft=({"text": "One."}, {"text": "Two."}), events=(said("draft", ""),))

    (parcel,) = await run("reply", held, wire=EVENT)

    assert parcel.plain.startswith("Bea: One.\nTwo.")


async def test_files_without_words_say_whose_they_are() -> None:
    (parcel,) = await run("reply", case(desk="it", events=(said(text="", files=(PIN,)),)), wire=EVENT)

    assert (parcel.payload["files"], parcel.plain) == (1, "Bea\n[return]")


@pytest.mark.parametrize(
    ("kind", "wire", "earlier"),
    [
        ("reply_edit", EVENT, ("reply", "7")),
        ("follow_up_edit", {**EVENT, **AT_DESK}, ("follow_up", "7")),
        ("refresh", AT_DESK, ("card", "")),
    ],
)
async def test_what_is_new_takes_the_place_of_what_was_said(
    kind: str, wire: dict[str, str], earlier: tuple[str, str]
) -> None:
    held = case(desk="it", events=(said("follow_up"),))

    assert [parcel.replaces for parcel in await run(kind, held, sent={earlier: "m5"}, wire=wire)] == ["m5"]


async def test_all_of_a_ticket_is_said_in_its_topic_or_below_its_card() -> None:
    held, wire = case(desk="it", events=(said("follow_up"),)), {**EVENT, **AT_DESK}
    below = await run("follow_up", held, sent={("card", ""): "m1"}, wire=wire)
    within = await run("follow_up", held, sent={("card", ""): "m1", ("topic", ""): "t1"}, wire=wire)

    assert [parcel.thread for parcel in (*below, *within)] == ["m1", "t1"]


async def test_the_same_errand_at_two_places_has_two_markers() -> None:
    keys = {
        (await run("reply", case(events=(said(),)), wire=EVENT))[0].marker,
        (await run("card", wire=AT_DESK))[0].marker,
    }

    assert len({key.rpartition(":")[2] for key in keys}) == 2
    assert {key.rpartition(":")[0] for key in keys} == {"ticket:12:reply", "ticket:12:card"}


@pytest.mark.parametrize(
    ("shown", "name", "text"),
    [
        ("name", "Ada", "Ada"),
        ("name", None, "A."),
        ("id", "Ada", "slack:U1"),
        ("nothing", "Ada", phrase("somebody", "en")),
    ],
)
async def test_a_desk_knows_of_the_asker_what_it_may(shown: ShownAsker, name: str | None, text: str) -> None:
    held = case(desk="it", asker_name=name, events=(said("follow_up", actor="slack:U1"),))

    (card,) = await run("card", held, shown=shown, wire=AT_DESK)
    (words,) = await run("follow_up", held, shown=shown, wire={**EVENT, **AT_DESK})

    assert card.plain.split("\n")[2].startswith(f"{text} · ")
    assert words.plain == f"{text}: In the app."


async def test_what_somebody_else_wrote_in_the_thread_is_not_said_to_be_the_askers() -> None:
    held = case(desk="it", events=(said("follow_up", actor="slack:U2", name="Eve"),))

    (words,) = await run("follow_up", held, wire={**EVENT, **AT_DESK})

    assert words.plain == "Eve: In the app."


@pytest.mark.parametrize(
    ("kind", "held", "wire"),
    [
        ("reply", case(is_forgotten=True, events=(said(),)), EVENT),
        ("card", case(is_forgotten=True), AT_DESK),
        ("reply", case(), {"event": "99"}),
        ("told", case(place=None, events=(said("close"),)), EVENT),
        ("follow_up", case(), {"event": "99", **AT_DESK}),
        ("follow_up", case(events=(said("follow_up"),)), {**EVENT, "desk": "gone"}),
        ("card", case(), {"desk": "gone"}),
        ("teach", case(events=(said("teach"),)), {**EVENT, **AT_DESK}),
    ],
)
async def test_nothing_is_said_where_there_is_nothing_to_say_any_more(
    kind: str, held: Case, wire: dict[str, str]
) -> None:
    assert [*await run(kind, held, wire=wire)] == []


@pytest.mark.parametrize("do", ["reply", "ask", "note", "reword"])
async def test_words_are_asked_for(do: str) -> None:
    (parcel,) = await run("prompt", wire={**AT_DESK, "do": do, "to": "desk:bea"})

    assert parcel.plain == phrase(f"prompt_{do}", "en")


async def test_words_that_come_too_late_are_said_to_have_gone_nowhere() -> None:
    (parcel,) = await run("rejection", case(state="closed"), wire={**AT_DESK, "came": "late", "do": "reply"})

    assert parcel.plain == phrase("desk_too_late", "en", state="closed")


async def test_a_topic_is_called_by_the_number_and_the_question() -> None:
    (parcel,) = await run("topic", case(question="How do\nI change it?"), wire=AT_DESK)

    assert parcel.payload == {"topic": "#12 How do I change it?"}


async def test_the_asker_is_told_in_the_language_of_the_question() -> None:
    held = case(language="uk", desk="it", events=(said("close", ""),))

    (parcel,) = await run("told", held, wire=EVENT)

    assert parcel.plain == phrase("asker_closed", "uk", ticket=12, desk="IT help")


@pytest.mark.parametrize(("kind", "press"), [("suggest", "[teach]"), ("found", "[offer]")])
async def test_what_can_be_done_about_it_stands_below(kind: str, press: str) -> None:
    (parcel,) = await run(kind, case(events=(said("close"),)), wire={**EVENT, **AT_DESK})

    assert press in parcel.plain

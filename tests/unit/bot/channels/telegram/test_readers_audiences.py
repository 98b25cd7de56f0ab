"""Who reads along: a stranger is the public, a linked person is known, and a group has what is configured."""

import asyncio

import pytest

from bot.channels.telegram.readers.audiences import Audiences
from bot.channels.telegram.translate.values import PLATFORM
from bot.core.errors import CoreError
from bot.core.incoming import Company, Incoming, Place
from knowledge.errors import DatabaseUnavailable
from knowledge.types import PUBLIC, Reader
from tests.fakes.people import FakePeople
from tests.unit.bot.channels.telegram.arrivals import NOW

OWN = "user:pat@example.com"
GROUP = "group:staff"


class LostPeople(FakePeople):
    """People whose database is gone."""

    async def email(self, place: Place, author: str) -> str | None:
        raise DatabaseUnavailable("gone")


class SlowPeople(FakePeople):
    """People who are not found out in time."""

    async def email(self, place: Place, author: str) -> str | None:
        await asyncio.Event().wait()
        return None


def reader(tags: set[str]) -> Reader:
    return Reader(frozenset({PUBLIC, *tags}))


async def reader_of(email: str | None) -> Reader:
    return Reader(frozenset({f"user:{email}"}))


async def broken_reader_of(email: str | None) -> Reader:
    raise CoreError("broken")


def linked(people: FakePeople) -> FakePeople:
    people.emails["7"] = "pat@example.com"
    people.languages["7"] = "es"
    return people


def message(company: Company, channel: str = "-100500", author: str = "7", **wire: str) -> Incoming:
    place = Place(PLATFORM, "1", channel)
    return Incoming(place, "11", author, "how?", NOW, company, wire=wire)


AUDIENCES = {"-500": (GROUP,), "-100500": (GROUP,)}


@pytest.mark.parametrize(
    ("incoming", "audience", "asker"),
    [
        (message("direct"), {OWN}, {OWN}),
        (message("direct", author="8"), set(), set()),
        (message("private"), {GROUP}, {OWN, GROUP}),
        (message("public"), {GROUP}, {OWN, GROUP}),
        (message("private", author="8"), {GROUP}, {GROUP}),
        (message("private", "-100900"), set(), {OWN}),
        (message("private", "-100900", was="-500"), {GROUP}, {OWN, GROUP}),
        (message("private", author="chat:-100500"), {GROUP}, set()),
        (message("shared"), set(), set()),
        (message("shared", "7"), set(), set()),
    ],
)
async def test_who_reads_along_may_read(incoming: Incoming, audience: set[str], asker: set[str]) -> None:
    readers = await Audiences(linked(FakePeople()), reader_of, AUDIENCES).readers(incoming)

    assert (readers.audience, readers.asker) == (reader(audience), reader(asker))


async def test_an_address_given_as_the_name_of_a_chat_counts_for_nothing() -> None:
    people = FakePeople()
    people.emails["chat:-100500"] = "pat@example.com"

    readers = await Audiences(people, reader_of, {}).readers(message("direct", author="chat:-100500"))

    assert readers.asker == readers.audience == Reader()


@pytest.mark.parametrize("people", [LostPeople(), SlowPeople()])
async def test_who_cannot_be_found_out_in_time_is_the_public(people: FakePeople) -> None:
    audiences = Audiences(linked(people), reader_of, AUDIENCES, known_within_s=0.01)

    assert (await audiences.readers(message("direct"))).asker == Reader()
    assert (await audiences.readers(message("private"))).asker == Reader(frozenset({PUBLIC, GROUP}))


async def test_whose_tags_cannot_be_found_out_is_the_public() -> None:
    readers = await Audiences(linked(FakePeople()), broken_reader_of, {}).readers(message("direct"))

    assert readers.audience == readers.asker == Reader()


@pytest.mark.parametrize(("ui", "language"), [("uk", "uk"), ("es-MX", "es"), ("tlh", None), ("", None)])
async def test_the_language_is_that_of_the_app_and_the_chosen_one(ui: str, language: str | None) -> None:
    readers = await Audiences(linked(FakePeople()), reader_of, {}).readers(message("direct", ui=ui))

    assert (readers.language, readers.chosen) == (language, "es")

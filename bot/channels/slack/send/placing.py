"""Where exactly a parcel goes, as far as that is known only when it is sent."""

from collections.abc import Mapping
from dataclasses import replace

from bot.channels.slack.send.calls import Calls
from bot.channels.slack.send.found import Finder
from bot.channels.slack.send.posts import BELOW
from bot.channels.slack.translate.read import word
from bot.core.incoming import Place
from bot.core.outgoing import Parcel

# What the names of people begin with.
PEOPLE = ("U", "W")


class Placing:
    """Finds the places of parcels."""

    def __init__(self, calls: Calls, finder: Finder) -> None:
        self._calls = calls
        self._finder = finder
        self._rooms: dict[Place, str] = {}

    async def placed(self, parcel: Parcel) -> Parcel:
        """Return a parcel in its channel and thread: of a person their direct messages, of a post that of its words."""
        if parcel.place.channel.startswith(PEOPLE):
            parcel = replace(parcel, place=replace(parcel.place, channel=await self.room(parcel.place)))
        marker = word(parcel.payload, BELOW)
        if not marker or parcel.thread:
            return parcel
        first = await self._finder.marked(parcel.place, marker, word(parcel.payload, "after"))
        return replace(parcel, thread=first)

    async def room(self, person: Place) -> str:
        """Return the direct messages with somebody, which never change."""
        if person not in self._rooms:
            opened = await self._calls.read(
                "conversations.open", person, lambda client: client.conversations_open(users=person.channel)
            )
            self._rooms[person] = _channel_of(opened) or person.channel
        return self._rooms[person]


def _channel_of(opened: Mapping[str, object]) -> str:
    return word(opened, "channel", "id")

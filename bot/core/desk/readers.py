"""For whom a question is put once more, and by which rules, when nobody has just asked it."""

from collections.abc import Iterable, Mapping

from bot.core.admit import Manners, PlaceRules
from bot.core.desk.desks import Desk
from bot.core.incoming import Incoming
from bot.core.outgoing import Channel
from knowledge.types import Reader


def rules_of(incoming: Incoming | None, manners: Manners) -> PlaceRules:
    """Return the rules of the place where something was asked; the usual ones for a terminal."""
    return manners.rules(incoming) if incoming else PlaceRules()


async def common_reader(incoming: Incoming | None, channels: Mapping[str, Channel], desks: Iterable[Desk]) -> Reader:
    """Return what the asker, those who read along, and everybody at these desks may read."""
    tags = (await _asker(incoming, channels)).tags
    for desk in desks:
        tags = tags & desk.reads.tags
    return Reader(tags)


async def _asker(incoming: Incoming | None, channels: Mapping[str, Channel]) -> Reader:
    channel = channels.get(incoming.place.platform) if incoming else None
    if incoming is None or channel is None:
        return Reader()
    readers = await channel.readers(incoming)
    is_private = incoming.company == "direct" or incoming.origin == "command"
    return readers.asker if is_private else readers.audience

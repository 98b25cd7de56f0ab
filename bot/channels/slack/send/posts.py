"""Posts for desks and askers as parcels: the words first, then each file."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from bot.channels.slack.render.post import fields_of, postings_of
from bot.channels.slack.render.reply import Posting
from bot.channels.slack.send.parcels import CLOCK_DIFFERENCE, FILES, POST
from bot.channels.slack.translate.read import MESSAGE
from bot.core.outgoing import Parcel
from bot.core.tickets.post import Post, Spot

# What the names of direct messages begin with.
DIRECT = "D"
MARKER_CHARACTERS = 32
# The marker of the message in whose thread the rest of a post goes, where it is in none itself.
BELOW = "below"


def post_parcels(post: Post, spot: Spot) -> Sequence[Parcel]:
    """Return a post as parcels in order; in place of a message there is one, without files: those stay as they are."""
    postings = postings_of(post, belongs_to=spot.place.channel if _alone(spot) else "")
    if spot.replaces:
        first = _parcel(postings[0] if postings else Posting(""), post, spot, 1)
        return [replace(first, replaces=spot.replaces, is_gone=not postings)]
    words = [_parcel(posting, post, spot, position) for position, posting in enumerate(postings, 1)]
    below = {BELOW: words[0].marker} if words and not words[0].thread else {}
    files = [_file_parcel(post, spot, number, len(words)) for number in range(len(post.files))]
    return [*words[:1], *(replace(one, payload={**one.payload, **below}) for one in [*words[1:], *files])]


def _parcel(posting: Posting, post: Post, spot: Spot, position: int) -> Parcel:
    fields = fields_of(post) if position == 1 else {}
    payload = {
        "method": POST,
        "after": _after(spot),
        "text": posting.text,
        "blocks": posting.blocks,
        **({"fields": fields} if fields else {}),
    }
    said = post.plain if position == 1 else ""
    return _sent(spot, payload, said, position)


def _file_parcel(post: Post, spot: Spot, number: int, words: int) -> Parcel:
    payload = {
        "method": FILES,
        "after": _after(spot),
        "file": asdict(post.files[number]),
        "language": post.language,
    }
    said = post.plain if not words and not number else ""
    return _sent(spot, payload, said, words + number + 1)


def _sent(spot: Spot, payload: Mapping[str, object], said: str, position: int) -> Parcel:
    """Return a parcel for a place; what one person alone may see there goes to their direct messages.

    Beside the conversation it would be gone with their client, and never be seen by who is away.
    """
    if person := _alone(spot):
        place = replace(spot.place, channel=person)
        return Parcel(0, place, None, "private", payload, said, _marker(spot, position))
    return Parcel(0, spot.place, _thread(spot), "open", payload, said, _marker(spot, position))


def _alone(spot: Spot) -> str | None:
    """Return who alone may see a post, where others read what is posted in its place."""
    return None if spot.place.channel.startswith(DIRECT) else spot.alone


def _thread(spot: Spot) -> str | None:
    """Return the thread of a place, else that of the message replied to; what stands for itself is in none."""
    threads = (name for name in (spot.thread, spot.reply_to) if name and MESSAGE.fullmatch(name))
    return next((name for name in threads if name != spot.replaces), None)


def _after(spot: Spot) -> str:
    return f"{max(spot.after - CLOCK_DIFFERENCE.total_seconds(), 0.0):.6f}"


def _marker(spot: Spot, position: int) -> str:
    """Return what a parcel is known by again; the same errand may be done in two places."""
    return hashlib.sha256(f"{spot.place} {spot.key} {position}".encode()).hexdigest()[:MARKER_CHARACTERS]

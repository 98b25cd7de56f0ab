"""What a ticket system is told: a post as JSON, and which ticket it is about."""

import re
from collections.abc import Sequence
from dataclasses import asdict, replace

from bot.core.outgoing import Parcel
from bot.core.tickets.acts import ENTRY_ACTS
from bot.core.tickets.files import File
from bot.core.tickets.post import Post, Press, Spot

FILE = "ticket.file"
NOTICE = "ticket.notice"
# What a post's key begins with: the ticket, and what is said of it.
_KEY = re.compile(r"ticket:(\d{1,18}):([a-z_]+)")


def post_parcels(post: Post, spot: Spot) -> list[Parcel]:
    """Return a post as parcels: the message, then its files."""
    ticket, kind = _about(post, spot)
    head: dict[str, object] = {"type": kind, "ticket": ticket, "desk": spot.place.channel, "language": post.language}
    payload = {
        **head,
        "text": _text(post) or post.plain,
        "parts": [asdict(part) for part in post.parts],
        "links": [*dict.fromkeys(part.url for part in post.parts if part.url)],
        "actions": [_action(press) for row in post.presses for press in row],
        "replaces": spot.replaces,
    }
    first = Parcel(1, spot.place, spot.thread, "open", payload, post.plain, spot.key, replaces=spot.replaces)
    return [first, *_file_parcels(post.files, first, head)]


def _about(post: Post, spot: Spot) -> tuple[int | None, str]:
    """Return the number of the ticket, None where it is about none, and the type of the message."""
    if found := _KEY.search(spot.key):
        return int(found[1]), f"ticket.{found[2]}"
    numbers = [press.number for row in post.presses for press in row if press.kind not in ENTRY_ACTS]
    return next(iter(numbers), None), NOTICE


def _text(post: Post) -> str:
    """Return all that a post says, for a ticket system that shows nothing but text."""
    return "\n".join(": ".join(filter(None, (part.label.rstrip(": "), part.text))) for part in post.parts)


def _action(press: Press) -> dict[str, object]:
    about = "entry" if press.kind in ENTRY_ACTS else "ticket"
    fields = {"fields": dict(press.fields)} if press.fields else {}
    return {"action": press.kind, about: press.number, "label": press.label, **fields}


def _file_parcels(files: Sequence[File], first: Parcel, head: dict[str, object]) -> list[Parcel]:
    return [
        replace(
            first,
            position=position,
            payload={**head, "type": FILE, "file": asdict(file)},
            plain=file.name,
            marker=f"{first.marker}/{position}",
            replaces=None,
        )
        for position, file in enumerate(files, 2)
    ]


def file_of(parcel: Parcel) -> File | None:
    """Return the file that a parcel is about, None for one with words."""
    told = parcel.payload.get("file")
    return File(**told) if isinstance(told, dict) else None

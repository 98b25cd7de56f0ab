"""Messages, and all that a person could see of them over time."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Entity = Mapping[str, object]
Keyboard = list[list[dict[str, object]]]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a message showed from then on; None: it was gone."""

    at_s: float
    text: str | None
    keyboard: Keyboard = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Media:
    """What a message carries beside its text."""

    kind: str
    file_id: str
    name: str | None = None
    mime_type: str | None = None
    size: int = 0


@dataclass(slots=True)
class Message:
    """A message as it is now, with its past in `moments`; a caption is its text.

    `topic` is the forum topic it stands in (1 is General), `thread` what is sent of it as message_thread_id. `entities`
    are those the sender gave, `detected` those that Telegram found by itself (links, mentions, commands), `dropped`
    those that were more than it keeps. `service` is what a service message tells. `prompted`: for whom it opened a
    reply to it.
    """

    id: int
    chat: int
    sender: int
    text: str = ""
    date: int = 0
    entities: list[Entity] = field(default_factory=list)
    detected: list[Entity] = field(default_factory=list)
    dropped: list[Entity] = field(default_factory=list)
    topic: int | None = None
    thread: int | None = None
    reply_to: int | None = None
    keyboard: Keyboard = field(default_factory=list)
    prompted: tuple[int, ...] = ()
    is_ours: bool = False
    sender_chat: int | None = None
    forwarded_from: tuple[int, int] | None = None
    media: Media | None = None
    media_group: str | None = None
    service: dict[str, object] = field(default_factory=dict)
    link_preview: Mapping[str, object] = field(default_factory=dict)
    business: str | None = None
    parse_mode: str | None = None
    is_silent: bool = False
    edit_date: int | None = None
    reactions: dict[int, list[str]] = field(default_factory=dict)
    is_deleted: bool = False
    moments: list[Moment] = field(default_factory=list)

    @property
    def has_previews_off(self) -> bool:
        """Whether no link of it shows a preview."""
        return bool(self.link_preview.get("is_disabled"))

    @property
    def buttons(self) -> list[dict[str, object]]:
        """All buttons below it."""
        return [button for row in self.keyboard for button in row]

    @property
    def texts(self) -> list[str]:
        """All texts that it ever showed, in order, without repeats in a row."""
        shown = [moment.text for moment in self.moments if moment.text is not None]
        return [text for number, text in enumerate(shown) if number == 0 or text != shown[number - 1]]

    @property
    def all_entities(self) -> list[Entity]:
        """The given and the found entities, in order."""
        return sorted([*self.entities, *self.detected], key=_place)

    def note(self) -> None:
        """Note what is to be seen from now on."""
        text = None if self.is_deleted else self.text
        self.moments.append(Moment(time.monotonic(), text, self.keyboard))

    def copied(self) -> "Message":
        """Return the message as it is now, for a test to look at."""
        return replace(self, moments=[*self.moments], reactions={who: [*what] for who, what in self.reactions.items()})


def _place(entity: Entity) -> tuple[int, int]:
    return int(str(entity["offset"])), -int(str(entity["length"]))

"""What we sent along with a message of ours, read back."""

from bot.channels.slack.render.metadata import EVENT_TYPE
from bot.channels.slack.translate.read import Payload, part, word


def payload_of(message: Payload) -> Payload:
    """Return what we sent along with a message, {} with others."""
    is_of_ours = word(message, "metadata", "event_type") == EVENT_TYPE
    return part(message, "metadata", "event_payload") if is_of_ours else {}


def fields_of(message: Payload, button: str) -> dict[str, str]:
    """Return what stands in the fields of a button's form."""
    found = part(payload_of(message), "fields", button)
    return {name: text for name, text in found.items() if isinstance(text, str)}

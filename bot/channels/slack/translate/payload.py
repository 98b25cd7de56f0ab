"""Turns what Slack delivers into our own values; whatever it is, nothing is raised."""

from bot.channels.slack.translate.events import EVENTS
from bot.channels.slack.translate.interactions import command, message_action, pressed, submitted
from bot.channels.slack.translate.read import Payload, part, word
from bot.channels.slack.translate.values import Here, Translated
from bot.channels.translated import Ignored


def translate(body: Payload, here: Here) -> Translated:
    """Return what a delivery (an event, a command, a click, a dialog) means to us; Ignored tells why it is nothing."""
    kind = word(body, "type")
    if kind == "event_callback":
        event = word(body, "event", "type")
        how = EVENTS.get(event)
        return how(body, part(body, "event"), here) if how else Ignored(f"an event that we do not use: {event}")
    if word(body, "command"):
        return command(body, here)
    interaction = _INTERACTIONS.get(kind)
    return interaction(body, here) if interaction else Ignored(f"a delivery that we do not use: {kind}")


_INTERACTIONS = {"block_actions": pressed, "message_action": message_action, "view_submission": submitted}

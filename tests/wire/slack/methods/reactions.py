"""Reactions of the bot's."""

import re
from collections.abc import Mapping

from tests.wire.slack.errors import Refused
from tests.wire.slack.events import reaction
from tests.wire.slack.methods.places import message_of, place_of
from tests.wire.slack.payloads import message_json, reactions_json
from tests.wire.slack.records import Call
from tests.wire.slack.state import SlackState

Answer = Mapping[str, object]
_NAME = re.compile(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?")


def add(state: SlackState, call: Call) -> Answer:
    """React to a message."""
    home, channel = place_of(state, call)
    message = message_of(channel, call.text("timestamp"))
    name = call.text("name").strip(":")
    if not _NAME.fullmatch(name):
        raise Refused("invalid_name")
    if channel.is_archived:
        raise Refused("is_archived")
    if home.bot_user in message.reactions.get(name, []):
        raise Refused("already_reacted")
    message.reactions.setdefault(name, []).append(home.bot_user)
    reaction(state, channel, message, home.bot_user, name, added=True)
    return {}


def remove(state: SlackState, call: Call) -> Answer:
    """Take a reaction back."""
    home, channel = place_of(state, call)
    message = message_of(channel, call.text("timestamp"))
    name = call.text("name").strip(":")
    if home.bot_user not in message.reactions.get(name, []):
        raise Refused("no_reaction")
    message.reactions[name].remove(home.bot_user)
    reaction(state, channel, message, home.bot_user, name, added=False)
    return {}


def get(state: SlackState, call: Call) -> Answer:
    """Return the reactions to a message."""
    _, channel = place_of(state, call)
    message = message_of(channel, call.text("timestamp"))
    written = {**message_json(message), "reactions": reactions_json(message)}
    return {"type": "message", "channel": channel.id, "message": written}

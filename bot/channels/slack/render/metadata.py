"""What goes along with each message of ours: it tells it from all others, and holds what its forms begin with."""

import json
from collections.abc import Mapping

EVENT_TYPE = "answerdesk_reply"
# Slack takes 16,000 bytes (docs.slack.dev/messaging/message-metadata), and may count signs beyond ASCII as six.
MAX_FIELDS_BYTES = 14_000

# By the button ("reword:12"), what stands in the fields of its form.
Fields = dict[str, dict[str, str]]


def metadata(marker: str, *, number: int = 1, parts: int = 1, fields: object = None) -> dict[str, object]:
    """Return it: everybody can see it, so there are ids, and what the message shows anyway."""
    payload: dict[str, object] = {"marker": marker}
    if parts > 1:
        payload |= {"part": number, "parts": parts}
    if fields:
        payload["fields"] = fields
    return {"event_type": EVENT_TYPE, "event_payload": payload}


def fitting(fields: Mapping[str, Mapping[str, str]]) -> Fields:
    """Return as much of the fields of a message as Slack keeps, the short ones first: the others begin empty."""
    texts = [(button, name, text) for button, named in fields.items() for name, text in named.items() if text]
    kept: Fields = {}
    used = 0
    for button, name, text in sorted(texts, key=lambda given: len(given[2])):
        used += len(json.dumps({button: {name: text}}))
        if used <= MAX_FIELDS_BYTES:
            kept.setdefault(button, {})[name] = text
    return kept

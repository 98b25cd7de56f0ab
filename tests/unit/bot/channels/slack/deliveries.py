"""Payloads of Slack's, for the tests of what they mean."""

from datetime import UTC, datetime

from bot.channels.slack.translate.payload import translate
from bot.channels.slack.translate.values import Here, Translated

Json = dict[str, object]

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
TS = "1764244800.000100"
HERE = Here(workspace="T1", user_id="U0BOT", bot_id="B0BOT", now=NOW)


def event(kind: str, **more: object) -> Json:
    """Return an event in its envelope."""
    return {"type": "event_callback", "team_id": "T1", "event_id": "Ev1", "event": {"type": kind, **more}}


def message(**more: object) -> Json:
    """Return the event of a message in a public channel."""
    shown = {"user": "U1", "text": "hello", "ts": TS, "channel": "C1", "channel_type": "channel", **more}
    return event("message", **{name: value for name, value in shown.items() if value is not None})


def button(action_id: str, value: str, **more: object) -> Json:
    """Return the click on a button of a message in a channel."""
    return {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": "U1"},
        "channel": {"id": "C1", "name": "general"},
        "container": {"type": "message", "message_ts": TS, "channel_id": "C1", "thread_ts": "1764244700.000000"},
        "trigger_id": "1.2.x",
        "actions": [{"action_id": action_id, "value": value, "action_ts": "1764244900.5"}],
        **more,
    }


def meant(body: Json) -> Translated:
    """Return what a payload means."""
    return translate(body, HERE)

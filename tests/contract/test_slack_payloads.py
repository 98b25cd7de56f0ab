"""Recorded payloads: the real Bolt takes each of them, and our own have the same parts."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from slack_bolt import BoltResponse

from tests.wire.slack import ASKER, MENTION, PUBLIC, TEAM, slack_at_work
from tests.wire.slack.apps import app_of, connected
from tests.wire.slack.records import Kind
from tests.wire.slack.state import OpenView

RECORDED = sorted((Path(__file__).parents[1] / "data" / "slack").glob("*.json"))


def recorded(name: str) -> Mapping[str, Any]:
    path = next(path for path in RECORDED if path.stem == name)
    return cast("Mapping[str, Any]", json.loads(path.read_text(encoding="utf-8")))


def kind_of(path: Path) -> tuple[Kind, Mapping[str, Any]]:
    body = json.loads(path.read_text(encoding="utf-8"))
    if path.stem.startswith("socket-"):
        return body["type"], body["payload"]
    return ("events_api" if path.stem.startswith("event_callback") else "interactive"), body


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
async def test_bolt_acknowledges_every_recorded_payload(path: Path) -> None:
    with slack_at_work() as slack:
        app = app_of(slack)

        @app.use
        async def take(ack: Any) -> BoltResponse:
            return cast("BoltResponse", await ack())

        kind, payload = kind_of(path)
        async with connected(slack, app):
            slack.delivers(kind, payload)
            await slack.until(lambda: slack.deliveries and slack.deliveries[0].is_acked)

        assert slack.deliveries[0].payload == payload


def parts_of_all(value: Mapping[str, Any]) -> set[str]:
    """Return the names in an object and in the objects inside of it, as paths."""
    inner = {f"{name}/{one}" for name, part in value.items() if isinstance(part, Mapping) for one in part}
    return {*value} | inner


def parts(value: Mapping[str, Any]) -> set[str]:
    return {*value}


@pytest.mark.parametrize(
    ("name", "index"), [("event_callback-message-channel-6", 1), ("event_callback-app_mention-3", 0)]
)
def test_our_events_have_the_parts_of_recorded_ones(name: str, index: int) -> None:
    with slack_at_work() as slack:
        slack.says(ASKER, PUBLIC, f"{MENTION} hello")

        ours, theirs = slack.parcels[index].payload, recorded(name)
        assert parts(theirs) - parts(ours) <= {"enterprise_id"}  # ours is in no organisation
        assert parts(theirs["event"]) <= parts(cast("Mapping[str, Any]", ours["event"]))


INTERACTIONS = {
    "block_actions-1": "clicks",
    "message_action-1": "uses_shortcut",
    "view_submission-3": "submits",
    "socket-slash_commands-2": "runs",
}
# What only organisations have, and what depends on the view.
OF_OTHERS = {"team/enterprise_id", "team/enterprise_name", "view/state", "user/name"}


@pytest.mark.parametrize("name", INTERACTIONS)
def test_our_interactions_have_the_parts_of_recorded_ones(name: str) -> None:
    with slack_at_work() as slack:
        ts = slack.says(ASKER, PUBLIC, "hello")
        match INTERACTIONS[name]:
            case "clicks":
                button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
                slack.message(PUBLIC, ts).blocks = [{"type": "actions", "block_id": "b", "elements": [button]}]
                slack.clicks(ASKER, PUBLIC, ts, "go")
            case "uses_shortcut":
                slack.uses_shortcut(ASKER, PUBLIC, ts, "answer_this")
            case "submits":
                plain = {"type": "plain_text", "text": "x"}
                view = {"type": "modal", "blocks": [], "title": plain, "submit": plain, "close": plain}
                slack.submits(OpenView("V1", ASKER, TEAM, {**view, "clear_on_close": False, "notify_on_close": False}))
            case "runs":
                slack.runs(ASKER, PUBLIC, "/ask", "x")

        theirs = recorded(name)
        theirs = theirs["payload"] if name.startswith("socket-") else theirs
        assert parts_of_all(theirs) - parts_of_all(slack.parcels[-1].payload) <= OF_OTHERS

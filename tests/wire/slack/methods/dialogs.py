"""Dialogs and home tabs.

Not verified: that publishing for somebody unknown answers user_not_found.
"""

import secrets
import time
from collections.abc import Mapping

from tests.wire.slack.clicks import view_json
from tests.wire.slack.errors import Refused
from tests.wire.slack.methods.places import workspace_of
from tests.wire.slack.records import Call
from tests.wire.slack.state import TRIGGER_LIFETIME_S, OpenView, SlackState

Answer = Mapping[str, object]


def open_view(state: SlackState, call: Call) -> Answer:
    """Open a dialog, with a trigger that is fresh."""
    trigger = state.triggers.get(call.text("trigger_id"))
    if trigger is None:
        raise Refused("invalid_trigger_id")
    if trigger.is_used:
        raise Refused("exchanged_trigger_id")
    if time.monotonic() - trigger.at_s > TRIGGER_LIFETIME_S:
        raise Refused("expired_trigger_id")
    trigger.is_used = True
    return _keep(state, call, trigger.user, trigger.team_id)


def publish(state: SlackState, call: Call) -> Answer:
    """Set a person's home tab."""
    home = workspace_of(state, call)
    if call.text("user_id") not in home.users:
        raise Refused("user_not_found")
    return _keep(state, call, call.text("user_id"), home.id)


def update_view(state: SlackState, call: Call) -> Answer:
    """Replace what an open dialog shows."""
    view = next((one for one in state.views if one.id == call.text("view_id")), None)
    if view is None or not view.is_open:
        raise Refused("not_found")
    view.view = _view(call)
    return {"view": view_json(view, state.workspaces[view.team_id].bot_id)}


def _keep(state: SlackState, call: Call, user: str, team_id: str) -> Answer:
    view = OpenView(f"V{secrets.token_hex(4).upper()}", user, team_id, _view(call))
    state.views.append(view)
    return {"view": view_json(view, state.workspaces[team_id].bot_id)}


def _view(call: Call) -> Mapping[str, object]:
    view = call.args["view"]
    assert isinstance(view, Mapping)
    return view

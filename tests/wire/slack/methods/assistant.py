"""Status, prompts and titles of the app's conversations."""

import time
from collections.abc import Mapping

from tests.wire.slack.errors import Refused
from tests.wire.slack.methods.places import place_of, thread_of
from tests.wire.slack.records import Call
from tests.wire.slack.state import SlackState, Status

Answer = Mapping[str, object]
MOST_PROMPTS = 4
MOST_LOADING_MESSAGES = 10
SESSION_STATES = frozenset({"active", "processing", "suspended", "closed"})
LONGEST_TITLE = 200


def set_status(state: SlackState, call: Call) -> Answer:
    """Show what the app is doing below a thread; an empty text takes it away."""
    _, channel = place_of(state, call, "channel_id")
    thread = thread_of(state, channel, call.text("thread_ts"))
    loading = call.args.get("loading_messages")
    messages = tuple(str(one) for one in loading) if isinstance(loading, list) else ()
    if len(messages) > MOST_LOADING_MESSAGES or "status" not in call.args:
        raise Refused("invalid_arguments")
    key = (channel.id, str(thread))
    if call.text("status"):
        state.statuses[key] = Status(call.text("status"), time.monotonic(), messages)
    else:
        state.statuses.pop(key, None)
    return {}


def set_prompts(state: SlackState, call: Call) -> Answer:
    """Suggest what to ask; in an app with an agent view a call with thread_ts does nothing, silently."""
    _, channel = place_of(state, call, "channel_id")
    prompts = call.args["prompts"]
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= MOST_PROMPTS:
        raise Refused("invalid_arguments")
    for prompt in prompts:
        if isinstance(prompt, Mapping) and not (prompt.get("title") and prompt.get("message")):
            raise Refused("invalid_arguments")
    if not (state.manners.agent_view and call.text("thread_ts")):
        state.prompts[channel.id, call.text("thread_ts")] = [*prompts]
    return {}


def set_title(state: SlackState, call: Call) -> Answer:
    """Name a thread."""
    _, channel = place_of(state, call, "channel_id")
    state.titles[channel.id, call.text("thread_ts")] = call.text("title")
    return {}


def set_session(state: SlackState, call: Call) -> Answer:
    """Tell how a conversation stands; most workspaces do not have this."""
    _require_sessions(state)
    _, channel = place_of(state, call, "channel_id")
    if call.text("status") not in SESSION_STATES:
        raise Refused("invalid_arguments")
    state.sessions[channel.id, call.text("thread_ts")] = call.text("status")
    return {}


def rename_session(state: SlackState, call: Call) -> Answer:
    """Name a conversation."""
    _require_sessions(state)
    _, channel = place_of(state, call, "channel_id")
    if len(call.text("title")) > LONGEST_TITLE:
        raise Refused("invalid_arguments")
    state.titles[channel.id, call.text("thread_ts")] = call.text("title")
    return {}


def _require_sessions(state: SlackState) -> None:
    if not state.manners.has_sessions:
        raise Refused("feature_disabled")

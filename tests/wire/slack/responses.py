"""What the app answers beside the Web API: in its acknowledgements, and at response URLs.

Not verified: that a message of an interaction is replaced only where `replace_original` says so.
"""

import json
import time
from collections.abc import Mapping
from json import JSONDecodeError

from aiohttp import web

from tests.wire.slack.alarms import alarms_of
from tests.wire.slack.courier import Parcel
from tests.wire.slack.messages import Message
from tests.wire.slack.methods.chat import appear, named
from tests.wire.slack.records import Call
from tests.wire.slack.state import ResponseUrl, SlackState
from tests.wire.slack.validation import refusal_of
from tests.wire.slack.workspace import Channel

MOST_USES = 5
Answer = Mapping[str, object]


def take_response(state: SlackState, parcel: Parcel, response: object) -> None:
    """Show what came with an acknowledgement: a command's answer, or what becomes of a dialog."""
    with state.lock:
        if parcel.payload.get("type") == "view_submission":
            _answer_submission(state, parcel, response)
        elif parcel.kind == "slash_commands" and response and parcel.channel and parcel.user:
            said = response if isinstance(response, Mapping) else {"text": str(response)}
            url = ResponseUrl("", parcel.channel, parcel.user)
            _show(state, url, said)


def _answer_submission(state: SlackState, parcel: Parcel, response: object) -> None:
    sent = parcel.payload["view"]
    assert isinstance(sent, Mapping)
    view = next(one for one in state.views if one.id == sent["id"])
    view.response = response
    action = response.get("response_action") if isinstance(response, Mapping) else None
    view.is_open = action in ("errors", "update", "push")


async def at_response_url(state: SlackState, request: web.Request) -> web.Response:
    """Take an answer at a response URL: five within thirty minutes."""
    try:
        args = json.loads(await request.read())
    except (JSONDecodeError, UnicodeDecodeError):
        args = None
    call = Call("response_url", args or {}, dict(request.headers), None, time.monotonic())
    state.calls.append(call)
    with state.lock:
        error = _respond(state, request.match_info["id"], call)
    call.answer = {"ok": True} if error is None else {"ok": False, "error": error}
    call.status, call.answered_at_s = 200 if error is None else 404 if "url" in error else 400, time.monotonic()
    return web.Response(text="ok", status=200) if error is None else web.json_response(call.answer, status=call.status)


def _respond(state: SlackState, url_id: str, call: Call) -> str | None:
    """Return the error, None where all is well."""
    url = state.response_urls.get(url_id)
    if url is None:
        return "invalid_url"
    if url.uses >= MOST_USES:
        return "used_url"
    if time.monotonic() > url.expires_at_s:
        return "expired_url"
    if not call.args:
        return "invalid_payload"
    refusal = refusal_of("response_url", call.args)
    if refusal is not None:
        return refusal.error
    url.uses += 1
    state.alarms.extend(f"response_url: {alarm}" for alarm in alarms_of("response_url", call.args))
    _show(state, url, call.args)
    return None


def _show(state: SlackState, url: ResponseUrl, said: Answer) -> None:
    channel = state.channel(url.channel)
    original = url.message if url.message is not None and url.message.is_ours else None
    if said.get("delete_original"):
        if original is not None:
            original.is_deleted = True
            original.note()
    elif said.get("replace_original") and original is not None:
        original.text, original.blocks = str(said.get("text") or ""), named(said.get("blocks"))
        original.streamed = ""
        original.note()
    else:
        _post(state, channel, url, said)


def _post(state: SlackState, channel: Channel, url: ResponseUrl, said: Answer) -> None:
    home = state.workspaces[channel.team_id]
    thread = said.get("thread_ts") or url.thread_ts
    message = Message(
        state.clock.ts(),
        home.bot_user,
        home.id,
        str(said.get("text") or ""),
        named(said.get("blocks")),
        str(thread) if thread else None,
        bot_id=home.bot_id,
        is_ours=True,
    )
    if said.get("response_type") == "in_channel":
        appear(state, channel, message)
        return
    message.ephemeral_to = url.user
    channel.ephemerals.append(message)
    message.note()

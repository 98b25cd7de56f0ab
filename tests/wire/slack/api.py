"""The Web API: who may call what, how often, and what comes of it."""

import asyncio
import secrets
import time
from base64 import b64decode
from collections.abc import Mapping

from aiohttp import web

from tests.wire.slack.alarms import alarms_of
from tests.wire.slack.arguments import arguments_of
from tests.wire.slack.errors import Refused
from tests.wire.slack.faults import Fault
from tests.wire.slack.methods.registry import METHODS, Method
from tests.wire.slack.records import Call
from tests.wire.slack.state import SlackState
from tests.wire.slack.validation import refusal_of

Body = dict[str, object]
TOO_MANY = 429


class Api:
    """Answers calls under /api/."""

    def __init__(self, state: SlackState) -> None:
        self._state = state

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one call, with the fault that a test ordered for it."""
        call = await self._received(request)
        fault = self._state.fault_for(call)
        call.fault = fault.name if fault else None
        status, body, headers = 200, Body(), dict[str, str]()
        if fault is None or fault.does_work:
            with self._state.lock:
                status, body, headers = self._perform(call)
        if fault is not None:
            return await self._with_fault(request, call, fault, body)
        call.answered_at_s, call.status = time.monotonic(), status
        return web.json_response(body, status=status, headers={**headers, **_scopes(call)})

    async def _received(self, request: web.Request) -> Call:
        args = await arguments_of(request)
        kind, _, credential = request.headers.get("Authorization", "").partition(" ")
        if kind == "Basic":
            client_id, _, client_secret = b64decode(credential).decode().partition(":")
            args |= {"client_id": client_id, "client_secret": client_secret}
        token = (credential if kind == "Bearer" else "") or str(args.pop("token", "")) or None
        call = Call(request.match_info["method"], args, dict(request.headers), token, time.monotonic())
        call.granted = self._state.token_book.tokens.get(token or "")
        call.team_id = call.granted.team_id if call.granted else None
        self._state.calls.append(call)
        return call

    def _perform(self, call: Call) -> tuple[int, Body, dict[str, str]]:
        try:
            method = self._allowed(call)
            if (wait_s := self._wait_s(call, method)) is not None:
                call.answer = {"ok": False, "error": "ratelimited"}
                return TOO_MANY, dict(call.answer), {"Retry-After": str(wait_s)}
            self._check(call, method)
            call.answer = {"ok": True, **method.run(self._state, call)}
        except Refused as refusal:
            call.answer = {"ok": False, "error": refusal.error, **refusal.more}
        except Exception as error:  # noqa: BLE001  # a mistake of the server's, raised where it is stopped
            self._state.failures.append(error)
            call.answer = {"ok": False, "error": "internal_error"}
        return 200, dict(call.answer), {}

    def _allowed(self, call: Call) -> Method:
        method = METHODS.get(call.method)
        if method is None:
            raise Refused("unknown_method", req_method=call.method)
        if method.is_open:
            return method
        if call.granted is None:
            raise Refused("invalid_auth" if call.token else "not_authed")
        if call.granted.error:
            raise Refused(call.granted.error)
        if call.granted.kind != method.token_kind:
            raise Refused("not_allowed_token_type")
        needs_scope(call, *method.scopes)
        return method

    def _wait_s(self, call: Call, method: Method) -> int | None:
        state = self._state
        where = call.team_id or (call.granted.enterprise_id if call.granted else None) or ""
        if state.manners.history_is_narrow and call.method in ("conversations.history", "conversations.replies"):
            return state.limits.wait_s(call.method, 1, where)
        if call.method == "chat.postMessage":
            return state.limits.post_wait_s(call.text("channel"))
        return state.limits.wait_s(call.method, method.tier, where)

    def _check(self, call: Call, method: Method) -> None:
        missing = [name for name in method.required if call.args.get(name) in (None, "")]
        if missing:
            messages = [f"[ERROR] missing required field: {name}" for name in missing]
            raise Refused("invalid_arguments", response_metadata={"messages": messages})
        alarms = alarms_of(call.method, call.args, self._state.allowed_mentions)
        self._state.alarms.extend(f"{call.method}: {alarm}" for alarm in alarms)
        if found := refusal_of(call.method, call.args):
            messages = [f"[ERROR] {message}" for message in found.messages]
            more = {"errors": [*found.messages], "response_metadata": {"messages": messages}} if messages else {}
            raise Refused(found.error, **more)

    async def _with_fault(self, request: web.Request, call: Call, fault: Fault, body: Body) -> web.StreamResponse:
        await asyncio.sleep(fault.wait_s)
        call.answered_at_s, call.status = time.monotonic(), fault.status
        if fault.hangs_up:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        if fault.page is not None:
            return web.Response(text=fault.page, status=fault.status, content_type="text/html")
        if fault.body is not None:
            call.answer = fault.body
            return web.json_response(dict(fault.body), status=fault.status, headers=dict(fault.headers))
        return web.json_response(body, status=fault.status, headers=_scopes(call))


def needs_scope(call: Call, *scopes: str) -> None:
    """Refuse a call whose token has none of the scopes; none at all are needed by some."""
    assert call.granted is not None
    if scopes and not set(scopes) & set(call.granted.scopes):
        raise Refused("missing_scope", needed=scopes[0], provided=",".join(call.granted.scopes))


def _scopes(call: Call) -> Mapping[str, str]:
    headers = {"x-slack-req-id": secrets.token_hex(16)}
    return {**headers, "x-oauth-scopes": ",".join(call.granted.scopes)} if call.granted else headers

"""The Bot API: a token and a method in the address, an envelope around what comes back."""

import asyncio
import time

from aiohttp import web

from tests.wire.telegram.arguments import arguments_of, decoded
from tests.wire.telegram.errors import Refused, refused
from tests.wire.telegram.faults import PAGE, Fault
from tests.wire.telegram.methods.registry import CANONICAL, GET_UPDATES, METHODS
from tests.wire.telegram.polling import Polling
from tests.wire.telegram.records import Call
from tests.wire.telegram.state import TelegramState


class Api:
    """Answers calls below /bot<token>/, and gives out files."""

    def __init__(self, state: TelegramState, polling: Polling) -> None:
        self._state = state
        self._polling = polling

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one call, with the fault that a test ordered for it."""
        call = await self._received(request)
        fault = self._state.fault_for(call)
        call.fault = fault.name if fault else None
        if fault is None or fault.does_work:
            await self._perform(request.match_info["token"], call)
        if fault is not None:
            return await self._with_fault(request, call, fault)
        call.answered_at_s = time.monotonic()
        return web.json_response(call.answer, status=call.status)

    async def download(self, request: web.Request) -> web.StreamResponse:
        """Give out a file."""
        file_id = request.match_info["path"].rpartition("/")[2]
        if request.match_info["token"] != self._state.token or file_id not in self._state.files:
            return web.json_response({"ok": False, "error_code": 404, "description": "Not Found"}, status=404)
        return web.Response(body=self._state.files[file_id], content_type="application/octet-stream")

    async def _received(self, request: web.Request) -> Call:
        name = request.match_info["method"]
        call = Call(CANONICAL.get(name.casefold(), name), {}, time.monotonic(), request.method)
        self._state.calls.append(call)
        try:
            call.args = await arguments_of(request)
            call.args = decoded(call.args)
        except Refused as refusal:
            _refuse(call, refusal)
        return call

    async def _perform(self, token: str, call: Call) -> None:
        if call.answer is not None:
            return
        try:
            self._admit(token, call)
            if call.method == GET_UPDATES:
                result: object = await self._polling.answer(call)
            else:
                with self._state.lock:
                    result = METHODS[call.method](self._state, call)
            call.status, call.answer = 200, {"ok": True, "result": result}
        except Refused as refusal:
            _refuse(call, refusal)
        except Exception as error:  # noqa: BLE001  # a mistake of the server's, raised where it is stopped
            self._state.failures.append(error)
            _refuse(call, Refused(500, f"Internal Server Error: {error!r}"))

    def _admit(self, token: str, call: Call) -> None:
        if ":" not in token:
            raise refused(401, "invalid token specified")
        if token != self._state.token:
            raise refused(401)
        if call.method.casefold() not in CANONICAL:
            raise refused(404, "method not found")

    async def _with_fault(self, request: web.Request, call: Call, fault: Fault) -> web.StreamResponse:
        await asyncio.sleep(fault.wait_s)
        call.answered_at_s = time.monotonic()
        if fault.hangs_up:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        if fault.page_status is not None:
            call.status = fault.page_status
            return web.Response(text=PAGE, status=fault.page_status, content_type="text/html")
        if fault.refusal is not None:
            _refuse(call, fault.refusal)
        return web.json_response(call.answer, status=call.status)


def _refuse(call: Call, refusal: Refused) -> None:
    answer: dict[str, object] = {"ok": False, "error_code": refusal.code, "description": refusal.description}
    call.status, call.answer = refusal.code, answer | ({"parameters": refusal.parameters} if refusal.parameters else {})

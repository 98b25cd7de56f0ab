"""Socket Mode: connections, envelopes, acknowledgements."""

import asyncio
import json
import time
import uuid
from collections.abc import Mapping
from json import JSONDecodeError
from typing import Literal

from aiohttp import WSMessage, WSMsgType, web

from tests.wire.slack.courier import Outcome, Parcel
from tests.wire.slack.records import Ack, Delivery
from tests.wire.slack.responses import take_response
from tests.wire.slack.state import APP_ID, SlackState

Reason = Literal["warning", "refresh_requested", "link_disabled", "too_many_websockets"]
POLL_S = 0.01


class Connection:
    """One websocket. `is_deaf`: it gets no envelopes, and its acknowledgements are lost; pings may go unanswered."""

    def __init__(self, number: int, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.number = number
        self.socket = socket
        self.request = request
        self.is_deaf = False
        self.drops_pings = False
        self.is_retiring = False
        self.pings = 0

    @property
    def takes_envelopes(self) -> bool:
        """Whether Slack would choose it for the next envelope: it believes in deaf ones."""
        return not self.is_retiring and not self.socket.closed


class SocketMode:
    """Carries parcels over the open connections in turn."""

    def __init__(self, state: SlackState) -> None:
        self._state = state
        self.connections: list[Connection] = []
        self._turn = 0
        self._waiting: dict[str, asyncio.Future[object]] = {}
        self._sent: dict[str, Delivery] = {}

    @property
    def open(self) -> list[Connection]:
        """The connections that are not closed."""
        return [one for one in self.connections if not one.socket.closed]

    async def connect(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it ends; an address is good once."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._state.tickets:
            return web.Response(status=401)
        self._state.tickets.discard(ticket)
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        connection = Connection(len(self.connections) + 1, socket, request)
        too_many = len(self.open) >= self._state.manners.most_connections
        self.connections.append(connection)
        if too_many:
            await self.disconnect(connection, "too_many_websockets")
            return socket
        await socket.send_json(self._hello())
        async for frame in socket:
            await self._take(connection, frame)
        return socket

    def _hello(self) -> Mapping[str, object]:
        return {
            "type": "hello",
            "num_connections": len(self.open),
            "debug_info": {"host": "applink-1", "build_number": 1, "approximate_connection_time": 18060},
            "connection_info": {"app_id": APP_ID},
        }

    async def _take(self, connection: Connection, frame: WSMessage) -> None:
        if frame.type == WSMsgType.PING:
            connection.pings += 1
            if not connection.drops_pings:
                await connection.socket.pong(frame.data)
        elif frame.type == WSMsgType.TEXT and not connection.is_deaf:
            self._acknowledge(frame.data)

    def _acknowledge(self, text: str) -> None:
        now = time.monotonic()
        try:
            frame = json.loads(text)
            envelope_id, payload = frame["envelope_id"], frame.get("payload")
        except (JSONDecodeError, KeyError, TypeError):
            self._state.alarm(f"socket mode: no acknowledgement: {text[:200]}")
            return
        delivery = self._sent.get(envelope_id)
        if delivery is None:
            self._state.alarm(f"socket mode: an acknowledgement of the unknown envelope {envelope_id}")
            return
        waiting = self._waiting.pop(envelope_id, None)
        is_late = waiting is None or waiting.done()
        self._state.acks.append(Ack(envelope_id, now, now - delivery.at_s, payload, is_late))
        if delivery.acked_at_s is None:
            delivery.acked_at_s, delivery.response = now, payload
        if waiting is not None and not waiting.done():
            waiting.set_result(payload)

    async def carry(self, parcel: Parcel, attempt: int, reason: str) -> Outcome:
        """Send one envelope over the next connection and wait for its acknowledgement."""
        connection = await self._next()
        if connection is None:
            return Outcome(is_acked=False, reason="connection_failed")
        envelope = self._envelope(parcel, attempt, reason)
        envelope_id = str(envelope["envelope_id"])
        delivery = Delivery(
            parcel.kind, parcel.payload, "socket", envelope_id, attempt, reason, time.monotonic(), parcel.team_id
        )
        delivery.connection = connection.number
        self._sent[envelope_id] = delivery
        self._state.deliveries.append(delivery)
        waiting = asyncio.get_running_loop().create_future()
        self._waiting[envelope_id] = waiting
        if not connection.is_deaf:
            await self._send(connection, envelope)
        await self._wait(waiting, connection)
        self._waiting.pop(envelope_id, None)
        delivery.is_over = True
        if not waiting.done():
            return Outcome(is_acked=False, reason="timeout")
        take_response(self._state, parcel, waiting.result())
        return Outcome(is_acked=True)

    async def _send(self, connection: Connection, envelope: Mapping[str, object]) -> None:
        try:
            await connection.socket.send_json(envelope)
        except ConnectionError:
            connection.is_retiring = True

    async def _wait(self, waiting: asyncio.Future[object], connection: Connection) -> None:
        """Wait for an acknowledgement, until its time is over or the connection it would come by is gone."""
        deadline_s = time.monotonic() + self._state.manners.ack_within_s
        while not waiting.done() and time.monotonic() < deadline_s:
            if connection.socket.closed or connection.request.transport is None:
                return
            await asyncio.wait([waiting], timeout=min(POLL_S * 5, deadline_s - time.monotonic()))

    async def _next(self) -> Connection | None:
        """Return the connection whose turn it is; where there is none, wait for one if Slack would try later."""
        while True:
            able = [one for one in self.connections if one.takes_envelopes]
            if able:
                self._turn += 1
                return able[self._turn % len(able)]
            if not self._state.manners.waits_for_connection:
                return None
            await asyncio.sleep(POLL_S)

    def _envelope(self, parcel: Parcel, attempt: int, reason: str) -> Mapping[str, object]:
        envelope: dict[str, object] = {
            "envelope_id": str(uuid.uuid4()),
            "payload": parcel.payload,
            "type": parcel.kind,
            "accepts_response_payload": parcel.kind != "events_api",
        }
        if parcel.kind == "events_api":
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        return envelope

    async def disconnect(self, connection: Connection, reason: Reason) -> None:
        """Tell a connection to go; all but a warning end it soon."""
        frame = {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-1"}}
        if connection.socket.closed:
            return
        await connection.socket.send_json(frame)
        connection.is_retiring = reason != "warning"
        if reason in ("too_many_websockets", "link_disabled"):
            await connection.socket.close()

"""The Events API over HTTP: signed requests, and what Slack does where they fail."""

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from json import JSONDecodeError
from urllib.parse import urlencode

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, TooManyRedirects
from yarl import URL

from tests.wire.slack.courier import Outcome, Parcel
from tests.wire.slack.records import Delivery
from tests.wire.slack.responses import take_response
from tests.wire.slack.state import SlackState

FORM = "application/x-www-form-urlencoded"
OLD_S = 360
POLL_S = 0.05
MOST_REDIRECTS = 2
Headers = dict[str, str]


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature that belongs to a body."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


def signed(secret: str, body: bytes, content_type: str, tamper: str | None = None) -> tuple[Headers, bytes]:
    """Return headers and body as they go out; `tamper` names what is wrong with them."""
    timestamp = str(int(time.time()) - (OLD_S if tamper == "old_timestamp" else 0))
    headers = {
        "Content-Type": content_type,
        "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
        "X-Slack-Request-Timestamp": timestamp,
        "X-Slack-Signature": signature(secret, timestamp, body),
    }
    match tamper:
        case "wrong_signature":
            headers["X-Slack-Signature"] = signature(f"not {secret}", timestamp, body)
        case "no_signature":
            del headers["X-Slack-Signature"]
        case "no_timestamp":
            del headers["X-Slack-Request-Timestamp"]
        case "changed_byte":
            last = max(at for at, byte in enumerate(body) if chr(byte).isdigit())
            body = body[:last] + bytes([body[last] ^ 1]) + body[last + 1 :]
    return headers, body


def encoded(parcel: Parcel) -> tuple[bytes, str]:
    """Return the body of a parcel: events as JSON, what people do as forms."""
    if parcel.raw is not None:
        return parcel.raw
    if parcel.kind == "events_api":
        return json.dumps(parcel.payload).encode(), "application/json"
    form = {"payload": json.dumps(parcel.payload)} if parcel.kind == "interactive" else parcel.payload
    return urlencode(form).encode(), FORM


@dataclass(slots=True)
class _Answer:
    """What came back, or why nothing did."""

    reason: str = ""
    status: int | None = None
    headers: Mapping[str, str] | None = None
    body: bytes = b""


class SignedHttp:
    """Carries parcels to the app's request URL."""

    def __init__(self, state: SlackState, url: str) -> None:
        self._state = state
        self.url = url
        self._session: ClientSession | None = None

    async def carry(self, parcel: Parcel, attempt: int, reason: str) -> Outcome:
        """Make one signed request; any 2xx in time is an acknowledgement."""
        if reason == "connection_failed" and self._state.manners.waits_for_connection:
            await self._reachable()
        headers, body = signed(self._state.signing_secret, *encoded(parcel), parcel.tamper)
        if attempt:
            headers |= {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": reason}
        answer = await self._sent(parcel, headers, body, attempt, reason)
        is_acked = answer.status is not None and 200 <= answer.status < 300
        if is_acked:
            take_response(self._state, parcel, _decoded(answer.body))
        is_final = (answer.headers or {}).get("X-Slack-No-Retry") == "1"
        return Outcome(is_acked, answer.reason or "http_error", is_final)

    async def _reachable(self) -> None:
        """Wait until somebody listens there again."""
        address = URL(self.url)
        while True:
            try:
                _, writer = await asyncio.open_connection(address.host, address.port)
            except OSError:
                await asyncio.sleep(POLL_S)
            else:
                writer.close()
                return

    async def repeat(self, delivery: Delivery) -> None:
        """Send the very bytes of a delivery once more, as somebody would who overheard it."""
        parcel = Parcel(delivery.kind, delivery.payload, delivery.team_id)
        await self._sent(parcel, dict(delivery.headers), delivery.body, delivery.attempt, delivery.reason)

    async def challenge(self, challenge: str) -> bool:
        """Verify the request URL: the challenge has to come back."""
        payload = {"token": "verification-token", "challenge": challenge, "type": "url_verification"}
        body = json.dumps(payload).encode()
        headers, body = signed(self._state.signing_secret, body, "application/json")
        answer = await self._sent(Parcel("events_api", payload), headers, body, 0, "")
        return answer.status == 200 and challenge.encode() in answer.body

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def _sent(self, parcel: Parcel, headers: Headers, body: bytes, attempt: int, reason: str) -> _Answer:
        delivery = Delivery(
            parcel.kind, parcel.payload, "http", parcel.id, attempt, reason, time.monotonic(), parcel.team_id
        )
        delivery.headers, delivery.body = headers, body
        self._state.deliveries.append(delivery)
        answer = await self._request(headers, body)
        delivery.status, delivery.is_over = answer.status, True
        if answer.status is not None and 200 <= answer.status < 300:
            delivery.acked_at_s, delivery.response = time.monotonic(), _decoded(answer.body)
        return answer

    async def _request(self, headers: Headers, body: bytes) -> _Answer:
        self._session = self._session or ClientSession()
        timeout = ClientTimeout(total=self._state.manners.ack_within_s)
        try:
            async with self._session.post(
                self.url, data=body, headers=headers, timeout=timeout, max_redirects=MOST_REDIRECTS
            ) as response:
                return await _read(response)
        except TimeoutError:
            return _Answer("http_timeout")
        except TooManyRedirects:
            return _Answer("too_many_redirects")
        except (ClientError, OSError, asyncio.IncompleteReadError):
            return _Answer("connection_failed")


async def _read(response: ClientResponse) -> _Answer:
    return _Answer("", response.status, response.headers, await response.read())


def _decoded(body: bytes) -> object:
    text = body.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except JSONDecodeError:
        return text

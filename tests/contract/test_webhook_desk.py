"""The webhook desk and a ticket system on loopback: each takes what the other signed, once."""

import asyncio
import json
import logging
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from bot.core.errors import MaybeSent, Undeliverable
from bot.core.incoming import Place
from bot.core.intake import Intake
from bot.core.outgoing import Channel, Parcel
from bot.core.tickets.files import File
from bot.core.tickets.post import Part, Post, Press, Spot
from bot.desks.webhook import build
from bot.desks.webhook_channel import WebhookChannel, joined, open_line
from bot.desks.webhook_settings import WebhookDeskSettings
from knowledge.errors import RateLimited, SettingsProblem, TransientError
from tests.fakes.book import FakeBook, case
from tests.fakes.slack_ports import FakeInbox
from tests.wire.webhook_desk import SECRET, TicketSystem, signed, ticket_system

DOCUMENTATION = Path(__file__).parents[2] / "docs/webhook-desk.md"
ENVIRONMENT = {"DESK_WEBHOOK_SECRET": SECRET}
PLACE = Place("webhook", "", "it")
CARD = Post(
    (Part("Де змінити PIN?", "quote"),), ((Press("claim", 12, "Claim"),),), language="uk", plain="Де змінити PIN?"
)
CLAIM = {"ticket": 12, "action": "claim", "actor": {"id": "ann", "name": "Ann"}}
FILE = File("slack", "T1", "F1", "screenshot.png", 5, "image/png")


@dataclass
class Opened:
    """A webhook desk at work, and what the ticket system can reach it by."""

    system: TicketSystem
    channel: WebhookChannel
    book: FakeBook

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.channel.doors[0].port}/desk"

    def parcel(self, key: str = "ticket:12:card", post: Post = CARD) -> Parcel:
        return self.channel.post(post, Spot(PLACE, key, 0.0))[0]


@pytest.fixture
async def system() -> AsyncIterator[TicketSystem]:
    async with ticket_system() as opened:
        yield opened


def settings(url: str, **changes: object) -> WebhookDeskSettings:
    return WebhookDeskSettings.model_validate({"name": "it", "url": url, "local": True, "port": 0, **changes})


async def fetch(file: File) -> bytes:
    return b"bytes"


@asynccontextmanager
async def opened_desk(system: TicketSystem, *, url: str = "", **changes: object) -> AsyncIterator[Opened]:
    book = FakeBook(case(12))
    async with open_line(settings(url or system.url, **changes), ENVIRONMENT, deadline_s=1.0) as line:
        channel = WebhookChannel({"it": line}, Intake(FakeInbox(), book=book), fetch)
        listening = asyncio.create_task(channel.listen())
        has_door = changes.get("port", 0) is not None
        while not channel.reach().is_healthy or len(channel.doors) < has_door:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        yield Opened(system, channel, book)
        listening.cancel()
        await asyncio.wait([listening])


@pytest.fixture
async def desk(system: TicketSystem) -> AsyncIterator[Opened]:
    async with opened_desk(system) as opened:
        yield opened


async def test_the_desk_has_a_channel_of_its_own_and_is_there(system: TicketSystem) -> None:
    table = settings(system.url, title="IT", people={"webhook:ann": "Ann"})
    async with build(table, channels={}, intake=Intake(FakeInbox()), environment=ENVIRONMENT) as opened:
        desk, channel = opened.desk, opened.channel

    assert (desk.name, desk.title, desk.place, desk.people) == ("it", "IT", PLACE, {"webhook:ann": "Ann"})
    assert channel is not None
    assert (channel.platform, await channel.place("it")) == ("webhook", PLACE)


async def test_without_its_secret_a_desk_is_not_opened(system: TicketSystem) -> None:
    with pytest.raises(SettingsProblem, match="DESK_WEBHOOK_SECRET is not set"):
        async with build(settings(system.url), channels={}, intake=Intake(FakeInbox()), environment={}):
            pass


async def test_a_card_arrives_signed_and_whole(desk: Opened) -> None:
    channel: Channel = desk.channel

    sent_as = await channel.send(desk.parcel())

    (told,) = desk.system.messages
    assert sent_as == "ticket:12:card"
    assert (told["type"], told["ticket"], told["text"], told["id"]) == ("ticket.card", 12, CARD.plain, sent_as)
    assert told["actions"] == [{"action": "claim", "ticket": 12, "label": "Claim"}]


async def test_what_is_sent_twice_is_known_there_by_its_name(desk: Opened) -> None:
    for _ in range(2):
        await desk.channel.send(desk.parcel())

    assert (desk.system.calls, len(desk.system.messages)) == (2, 1)
    assert desk.channel.can_find(desk.parcel())
    assert await desk.channel.find(desk.parcel()) is None


async def test_a_file_goes_along_with_its_bytes(desk: Opened) -> None:
    for parcel in desk.channel.post(replace(CARD, files=(FILE,)), Spot(PLACE, "ticket:12:follow_up:3", 0.0)):
        await desk.channel.send(parcel)

    assert [told["type"] for told in desk.system.messages] == ["ticket.follow_up", "ticket.file"]
    assert desk.system.messages[1]["file"] == {
        "name": "screenshot.png", "media_type": "image/png", "size": 5, "content": "Ynl0ZXM=",
    }  # fmt: skip


@pytest.mark.parametrize("status", [200, 201, 202, 204])
async def test_what_is_taken_is_sent(desk: Opened, status: int) -> None:
    desk.system.statuses = [status]

    assert await desk.channel.send(desk.parcel()) == "ticket:12:card"


@pytest.mark.parametrize(
    ("status", "headers", "error"),
    [
        (301, {}, Undeliverable),
        (307, {"Location": "http://127.0.0.1:1/elsewhere"}, Undeliverable),
        (400, {}, Undeliverable),
        (401, {}, Undeliverable),
        (404, {}, Undeliverable),
        (410, {}, Undeliverable),
        (413, {}, Undeliverable),
        (422, {}, Undeliverable),
        (408, {}, TransientError),
        (409, {}, TransientError),
        (425, {}, TransientError),
        (429, {}, RateLimited),
        (429, {"Retry-After": "7"}, RateLimited),
        (503, {"Retry-After": "7"}, RateLimited),
        (500, {}, MaybeSent),
        (502, {}, MaybeSent),
        (504, {}, MaybeSent),
    ],
)
async def test_what_is_not_taken_says_what_becomes_of_it(
    desk: Opened, status: int, headers: dict[str, str], error: type[Exception]
) -> None:
    desk.system.statuses, desk.system.headers = [status], headers

    with pytest.raises(error, match=str(status)) as raised:
        await desk.channel.send(desk.parcel())

    assert desk.system.calls == 1
    if isinstance(raised.value, RateLimited):
        assert raised.value.retry_after_s == (7 if headers else 30)


async def test_who_does_not_answer_in_time_may_have_taken_it(desk: Opened) -> None:
    desk.system.is_mute = True

    with pytest.raises(MaybeSent):
        await desk.channel.send(desk.parcel())

    desk.system.is_mute = False
    assert await desk.channel.send(desk.parcel())
    assert len(desk.system.messages) == 1


async def test_who_is_not_there_was_sent_nothing(system: TicketSystem) -> None:
    async with opened_desk(system, url="http://127.0.0.1:1/hook") as desk:
        with pytest.raises(TransientError):
            await desk.channel.send(desk.parcel())


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "169.254.169.254", "10.0.0.1", "[::1]"])
async def test_an_address_inside_the_own_network_is_not_called_unless_it_is_meant(
    system: TicketSystem, host: str
) -> None:
    async with opened_desk(system, url=f"https://{host}/hook", local=False) as desk:
        with pytest.raises(Undeliverable, match="local = true"):
            await desk.channel.send(desk.parcel())


async def test_a_desk_that_is_not_configured_any_more_is_told_nothing(desk: Opened) -> None:
    gone = replace(desk.parcel(), place=Place("webhook", "", "gone"))

    with pytest.raises(Undeliverable, match="gone"):
        await desk.channel.send(gone)


async def test_nothing_secret_and_no_words_are_in_errors_or_logs(
    desk: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    desk.system.statuses = [500, 400]

    told = []
    for _ in range(2):
        with pytest.raises((MaybeSent, Undeliverable)) as raised:
            await desk.channel.send(desk.parcel())
        told.append(str(raised.value))
    await desk.system.tell(desk.url, "m1", {**CLAIM, "text": CARD.plain})

    logged = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpcore", "httpx"))]
    for secret in (SECRET, SECRET.removeprefix("whsec_"), CARD.plain, desk.system.url):
        assert secret not in " ".join([*told, *logged, repr(desk.channel)])


async def test_an_act_changes_the_ticket_and_is_answered(desk: Opened) -> None:
    response = await desk.system.tell(desk.url, "m1", {**CLAIM, "action": "reply", "text": "Am Automaten. 🙂"})

    (act,) = desk.book.acts
    assert (response.status_code, response.json()["came"]) == (200, "done")
    assert (act.kind, act.text, act.key) == ("reply", "Am Automaten. 🙂", "webhook:it:m1")
    assert (act.actor.id, act.actor.name, act.actor.place) == ("webhook:ann", "Ann", PLACE)
    assert desk.channel.reach().counts == {"acts": 1, "forged": 0, "wrong": 0}


async def test_the_same_name_changes_nothing_a_second_time(desk: Opened) -> None:
    first = await desk.system.tell(desk.url, "m1", CLAIM)
    second = await desk.system.tell(desk.url, "m1", {**CLAIM, "action": "close"})

    assert [first.json()["came"], second.json()["came"]] == ["done", "known"]
    assert (second.status_code, [act.kind for act in desk.book.acts]) == (200, ["claim"])


async def test_what_does_not_come_about_is_told_by_the_status(desk: Opened) -> None:
    desk.book.refused = frozenset({"webhook:eve"})
    acts: Mapping[str, dict[str, object]] = {
        "done": CLAIM,
        "taken": {**CLAIM, "actor": {"id": "bob"}},
        "refused": {**CLAIM, "actor": {"id": "eve"}},
        "late": {**CLAIM, "action": "reopen"},
        "unknown": {**CLAIM, "ticket": 99},
    }
    told = {came: await desk.system.tell(desk.url, came, act) for came, act in acts.items()}

    assert {came: response.json()["came"] for came, response in told.items()} == {came: came for came in acts}
    assert [response.status_code for response in told.values()] == [200, 409, 403, 409, 404]


async def test_while_the_database_is_away_the_ticket_system_is_asked_to_come_again(desk: Opened) -> None:
    desk.book.failures = 1

    first = await desk.system.tell(desk.url, "m1", CLAIM)
    second = await desk.system.tell(desk.url, "m1", CLAIM)

    assert (first.status_code, first.headers["Retry-After"], second.status_code) == (503, "5", 200)


BODY = json.dumps(CLAIM).encode()
Headers = dict[str, str]


def without(name: str) -> Callable[[Headers], Headers]:
    return lambda headers: {key: value for key, value in headers.items() if key != name}


def spoilt(name: str, spoil: Callable[[str], str]) -> Callable[[Headers], Headers]:
    return lambda headers: {**headers, name: spoil(headers[name])}


FORGED: dict[str, Callable[[Headers], Headers]] = {
    "another secret": lambda _: signed("m1", BODY, secret="whsec_" + "A" * 43 + "="),
    "too old": lambda _: signed("m1", BODY, at=0),
    "from the future": lambda _: signed("m1", BODY, at=2**33),
    "a changed byte": lambda _: signed("m1", BODY.replace(b"12", b"13")),
    "another name": spoilt("webhook-id", lambda _: "m2"),
    "another time": spoilt("webhook-timestamp", lambda given: str(int(given) + 1)),
    "no number for a time": spoilt("webhook-timestamp", lambda _: "nan"),
    "no time": without("webhook-timestamp"),
    "no name": without("webhook-id"),
    "no signature": without("webhook-signature"),
    "no version": spoilt("webhook-signature", lambda given: given[3:]),
    "another version": spoilt("webhook-signature", lambda given: "v1a" + given[2:]),
    "no base64": spoilt("webhook-signature", lambda _: "v1,*"),
    "a list without end": spoilt("webhook-signature", lambda given: "v1,a " * 1_000 + given),
}


@pytest.mark.parametrize("how", FORGED)
async def test_what_was_not_signed_a_moment_ago_is_refused_and_changes_nothing(desk: Opened, how: str) -> None:
    headers = FORGED[how](signed("m1", BODY))

    async with httpx.AsyncClient(trust_env=False) as client:
        response = await client.post(desk.url, content=BODY, headers=headers)

    assert (response.status_code, response.content) == (401, b"")
    assert (desk.book.acts, desk.channel.visits.forged) == ([], 1)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"x" * (256 * 1024 + 1), {}, 413),
        (BODY, {"content-type": "text/plain"}, 415),
        (BODY, {"content-type": "application/x-www-form-urlencoded"}, 415),
        (BODY, {"content-encoding": "gzip"}, 415),
        (b"\xff\xfe", {}, 400),
        (b"[" * 200_000, {}, 400),
        (b'{"ticket": 12}', {}, 400),
        (b"", {}, 400),
    ],
)
async def test_what_is_no_act_is_refused_although_it_is_signed(
    desk: Opened, body: bytes, headers: dict[str, str], status: int
) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        response = await client.post(desk.url, content=body, headers={**signed("m1", body), **headers})

    assert (response.status_code, desk.book.acts) == (status, [])


async def test_only_posts_to_the_path_are_met(desk: Opened) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        statuses = [
            (await client.get(desk.url)).status_code,
            (await client.post(desk.url + "/x", content=BODY, headers=signed("m1", BODY))).status_code,
        ]

    assert (statuses, desk.book.acts) == ([405, 404], [])


async def test_two_secrets_are_believed_while_one_takes_the_place_of_the_other(system: TicketSystem) -> None:
    new = "whsec_" + "A" * 43 + "="
    environment = {"DESK_WEBHOOK_SECRET": f"{new} {SECRET}"}
    async with open_line(settings(system.url), environment) as line:
        believed = [line.signer.name(signed("m1", BODY, secret=secret), BODY.decode()) for secret in (new, SECRET)]
        system.secret = new
        await WebhookChannel({"it": line}).send(Parcel(1, PLACE, None, "open", {"type": "ticket.card"}, "", "k"))

    assert (believed, len(system.messages)) == (["m1", "m1"], 1)


async def test_desks_share_a_port_by_paths_and_never_an_address(system: TicketSystem) -> None:
    async with (
        open_line(settings(system.url), ENVIRONMENT) as it,
        open_line(settings(system.url, name="hr"), ENVIRONMENT) as hr,
    ):
        intake = Intake(FakeInbox(), book=FakeBook())
        channel = joined([WebhookChannel({line.settings.name: line}, intake, fetch) for line in (it, hr)])

        with pytest.raises(SettingsProblem, match="hr: `path`"):
            await channel.listen()


async def test_without_a_port_the_ticket_system_is_only_told(system: TicketSystem) -> None:
    async with opened_desk(system, port=None) as desk:
        await desk.channel.send(desk.parcel())

        assert (desk.channel.doors, desk.channel.reach().is_healthy, len(system.messages)) == ((), True, 1)


async def test_a_check_says_whether_the_ticket_system_is_there(system: TicketSystem) -> None:
    async with opened_desk(system) as desk, opened_desk(system, url="http://127.0.0.1:1/hook") as lost:
        assert "desk it: the ticket system is there" in await desk.channel.check()
        with pytest.raises(SettingsProblem, match="cannot be reached"):
            await lost.channel.check()
    assert system.messages == []


async def test_the_example_of_the_documentation_works_as_it_stands(desk: Opened) -> None:
    example = re.findall(r"```sh\n(body=.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL)[0]
    script = example.replace("http://127.0.0.1:3300/desk", desk.url)
    bash = await asyncio.create_subprocess_exec("sh", "-euc", script, stdout=-1, env={**os.environ, **ENVIRONMENT})

    told, _ = await bash.communicate()

    assert json.loads(told)["came"] == "done"
    assert [(act.kind, act.text, act.actor.name) for act in desk.book.acts] == [
        ("reply", "At any machine of the bank.", "Ann Lee")
    ]

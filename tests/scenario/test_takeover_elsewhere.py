"""All that people do at a desk in a chat, done in a ticket system and at the terminal; asked on both platforms."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count, product

import pytest

from bot.core.phrases import phrase
from tests.scenario.conftest import Site
from tests.scenario.takeover_office import Asker, Takeover, takeover
from tests.scenario.whole_bot import EXPIRES, IN_DAYS
from tests.wire.webhook_desk import SECRET, TicketSystem, ticket_system_at_work

DESK = """
[[desks]]
name = "system"
kind = "webhook"
url = "{url}"
local = true
port = {port}
path = "/desk"
words = ["ferret"]
"""
numbers = count(700)
ALL_WAYS: Sequence[tuple[str, str]] = [*product(("slack", "telegram"), ("ticket system", "terminal"))]
# Each command takes seconds of a processor: half of the ways in every run, all with TAKEOVER_WAYS=all.
WAYS = ALL_WAYS if os.environ.get("TAKEOVER_WAYS") == "all" else [ALL_WAYS[0], ALL_WAYS[3]]


@dataclass(frozen=True)
class Elsewhere:
    """One bot, with a ticket system beside its desks in chats."""

    office: Takeover
    system: TicketSystem
    url: str

    def there(self, ticket: int, action: str, text: str = "") -> None:
        """Do something in the ticket system."""
        body = {"ticket": ticket, "action": action, "text": text, "actor": {"id": "7", "name": "Ann"}}
        response = asyncio.run(self.system.tell(self.url, f"act{next(numbers)}", body))
        assert (response.status_code, response.json()["came"]) == (200, "done")

    def typed(self, ticket: int, action: str, text: str = "") -> None:
        """Do something at the terminal."""
        bot = self.office.bot
        words = [text] if text else []
        command = [sys.executable, "-m", "bot", "tickets", action, f"{ticket}", *words, "--name", "Ann"]
        environment = {**os.environ, "ANSWERDESK_HOME": str(bot.home), "DATABASE_URL": bot.database_url}
        environment |= bot.secrets
        subprocess.run(command, cwd=bot.folder, env=environment, check=True, capture_output=True, timeout=60)

    def state(self, ticket: int) -> str:
        """Return where a ticket stands."""
        return str(self.office.rows(f"select state from ticket where id = {ticket}")[0][0])


def asked(office: Takeover, platform: str, animal: str) -> tuple[Asker, int]:
    """Return somebody whose question has just become a ticket, and its number."""
    asker, question = office.asker(platform, next(numbers)), f"Who feeds the office {animal} {next(numbers)}?"
    asker.asks(question)
    office.sees(asker.read)
    return asker, int(str(office.rows(f"select id from ticket where question = '{question}'")[0][0]))


def _whole_way(elsewhere: Elsewhere, platform: str, where: str) -> None:
    office, does = elsewhere.office, elsewhere.there if where == "ticket system" else elsewhere.typed
    asker, ticket = asked(office, platform, "ferret" if where == "ticket system" else "cat")

    does(ticket, "claim")
    does(ticket, "note", "I think that is a joke.")
    does(ticket, "reply", "Nobody does.")
    office.sees(lambda: asker.read()[-1].endswith("Nobody does."))
    asker.says(EXPIRES)
    office.sees(lambda: elsewhere.state(ticket) == "claimed")
    does(ticket, "close")
    office.sees(lambda: asker.read()[-1] == phrase("asker_closed", "en", ticket=ticket))
    does(ticket, "reopen")
    office.sees(lambda: asker.read()[-1] == phrase("asker_reopened", "en", ticket=ticket))
    does(ticket, "claim")
    does(ticket, "return")
    office.sees(lambda: asker.read()[-1] == phrase("asker_returned", "en"))
    does(ticket, "reopen")
    office.change(f"update ticket_event set at = at - interval '20 days' where ticket_id = {ticket}")
    office.change(
        "update ticket set opened_at = now() - interval '20 days', touched_at = now() - interval '20 days',"
        f" next_step = 'expire', next_at = now() where id = {ticket}"
    )
    office.sees(lambda: elsewhere.state(ticket) == "expired")
    before = asker.read()
    asker.says(EXPIRES)
    office.sees(lambda: any(IN_DAYS in text for text in asker.read()))

    assert not any("joke" in text or IN_DAYS in text for text in before)
    told = office.rows(f"select text from ticket_event where ticket_id = {ticket} and text <> '' order by id")
    assert [text for (text,) in told] == ["I think that is a joke.", "Nobody does.", EXPIRES]


@pytest.fixture(scope="module")
def played(site: Site) -> Iterator[Mapping[tuple[str, str], Future[None]]]:
    """The way of a ticket from each platform to each of these desks, all at once."""
    with ticket_system_at_work() as system, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.close()
        desks, secrets = DESK.format(url=system.url, port=port), {"DESK_WEBHOOK_SECRET": SECRET}
        with takeover(*site, desks=desks, secrets=secrets) as office, ThreadPoolExecutor(4) as threads:
            elsewhere = Elsewhere(office, system, f"http://127.0.0.1:{port}/desk")
            yield {way: threads.submit(_whole_way, elsewhere, *way) for way in WAYS}


@pytest.mark.parametrize("way", WAYS, ids=" to the ".join)
def test_a_ticket_goes_its_whole_way(played: Mapping[tuple[str, str], Future[None]], way: tuple[str, str]) -> None:
    assert played[way].result() is None

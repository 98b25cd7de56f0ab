"""How the bot does: told in the database for `answerdesk status`, and at an address of its own for Prometheus."""

import asyncio
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

from bot.compose import Base
from bot.core.offered import Listening, Reach
from bot.store.conversations import ConversationsOverview, conversations_overview
from bot.store.desks_overview import HandoverOverview, handover_overview
from bot.store.listening import PostgresListening
from bot.tables import MetricsSettings
from knowledge.errors import SettingsProblem

TELL_S = 5.0
# The states of tickets that somebody waits for, or speaks in.
TICKET_STATES = ("open", "claimed", "answered")


@dataclass
class Figures:
    """What was last known: how the conversations and the desks stand, and how each platform reaches us."""

    conversations: ConversationsOverview | None = None
    reaches: dict[str, Reach] = field(default_factory=dict)
    handover: HandoverOverview | None = None

    def gauges(self) -> Mapping[str, float]:
        """Return the figures by name."""
        found: dict[str, float] = {}
        if self.conversations:
            for name, value in asdict(self.conversations).items():
                if isinstance(value, int):
                    found[f"answerdesk_messages_{name}"] = value
        for platform, reach in self.reaches.items():
            found[f"answerdesk_{platform}_healthy"] = float(reach.is_healthy)
            found |= {f"answerdesk_{platform}_{name}": count for name, count in reach.counts.items()}
        if self.handover:
            found["answerdesk_tickets_missed_by_clock"] = float(self.handover.missed)
            found |= {f"answerdesk_entries_{name}": count for name, count in asdict(self.handover.entries).items()}
        return found

    def tickets(self) -> Iterator[tuple[str, str, float]]:
        """Yield how many tickets each desk has in each state, and past their time ("overdue")."""
        for desk in self.handover.desks if self.handover else ():
            for state in (*TICKET_STATES, "overdue"):
                yield desk.name or "", state, float(getattr(desk, state))


async def keep_telling(base: Base, channels: Sequence[Listening], figures: Figures) -> None:
    """Tell for ever how these channels are reached, and how the conversations stand."""
    process = f"{socket.gethostname()}:{os.getpid()}"
    listening = PostgresListening(base.pool)
    while True:
        for channel in channels:
            figures.reaches[channel.platform] = channel.reach()
            await listening.tell(channel.platform, process, channel.reach())
        figures.conversations = await conversations_overview(base.pool)
        figures.handover = await handover_overview(base.pool)
        await asyncio.sleep(TELL_S)


@contextmanager
def serving(settings: MetricsSettings, figures: Figures) -> Iterator[None]:
    """Serve the figures while the block runs, if a port is set."""
    if settings.port is None:
        yield
        return
    try:
        from prometheus_client import CollectorRegistry, start_http_server
        from prometheus_client.core import GaugeMetricFamily, Metric
        from prometheus_client.registry import Collector
    except ImportError as exc:
        raise SettingsProblem('`port` in [metrics] needs: pip install "answerdesk[metrics]"') from exc

    class Now(Collector):
        """Reads the figures when somebody asks for them."""

        def collect(self) -> Iterator[Metric]:
            for name, value in figures.gauges().items():
                yield GaugeMetricFamily(name, name.replace("_", " "), value=value)
            tickets = GaugeMetricFamily("answerdesk_tickets", "tickets of a desk by state", labels=["desk", "state"])
            for desk, state, value in figures.tickets():
                tickets.add_metric([desk, state], value)
            yield tickets

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Now())
    try:
        server, thread = start_http_server(settings.port, addr=settings.host, registry=registry)
    except OSError as exc:
        raise SettingsProblem(f"[metrics] {settings.host}:{settings.port} cannot be listened on: {exc}") from exc
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""Figures for Prometheus."""

import socket
from urllib.request import urlopen

import psutil
import pytest

from bot.core.offered import Reach
from bot.metrics import Figures, serving
from bot.store.conversations import ConversationsOverview
from bot.store.desks_overview import DeskOverview, EntriesOverview, HandoverOverview
from bot.tables import MetricsSettings
from knowledge.errors import SettingsProblem


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_figures_of_the_moment_are_served() -> None:
    overview = ConversationsOverview(3, 1, 0, None, 0, 0, 7, 2)
    figures = Figures(overview, {"slack": Reach(False, "deaf", None, {"reconnects": 4})})
    port = free_port()

    with serving(MetricsSettings(port=port), figures), urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        told = answer.read().decode()

    assert {"answerdesk_messages_waiting 3.0", "answerdesk_slack_healthy 0.0", "answerdesk_slack_reconnects 4.0"} <= {
        *told.splitlines()
    }


def test_tickets_are_told_by_desk_and_state() -> None:
    desks = (DeskOverview("it", 2, 1, 0, 1, None), DeskOverview(None, 1, 0, 0, 0, None))
    figures = Figures(handover=HandoverOverview(desks, EntriesOverview(5, 1, 2), 3))
    port = free_port()

    with serving(MetricsSettings(port=port), figures), urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        told = {*answer.read().decode().splitlines()}

    assert {
        'answerdesk_tickets{desk="it",state="open"} 2.0',
        'answerdesk_tickets{desk="it",state="overdue"} 1.0',
        'answerdesk_tickets{desk="",state="open"} 1.0',
        "answerdesk_entries_to_review 1.0",
        "answerdesk_tickets_missed_by_clock 3.0",
    } <= told


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = MetricsSettings(port=taken.getsockname()[1])

        with pytest.raises(SettingsProblem, match="cannot be listened on"), serving(settings, Figures()):
            pass


def test_without_a_port_nothing_is_served() -> None:
    before = listening()
    with serving(MetricsSettings(), Figures()):
        meanwhile = listening()

    assert meanwhile == before


def listening() -> set[tuple[object, ...]]:
    """Return the addresses that this process listens at."""
    found = psutil.Process().net_connections("inet")
    return {tuple(one.laddr) for one in found if one.status == psutil.CONN_LISTEN}

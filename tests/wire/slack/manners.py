"""How the server behaves where Slack differs between apps, plans and days; tests set what they need."""

from dataclasses import dataclass


@dataclass(slots=True)
class Manners:
    """Switches, all at what a new app meets; waits in seconds.

    `agent_view`: suggested prompts with a thread_ts are dropped. `has_sessions`: agents.sessions.* exist.
    `history_is_narrow`: conversations.history and replies once a minute, 15 messages. `largest_page` lowers any limit.
    `refuses_edits_of_streamed`: chat.update of what was streamed answers block_mismatch, as one project met.
    `tells_metadata`: an interaction has the metadata of its message, which is not certain.
    Redelivery: `ack_within_s` without an acknowledgement, then again after each of `retry_delays_s` (Slack's own are 0,
    60 and 300). With `waits_for_connection` an event waits while nobody is there, as those long delays make it.
    """

    agent_view: bool = True
    has_sessions: bool = False
    history_is_narrow: bool = False
    largest_page: int = 1000
    refuses_edits_of_streamed: bool = False
    tells_metadata: bool = True
    status_lifetime_s: float = 120.0
    ack_within_s: float = 3.0
    retry_delays_s: tuple[float, ...] = (0.0, 0.3, 0.6)
    waits_for_connection: bool = True
    socket_mode: bool = True
    most_connections: int = 10

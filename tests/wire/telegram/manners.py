"""How the server behaves where Telegram differs between bots and days; tests set what they need."""

from dataclasses import dataclass


@dataclass(slots=True)
class Manners:
    """Switches, all at what a new bot meets; waits in seconds.

    `updates_live_s`: unconfirmed updates go after that (None: never). `callbacks_live_s`: a button's query can be
    answered for so long. `webhook_needs_https`: addresses without it are refused, and so are ports but four.
    `webhook_delay_scale` makes the waits between attempts shorter: they are 0, 2, 4, 8 ... s, a Retry-After included.
    """

    updates_live_s: float | None = 24 * 3600.0
    callbacks_live_s: float = 60.0
    webhook_needs_https: bool = True
    webhook_delay_scale: float = 0.02
    webhook_answers_within_s: float = 5.0

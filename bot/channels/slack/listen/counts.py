"""How much of Slack has reached us, for those who look after the bot."""

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """Since the start: what came, was acknowledged and stored; `refused` could not be stored, and comes once more."""

    events: int = 0
    acks: int = 0
    stored: int = 0
    known: int = 0
    ignored: int = 0
    refused: int = 0
    forged: int = 0
    reconnects: int = 0
    caught_up: int = 0

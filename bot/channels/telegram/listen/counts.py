"""How much of Telegram has reached us, for those who look after the bot."""

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """Since the start: what came and was stored; `refused` could not be stored, and comes once more."""

    updates: int = 0
    stored: int = 0
    known: int = 0
    ignored: int = 0
    refused: int = 0
    forged: int = 0

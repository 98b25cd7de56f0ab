"""What sending to Telegram needs, in memory: questions from there."""

from collections.abc import Mapping
from dataclasses import replace

from bot.core.incoming import Company, Origin, Place, Question
from tests.fakes.channel import incoming, question

BOT_ID = "12345"


def asked(
    message: str = "17",
    *,
    chat: int | str = -4_000_001,
    author: int | str = 700_000_001,
    topic: int | None = None,
    origin: Origin = "message",
    wire: Mapping[str, str] | None = None,
    number: int = 1,
) -> Question:
    """Return a question that came from Telegram."""
    company: Company = "private" if str(chat).startswith("-") else "direct"
    thread = str(topic) if topic else None
    written = incoming(company=company, thread=thread, origin=origin, wire=wire)
    here = replace(
        written,
        place=Place("telegram", BOT_ID, str(chat)),
        message=message,
        author=str(author),
        conversation=f"topic:{topic}" if topic else "chat",
    )
    return question(here, number=number)

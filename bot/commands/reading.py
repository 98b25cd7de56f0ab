"""Who reads, and in which language, as the commands are told."""

from bot.compose import Base
from bot.core.errors import QuestionProblem
from bot.core.phrases import languages, spoken
from knowledge.prepare import storable
from knowledge.types import Reader


async def reader_of(base: Base, email: str | None) -> Reader:
    """Return the person with an e-mail address, with their groups; nobody in particular sees what is public."""
    return await base.readers.reader(storable(email) if email else None)


def reply_language(given: str | None) -> str | None:
    """Return the language to reply in, None for the question's own; refuse one that the bot does not speak."""
    if given is None:
        return None
    language = spoken(given)
    if language is None:
        raise QuestionProblem(f"--language {given!r}: the bot speaks {', '.join(languages())}")
    return language

"""Who reads, and in which language, as the commands are told."""

from email.utils import parseaddr

from bot.compose import Base
from bot.core.errors import QuestionProblem
from bot.core.phrases import languages, spoken
from knowledge.prepare import storable
from knowledge.types import Reader, compared_address


async def reader_of(base: Base, email: str | None) -> Reader:
    """Return the person with an e-mail address, with their groups; nobody in particular sees what is public."""
    if email is None:
        return Reader()
    _, address = parseaddr(storable(email))
    if address.count("@") != 1 or not compared_address(address):
        raise QuestionProblem(f"--as {email!r} is no e-mail address; write one, for instance ann@example.org")
    return await base.readers.reader(address)


def reply_language(given: str | None) -> str | None:
    """Return the language to reply in, None for the question's own; refuse one that the bot does not speak."""
    if given is None:
        return None
    language = spoken(given)
    if language is None:
        raise QuestionProblem(f"--language {given!r}: the bot speaks {', '.join(languages())}")
    return language

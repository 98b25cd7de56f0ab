"""Who reads, and in which language, as the commands are told."""

from bot.core.errors import QuestionProblem
from bot.core.phrases import languages, spoken
from knowledge.prepare import storable
from knowledge.types import PUBLIC, Reader


def reader_of(email: str | None) -> Reader:
    """Return the tags of a person given by e-mail address; nobody in particular sees what is public."""
    return Reader(frozenset({PUBLIC, f"user:{storable(email).strip().lower()}"})) if email else Reader()


def reply_language(given: str | None) -> str | None:
    """Return the language to reply in, None for the question's own; refuse one that the bot does not speak."""
    if given is None:
        return None
    language = spoken(given)
    if language is None:
        raise QuestionProblem(f"--language {given!r}: the bot speaks {', '.join(languages())}")
    return language

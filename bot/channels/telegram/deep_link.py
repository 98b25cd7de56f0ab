"""What a link carries that opens the bot with a question; whoever follows it asks that question."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping

from bot.channels.telegram.translate.commands import QUESTION
from knowledge.errors import SettingsProblem

# core.telegram.org/bots/features#deep-linking
MAX_PAYLOAD_CHARS = 64


def payload_of(question: str, named: Mapping[str, str]) -> str:
    """Return the name of a question, one of `named` or what stands there, else the question itself.

    SettingsProblem where it is too long to stand in a link, and has no name.
    """
    asked = question.strip()
    for name, text in named.items():
        if asked in (name, text.strip()):
            return name
    if not asked:
        raise SettingsProblem("there is no question; write it in quotes")
    payload = QUESTION + urlsafe_b64encode(asked.encode("utf-8", "replace")).decode().rstrip("=")
    if len(payload) > MAX_PAYLOAD_CHARS:
        raise SettingsProblem(
            f"the question is too long for a link ({len(payload)} characters of {MAX_PAYLOAD_CHARS}); name it in "
            '[telegram.questions], for instance renewal = "How do I renew my access?", and ask for the link of the name'
        )
    return payload

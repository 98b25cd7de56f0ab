"""A link carries a question, or its name; what is too long for it has to get a name."""

from datetime import UTC, datetime

import pytest
from telegram import Update

from bot.channels.telegram.deep_link import MAX_PAYLOAD_CHARS, payload_of
from bot.channels.telegram.translate.updates import translate
from bot.channels.telegram.translate.values import Here
from bot.core.incoming import Incoming
from knowledge.errors import SettingsProblem

NAMED = {"renewal": "How do I renew my access, step by step, and who has to agree to it?"}


def opened(payload: str) -> str:
    """Return what is asked by somebody who follows the link."""
    person = {"id": 7, "is_bot": False, "first_name": "Asker"}
    command = {"type": "bot_command", "offset": 0, "length": 6}
    message = {"message_id": 1, "date": 1, "chat": {"id": 7, "type": "private"}, "from": person}
    update = {"update_id": 1, "message": {**message, "text": f"/start {payload}", "entities": [command]}}
    incoming = translate(Update.de_json(update, None), Here("1", "desk_bot", datetime.now(UTC), questions=NAMED))
    assert isinstance(incoming, Incoming)
    return incoming.text


@pytest.mark.parametrize(
    "question", ["How do I renew my access?", "Як поновити доступ?", "¿Cómo?", "🔑?", "a" * 46, NAMED["renewal"]]
)
def test_who_follows_the_link_asks_the_question(question: str) -> None:
    payload = payload_of(question, NAMED)

    assert len(payload) <= MAX_PAYLOAD_CHARS
    assert opened(payload) == question


def test_a_question_may_be_called_by_its_name() -> None:
    assert payload_of("renewal", NAMED) == "renewal"


@pytest.mark.parametrize(("question", "remedy"), [("a" * 47, "telegram.questions"), (" ", "write it in quotes")])
def test_what_no_link_can_carry_is_told_with_the_remedy(question: str, remedy: str) -> None:
    with pytest.raises(SettingsProblem, match=remedy):
        payload_of(question, NAMED)

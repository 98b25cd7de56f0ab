import httpx
import pytest
import telegram.error as told

from bot.channels.telegram.errors import ChatMoved, Refusal, masked, refusal_of, telegram_error
from bot.core.errors import MaybeSent, Undeliverable
from knowledge.errors import RateLimited, SettingsProblem, TransientError

# The library warns of what it will change, whenever Telegram limits us.
pytestmark = pytest.mark.filterwarnings("ignore:Deprecated since version v22.2")

REQUEST = httpx.Request("POST", "http://127.0.0.1/bot12345:secret/sendMessage")


def lost(cause: Exception | None, error: type[told.NetworkError] = told.NetworkError) -> told.NetworkError:
    exc = error("httpx broke")
    exc.__cause__ = cause
    return exc


WRITES = {
    "no connection": (lost(httpx.ConnectError("refused", request=REQUEST)), TransientError),
    "no connection in time": (lost(httpx.ConnectTimeout("slow", request=REQUEST), told.TimedOut), TransientError),
    "no free connection": (lost(httpx.PoolTimeout("busy", request=REQUEST), told.TimedOut), TransientError),
    "no answer in time": (lost(httpx.ReadTimeout("slow", request=REQUEST), told.TimedOut), MaybeSent),
    "not written in time": (lost(httpx.WriteTimeout("slow", request=REQUEST), told.TimedOut), MaybeSent),
    "cut": (lost(httpx.ReadError("cut", request=REQUEST)), MaybeSent),
    "hung up": (lost(httpx.RemoteProtocolError("hung up", request=REQUEST)), MaybeSent),
    "a gateway's page": (lost(None), MaybeSent),
    "an answer that is no JSON": (told.TelegramError("Invalid server response"), MaybeSent),
    "moved": (told.ChatMigrated(-1001), ChatMoved),
    "a wrong token": (told.InvalidToken("Unauthorized"), SettingsProblem),
    "an unknown method": (told.EndPointNotFound("Endpoint 'x' not found in Bot API"), SettingsProblem),
    "two pollers": (told.Conflict("Conflict: terminated by other getUpdates request"), TransientError),
    "blocked": (told.Forbidden("Forbidden: bot was blocked by the user"), Undeliverable),
    "refused": (told.BadRequest("Bad Request: can't parse entities"), Undeliverable),
}


@pytest.mark.parametrize(("exc", "error"), WRITES.values(), ids=WRITES)
def test_an_error_of_the_library_is_what_the_caller_does_next(exc: told.TelegramError, error: type[Exception]) -> None:
    assert type(telegram_error(exc, "sendMessage", writes=True)) is error


@pytest.mark.parametrize("exc", [lost(None), lost(httpx.ReadTimeout("slow", request=REQUEST), told.TimedOut)])
def test_what_changes_nothing_may_be_asked_again(exc: told.TelegramError) -> None:
    assert type(telegram_error(exc, "getFile")) is TransientError


def test_what_telegram_says_along_with_a_refusal_is_kept() -> None:
    limited, moved = telegram_error(told.RetryAfter(137)), telegram_error(told.ChatMigrated(-1001))

    assert isinstance(limited, RateLimited)
    assert isinstance(moved, ChatMoved)
    assert (limited.retry_after_s, moved.chat) == (137.0, "-1001")


FINAL = (
    "Forbidden: bot was blocked by the user",
    "Forbidden: user is deactivated",
    "Forbidden: bot was kicked from the supergroup chat",
    "Forbidden: bot is not a member of the channel chat",
    "Forbidden: bot can't initiate conversation with a user",
    "Forbidden: something new",
    "Bad Request: chat not found",
    "Bad Request: not enough rights to send text messages to the chat",
    "Bad Request: have no rights to send a message",
    "Bad Request: CHAT_WRITE_FORBIDDEN",
    "Bad Request: BUSINESS_PEER_INVALID",
)


@pytest.mark.parametrize("said", FINAL)
def test_where_nothing_can_be_sent_somebody_reads_what_to_do(said: str) -> None:
    exc = told.Forbidden(said) if said.startswith("Forbidden") else told.BadRequest(said)
    error = telegram_error(exc, "sendMessage", writes=True)

    assert isinstance(error, Undeliverable)
    assert ";" in str(error)
    assert refusal_of(exc) is None


REFUSALS: dict[str, Refusal] = {
    "can't parse entities: unsupported start tag": "form",
    "can't parse MessageEntity: can't find field": "form",
    "ENTITY_BOUNDS_INVALID": "form",
    "message is too long": "form",
    "SOMETHING_THAT_NOBODY_KNOWS": "form",
    "message thread not found": "topic",
    "TOPIC_CLOSED": "topic",
    "BUTTON_DATA_INVALID": "buttons",
    "can't parse inline keyboard button: text buttons are unallowed in the inline keyboard": "buttons",
    "message is not modified: specified new message content and reply markup are exactly the same": "same",
    "message to edit not found": "gone",
    "message to delete not found": "gone",
    "MESSAGE_ID_INVALID": "gone",
    "message can't be edited": "fixed",
    "message can't be deleted for everyone": "fixed",
    "file is too big": "file",
}


@pytest.mark.parametrize(("said", "refusal"), REFUSALS.items(), ids=REFUSALS)
def test_a_refusal_tells_what_may_be_tried_instead(said: str, refusal: Refusal) -> None:
    exc = told.BadRequest(f"Bad Request: {said}")
    error = telegram_error(exc, "sendMessage", writes=True)
    error.__cause__ = exc

    assert (refusal_of(exc), refusal_of(error)) == (refusal, refusal)


def test_no_token_stands_in_any_message() -> None:
    said = "The token `12345:AAE_secret-part` was rejected by the server."

    assert masked(said) == "The token `(secret)` was rejected by the server."
    assert "secret-part" not in str(telegram_error(told.InvalidToken(said)))
    assert "secret-part" not in str(telegram_error(told.BadRequest(said)))

"""The buttons below a message, as far as Telegram takes them."""

from collections.abc import Iterator, Mapping, Sequence

from tests.wire.telegram import tdlib
from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.messages import Keyboard, Message
from tests.wire.telegram.records import Call

DATA_BYTES = 64
MOST_BUTTONS = 100
ACTIONS = (
    "callback_data",
    "url",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
)


def keyboard_of(call: Call) -> Keyboard:
    """Return the buttons below a message; refuses what Telegram does not take."""
    markup = call.args.get("reply_markup")
    if markup in (None, ""):
        return []
    if not isinstance(markup, Mapping):
        raise bad_request("object expected as reply markup")
    rows = markup.get("inline_keyboard", [])
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    keyboard = [[_button(button) for button in row] for row in rows if row]
    if sum(len(row) for row in keyboard) > MOST_BUTTONS:
        raise bad_request("reply markup is too long")
    return keyboard


def prompted_by(call: Call, message: Message, people: Sequence[int], replied: Message | None) -> tuple[int, ...]:
    """Return for whom a call opens a reply: a selective one for those whom it names or replies to."""
    markup = call.mapping("reply_markup")
    if not markup.get("force_reply"):
        return ()
    if not markup.get("selective"):
        return tuple(people)
    named = [one["user"] for one in message.entities if one["type"] == "text_mention"]
    found = [int(str(user["id"])) for user in named if isinstance(user, Mapping)]
    return tuple(dict.fromkeys([*found, *([replied.sender] if replied and not replied.is_ours else [])]))


def _button(button: object) -> dict[str, object]:
    if not isinstance(button, Mapping) or not button.get("text"):
        raise bad_request('can\'t parse inline keyboard button: field "text" must be non-empty')
    if not any(name in button for name in ACTIONS):
        raise bad_request("can't parse inline keyboard button: text buttons are unallowed in the inline keyboard")
    data = button.get("callback_data")
    if data is not None and not 0 < len(str(data).encode()) <= DATA_BYTES:
        raise bad_request("BUTTON_DATA_INVALID")
    for problem in _problems_of_address(button.get("url")):
        raise bad_request(f"inline keyboard button URL '{button['url']}' is invalid: {problem}")
    return dict(button)


def _problems_of_address(url: object) -> Iterator[str]:
    """Yield what is wrong with an address, in TDLib's words."""
    if url is None or not tdlib.is_here():
        return
    try:
        tdlib.check("x", [{"type": "text_link", "offset": 0, "length": 1, "url": str(url)}])
    except tdlib.CannotParse as error:
        yield str(error).rpartition(": ")[2]

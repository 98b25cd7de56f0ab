"""What stands inside of blocks: buttons, menus, inputs, pictures (limits: the SDK's own models)."""

from collections.abc import Callable, Iterator, Mapping

from tests.wire.slack.shapes import PLAIN, items, keys, objects, one_of, problem, string, text

Element = Mapping[str, object]
Check = Callable[[Element, str], Iterator[str]]

ACTION_ID = 255
BUTTON_TEXT = 75
BUTTON_VALUE = 2000
PLACEHOLDER = 150
OPTION_TEXT = 75
OPTION_VALUE = 150
URL = 3000
ALT_TEXT = 2000
COMMON = {"action_id", "confirm", "focus_on_load", "placeholder"}
PICKERS = {
    "users_select",
    "conversations_select",
    "channels_select",
    "external_select",
    "multi_users_select",
    "multi_conversations_select",
    "multi_channels_select",
    "multi_external_select",
    "datepicker",
    "timepicker",
    "datetimepicker",
}
PICKER_KEYS = COMMON | {
    "initial_user",
    "initial_users",
    "initial_conversation",
    "initial_conversations",
    "default_to_current_conversation",
    "initial_channel",
    "initial_channels",
    "initial_option",
    "initial_options",
    "initial_date",
    "initial_time",
    "initial_date_time",
    "timezone",
    "min_query_length",
    "max_selected_items",
    "response_url_enabled",
    "filter",
}
INPUTS = {"plain_text_input", "rich_text_input", "email_text_input", "url_text_input", "number_input", "file_input"}
INPUT_KEYS = COMMON | {
    "initial_value",
    "multiline",
    "min_length",
    "max_length",
    "dispatch_action_config",
    "is_decimal_allowed",
    "min_value",
    "max_value",
    "filetypes",
    "max_files",
}


def element(item: Element, at: str, allowed: frozenset[str]) -> Iterator[str]:
    """Check an element of a block that takes only the `allowed` kinds."""
    kind = str(item.get("type"))
    if kind not in allowed:
        yield problem(f"unsupported type: {kind}", f"{at}/type")
        return
    yield from string(item.get("action_id"), f"{at}/action_id", ACTION_ID)
    yield from text(item.get("placeholder"), f"{at}/placeholder", PLACEHOLDER, PLAIN)
    yield from _CHECKS[kind](item, at)


def repeated_actions(elements: object, at: str) -> Iterator[str]:
    """Yield a problem for each action_id that a block has twice."""
    seen: set[object] = set()
    for number, item in enumerate(objects(elements)):
        action_id = item.get("action_id")
        if action_id is not None and action_id in seen:
            yield problem(f'`action_id` "{action_id}" already exists for another action', f"{at}/{number}/action_id")
        seen.add(action_id)


def image(item: Element, at: str) -> Iterator[str]:
    """Check a picture."""
    yield from keys(item, at, ["alt_text"], {"image_url", "slack_file", "image_width", "image_height", "title"})
    if item.get("image_url") is None and item.get("slack_file") is None:
        yield problem("missing required field: image_url", at)
    yield from string(item.get("image_url"), f"{at}/image_url", URL)
    yield from string(item.get("alt_text"), f"{at}/alt_text", ALT_TEXT)


def _button(item: Element, at: str) -> Iterator[str]:
    optional = {"action_id", "url", "value", "style", "confirm", "accessibility_label", "agent_prompt", "visible_to"}
    yield from keys(item, at, ["text"], optional)
    yield from text(item.get("text"), f"{at}/text", BUTTON_TEXT, PLAIN)
    yield from string(item.get("value"), f"{at}/value", BUTTON_VALUE)
    yield from string(item.get("url"), f"{at}/url", URL)
    yield from string(item.get("accessibility_label"), f"{at}/accessibility_label", BUTTON_TEXT)
    yield from one_of(item.get("style"), f"{at}/style", ("primary", "danger"))


def _icon_button(item: Element, at: str) -> Iterator[str]:
    optional = {"action_id", "value", "confirm", "accessibility_label", "visible_to_user_ids"}
    yield from keys(item, at, ["icon", "text"], optional)
    yield from text(item.get("text"), f"{at}/text", BUTTON_TEXT, PLAIN)
    yield from string(item.get("value"), f"{at}/value", BUTTON_VALUE)
    yield from one_of(item.get("icon"), f"{at}/icon", ("trash",))


def _feedback(item: Element, at: str) -> Iterator[str]:
    yield from keys(item, at, ["positive_button", "negative_button"], {"action_id"})
    for side in ("positive_button", "negative_button"):
        button = item.get(side)
        if isinstance(button, Mapping):
            yield from keys(button, f"{at}/{side}", ["text", "value"], {"accessibility_label"})
            yield from text(button.get("text"), f"{at}/{side}/text", BUTTON_TEXT, PLAIN)
            yield from string(button.get("value"), f"{at}/{side}/value", BUTTON_VALUE)
            yield from string(button.get("accessibility_label"), f"{at}/{side}/accessibility_label", BUTTON_TEXT)


def _options(most: int) -> Check:
    def check(item: Element, at: str) -> Iterator[str]:
        yield from keys(item, at, [], COMMON | {"options", "option_groups", "initial_option", "initial_options"})
        if item.get("options") is None and item.get("option_groups") is None:
            yield problem("missing required field: options", at)
        yield from items(item.get("options"), f"{at}/options", most)
        for number, option in enumerate(objects(item.get("options"))):
            place = f"{at}/options/{number}"
            yield from keys(option, place, ["text", "value"], {"description", "url"})
            yield from text(option.get("text"), f"{place}/text", OPTION_TEXT)
            yield from string(option.get("value"), f"{place}/value", OPTION_VALUE)

    return check


def _known(optional: set[str]) -> Check:
    def check(item: Element, at: str) -> Iterator[str]:
        yield from keys(item, at, [], optional)

    return check


def _text_itself(item: Element, at: str) -> Iterator[str]:
    yield from text(item, at, URL)


_CHECKS: Mapping[str, Check] = {
    "button": _button,
    "icon_button": _icon_button,
    "feedback_buttons": _feedback,
    "workflow_button": _known(COMMON | {"text", "workflow", "style", "accessibility_label"}),
    "overflow": _options(5),
    "radio_buttons": _options(10),
    "checkboxes": _options(10),
    "static_select": _options(100),
    "multi_static_select": _options(100),
    "image": image,
    "plain_text": _text_itself,
    "mrkdwn": _text_itself,
    **dict.fromkeys(PICKERS, _known(PICKER_KEYS)),
    **dict.fromkeys(INPUTS, _known(INPUT_KEYS)),
}

_CHOICES = frozenset({"overflow", "radio_buttons", "checkboxes", "static_select", "multi_static_select"})
IN_ACTIONS = frozenset({"button", "workflow_button"} | _CHOICES | PICKERS)
IN_SECTION = IN_ACTIONS | {"image"}
IN_CONTEXT = frozenset({"image", "plain_text", "mrkdwn"})
IN_CONTEXT_ACTIONS = frozenset({"feedback_buttons", "icon_button"})
IN_INPUT = frozenset((_CHOICES - {"overflow"}) | PICKERS | INPUTS)

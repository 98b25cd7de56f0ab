"""What Slack refuses, and in which words."""

from collections.abc import Mapping

import pytest

from tests.wire.slack.alarms import alarms_of
from tests.wire.slack.validation import error_of, problems_of

Block = dict[str, object]


def mrkdwn(text: str) -> Block:
    return {"type": "mrkdwn", "text": text}


def plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}


def section(text: str, **more: object) -> Block:
    return {"type": "section", "text": mrkdwn(text), **more}


def button(**more: object) -> Block:
    return {"type": "button", "text": plain("Go"), "action_id": "go", **more}


def actions(*elements: Block, kind: str = "actions") -> Block:
    return {"type": kind, "elements": list(elements)}


def feedback(text: str = "Good") -> Block:
    side = {"text": plain(text), "value": "good"}
    other = {"text": plain("Bad"), "value": "bad"}
    return {"type": "feedback_buttons", "positive_button": side, "negative_button": other}


def table(rows: int, columns: int = 1) -> Block:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * columns] * rows}


def markdown(text: str) -> Block:
    return {"type": "markdown", "text": text}


REFUSED_BLOCKS = {
    "51 blocks": ([{"type": "divider"}] * 51, "no more than 50 items allowed [json-pointer:/blocks]"),
    "section text": ([section("x" * 3001)], "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"),
    "an emoji is two": ([section("😀" * 1501)], "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"),
    "empty text": ([section("")], "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
    "no text": ([{"type": "section"}], "must define either `text` or `fields` [json-pointer:/blocks/0]"),
    "field text": (
        [{"type": "section", "fields": [mrkdwn("x" * 2001)]}],
        "must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]",
    ),
    "11 fields": (
        [{"type": "section", "fields": [mrkdwn("x")] * 11}],
        "no more than 10 items allowed [json-pointer:/blocks/0/fields]",
    ),
    "header text": (
        [{"type": "header", "text": plain("x" * 151)}],
        "must be less than 151 characters [json-pointer:/blocks/0/text/text]",
    ),
    "header of mrkdwn": (
        [{"type": "header", "text": mrkdwn("x")}],
        "unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]",
    ),
    "markdown text": ([markdown("x" * 12_001)], "must be less than 12001 characters [json-pointer:/blocks/0/text]"),
    "11 in context": (
        [{"type": "context", "elements": [mrkdwn("x")] * 11}],
        "no more than 10 items allowed [json-pointer:/blocks/0/elements]",
    ),
    "26 in actions": (
        [actions(*(button(action_id=f"go{number}") for number in range(26)))],
        "no more than 25 items allowed [json-pointer:/blocks/0/elements]",
    ),
    "6 in context actions": (
        [actions(*[feedback()] * 6, kind="context_actions")],
        "no more than 5 items allowed [json-pointer:/blocks/0/elements]",
    ),
    "button in context actions": (
        [actions(button(), kind="context_actions")],
        "unsupported type: button [json-pointer:/blocks/0/elements/0/type]",
    ),
    "feedback in actions": (
        [actions(feedback())],
        "unsupported type: feedback_buttons [json-pointer:/blocks/0/elements/0/type]",
    ),
    "button text": (
        [actions(button(text=plain("x" * 76)))],
        "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
    ),
    "button value": (
        [actions(button(value="x" * 2001))],
        "must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]",
    ),
    "feedback text": (
        [actions(feedback("x" * 76), kind="context_actions")],
        "must be less than 76 characters [json-pointer:/blocks/0/elements/0/positive_button/text/text]",
    ),
    "action id": (
        [actions(button(action_id="x" * 256))],
        "must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]",
    ),
    "the same action twice": (
        [actions(button(), button())],
        '`action_id` "go" already exists for another action [json-pointer:/blocks/0/elements/1/action_id]',
    ),
    "block id": (
        [section("x", block_id="x" * 256)],
        "must be less than 256 characters [json-pointer:/blocks/0/block_id]",
    ),
    "the same block id twice": (
        [section("x", block_id="a"), section("y", block_id="a")],
        '`block_id` "a" already exists for another block [json-pointer:/blocks/1/block_id]',
    ),
    "unknown block": ([{"type": "paragraph"}], "unsupported type: paragraph [json-pointer:/blocks/0/type]"),
    "no type": ([{"text": "x"}], "missing required field: type [json-pointer:/blocks/0]"),
    "unknown property": ([section("x", color="red")], "invalid additional property: color [json-pointer:/blocks/0]"),
    "emoji in mrkdwn": (
        [{"type": "section", "text": {**mrkdwn("x"), "emoji": True}}],
        "invalid additional property: emoji [json-pointer:/blocks/0/text]",
    ),
    "101 rows": ([table(101)], "no more than 100 items allowed [json-pointer:/blocks/0/rows]"),
    "21 columns": ([table(1, 21)], "no more than 20 items allowed [json-pointer:/blocks/0/rows/0]"),
    "two tables": ([table(1), table(1)], "only_one_table_allowed [json-pointer:/blocks]"),
    "placeholder": (
        [actions({"type": "users_select", "action_id": "a", "placeholder": plain("x" * 151)})],
        "must be less than 151 characters [json-pointer:/blocks/0/elements/0/placeholder/text]",
    ),
    "option value": (
        [actions({"type": "static_select", "options": [{"text": plain("x"), "value": "x" * 151}]})],
        "must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]",
    ),
}


@pytest.mark.parametrize("name", REFUSED_BLOCKS)
def test_blocks_that_slack_refuses_are_refused_with_the_place_of_the_mistake(name: str) -> None:
    blocks, message = REFUSED_BLOCKS[name]

    assert problems_of("chat.postMessage", {"text": "x", "blocks": blocks}) == [f"invalid_blocks: {message}"]


TAKEN_BLOCKS: dict[str, list[Block]] = {
    "50 blocks": [{"type": "divider"}] * 50,
    "a full section": [section("x" * 3000)],
    "fields": [{"type": "section", "fields": [mrkdwn("x" * 1000)] * 10}],
    "a full markdown block": [markdown("я" * 12_000)],
    "small print": [{"type": "context", "elements": [mrkdwn("x"), plain("y")] * 5}],
    "buttons": [actions(*(button(action_id=f"go{number}") for number in range(25)))],
    "feedback": [actions(*[feedback()] * 5, kind="context_actions")],
    "a table": [table(100, 20)],
    "a header": [{"type": "header", "text": plain("x" * 150)}],
}


@pytest.mark.parametrize("name", TAKEN_BLOCKS)
def test_blocks_at_the_limit_are_taken(name: str) -> None:
    assert problems_of("chat.postMessage", {"text": "x", "blocks": TAKEN_BLOCKS[name]}) == []


CHUNK = {"type": "markdown_text", "text": "x"}
REFUSED_PAYLOADS: dict[str, tuple[str, Mapping[str, object], str]] = {
    "nothing to say": ("chat.postMessage", {"text": ""}, "no_text"),
    "text and markdown": ("chat.postMessage", {"text": "x", "markdown_text": "y"}, "markdown_text_conflict"),
    "long markdown": ("chat.postMessage", {"markdown_text": "x" * 12_001}, "msg_too_long"),
    "a long edit": ("chat.update", {"text": "x" * 4_001}, "msg_too_long"),
    "blocks that are no list": ("chat.postMessage", {"text": "x", "blocks": "[{"}, "invalid_blocks_format"),
    "the sum of the blocks": (
        "chat.postMessage",
        {"text": "x", "blocks": [section("x" * 2_700)] * 5},
        "msg_blocks_too_long",
    ),
    "the sum of the markdown blocks": (
        "chat.postMessage",
        {"text": "x", "blocks": [markdown("x" * 6_001)] * 2},
        "msg_blocks_too_long",
    ),
    "metadata that is text": ("chat.postMessage", {"text": "x", "metadata": "m"}, "invalid_metadata_format"),
    "metadata without a payload": (
        "chat.postMessage",
        {"text": "x", "metadata": {"event_type": "a"}},
        "invalid_metadata_schema",
    ),
    "much metadata": (
        "chat.postMessage",
        {"text": "x", "metadata": {"event_type": "a", "event_payload": {"a": "x" * 17_000}}},
        "metadata_too_large",
    ),
    "a chunk of no kind": ("chat.appendStream", {"chunks": [{"type": "text"}]}, "invalid_chunks"),
    "a task without a title": (
        "chat.appendStream",
        {"chunks": [{"type": "task_update", "id": "1", "status": "pending"}]},
        "invalid_chunks",
    ),
    "chunks and markdown": (
        "chat.appendStream",
        {"markdown_text": "x", "chunks": [CHUNK]},
        "invalid_arguments",
    ),
    "a long chunk": ("chat.appendStream", {"chunks": [{**CHUNK, "text": "x" * 12_001}]}, "msg_too_long"),
    "an empty piece": ("chat.appendStream", {}, "no_text"),
    "51 blocks in chunks": (
        "chat.appendStream",
        {"chunks": [{"type": "blocks", "blocks": [{"type": "divider"}] * 51}]},
        "invalid_blocks",
    ),
    "a dialog without a title": ("views.open", {"view": {"type": "modal", "blocks": []}}, "invalid_arguments"),
}


@pytest.mark.parametrize("name", REFUSED_PAYLOADS)
def test_payloads_that_slack_refuses_get_its_error_code(name: str) -> None:
    method, payload, error = REFUSED_PAYLOADS[name]

    assert error_of(method, payload) == error


def test_text_that_slack_cuts_is_a_problem_without_an_error() -> None:
    payload = {"text": "x" * 40_001}

    assert error_of("chat.postMessage", payload) is None
    assert problems_of("chat.postMessage", payload) == ["text is cut at 40000 characters"]


QUIET = {"text": "x", "unfurl_links": False, "unfurl_media": False}
ALARMING: dict[str, tuple[Mapping[str, object], list[str]]] = {
    "everybody here": ({"text": "hi <!here>"}, ["mention <!here>"]),
    "a channel in small print": (
        {"blocks": [{"type": "context", "elements": [mrkdwn("<!channel|x>")]}]},
        ["mention <!channel|x>"],
    ),
    "a person in markdown": ({"blocks": [markdown("<@U123>")]}, ["mention <@U123>"]),
    "a group in a chunk": ({"chunks": [{**CHUNK, "text": "<!subteam^S1>"}]}, ["mention <!subteam^S1>"]),
    "a bare mention": ({"blocks": [markdown("ask @everyone now")]}, ["mention @everyone"]),
    "a picture": ({"blocks": [{"type": "image", "image_url": "https://x", "alt_text": "x"}]}, ["picture"]),
    "a picture in markdown": ({"blocks": [markdown("![a](https://x/y)")]}, ["picture ![a](https://x/y)"]),
    "previews": ({"text": "x", "unfurl_links": True}, ["unfurl_links is on"]),
    "blocks alone": ({"text": "", "blocks": [section("x")]}, ["no text for notifications"]),
    "escaped": ({"text": "&lt;!here&gt; me@here.example"}, []),
}


@pytest.mark.parametrize("name", ALARMING)
def test_what_must_not_be_sent_raises_an_alarm(name: str) -> None:
    payload, alarms = ALARMING[name]

    assert alarms_of("chat.postMessage", {**QUIET, **payload}) == alarms


def test_an_allowed_mention_raises_no_alarm() -> None:
    assert alarms_of("chat.postMessage", {**QUIET, "text": "<@U1>"}, allowed=["<@U1>"]) == []

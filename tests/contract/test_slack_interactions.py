"""Buttons, shortcuts, dialogs and response URLs, through the real Bolt."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.wire.slack import ASKER, COLLEAGUE, ELSEWHERE, PUBLIC, TEAM, SlackServer, slack_at_work
from tests.wire.slack.apps import app_of, client_of, connected, error_of_call, respond
from tests.wire.slack.clicks import NothingToClick

Acknowledge = Callable[..., Awaitable[None]]
VIEW: dict[str, object] = {
    "type": "modal",
    "callback_id": "reason",
    "title": {"type": "plain_text", "text": "What was wrong?"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "comment",
            "label": {"type": "plain_text", "text": "Comment"},
            "element": {"type": "plain_text_input", "action_id": "comment"},
        }
    ],
}
SIDES = {
    side: {"text": {"type": "plain_text", "text": side}, "value": side}
    for side in ("positive_button", "negative_button")
}
FEEDBACK: dict[str, object] = {
    "type": "context_actions",
    "block_id": "below",
    "elements": [{"type": "feedback_buttons", "action_id": "feedback", **SIDES}],
}


def clicking(slack: SlackServer, heard: list[Mapping[str, Any]]) -> AsyncApp:
    """Return an app that keeps what people do with it, and opens a dialog at once."""
    app = app_of(slack)

    @app.action("feedback")
    @app.shortcut("answer_this")
    async def keep(ack: Acknowledge, body: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=VIEW)
        heard.append(body)

    return app


async def posted(slack: SlackServer) -> str:
    """Post an answer with feedback below it; return its ts."""
    answer = await client_of(slack).chat_postMessage(channel=PUBLIC, text="answer", blocks=[FEEDBACK])
    return str(answer["ts"])


async def test_a_click_tells_which_of_two_buttons_it_was() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, clicking(slack, heard)):
            ts = await posted(slack)
            slack.clicks(ASKER, PUBLIC, ts, "feedback", value="negative_button")
            await slack.until(lambda: heard)

        (click,) = heard
        action = click["actions"][0]
        assert (action["type"], action["value"], action["block_id"]) == ("feedback_buttons", "negative_button", "below")
        assert click["container"] == {
            "type": "message",
            "message_ts": ts,
            "channel_id": PUBLIC,
            "is_ephemeral": False,
        }
        assert (click["user"]["id"], click["message"]["ts"], slack.views[0].user) == (ASKER, ts, ASKER)


async def test_nobody_clicks_what_they_do_not_see() -> None:
    with slack_at_work() as slack:
        answer = await client_of(slack).chat_postEphemeral(channel=PUBLIC, user=ASKER, text="x", blocks=[FEEDBACK])
        ts = await posted(slack)

        with pytest.raises(NothingToClick):
            slack.clicks(COLLEAGUE, PUBLIC, str(answer["message_ts"]), "feedback")
        with pytest.raises(NothingToClick):
            slack.clicks(ASKER, PUBLIC, ts, "share")


async def test_a_click_on_an_ephemeral_message_brings_no_message() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, clicking(slack, heard)):
            answer = await client_of(slack).chat_postEphemeral(channel=PUBLIC, user=ASKER, text="x", blocks=[FEEDBACK])
            slack.clicks(ASKER, PUBLIC, str(answer["message_ts"]), "feedback")
            await slack.until(lambda: heard)

        assert (heard[0]["container"]["is_ephemeral"], "message" in heard[0]) == (True, False)


async def test_a_shortcut_works_where_the_bot_is_not() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, clicking(slack, heard)):
            ts = slack.says(COLLEAGUE, ELSEWHERE, "how much leave?")
            slack.uses_shortcut(ASKER, ELSEWHERE, ts, "answer_this")
            await slack.until(lambda: heard)

        assert (heard[0]["message"]["text"], heard[0]["channel"]["id"]) == ("how much leave?", ELSEWHERE)


async def test_a_trigger_is_good_once() -> None:
    heard: list[Mapping[str, Any]] = []
    with slack_at_work() as slack:
        async with connected(slack, clicking(slack, heard)):
            slack.clicks(ASKER, PUBLIC, await posted(slack), "feedback")
            await slack.until(lambda: heard)

        args = {"trigger_id": heard[0]["trigger_id"], "view": VIEW}
        assert await error_of_call(client_of(slack), "views.open", **args) == "exchanged_trigger_id"


async def test_a_trigger_is_good_for_three_seconds() -> None:
    with slack_at_work() as slack:
        trigger_id = slack.new_trigger(ASKER, TEAM)
        slack.triggers[trigger_id].at_s -= 3.1

        error = await error_of_call(client_of(slack), "views.open", trigger_id=trigger_id, view=VIEW)
        assert error == "expired_trigger_id"


@pytest.mark.parametrize(
    ("answer", "is_open"),
    [({}, False), ({"response_action": "errors", "errors": {"comment": "Too short"}}, True)],
)
async def test_a_dialog_closes_when_it_is_taken_and_stays_with_errors(answer: dict[str, Any], is_open: bool) -> None:
    with slack_at_work() as slack:
        app = app_of(slack)

        @app.view("reason")
        async def take(ack: Acknowledge, view: dict[str, Any]) -> None:
            assert view["state"]["values"]["comment"]["comment"]["value"] == "outdated"
            await ack(**answer)

        async with connected(slack, app):
            trigger_id = slack.new_trigger(ASKER, TEAM)
            await client_of(slack).views_open(trigger_id=trigger_id, view=VIEW)
            value: dict[str, object] = {"type": "plain_text_input", "value": "outdated"}
            slack.submits(slack.views[0], {"comment": {"comment": value}})
            await slack.until(lambda: slack.acks)
            await slack.until(lambda: slack.courier.is_idle)

        assert slack.views[0].is_open == is_open


async def test_a_response_url_takes_five_answers() -> None:
    with slack_at_work() as slack:
        address = slack.runs(ASKER, ELSEWHERE, "/ask", "x")
        statuses = [await respond(address, text=str(number)) for number in range(6)]

        assert statuses == [200] * 5 + [404]
        assert [one.text for one in slack.whispers(ELSEWHERE, ASKER)] == list("01234")


async def test_a_response_url_can_speak_to_everybody_where_the_bot_is_not() -> None:
    with slack_at_work() as slack:
        address = slack.runs(ASKER, ELSEWHERE, "/ask", "x")
        await respond(address, text="shared", response_type="in_channel")

        assert [one.text for one in slack.answers(ELSEWHERE)] == ["shared"]


@pytest.mark.parametrize(
    ("body", "left"), [({"text": "new", "replace_original": True}, ["new"]), ({"delete_original": True}, [])]
)
async def test_a_response_url_replaces_and_deletes_what_was_clicked(body: dict[str, Any], left: list[str]) -> None:
    with slack_at_work() as slack:
        answer = await client_of(slack).chat_postEphemeral(channel=PUBLIC, user=ASKER, text="x", blocks=[FEEDBACK])
        slack.clicks(ASKER, PUBLIC, str(answer["message_ts"]), "feedback")
        await respond(str(slack.parcels[-1].payload["response_url"]), **body)

        assert [one.text for one in slack.whispers(PUBLIC)] == left


@pytest.mark.parametrize(("body", "status"), [({"blocks": [{"type": "x"}]}, 400), ({}, 400), ({"text": "x"}, 404)])
async def test_a_response_url_refuses(body: dict[str, Any], status: int) -> None:
    with slack_at_work() as slack:
        address = slack.runs(ASKER, PUBLIC, "/ask")
        if status == 404:
            slack.response_urls[address.rpartition("/")[2]].expires_at_s = 0.0

        assert await respond(address, **body) == status

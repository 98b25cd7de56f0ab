"""The Web API on loopback, called by the real SDK: who may do what, and what comes of it."""

from collections.abc import Mapping

import pytest
from slack_sdk.errors import SlackApiError

from tests.wire.slack import (
    ARCHIVED,
    ASKER,
    BOT_TOKEN,
    BOT_USER,
    COLLEAGUE,
    ELSEWHERE,
    OTHER_BOT,
    PUBLIC,
    STRANGER,
    TEAM,
    SlackServer,
    slack_at_work,
)
from tests.wire.slack.apps import client_of, error_of_call
from tests.wire.slack.tokens import SCOPES


async def post(slack: SlackServer, text: str, **more: object) -> str:
    quiet = {"channel": PUBLIC, "unfurl_links": False, "unfurl_media": False}
    answer = await client_of(slack).api_call("chat.postMessage", json={**quiet, "text": text, **more})
    return str(answer["ts"])


async def test_a_token_is_told_who_it_is_and_what_it_may_do() -> None:
    with slack_at_work() as slack:
        answer = await client_of(slack).auth_test()

        assert (answer["team_id"], answer["user_id"], answer["bot_id"]) == (TEAM, BOT_USER, "BT0HOMEBOT")
        assert answer.headers["x-oauth-scopes"] == ",".join(SCOPES)


@pytest.mark.parametrize(
    ("state", "error"), [("active", ""), ("revoked", "token_revoked"), ("inactive", "account_inactive")]
)
async def test_a_token_that_is_dead_says_of_what(state: str, error: str) -> None:
    with slack_at_work() as slack:
        slack.token_book.tokens[BOT_TOKEN].state = state  # type: ignore[assignment]  # checked by the cases

        assert await error_of_call(client_of(slack), "auth.test") == error


@pytest.mark.parametrize(("token", "error"), [("xoxb-nobody", "invalid_auth"), (None, "not_authed")])
async def test_a_token_nobody_knows_is_refused(token: str | None, error: str) -> None:
    with slack_at_work() as slack:
        assert await error_of_call(client_of(slack, token), "auth.test") == error


async def test_the_app_token_opens_connections_and_no_other_does() -> None:
    with slack_at_work() as slack:
        assert await error_of_call(client_of(slack), "apps.connections.open") == "not_allowed_token_type"
        assert await error_of_call(client_of(slack, slack.app_token), "auth.test") == "not_allowed_token_type"
        assert await error_of_call(client_of(slack, slack.app_token), "apps.connections.open") == ""


async def test_a_missing_scope_is_named_beside_those_that_are_there() -> None:
    with slack_at_work() as slack:
        slack.token_book.tokens[BOT_TOKEN].scopes = ("users:read",)

        with pytest.raises(SlackApiError) as raised:
            await client_of(slack).chat_postMessage(channel=PUBLIC, text="x")

        assert raised.value.response["error"] == "missing_scope"
        assert (raised.value.response["needed"], raised.value.response["provided"]) == ("chat:write", "users:read")


REFUSED: dict[str, tuple[str, Mapping[str, object], str]] = {
    "unknown method": ("chat.shout", {}, "unknown_method"),
    "no channel": ("chat.postMessage", {"text": "x"}, "invalid_arguments"),
    "unknown channel": ("chat.postMessage", {"channel": "C0NOWHERE", "text": "x"}, "channel_not_found"),
    "not a member": ("chat.postMessage", {"channel": ELSEWHERE, "text": "x"}, "not_in_channel"),
    "archived": ("chat.postMessage", {"channel": ARCHIVED, "text": "x"}, "is_archived"),
    "no text": ("chat.postMessage", {"channel": PUBLIC}, "no_text"),
    "unknown thread": ("chat.postMessage", {"channel": PUBLIC, "text": "x", "thread_ts": "1.1"}, "thread_not_found"),
    "both texts": (
        "chat.postMessage",
        {"channel": PUBLIC, "text": "x", "markdown_text": "x"},
        "markdown_text_conflict",
    ),
    "bad blocks": ("chat.postMessage", {"channel": PUBLIC, "blocks": [{"type": "x"}]}, "invalid_blocks"),
    "ephemeral to an outsider": (
        "chat.postEphemeral",
        {"channel": PUBLIC, "user": STRANGER, "text": "x"},
        "user_not_in_channel",
    ),
    "edit of nothing": ("chat.update", {"channel": PUBLIC, "ts": "1.1", "text": "x"}, "message_not_found"),
    "delete of nothing": ("chat.delete", {"channel": PUBLIC, "ts": "1.1"}, "message_not_found"),
    "link to nothing": ("chat.getPermalink", {"channel": PUBLIC, "message_ts": "1.1"}, "message_not_found"),
    "unknown person": ("users.info", {"user": "U0NOBODY"}, "user_not_found"),
    "unknown group": ("usergroups.users.list", {"usergroup": "S0NONE"}, "no_such_subteam"),
    "unknown bot": ("bots.info", {"bot": "B0NONE"}, "bot_not_found"),
    "reading elsewhere": ("conversations.history", {"channel": ELSEWHERE}, "not_in_channel"),
    "a thread of nothing": ("conversations.replies", {"channel": PUBLIC, "ts": "1.1"}, "thread_not_found"),
    "a bad cursor": ("users.list", {"cursor": "x"}, "invalid_cursor"),
    "a dm with itself": ("conversations.open", {"users": BOT_USER}, "cant_dm_bot"),
    "no team scope": ("team.info", {}, "missing_scope"),
    "a reaction to nothing": (
        "reactions.add",
        {"channel": PUBLIC, "timestamp": "1.1", "name": "eyes"},
        "message_not_found",
    ),
    "a dialog without a trigger": (
        "views.open",
        {"trigger_id": "1.x", "view": {"type": "home", "blocks": []}},
        "invalid_trigger_id",
    ),
    "sessions": ("agents.sessions.setStatus", {"channel_id": PUBLIC, "status": "active"}, "feature_disabled"),
    "five prompts": (
        "assistant.threads.setSuggestedPrompts",
        {"channel_id": PUBLIC, "prompts": ["a"] * 5},
        "invalid_arguments",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_slack_refuses_gets_its_error_code(name: str) -> None:
    method, args, error = REFUSED[name]
    with slack_at_work() as slack:
        assert await error_of_call(client_of(slack), method, **args) == error
        assert slack.calls[-1].error == error


async def test_refused_blocks_are_explained() -> None:
    with slack_at_work() as slack:
        with pytest.raises(SlackApiError) as raised:
            await client_of(slack).chat_postMessage(channel=PUBLIC, text="x", blocks=[{"type": "section"}])

        assert raised.value.response["response_metadata"]["messages"] == [
            "[ERROR] must define either `text` or `fields` [json-pointer:/blocks/0]"
        ]


async def test_a_post_is_seen_with_its_edits_and_gone_when_deleted() -> None:
    with slack_at_work() as slack:
        client = client_of(slack)
        ts = await post(slack, "first")
        await client.chat_update(channel=PUBLIC, ts=ts, text="second")
        seen = [one.text for one in slack.posts(PUBLIC)]
        await client.chat_delete(channel=PUBLIC, ts=ts)

        assert (seen, slack.posts(PUBLIC)) == (["second"], [])
        assert [moment.text for _, moment in slack.past(PUBLIC)] == ["first", "second", None]


async def test_a_post_to_a_person_lands_in_their_conversation() -> None:
    with slack_at_work() as slack:
        await post(slack, "hello", channel=ASKER)

        assert [one.text for one in slack.posts(slack.workspaces[TEAM].dm(ASKER).id)] == ["hello"]


async def test_an_ephemeral_post_is_seen_by_one_person_and_cannot_be_edited() -> None:
    with slack_at_work() as slack:
        client = client_of(slack)
        answer = await client.chat_postEphemeral(channel=PUBLIC, user=ASKER, text="psst")

        assert slack.posts(PUBLIC) == []
        assert [(one.seen_by, one.text) for one in slack.whispers(PUBLIC)] == [(ASKER, "psst")]
        args = {"channel": PUBLIC, "ts": answer["message_ts"], "text": "x"}
        assert await error_of_call(client, "chat.update", **args) == "message_not_found"


async def test_somebody_elses_message_cannot_be_changed() -> None:
    with slack_at_work() as slack:
        ts = slack.says(ASKER, PUBLIC, "mine")

        args = {"channel": PUBLIC, "ts": ts, "text": "x"}
        assert await error_of_call(client_of(slack), "chat.update", **args) == "cant_update_message"
        assert await error_of_call(client_of(slack), "chat.delete", **args) == "cant_delete_message"


async def test_metadata_comes_back_only_where_it_is_asked_for() -> None:
    metadata = {"event_type": "answer", "event_payload": {"marker": "m1"}}
    with slack_at_work() as slack:
        client = client_of(slack)
        root = slack.says(ASKER, PUBLIC, "question")
        await post(slack, "answer", thread_ts=root, metadata=metadata)
        plain = await client.conversations_replies(channel=PUBLIC, ts=root)
        told = await client.conversations_replies(channel=PUBLIC, ts=root, include_all_metadata=True)

        assert ["metadata" in one for one in plain["messages"]] == [False, False]
        assert told["messages"][1]["metadata"] == metadata
        assert told["messages"][0]["reply_count"] == 1


async def test_reactions_come_and_go_once() -> None:
    with slack_at_work() as slack:
        client, ts = client_of(slack), slack.says(ASKER, PUBLIC, "x")
        eyes = {"channel": PUBLIC, "timestamp": ts, "name": "eyes"}

        assert [await error_of_call(client, "reactions.add", **eyes) for _ in range(2)] == ["", "already_reacted"]
        assert slack.posts(PUBLIC)[0].reactions == {"eyes": (BOT_USER,)}
        assert [await error_of_call(client, "reactions.remove", **eyes) for _ in range(2)] == ["", "no_reaction"]


async def test_lists_come_in_pages_however_large_a_page_is_asked_for() -> None:
    with slack_at_work() as slack:
        slack.manners.largest_page = 2
        pages = [page["members"] async for page in await client_of(slack).users_list(limit=500)]

        assert [len(page) for page in pages] == [2, 2, 2, 1]
        assert {one["id"] for page in pages for one in page} == {*slack.workspaces[TEAM].users}


async def test_people_are_told_apart_and_strangers_have_no_address() -> None:
    with slack_at_work() as slack:
        client = client_of(slack)
        asker = (await client.users_info(user=ASKER))["user"]
        stranger = (await client.users_info(user=STRANGER))["user"]
        bot = (await client.users_info(user=OTHER_BOT))["user"]

        assert asker["profile"]["email"] == "u0asker@example.com"
        assert (stranger["is_stranger"], stranger["team_id"], "email" in stranger["profile"]) == (True, "T0AWAY", False)
        assert (bot["is_bot"], "email" in bot["profile"]) == (True, False)


async def test_an_address_takes_a_scope_of_its_own() -> None:
    with slack_at_work() as slack:
        slack.token_book.tokens[BOT_TOKEN].scopes = ("users:read",)
        user = (await client_of(slack).users_info(user=ASKER))["user"]

        assert "email" not in user["profile"]


async def test_free_plans_have_no_groups() -> None:
    with slack_at_work() as slack:
        groups = (await client_of(slack).usergroups_users_list(usergroup="S0STAFF"))["users"]
        slack.workspaces[TEAM].is_free = True

        assert groups == [ASKER, COLLEAGUE]
        assert await error_of_call(client_of(slack), "usergroups.list") == "plan_upgrade_required"


async def test_every_call_is_on_record() -> None:
    with slack_at_work() as slack:
        await post(slack, "x", blocks=[{"type": "divider"}])

        call = slack.calls_of("chat.postMessage")[0]
        assert (call.args["blocks"], call.token, call.error) == ([{"type": "divider"}], BOT_TOKEN, None)
        assert call.answered_at_s is not None
        assert call.answered_at_s >= call.at_s


async def test_alarms_tell_of_mentions_and_previews() -> None:
    with slack_at_work() as slack:
        slack.allowed_mentions = {f"<@{ASKER}>"}
        await post(slack, f"<!here> <@{ASKER}>")
        await client_of(slack).chat_postMessage(channel=PUBLIC, text="x", unfurl_links=False)

        assert slack.alarms == ["chat.postMessage: mention <!here>", "chat.postMessage: unfurl_media is on"]


async def test_narrow_history_is_read_once_a_minute_in_small_pages() -> None:
    with slack_at_work() as slack:
        slack.manners.history_is_narrow = slack.enforce_limits = True
        for number in range(20):
            slack.says(ASKER, PUBLIC, str(number))
        client = client_of(slack)
        answer = await client.conversations_history(channel=PUBLIC, limit=200)

        assert (len(answer["messages"]), answer["has_more"]) == (15, True)
        assert await error_of_call(client, "conversations.history", channel=PUBLIC) == "ratelimited"

"""What people do in Slack, and which events come of it."""

from collections.abc import Mapping

import pytest

from tests.wire.slack import (
    ASKER,
    BOT_USER,
    ELSEWHERE,
    GROUP,
    MENTION,
    OTHER_BOT,
    PRIVATE,
    PUBLIC,
    SHARED,
    STRANGER,
    TEAM,
    SlackServer,
    slack_at_work,
)

Event = Mapping[str, object]


def events(slack: SlackServer) -> list[Event]:
    """Return the events that the app is sent."""
    found = [parcel.payload["event"] for parcel in slack.parcels]
    return [event for event in found if isinstance(event, Mapping)]


@pytest.mark.parametrize(
    ("channel", "text", "types"),
    [
        (PUBLIC, "hello", [("message", "channel")]),
        (PUBLIC, f"{MENTION} hello", [("app_mention", None), ("message", "channel")]),
        (PRIVATE, "hello", [("message", "group")]),
        (GROUP, f"{MENTION} hello", [("app_mention", None), ("message", "mpim")]),
    ],
)
def test_a_message_comes_as_the_events_of_its_place(
    channel: str, text: str, types: list[tuple[str, str | None]]
) -> None:
    with slack_at_work() as slack:
        slack.says(ASKER, channel, text)
        found = events(slack)

        assert [(one["type"], one.get("channel_type")) for one in found] == types


def test_a_mention_in_a_conversation_of_two_is_a_message_only() -> None:
    with slack_at_work() as slack:
        slack.says(ASKER, slack.workspaces[TEAM].dm(ASKER).id, f"{MENTION} hello")

        assert [one["channel_type"] for one in events(slack)] == ["im"]


def test_nothing_comes_of_a_channel_that_the_bot_is_not_in() -> None:
    with slack_at_work() as slack:
        slack.says(ASKER, ELSEWHERE, f"{MENTION} hello")
        slack.says(ASKER, PUBLIC, "hello")

        assert [one["channel"] for one in events(slack)] == [PUBLIC]


def test_nothing_comes_that_the_app_did_not_subscribe_to() -> None:
    with slack_at_work() as slack:
        slack.subscriptions = {"app_mention"}
        slack.says(ASKER, PUBLIC, f"{MENTION} hello")

        assert [one["type"] for one in events(slack)] == ["app_mention"]


def test_an_edit_a_preview_and_a_deletion_are_told_apart() -> None:
    with slack_at_work() as slack:
        ts = slack.says(ASKER, PUBLIC, "first")
        slack.edits(PUBLIC, ts, "second")
        slack.unfurls(PUBLIC, ts)
        slack.deletes(PUBLIC, ts)
        _, edit, preview, deletion = events(slack)

        assert isinstance(edit["message"], Mapping)
        assert isinstance(preview["message"], Mapping)
        assert (edit["subtype"], edit["message"]["text"], edit["message"]["ts"]) == ("message_changed", "second", ts)
        assert edit["message"]["edited"] == preview["message"]["edited"]
        assert preview["message"] == preview["previous_message"]
        assert (deletion["subtype"], deletion["deleted_ts"]) == ("message_deleted", ts)


def test_the_first_message_of_a_thread_becomes_a_tombstone() -> None:
    with slack_at_work() as slack:
        root = slack.says(ASKER, PUBLIC, "question")
        slack.says(ASKER, PUBLIC, "more", thread=root)
        slack.deletes(PUBLIC, root)
        *_, deletion = events(slack)

        assert isinstance(deletion["message"], Mapping)
        assert (deletion["subtype"], deletion["message"]["subtype"]) == ("message_changed", "tombstone")


def test_a_stranger_in_a_shared_channel_is_marked() -> None:
    with slack_at_work() as slack:
        slack.says(STRANGER, SHARED, f"{MENTION} hello")
        found = events(slack)

        assert [one["user_team"] for one in found] == ["T0AWAY", "T0AWAY"]
        assert {one.payload["is_ext_shared_channel"] for one in slack.parcels} == {True}
        assert {one.payload["team_id"] for one in slack.parcels} == {TEAM}


def test_another_bot_is_told_by_its_bot_id() -> None:
    with slack_at_work() as slack:
        slack.says(OTHER_BOT, PUBLIC, "hello", subtype="bot_message")

        assert [(one["bot_id"], one["subtype"]) for one in events(slack)] == [("B0OTHER", "bot_message")]


def test_a_file_comes_with_its_message() -> None:
    with slack_at_work() as slack:
        slack.says(ASKER, PUBLIC, "see this", files=["plan.pdf"])
        (event,) = events(slack)

        assert isinstance(event["files"], list)
        assert (event["subtype"], event["files"][0]["name"]) == ("file_share", "plan.pdf")


def test_comings_goings_and_reactions_are_told() -> None:
    with slack_at_work() as slack:
        ts = slack.says(ASKER, PUBLIC, "hello")
        slack.reacts(ASKER, PUBLIC, ts, "eyes")
        slack.unreacts(ASKER, PUBLIC, ts, "eyes")
        slack.joins(STRANGER, PUBLIC)
        slack.leaves(BOT_USER, PUBLIC)
        found = events(slack)

        assert [one["type"] for one in found[1:]] == [
            "reaction_added",
            "reaction_removed",
            "member_joined_channel",
            "member_left_channel",
        ]


def test_opening_the_messages_and_looking_elsewhere_are_told() -> None:
    with slack_at_work() as slack:
        slack.subscriptions.add("app_context_changed")
        slack.opens_home(ASKER, TEAM)
        slack.looks_at(ASKER, TEAM, PUBLIC)
        slack.looks_at(ASKER, TEAM, None)
        opened, looked, away = events(slack)

        assert (opened["type"], opened["tab"]) == ("app_home_opened", "messages")
        entity = {"type": "slack#/types/channel_id", "value": PUBLIC, "team_id": TEAM}
        assert (looked["context"], away["context"]) == ({"entities": [entity]}, {})


def test_an_uninstalled_app_is_told_twice_and_its_token_is_dead() -> None:
    with slack_at_work() as slack:
        slack.uninstalls(TEAM)
        found = events(slack)

        assert {one["type"] for one in found} == {"app_uninstalled", "tokens_revoked"}
        assert {token.error for token in slack.token_book.of_team(TEAM)} == {"account_inactive"}

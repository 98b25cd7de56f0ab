"""Events become messages, edits, deletions and verdicts, or are left alone for a reason."""

from datetime import UTC, datetime

import pytest

from bot.channels.slack.translate.values import (
    Deleted,
    HomeOpened,
    Joined,
    MembersChanged,
    Reacted,
    TeamsLost,
    Uninstalled,
)
from bot.channels.translated import Edited, Ignored
from bot.core.feedback import Verdict
from bot.core.incoming import Company, Incoming
from tests.unit.bot.channels.slack.deliveries import HERE, TS, event, meant, message

PLACE = HERE.place("C1")


def test_a_message_says_who_wrote_what_when_and_where() -> None:
    incoming = meant(message(text="<@U0BOT> how?", thread_ts="1764244700.000000"))

    assert incoming == Incoming(
        place=PLACE,
        message=TS,
        author="U1",
        text="how?",
        sent_at=datetime(2025, 11, 27, 12, 0, 0, 100, tzinfo=UTC),
        company="public",
        thread="1764244700.000000",
        is_addressed=True,
        wire={"named": "yes"},
    )


def test_a_mention_and_the_message_of_the_same_post_are_one() -> None:
    post = {"user": "U1", "text": "<@U0BOT> how?", "ts": TS, "channel": "C1"}
    as_mention, as_message = meant(event("app_mention", **post)), meant(message(**post))

    assert isinstance(as_mention, Incoming)
    assert isinstance(as_message, Incoming)
    assert (as_mention.place, as_mention.message) == (as_message.place, as_message.message)
    assert as_mention.is_addressed


@pytest.mark.parametrize(
    ("more", "company"),
    [
        ({"channel": "D1", "channel_type": "im"}, "direct"),
        ({"channel": "D1", "channel_type": None}, "direct"),
        ({"channel_type": "mpim"}, "group"),
        ({"channel_type": "group"}, "private"),
        ({"channel_type": "channel"}, "public"),
        ({"channel_type": "group", "is_ext_shared": True}, "shared"),
        ({"channel_type": "channel", "is_shared": True}, "shared"),
        ({"channel_type": None}, "shared"),
        ({"channel_type": "something new"}, "shared"),
    ],
)
def test_the_company_is_what_the_event_says_and_the_most_careful_in_doubt(
    more: dict[str, object], company: Company
) -> None:
    incoming = meant(message(**more))

    assert isinstance(incoming, Incoming)
    assert incoming.company == company


def test_a_channel_shared_with_others_is_known_by_the_envelope_too() -> None:
    incoming = meant({**message(), "is_ext_shared_channel": True})

    assert isinstance(incoming, Incoming)
    assert incoming.company == "shared"


@pytest.mark.parametrize(
    ("more", "is_addressed"),
    [
        ({"channel": "D1", "channel_type": "im"}, True),
        ({"text": "so <@U0BOT> may know"}, True),
        ({"text": "so <@U7> may know"}, False),
        ({}, False),
    ],
)
def test_direct_messages_and_mentions_are_written_to_us(more: dict[str, object], is_addressed: bool) -> None:
    incoming = meant(message(**more))

    assert isinstance(incoming, Incoming)
    assert incoming.is_addressed is is_addressed


def test_the_first_message_of_a_thread_is_in_none() -> None:
    incoming = meant(message(thread_ts=TS))

    assert isinstance(incoming, Incoming)
    assert incoming.thread is None


@pytest.mark.parametrize("more", [{"subtype": "file_share"}, {"files": [{"id": "F1"}]}])
def test_files_are_noticed(more: dict[str, object]) -> None:
    incoming = meant(message(**more))

    assert isinstance(incoming, Incoming)
    assert incoming.has_files


def test_a_reply_that_is_also_sent_to_the_channel_stays_in_its_thread() -> None:
    incoming = meant(message(subtype="thread_broadcast", thread_ts="1764244700.000000"))

    assert isinstance(incoming, Incoming)
    assert incoming.thread == "1764244700.000000"


@pytest.mark.parametrize(
    "body",
    [
        message(bot_id="B9"),
        message(bot_id="B0BOT", user="U0BOT"),
        message(user="U0BOT"),
        message(subtype="bot_message", user=None),
        message(subtype="channel_join"),
        message(subtype="channel_topic"),
        message(subtype="me_message"),
        message(user=None),
        message(ts=None),
        message(ts="yesterday"),
        message(ts="nan"),
        message(ts="9" * 400),
        message(channel=None),
        event("app_mention", user="U1", text="<@U0BOT>", bot_id="B9", ts=TS, channel="C1"),
        event("app_context_changed", user="U1", context={"entities": []}),
        event("assistant_thread_started"),
        event("member_joined_channel", user="U9"),
        event("app_home_opened", user="U1", channel="D1", tab="home"),
        event("tokens_revoked", tokens={"oauth": ["U1"]}),
        event(""),
        {"type": "event_callback", "event": ["no", "object"]},
        {"type": "event_callback"},
        {},
    ],
)
def test_what_is_not_for_us_is_left_alone_for_a_reason(body: dict[str, object]) -> None:
    delivery = meant(body)

    assert isinstance(delivery, Ignored)
    assert delivery.reason


def changed(now: dict[str, object], before: str = "hallo") -> dict[str, object]:
    shown = {"user": "U1", "text": "hello", "ts": TS, **now}
    return event(
        "message",
        subtype="message_changed",
        channel="C1",
        channel_type="channel",
        ts="1764244999.1",
        message=shown,
        previous_message={"user": "U1", "text": before, "ts": TS},
    )


def test_an_edit_has_the_new_text_under_the_old_name() -> None:
    edited = meant(changed({"text": "<@U0BOT> hello", "thread_ts": TS}))

    assert isinstance(edited, Edited)
    assert (edited.incoming.message, edited.incoming.text, edited.incoming.is_addressed) == (TS, "hello", True)


def test_an_edit_asks_when_it_is_made() -> None:
    edited = meant(changed({"edited": {"user": "U1", "ts": "1764300000.000000"}}))

    assert isinstance(edited, Edited)
    assert edited.incoming.sent_at.timestamp() == 1764300000


@pytest.mark.parametrize(
    "body",
    [
        changed({"text": "hallo"}),
        changed({"bot_id": "B0BOT"}),
        changed({"user": "U0BOT"}),
        changed({"subtype": "assistant_app_thread"}),
        changed({"ts": ""}),
    ],
)
def test_other_changes_are_no_edits(body: dict[str, object]) -> None:
    assert isinstance(meant(body), Ignored)


def test_a_deletion_names_the_message_also_where_replies_keep_an_empty_one() -> None:
    gone = event("message", subtype="message_deleted", channel="C1", deleted_ts=TS, previous_message={"user": "U1"})

    assert meant(gone) == Deleted(PLACE, TS)
    assert meant(changed({"subtype": "tombstone", "text": "This message was deleted."})) == Deleted(PLACE, TS)


def test_deletions_of_bots_or_of_nothing_are_left_alone() -> None:
    ours = event(
        "message", subtype="message_deleted", channel="C1", deleted_ts=TS, previous_message={"bot_id": "B0BOT"}
    )

    assert isinstance(meant(ours), Ignored)
    assert isinstance(meant(event("message", subtype="message_deleted", channel="C1")), Ignored)


def reaction(kind: str, name: str, **more: object) -> dict[str, object]:
    item = {"type": "message", "channel": "C1", "ts": TS}
    return event(kind, **{"user": "U1", "reaction": name, "item": item, "item_user": "U0BOT", **more})


@pytest.mark.parametrize(
    ("kind", "name", "verdict", "is_taken_back"),
    [
        ("reaction_added", "+1", "good", False),
        ("reaction_added", "thumbsup", "good", False),
        ("reaction_added", "+1::skin-tone-4", "good", False),
        ("reaction_added", "-1", "bad", False),
        ("reaction_added", "thumbsdown::skin-tone-2", "bad", False),
        ("reaction_removed", "+1", "good", True),
        ("reaction_removed", "-1::skin-tone-6", "bad", True),
    ],
)
def test_thumbs_are_verdicts(kind: str, name: str, verdict: Verdict, is_taken_back: bool) -> None:
    assert meant(reaction(kind, name)) == Reacted(PLACE, TS, "U1", verdict, is_taken_back)


@pytest.mark.parametrize(
    "body",
    [
        reaction("reaction_added", "eyes"),
        reaction("reaction_added", "+1", user="U0BOT"),
        reaction("reaction_added", "+1", item_user="U7"),
        reaction("reaction_added", "+1", item={"type": "file", "file": "F1"}),
    ],
)
def test_other_reactions_are_none(body: dict[str, object]) -> None:
    assert isinstance(meant(body), Ignored)


def test_what_becomes_of_the_app_is_understood() -> None:
    whole = {"authorizations": [{"enterprise_id": "E1", "team_id": None, "is_enterprise_install": True}]}

    assert meant(event("app_home_opened", user="U1", channel="D1", tab="messages")) == HomeOpened("T1", "D1")
    assert meant(event("member_joined_channel", user="U0BOT", channel="C1", event_ts=TS)) == Joined(PLACE, TS)
    assert meant(event("member_joined_channel", user="U9", channel="C1")) == MembersChanged(PLACE)
    assert meant(event("member_left_channel", user="U9", channel="C1")) == MembersChanged(PLACE)
    assert meant(event("app_uninstalled")) == Uninstalled(None, "T1")
    assert meant({**event("app_uninstalled"), **whole}) == Uninstalled("E1", None)
    assert meant(event("tokens_revoked", tokens={"bot": ["U0BOT"]})) == Uninstalled(None, "T1")
    lost = {**event("team_access_revoked", team_ids=["T1", "T2"]), "enterprise_id": "E1"}
    assert meant(lost) == TeamsLost("E1", ("T1", "T2"))

"""Events: what is written, changed and deleted, thumbs, and what becomes of the app itself."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.channels.slack.translate.files import files_in
from bot.channels.slack.translate.read import Payload, at, company_of, items, part, word
from bot.channels.slack.translate.text import mentions, plain
from bot.channels.slack.translate.values import (
    Deleted,
    Here,
    HomeOpened,
    Joined,
    MembersChanged,
    Reacted,
    TeamsLost,
    Translated,
    Uninstalled,
)
from bot.channels.translated import Edited, Ignored
from bot.core.feedback import Verdict
from bot.core.incoming import Company, Incoming

# What a person writes has no subtype, or one of these (docs.slack.dev/reference/events/message).
WRITTEN = frozenset({"", "thread_broadcast", "file_share"})
# Where it is said which workspace somebody is of, the surest first.
_TEAMS = ("user_team", "source_team", "team")
THUMBS: Mapping[str, Verdict] = {"+1": "good", "thumbsup": "good", "-1": "bad", "thumbsdown": "bad"}


def written(message: Payload, channel: str, company: Company, here: Here) -> Incoming | Ignored:
    """Return a message, as events and histories have it."""
    subtype, author, ts = word(message, "subtype"), word(message, "user"), word(message, "ts")
    if subtype not in WRITTEN:
        return Ignored(f"a message of the kind {subtype}")
    if word(message, "bot_id") or author == here.user_id:
        return Ignored("written by a bot")
    sent_at = at(ts)
    if not author or not channel or sent_at is None:
        return Ignored("a message without author, channel or time")
    text, thread = word(message, "text"), word(message, "thread_ts")
    return Incoming(
        place=here.place(channel),
        message=ts,
        author=author,
        text=plain(text, here.user_id),
        sent_at=sent_at,
        company=company,
        # A message that others have replied to names itself.
        thread=thread if thread and thread != ts else None,
        is_addressed=company == "direct" or mentions(text, here.user_id),
        has_files=subtype == "file_share" or bool(items(message, "files")),
        wire={**_marks(message, here), **files_in(message, here.workspace)},
    )


def _marks(message: Payload, here: Here) -> dict[str, str]:
    """Return what a desk has to know of a message: whether it names us, and whether its author is one of others."""
    # A file that is shared says it in the file only.
    told = [message, *items(message, "files")]
    home = next((team for part in told for name in _TEAMS if (team := word(part, name))), "")
    is_named, is_foreign = mentions(word(message, "text"), here.user_id), home not in ("", here.workspace)
    return {name: "yes" for name, holds in (("named", is_named), ("foreign", is_foreign)) if holds}


def _mention(body: Payload, event: Payload, here: Here) -> Translated:
    channel = word(event, "channel")
    return written(event, channel, company_of(body, channel, word(event, "channel_type")), here)


def _message(body: Payload, event: Payload, here: Here) -> Translated:
    subtype = word(event, "subtype")
    if subtype == "message_changed":
        return _changed(body, event, here)
    if subtype == "message_deleted":
        return _deleted(event, here)
    return _mention(body, event, here)


def _changed(body: Payload, event: Payload, here: Here) -> Translated:
    channel, message = word(event, "channel"), part(event, "message")
    if word(message, "subtype") == "tombstone":
        # A deleted message that others have replied to leaves an empty one in its place.
        return Deleted(here.place(channel), word(message, "ts"))
    if word(message, "text") == word(event, "previous_message", "text"):
        return Ignored("an edit that left the text as it was")
    company = company_of(body, channel, word(event, "channel_type"))
    incoming = written(message, channel, company, here)
    if isinstance(incoming, Ignored):
        return incoming
    # Whoever asks us by an edit asks now, however old the message is.
    edited_at = at(word(message, "edited", "ts")) or incoming.sent_at
    return Edited(replace(incoming, sent_at=max(edited_at, incoming.sent_at)))


def _deleted(event: Payload, here: Here) -> Translated:
    channel, message = word(event, "channel"), word(event, "deleted_ts")
    if not channel or not message:
        return Ignored("a deletion that does not say of what")
    if word(event, "previous_message", "bot_id"):
        return Ignored("written by a bot")
    return Deleted(here.place(channel), message)


def _reaction(body: Payload, event: Payload, here: Here) -> Translated:
    item, actor = part(event, "item"), word(event, "user")
    verdict = THUMBS.get(word(event, "reaction").partition("::")[0])
    if verdict is None:
        return Ignored("a reaction that says nothing of an answer")
    if word(item, "type") != "message" or not word(item, "channel") or not word(item, "ts") or not actor:
        return Ignored("a reaction to something else than a message")
    if actor == here.user_id or word(event, "item_user") not in ("", here.user_id):
        return Ignored("a reaction of ours, or to somebody else's message")
    is_taken_back = word(event, "type") == "reaction_removed"
    return Reacted(here.place(word(item, "channel")), word(item, "ts"), actor, verdict, is_taken_back)


def _home_opened(body: Payload, event: Payload, here: Here) -> Translated:
    if word(event, "tab") != "messages" or not word(event, "channel"):
        return Ignored("another tab than that of the messages")
    return HomeOpened(here.workspace, word(event, "channel"))


def _joined(body: Payload, event: Payload, here: Here) -> Translated:
    if not word(event, "channel"):
        return Ignored("somebody joined, and nobody says what")
    if word(event, "user") != here.user_id:
        return MembersChanged(here.place(word(event, "channel")))
    moment = word(event, "event_ts") or f"{here.now.timestamp():.6f}"
    return Joined(here.place(word(event, "channel")), moment)


def _left(body: Payload, event: Payload, here: Here) -> Translated:
    if not word(event, "channel"):
        return Ignored("somebody left, and nobody says what")
    return MembersChanged(here.place(word(event, "channel")))


def _uninstalled(body: Payload, event: Payload, here: Here) -> Translated:
    installed = next(iter(items(body, "authorizations")), body)
    team = None if installed.get("is_enterprise_install") is True else word(installed, "team_id") or None
    return Uninstalled(word(installed, "enterprise_id") or None, team)


def _revoked(body: Payload, event: Payload, here: Here) -> Translated:
    bots = part(event, "tokens").get("bot")
    if not isinstance(bots, list) or not bots:
        return Ignored("tokens were revoked, but not the bot's")
    return _uninstalled(body, event, here)


def _teams_lost(body: Payload, event: Payload, here: Here) -> Translated:
    given = event.get("team_ids")
    teams = tuple(team for team in given if isinstance(team, str)) if isinstance(given, list) else ()
    return TeamsLost(word(body, "enterprise_id"), teams)


EVENTS: Mapping[str, Callable[[Payload, Payload, Here], Translated]] = {
    "app_mention": _mention,
    "message": _message,
    "reaction_added": _reaction,
    "reaction_removed": _reaction,
    "app_home_opened": _home_opened,
    "member_joined_channel": _joined,
    "member_left_channel": _left,
    "app_uninstalled": _uninstalled,
    "tokens_revoked": _revoked,
    "team_access_revoked": _teams_lost,
}

"""What people do at a desk: its buttons, and the forms that some of them open."""

import json
from typing import get_args

from bot.channels.slack.render.blocks import DESK_ACTION
from bot.channels.slack.render.forms import Form
from bot.channels.slack.render.post import BELONGS_TO, WITH_FIELDS, button_of
from bot.channels.slack.translate.metadata import fields_of, payload_of
from bot.channels.slack.translate.read import (
    Payload,
    at,
    message_pressed,
    number,
    part,
    place_pressed,
    thread_pressed,
    word,
)
from bot.channels.slack.translate.values import PLATFORM, Acted, Here, Translated, Wanted
from bot.channels.translated import Ignored
from bot.core.incoming import Place
from bot.core.phrases import FALLBACK_LANGUAGE, spoken
from bot.core.tickets.acts import ENTRY_ACTS, Act, ActKind, Actor
from bot.core.tickets.post import WORDED
from bot.core.tickets.state import TicketAct

KINDS: frozenset[ActKind] = frozenset(get_args(TicketAct)) | ENTRY_ACTS
# What Slack keeps with a dialog (docs.slack.dev/reference/views/modal-views).
MAX_REMEMBERED_CHARACTERS = 3_000
WORDS = ("text", "question", "answer")


def is_of_desk(action_id: str) -> bool:
    """Tell whether a button is one of a desk's."""
    return action_id.startswith(DESK_ACTION)


def desk_pressed(body: Payload, action: Payload, here: Here) -> Translated:
    """Return what a desk's button does; with those that ask for words, the form that is wanted."""
    kind, subject = _kind(word(action, "action_id").removeprefix(DESK_ACTION)), number(word(action, "value"))
    channel, message, user = place_pressed(body), message_pressed(body), word(body, "user", "id")
    if kind is None or subject is None:
        return Ignored("a desk's button that does not say what it is for")
    thread = thread_pressed(body)
    if kind in WORDED:
        form = Form(kind, subject, channel, thread, message, _language(action))
        return Wanted(form, here.workspace, word(body, "trigger_id"), _fields(body, action, form))
    moment = word(action, "action_ts")
    actor = _actor(body, here, _belonging(action) or channel)
    assert actor.place, "it was just told"
    key = f"press:{actor.place.workspace}:{channel}:{message}:{kind}:{subject}:{user}:{moment}"
    act = Act(kind, subject, actor, key, at=at(moment) or here.now)
    return Acted(act, here.place(channel), user, thread, word(body, "response_url"))


def desk_submitted(body: Payload, here: Here) -> Translated:
    """Return what was said in a form; sent once more, it has the same key."""
    form, view, user = _form(word(body, "view", "private_metadata")), word(body, "view", "id"), word(body, "user", "id")
    if form is None or not view or not user:
        return Ignored("a form that does not say what it is for")
    words = _words(body)
    if not any(words.values()):
        return Ignored("a form without words")
    actor = _actor(body, here, form.channel)
    assert actor.place, "it was just told"
    act = Act(
        form.kind,
        form.number,
        actor,
        f"form:{actor.place.workspace}:{form.channel}:{view}:{form.kind}:{form.number}:{user}",
        text=words.pop("text", ""),
        at=here.now,
        details=words,
    )
    return Acted(act, here.place(form.channel), user, form.thread)


def _kind(name: str) -> ActKind | None:
    return next((kind for kind in KINDS if kind == name), None)


def _actor(body: Payload, here: Here, channel: str) -> Actor:
    """Return who did it, in the workspace that they did it from: it may be another one than ours."""
    team, home = word(body, "team", "id") or here.workspace, word(body, "user", "team_id")
    place = Place(PLATFORM, team, channel)
    return Actor(f"{PLATFORM}:{word(body, 'user', 'id')}", place=place, is_foreign=home not in ("", here.workspace))


def _marks(action: Payload) -> list[str]:
    """Return what the row of a button says of it."""
    return word(action, "block_id").split(":")


def _language(action: Payload) -> str:
    return next(filter(None, map(spoken, _marks(action)[1:2])), FALLBACK_LANGUAGE)


def _belonging(action: Payload) -> str:
    """Return the channel that a button is pressed for, where it stands in the direct messages with who asked there."""
    found = (mark.removeprefix(BELONGS_TO) for mark in _marks(action) if mark.startswith(BELONGS_TO))
    return next(found, "")


def _fields(body: Payload, action: Payload, form: Form) -> dict[str, str] | None:
    """Return what the form begins with; None where it has to be looked for."""
    if WITH_FIELDS not in _marks(action):
        return {}
    message = part(body, "message")
    return fields_of(message, button_of(form.kind, form.number)) if payload_of(message) else None


def _form(text: str) -> Form | None:
    """Return what a form remembers, None where that is damaged."""
    if len(text) > MAX_REMEMBERED_CHARACTERS:
        return None
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(kept, dict):
        return None
    kind, subject, channel = _kind(word(kept, "kind")), kept.get("number"), word(kept, "channel")
    if kind not in WORDED or not isinstance(subject, int) or isinstance(subject, bool) or subject < 0 or not channel:
        return None
    thread = word(kept, "thread") or None
    language = spoken(word(kept, "language")) or FALLBACK_LANGUAGE
    return Form(kind, subject, channel, thread, word(kept, "message"), language)


def _words(body: Payload) -> dict[str, str]:
    values = part(body, "view", "state", "values")
    said = {name: word(values, name, name, "value").strip() for name in WORDS if name in values}
    return {name: text for name, text in said.items() if text}

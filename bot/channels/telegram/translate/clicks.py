"""Buttons and thumbs: what people do below our messages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from telegram import (
    CallbackQuery,
    MaybeInaccessibleMessage,
    Message,
    MessageReactionUpdated,
    ReactionType,
    ReactionTypeEmoji,
)
from telegram.constants import ReactionEmoji

from bot.channels.telegram.render.keyboards import Pressed as Button
from bot.channels.telegram.render.keyboards import pressed
from bot.channels.telegram.translate.chats import full_name, outline
from bot.channels.telegram.translate.values import (
    PLATFORM,
    Acted,
    AskedInPrivate,
    Click,
    Clicked,
    Explained,
    Here,
    Judged,
    Pressed,
    Reacted,
    Stale,
)
from bot.channels.translated import Ignored
from bot.core.feedback import Verdict
from bot.core.incoming import Incoming
from bot.core.linking import person
from bot.core.phrases import FALLBACK_LANGUAGE, languages, phrase, spoken
from bot.core.tickets.acts import Act, ActKind, Actor
from bot.core.tickets.post import WORDED

# Each keyboard has a button with one of these, whose words tell its language.
LABELS = ("button_human", "button_cancel", "button_retry", "button_private", "button_share", "button_consent")
THUMBS: dict[str, Verdict] = {ReactionEmoji.THUMBS_UP: "good", ReactionEmoji.THUMBS_DOWN: "bad"}


def clicked(given: CallbackQuery, here: Here) -> Clicked | Ignored:
    """Return what a button means; the same one pressed twice by one person means one thing."""
    message = given.message
    if message is None:
        return Ignored("a button in a chat that we do not see")
    if isinstance(message, Message) and message.is_accessible and not _is_ours(message, here):
        return Ignored("a button below somebody else's message")
    click = Click(
        str(given.id),
        here.place(f"{message.chat.id:d}"),
        f"{given.from_user.id:d}",
        message.message_id if message.is_accessible else None,
        _language(given, message),
    )
    button = pressed(given.data) if given.data else None
    if button is None:
        return Stale(click)
    if button.kind:
        return Acted(click, _act(button.kind, button.number, click, full_name(given.from_user)))
    return _meant(button, click, outline(message, click.actor, given.from_user, here), here)


def _act(kind: ActKind, number: int, click: Click, name: str) -> Act:
    """Return what a press does to a ticket or entry; where it takes words, they are asked for."""
    place = click.place
    actor = Actor(person(PLATFORM, click.actor), name, place)
    key = f"press:{place.workspace}:{place.channel}:{click.id}"
    return Act(kind, number, actor, key, details={"prompt": "yes"} if kind in WORDED else {})


def _is_ours(message: Message, here: Here) -> bool:
    """Tell whether we sent a message ourselves, or in the name of a business that may switch us on."""
    if message.business_connection_id:
        bot = message.sender_business_bot
        return here.with_business and bot is not None and f"{bot.id:d}" == here.bot_id
    return message.from_user is not None and f"{message.from_user.id:d}" == here.bot_id


def _meant(button: Button, click: Click, below: Incoming, here: Here) -> Clicked:
    """Return what a button means; `below` is the message that it stands in, as if its presser had sent it."""
    match button.action:
        case "good" | "bad":
            return Judged(click, button.number, button.action)
        case "reason" | "cancel":
            return Explained(click, button.number, button.detail)
        case "private":
            return AskedInPrivate(click, button.number)
    parts = (button.action, below.message, below.author, button.detail)
    incoming = replace(
        below,
        message=":".join(part for part in parts if part),
        # When it was pressed is not told.
        sent_at=here.now,
        is_addressed=True,
        origin="button" if _is_again(button) or button.action in ("human", "consent") else "request",
        wire={"below": below.message, **below.wire, **_wanted(button)},
    )
    return Pressed(click, incoming)


def _is_again(button: Button) -> bool:
    return button.action in ("retry", "share")


def _wanted(button: Button) -> dict[str, str]:
    number = f"{button.number:d}"
    if button.action in ("human", "consent"):
        return {button.action: number}
    if _is_again(button):
        return {"again": number}
    return {"request": button.action, "about": button.detail or number}


def _language(given: CallbackQuery, message: MaybeInaccessibleMessage) -> str:
    """Return the language of the buttons that were pressed, so that it goes on in it."""
    keyboard = message.reply_markup if isinstance(message, Message) else None
    shown = {button.text for row in keyboard.inline_keyboard for button in row} if keyboard else set()
    found = (code for code in languages() for label in LABELS if phrase(label, code) in shown)
    return next(found, None) or spoken(given.from_user.language_code or "") or FALLBACK_LANGUAGE


def reacted(given: MessageReactionUpdated, here: Here) -> Reacted | Ignored:
    """Return a thumb that a person put under a message, or took away; whether it is one of ours, the store knows."""
    if given.user is None or given.user.is_bot:
        return Ignored("a reaction of a bot, or of nobody whom we know")
    now, before = _verdicts(given.new_reaction), _verdicts(given.old_reaction)
    if not now and not before:
        return Ignored("a reaction that says nothing of an answer")
    place, message = here.place(f"{given.chat.id:d}"), f"{given.message_id:d}"
    # Who has several reactions puts the newest last.
    return Reacted(place, message, f"{given.user.id:d}", now[-1] if now else None, given.date.astimezone(UTC))


def _verdicts(reactions: Sequence[ReactionType]) -> list[Verdict]:
    emoji = [reaction.emoji for reaction in reactions if isinstance(reaction, ReactionTypeEmoji)]
    return [THUMBS[sign] for sign in emoji if sign in THUMBS]

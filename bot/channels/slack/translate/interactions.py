"""The command, the shortcut, the buttons and the dialog: what people do instead of writing."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.channels.slack.render.blocks import (
    ANSWER_FEEDBACK,
    ASK_HUMAN,
    DESK_FORM,
    FEEDBACK_REASON,
    REASONS,
    SHARE_ANSWER,
)
from bot.channels.slack.translate.desk import desk_pressed, desk_submitted, is_of_desk
from bot.channels.slack.translate.files import files_in
from bot.channels.slack.translate.read import (
    Payload,
    at,
    company_of,
    items,
    message_pressed,
    number,
    part,
    place_pressed,
    thread_pressed,
    word,
)
from bot.channels.slack.translate.text import plain
from bot.channels.slack.translate.values import AskedInPrivate, Explained, Here, Judged, Translated
from bot.channels.translated import Ignored
from bot.core.feedback import Verdict
from bot.core.incoming import Company, Incoming
from bot.core.phrases import FALLBACK_LANGUAGE, languages, phrase

ANSWER_THIS = "answer_this"
RETRY_QUESTION = "retry_question"
ANSWER_PRIVATELY = "answer_privately"
CONSENT_QUESTION = "consent_question"
# Stands with what was pressed in a message that one person alone sees: then they alone see what comes of it.
SEEN_BY_ONE = "seen_by_one"
VERDICTS: Mapping[str, Verdict] = {"good": "good", "bad": "bad"}


def command(body: Payload, here: Here) -> Translated:
    """Return what somebody asked by the slash command."""
    channel, author, trigger = word(body, "channel_id"), word(body, "user_id"), word(body, "trigger_id")
    if word(body, "command") != here.command:
        return Ignored(f"a command that is not ours: {word(body, 'command')}")
    if not channel or not author or not trigger:
        return Ignored("a command that does not say who gave it where")
    return Incoming(
        place=here.place(channel),
        message=f"command:{trigger}",
        author=author,
        text=plain(word(body, "text"), here.user_id),
        sent_at=here.now,
        company=_company(body, channel, word(body, "channel_name")),
        is_addressed=True,
        origin="command",
        wire={"response_url": word(body, "response_url")},
    )


def message_action(body: Payload, here: Here) -> Translated:
    """Return the message that somebody wants answered by the shortcut; the asker is who chose it."""
    if word(body, "callback_id") != ANSWER_THIS:
        return Ignored(f"a shortcut that is not ours: {word(body, 'callback_id')}")
    message, channel, author = part(body, "message"), word(body, "channel", "id"), word(body, "user", "id")
    ts = word(message, "ts") or word(body, "message_ts")
    if not channel or not author or at(ts) is None:
        return Ignored("a shortcut that does not say who chose it for what")
    return Incoming(
        place=here.place(channel),
        message=f"shortcut:{ts}:{author}",
        author=author,
        text=plain(word(message, "text"), here.user_id),
        sent_at=at(word(body, "action_ts")) or here.now,
        company=_company(body, channel, word(body, "channel", "name")),
        thread=word(message, "thread_ts") or ts,
        is_addressed=True,
        origin="shortcut",
        has_files=bool(items(message, "files")),
        wire=files_in(message, here.workspace),
    )


def pressed(body: Payload, here: Here) -> Translated:
    """Return what a button means; the same one pressed twice by one person means one thing."""
    actions = items(body, "actions")
    action_id = word(actions[0], "action_id") if actions else ""
    how = desk_pressed if is_of_desk(action_id) else _BUTTONS.get(action_id)
    if how is None:
        return Ignored("a button that is not ours")
    if not word(body, "user", "id") or not place_pressed(body):
        return Ignored("a button that does not say who pressed it where")
    return how(body, actions[0], here)


def submitted(body: Payload, here: Here) -> Translated:
    """Return what was said in a dialog: what was wrong with an answer (as `judged_in` has it know), or at a desk."""
    if word(body, "view", "callback_id") == DESK_FORM:
        return desk_submitted(body, here)
    if word(body, "view", "callback_id") != FEEDBACK_REASON:
        return Ignored("a dialog that is not ours")
    channel, _, answer_id = word(body, "view", "private_metadata").partition(" ")
    answer, actor = number(answer_id), word(body, "user", "id")
    if answer is None or not channel or not actor:
        return Ignored("a dialog that does not say about which answer")
    values = part(body, "view", "state", "values")
    reason = word(values, "reason", "reason", "selected_option", "value")
    comment = word(values, "comment", "comment", "value").strip()
    return Explained(answer, here.place(channel), actor, reason if reason in REASONS else None, comment or None)


def judged_in(judged: Judged) -> str:
    """Return what a dialog about an answer is to remember."""
    return f"{judged.place.channel} {judged.answer}"


def _feedback(body: Payload, action: Payload, here: Here) -> Translated:
    said, _, answer_id = word(action, "value").partition(":")
    answer, verdict = number(answer_id), VERDICTS.get(said)
    if answer is None or verdict is None:
        return Ignored("feedback that does not say on which answer")
    return Judged(
        answer,
        here.place(place_pressed(body)),
        word(body, "user", "id"),
        verdict,
        _language(body),
        word(body, "trigger_id"),
    )


def _human(body: Payload, action: Payload, here: Here) -> Translated:
    return _alone(body, _button(body, action, here, "human"))


def _consent(body: Payload, action: Payload, here: Here) -> Translated:
    return _alone(body, _button(body, action, here, "consent"))


def _alone(body: Payload, pressed_button: Incoming | Ignored) -> Translated:
    """Return a button with how to tell only who pressed it, where they alone see it."""
    if isinstance(pressed_button, Ignored) or not part(body, "container").get("is_ephemeral"):
        return pressed_button
    private = {SEEN_BY_ONE: "yes", "response_url": word(body, "response_url")}
    return replace(pressed_button, wire={**pressed_button.wire, **private})


def _again(body: Payload, action: Payload, here: Here) -> Translated:
    return _button(body, action, here, "again")


def _button(body: Payload, action: Payload, here: Here, about: str) -> Incoming | Ignored:
    subject, channel, author = number(word(action, "value")), place_pressed(body), word(body, "user", "id")
    if subject is None:
        return Ignored("a button that does not say about what")
    return Incoming(
        place=here.place(channel),
        message=f"{word(action, 'action_id')}:{message_pressed(body)}:{author}",
        author=author,
        text="",
        sent_at=at(word(action, "action_ts")) or here.now,
        company=_company(body, channel, word(body, "channel", "name")),
        thread=_thread(body),
        is_addressed=True,
        origin="button",
        wire={about: str(subject)},
    )


def _privately(body: Payload, action: Payload, here: Here) -> Translated:
    question = number(word(action, "value"))
    if question is None:
        return Ignored("a button that does not say about what")
    sent_at = at(word(action, "action_ts")) or here.now
    return AskedInPrivate(here.workspace, word(body, "user", "id"), question, sent_at)


def _thread(body: Payload) -> str | None:
    """Return the thread that the button stands in, or that its message can begin: nothing hangs from an ephemeral."""
    thread = thread_pressed(body)
    if thread or part(body, "container").get("is_ephemeral"):
        return thread
    return message_pressed(body) or None


def _company(body: Payload, channel: str, name: str) -> Company:
    """Return who reads along, as far as a channel's name tells: what is private or not is asked when it matters."""
    return company_of(body, channel, "mpim" if name.startswith("mpdm") else "")


def _language(body: Payload) -> str:
    """Return the language of the buttons that were pressed, so that the dialog goes on in it."""
    shown = {
        word(element, "negative_button", "text", "text")
        for block in items(part(body, "message"), "blocks")
        for element in items(block, "elements")
    }
    return next((code for code in languages() if phrase("button_bad", code) in shown), FALLBACK_LANGUAGE)


_BUTTONS: Mapping[str, Callable[[Payload, Payload, Here], Translated]] = {
    ANSWER_FEEDBACK: _feedback,
    ASK_HUMAN: _human,
    SHARE_ANSWER: _again,
    RETRY_QUESTION: _again,
    ANSWER_PRIVATELY: _privately,
    CONSENT_QUESTION: _consent,
}

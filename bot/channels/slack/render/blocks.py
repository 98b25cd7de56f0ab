"""The blocks that Slack builds messages and dialogs from (docs.slack.dev/reference/block-kit)."""

from collections.abc import Iterator, Sequence

from bot.channels.slack.render.text import label, linked, mrkdwn, shortened
from bot.core.cite import Footnote, title_of, updated
from bot.core.phrases import phrase

Block = dict[str, object]

ANSWER_FEEDBACK = "answer_feedback"
ASK_HUMAN = "ask_human"
SHARE_ANSWER = "share_answer"
FEEDBACK_REASON = "feedback_reason"
# A desk's button is called by this and what it does.
DESK_ACTION = "desk_"
DESK_FORM = "desk_form"
# The value of each reason, and the end of its phrase's name.
REASONS = ("wrong", "incomplete", "outdated", "other_question")

MAX_CONTEXT_ELEMENTS = 10
MAX_TITLE_CHARACTERS = 300
MAX_URL_CHARACTERS = 2_000
MAX_COMMENT_CHARACTERS = 500


def markdown(text: str) -> Block:
    """Return the one block that shows tables and code with their language: mrkdwn knows no tables."""
    return {"type": "markdown", "text": text}


def section(text: str) -> Block:
    """Return a block of mrkdwn, at most 3,000 characters."""
    return {"type": "section", "text": _verbatim(text)}


def contexts(texts: Sequence[str]) -> Iterator[Block]:
    """Yield small print, a text of mrkdwn an element, in as many blocks as it takes."""
    for first in range(0, len(texts), MAX_CONTEXT_ELEMENTS):
        elements = [_verbatim(text) for text in texts[first : first + MAX_CONTEXT_ELEMENTS]]
        yield {"type": "context", "elements": elements}


def _verbatim(text: str) -> Block:
    """Return mrkdwn in which Slack looks for no addresses, channels or people beyond those marked as such."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def footnote_text(footnote: Footnote, language: str) -> str:
    """Return a source as mrkdwn: its marker, its title and heading as a link, its date."""
    citation = footnote.first
    title = _titled(title_of(citation, language), citation.url)
    return " · ".join(filter(None, [f"[{footnote.marker}] {title}", mrkdwn(updated(citation, language))]))


def _titled(title: str, url: str | None) -> str:
    return link(url, title) or shortened(title, MAX_TITLE_CHARACTERS)


def link(url: str | None, words: str) -> str:
    """Return words as a link, "" where there is no address that can be one, or no word."""
    address = linked(url) if url and url.startswith(("https://", "http://")) else ""
    if not address or len(address) > MAX_URL_CHARACTERS or not words.strip():
        return ""
    return f"<{address}|{shortened(words, MAX_TITLE_CHARACTERS, label)}>"


def feedback(answer_id: str, language: str) -> Block:
    """Return the two buttons that tell whether an answer helped."""
    good, bad = phrase("button_good", language), phrase("button_bad", language)
    return {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": ANSWER_FEEDBACK,
                "positive_button": {"text": plain(good), "value": f"good:{answer_id}", "accessibility_label": good},
                "negative_button": {"text": plain(bad), "value": f"bad:{answer_id}", "accessibility_label": bad},
            }
        ],
    }


def human_button(answer_id: str, language: str) -> Block:
    """Return the button that asks for a person."""
    return action_button(ASK_HUMAN, "button_human", answer_id, language)


def share_button(question: str, language: str) -> Block:
    """Return the button that has a question answered for everybody to see."""
    return action_button(SHARE_ANSWER, "button_share", question, language)


def action_button(action_id: str, name: str, value: str, language: str) -> Block:
    """Return a button with a phrase on it; its `value` comes back with the click."""
    return {"type": "button", "action_id": action_id, "text": plain(phrase(name, language)), "value": value}


def actions(*buttons: Block) -> Block:
    """Return a row of buttons."""
    return {"type": "actions", "elements": list(buttons)}


def plain(text: str) -> Block:
    """Return text without any marks."""
    return {"type": "plain_text", "text": text, "emoji": False}


def feedback_reasons(about: str, language: str) -> Block:
    """Return the dialog (for views.open) that asks what was wrong with an answer; nothing in it has to be filled in.

    `about` comes back with what was said in it.
    """
    options = [{"text": plain(phrase(f"feedback_{reason}", language)), "value": reason} for reason in REASONS]
    comment = {"type": "plain_text_input", "action_id": "comment", "multiline": True}
    return {
        "type": "modal",
        "callback_id": FEEDBACK_REASON,
        "private_metadata": about,
        "title": plain(phrase("feedback_title", language)),
        "submit": plain(phrase("button_send", language)),
        "close": plain(phrase("button_cancel", language)),
        "blocks": [
            _input("reason", language, {"type": "radio_buttons", "action_id": "reason", "options": options}),
            _input("comment", language, {**comment, "max_length": MAX_COMMENT_CHARACTERS}),
        ],
    }


def _input(name: str, language: str, element: Block) -> Block:
    label_text = plain(phrase(f"feedback_{name}", language))
    return {"type": "input", "block_id": name, "optional": True, "label": label_text, "element": element}

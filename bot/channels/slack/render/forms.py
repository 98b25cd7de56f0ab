"""The dialogs that ask for words before something is done at a desk."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from bot.channels.slack.render.blocks import DESK_FORM, Block, plain
from bot.core.phrases import phrase
from bot.core.tickets.acts import ActKind

# Of a text input (docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element).
MAX_INPUT_CHARACTERS = 3_000
# What is asked for, by kind; of others it is one text.
ASKED: Mapping[str, tuple[str, ...]] = {"reword": ("question", "answer")}
TEXT = ("text",)


@dataclass(frozen=True, slots=True)
class Form:
    """What words are asked for, and where the button for it was pressed."""

    kind: ActKind
    number: int
    channel: str
    thread: str | None
    message: str
    language: str


def desk_form(form: Form, fields: Mapping[str, str]) -> Block:
    """Return a dialog (for views.open); `fields` are what stands in it already, as far as an input holds that."""
    asked = ASKED.get(form.kind, TEXT)
    return {
        "type": "modal",
        "callback_id": DESK_FORM,
        "private_metadata": remembered(form),
        "title": plain(phrase(f"form_{form.kind}", form.language)),
        "submit": plain(phrase("button_send", form.language)),
        "close": plain(phrase("button_cancel", form.language)),
        "blocks": [_input(name, form.language, fields.get(name, "")) for name in asked],
    }


def remembered(form: Form) -> str:
    """Return what a dialog is to remember of where it was asked for."""
    return json.dumps(
        {
            "kind": form.kind,
            "number": form.number,
            "channel": form.channel,
            "thread": form.thread,
            "message": form.message,
            "language": form.language,
        }
    )


def _input(name: str, language: str, text: str) -> Block:
    # What does not fit is not cut: whoever sends the form would lose the rest without seeing it.
    begun = (
        {"initial_value": text} if text.strip() and len(text.encode("utf-16-le")) // 2 <= MAX_INPUT_CHARACTERS else {}
    )
    element = {"type": "plain_text_input", "action_id": name, "multiline": True, "max_length": MAX_INPUT_CHARACTERS}
    return {
        "type": "input",
        "block_id": name,
        "label": plain(phrase(f"form_field_{name}", language)),
        "element": {**element, **begun},
    }

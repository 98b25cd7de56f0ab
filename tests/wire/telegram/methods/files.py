"""Sending files: those that a call brings along, and those that Telegram has already."""

from dataclasses import replace

from tests.wire.telegram.alarms import alarms_of
from tests.wire.telegram.entities import CAPTION_UNITS, judge
from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.messages import Media
from tests.wire.telegram.methods.access import not_flooded, replied_by, topic_of, writable
from tests.wire.telegram.methods.buttons import keyboard_of
from tests.wire.telegram.methods.sending import begun, kept
from tests.wire.telegram.records import Call, Uploaded
from tests.wire.telegram.state import TelegramState
from tests.wire.telegram.threads import placed

# What each method calls its file, and what TDLib calls a file of that kind.
KINDS = {
    "sendDocument": ("document", "Document"),
    "sendPhoto": ("photo", "Photo"),
    "sendVideo": ("video", "Video"),
    "sendAnimation": ("animation", "Animation"),
    "sendAudio": ("audio", "Audio"),
    "sendVoice": ("voice", "VoiceNote"),
    "sendVideoNote": ("video_note", "VideoNote"),
}
_NAMES = dict(KINDS.values())
_PICTURES = (b"\xff\xd8", b"\x89PNG", b"RIFF")


def send_file(state: TelegramState, call: Call) -> object:
    """Send a file with a caption; one that Telegram has is sent again only as what it is."""
    chat = writable(state, call)
    topic, replied, keyboard = topic_of(chat, call), replied_by(state, chat, call), keyboard_of(call)
    judged = judge(call.text("caption"), call.text("parse_mode"), call.items("caption_entities"), CAPTION_UNITS)
    state.alarms.extend(f"{call.method}: {one}" for one in alarms_of(judged, {"is_disabled": True}))
    media = _media(state, call)
    not_flooded(state, chat, call)
    message = begun(state, chat, call, judged)
    message.media = media
    message.topic, message.thread = placed(chat, topic, replied)
    message.keyboard, message.reply_to = keyboard, replied.id if replied else None
    return kept(state, chat, message)


def _media(state: TelegramState, call: Call) -> Media:
    kind, _ = KINDS[call.method]
    given = call.args.get(kind)
    if given in (None, ""):
        raise bad_request(f"there is no {kind.replace('_', ' ')} in the request")
    if isinstance(given, Uploaded):
        return _uploaded(state, kind, given)
    known = state.media.get(str(given))
    if known is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    if known.kind != kind:
        raise bad_request(f"can't use file of type {_NAMES.get(known.kind, 'Unknown')} as {_NAMES[kind]}")
    return replace(known)


def _uploaded(state: TelegramState, kind: str, given: Uploaded) -> Media:
    if not given.content:
        raise bad_request("file must be non-empty")
    if kind == "photo" and not given.content.startswith(_PICTURES):
        raise bad_request("IMAGE_PROCESS_FAILED")
    return state.add_file(kind, given.name, given.content, given.media_type or None)

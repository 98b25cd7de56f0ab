"""What Slack takes and this project must not send: mentions nobody allowed, pictures, previews, text that is cut."""

import re
from collections.abc import Collection, Iterator, Mapping

from tests.wire.slack.validation import MESSAGES, Payload, is_cut
from tests.wire.slack.visible import texts_of

_MENTION = re.compile(r"<!(?:channel|here|everyone|subteam\^)[^>]*>|<@[UW][A-Z0-9]+(?:\|[^>]*)?>")
_BARE = re.compile(r"(?<![\w`])@(?:channel|here|everyone)\b")
_PICTURE = re.compile(r"(?<!\\)!\[[^\]]*\]\([^)]*\)")
SENDING = ("text", "markdown_text", "blocks", "chunks", "attachments")
NO = (False, "false", "0", 0)


def alarms_of(method: str, payload: Payload, allowed: Collection[str] = ()) -> list[str]:
    """Return what is alarming in a payload; `allowed` has the mentions that may be in it, as they are written."""
    texts = [text for name in SENDING for text in texts_of(payload.get(name), with_buttons=True)]
    found = [f"mention {one}" for text in texts for one in mentions(text) if one not in allowed]
    found += [f"picture {one}" for text in texts for one in _PICTURE.findall(text)]
    found += [f"{kind} in rich text" for kind in _kinds(payload) if kind in ("user", "usergroup", "broadcast")]
    found += ["picture" for kind in _kinds(payload) if kind == "image"]
    if method == "chat.postMessage":
        found += [f"{name} is on" for name in ("unfurl_links", "unfurl_media") if payload.get(name) not in NO]
    if method in MESSAGES and payload.get("blocks") and not payload.get("text"):
        found.append("no text for notifications")
    return [*found, "text is cut"] if is_cut(payload) else found


def mentions(text: str) -> list[str]:
    """Return what would notify people, as it is written."""
    return [*_MENTION.findall(text), *_BARE.findall(text)]


def _kinds(value: object) -> Iterator[str]:
    """Yield the type of each block and element."""
    if isinstance(value, list):
        for item in value:
            yield from _kinds(item)
    elif isinstance(value, Mapping):
        yield str(value.get("type"))
        for name in ("blocks", "chunks", "attachments", "elements", "accessory", "rows", "child_blocks", "details"):
            yield from _kinds(value.get(name))

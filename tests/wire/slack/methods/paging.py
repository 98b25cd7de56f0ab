"""Lists in pages, with opaque cursors."""

import base64
from collections.abc import Mapping, Sequence

from tests.wire.slack.errors import Refused
from tests.wire.slack.records import Call

DEFAULT_LIMIT = 100


def page(call: Call, found: Sequence[object], name: str, largest: int) -> Mapping[str, object]:
    """Return one page of a list, and the cursor of the next; the page may be shorter than asked for."""
    try:
        start = int(base64.b64decode(call.text("cursor")).decode().removeprefix("next:") or 0)
        limit = int(call.text("limit") or DEFAULT_LIMIT)
    except ValueError:
        raise Refused("invalid_cursor") from None
    if limit < 1:
        raise Refused("invalid_limit")
    end = start + min(limit, largest)
    cursor = base64.b64encode(f"next:{end}".encode()).decode() if end < len(found) else ""
    return {
        name: [*found[start:end]],
        "has_more": bool(cursor),
        "response_metadata": {"next_cursor": cursor},
    }

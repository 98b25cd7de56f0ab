"""What a call brings along: its query, its form or its JSON, decoded."""

import json
from collections.abc import Mapping
from json import JSONDecodeError

from aiohttp import web

from tests.wire.slack.records import Arguments

# Given as JSON in a string where the call is a form.
STRUCTURED = frozenset({"blocks", "chunks", "attachments", "metadata", "view", "prompts", "loading_messages", "files"})


async def arguments_of(request: web.Request) -> Arguments:
    """Return the arguments; a later source wins over an earlier one. {} where the body cannot be read."""
    found: Arguments = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = json.loads(await request.read() or b"{}")
        except (JSONDecodeError, UnicodeDecodeError):
            return found
        found |= body if isinstance(body, Mapping) else {}
    else:
        found |= {name: str(value) for name, value in (await request.post()).items()}
    return {name: _decoded(name, value) for name, value in found.items() if value is not None}


def _decoded(name: str, value: object) -> object:
    if name not in STRUCTURED or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except JSONDecodeError:
        return value

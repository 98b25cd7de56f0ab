"""What a call brings along: its query, its form or its JSON, decoded."""

import json
from collections.abc import Mapping
from json import JSONDecodeError

from aiohttp import web

from tests.wire.telegram.errors import bad_request
from tests.wire.telegram.records import Arguments, Uploaded

# Given as JSON in a string where the call is a form, and called by this name where that cannot be read.
STRUCTURED = {
    "reply_markup": "reply keyboard markup",
    "entities": "MessageEntity",
    "caption_entities": "MessageEntity",
    "reply_parameters": "reply parameters",
    "link_preview_options": "link preview options",
    "allowed_updates": "allowed updates",
    "commands": "commands",
    "scope": "BotCommandScope",
    "reaction": "reaction types",
    "message_ids": "message identifiers",
    "menu_button": "menu button",
    "result": "inline query result",
}


async def arguments_of(request: web.Request) -> Arguments:
    """Return the arguments; a later source wins over an earlier one."""
    found: Arguments = dict(request.query)
    if request.content_type == "application/json":
        found |= await _json_of(request)
    else:
        found |= {name: _of_form(value) for name, value in (await request.post()).items()}
    return {name: value for name, value in found.items() if value is not None}


def _of_form(value: object) -> object:
    """Return a field of a form; a file with all that is in it."""
    if isinstance(value, web.FileField):
        return Uploaded(value.filename, value.file.read(), value.content_type)
    return value if isinstance(value, str) else ""


async def _json_of(request: web.Request) -> Arguments:
    try:
        body = json.loads(await request.read() or b"{}")
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise bad_request("can't parse JSON object") from error
    if not isinstance(body, Mapping):
        raise bad_request("can't parse JSON object")
    return dict(body)


def decoded(args: Arguments) -> Arguments:
    """Return the arguments with structures in place of their JSON; refuses what is none."""
    return {name: _decoded(name, value) for name, value in args.items()}


def _decoded(name: str, value: object) -> object:
    if name not in STRUCTURED or not isinstance(value, str) or not value:
        return value
    try:
        return json.loads(value)
    except JSONDecodeError as error:
        raise bad_request(f"can't parse {STRUCTURED[name]} JSON object") from error

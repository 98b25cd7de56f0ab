"""Files: uploaded by people or by the app, shown in messages, and given to whoever may read them.

Not verified: what Slack's file hosts answer to a token without files:read (people meet its page to log in, with 200).
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from tests.wire.slack.state import SlackState

Json = dict[str, object]
LOGIN_PAGE = "<!DOCTYPE html><html><body>Sign in to your workspace</body></html>"


@dataclass(slots=True)
class StoredFile:
    """A file of a workspace; `content` is None until it is uploaded. What `is_elsewhere` lies with another service."""

    id: str
    team_id: str
    user: str
    name: str
    title: str
    content: bytes | None = None
    mimetype: str = "application/octet-stream"
    is_deleted: bool = False
    is_elsewhere: bool = False
    # Said to be so long, whatever it is.
    said_length: int = 0
    shared_in: list[str] = field(default_factory=list)


def new_file(state: "SlackState", team_id: str, user: str, name: str, content: bytes | None = None) -> StoredFile:
    """Keep a file."""
    file = StoredFile(f"F{secrets.token_hex(4).upper()}", team_id, user, name, name, content)
    state.files[file.id] = file
    return file


def file_json(file: StoredFile, url: str) -> Json:
    """Return a file as messages and files.info show it; `url` is the server's."""
    if file.is_deleted:
        return {"id": file.id, "mode": "tombstone"}
    address = f"{url}/files-pri/{file.team_id}-{file.id}"
    place = "https://drive.example.com/d/1" if file.is_elsewhere else f"{address}/{file.name}"
    return {
        "id": file.id,
        "created": 1_764_000_000,
        "timestamp": 1_764_000_000,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "filetype": file.name.rpartition(".")[2],
        "user": file.user,
        "user_team": file.team_id,
        "size": file.said_length or len(file.content or b""),
        "mode": "external" if file.is_elsewhere else "hosted",
        "is_external": file.is_elsewhere,
        "url_private": place,
        "url_private_download": place if file.is_elsewhere else f"{address}/download/{file.name}",
    }


async def take_upload(state: "SlackState", request: web.Request) -> web.Response:
    """Take the bytes of a file at the address that was given for it."""
    # Not `read`, which takes no more than a megabyte.
    content = await request.content.read()
    with state.lock:
        file = state.files.get(request.match_info["id"])
        if state.upload_statuses:
            return web.Response(status=state.upload_statuses.pop(0))
        if file is None or len(content) != file.said_length:
            return web.Response(status=400)
        file.content, file.said_length = content, 0
    return web.Response(text=f"OK - {len(content)}")


async def give(state: "SlackState", request: web.Request) -> web.Response:
    """Give a file to who may read it; to others the page to log in."""
    with state.lock:
        state.downloads.append(request.headers.get("Authorization", ""))
        if state.download_answers:
            return state.download_answers.pop(0)
        file = state.files.get(request.match_info["file"].rpartition("-")[2])
        token = state.token_book.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
        if token is None or "files:read" not in token.scopes:
            return web.Response(text=LOGIN_PAGE, content_type="text/html")
        if file is None or file.is_deleted or file.content is None:
            return web.Response(status=404)
        return web.Response(body=file.content, content_type=file.mimetype)


def shown_files(files: list[Json], state: "SlackState") -> Mapping[str, bytes]:
    """Return the files of a message that can be opened, by their titles."""
    stored = [state.files[str(one["id"])] for one in files]
    return {file.title: file.content or b"" for file in stored if not file.is_deleted}

"""Files: what is known of one, and the steps of uploading one."""

import json
from collections.abc import Mapping

from tests.wire.slack.errors import Refused
from tests.wire.slack.files import StoredFile, file_json, new_file
from tests.wire.slack.messages import Message
from tests.wire.slack.methods.chat import appear
from tests.wire.slack.methods.places import thread_of, workspace_of, workspaces_of, writable
from tests.wire.slack.records import Call
from tests.wire.slack.shapes import objects
from tests.wire.slack.state import SlackState

Answer = Mapping[str, object]
# Of what a message may carry.
MOST_BYTES = 1024**3


def info(state: SlackState, call: Call) -> Answer:
    """Return one file."""
    file = _file(state, call, call.text("file"))
    if file.is_deleted:
        raise Refused("file_deleted")
    return {"file": file_json(file, state.url)}


def upload_url(state: SlackState, call: Call) -> Answer:
    """Return an address to post a file to, and its id."""
    home = workspace_of(state, call)
    length = int(call.text("length") or 0)
    if not 0 < length <= MOST_BYTES:
        raise Refused("invalid_arguments")
    file = new_file(state, home.id, home.bot_user, call.text("filename"))
    file.said_length = length
    return {"upload_url": f"{state.url}/upload/v1/{file.id}", "file_id": file.id}


def complete(state: SlackState, call: Call) -> Answer:
    """Share files that were uploaded, in one message."""
    given = call.args["files"]
    wanted = objects(json.loads(given) if isinstance(given, str) else given)
    files = [_file(state, call, str(one.get("id"))) for one in wanted]
    if not files or any(file.content is None for file in files):
        raise Refused("file_not_found")
    for one, file in zip(wanted, files, strict=True):
        file.title = str(one.get("title") or file.name)
    if call.text("channel_id"):
        _share(state, call, files)
    return {"files": [{"id": file.id, "title": file.title} for file in files]}


def _share(state: SlackState, call: Call, files: list[StoredFile]) -> None:
    home, channel = writable(state, call, "channel_id")
    message = Message(
        state.clock.ts(),
        home.bot_user,
        home.id,
        call.text("initial_comment"),
        thread_ts=thread_of(state, channel, call.text("thread_ts")),
        bot_id=home.bot_id,
        is_ours=True,
        subtype="file_share",
        files=[file_json(file, state.url) for file in files],
    )
    for file in files:
        file.shared_in.append(channel.id)
    appear(state, channel, message)


def _file(state: SlackState, call: Call, name: str) -> StoredFile:
    file = state.files.get(name)
    if file is None or file.team_id not in {home.id for home in workspaces_of(state, call)}:
        raise Refused("file_not_found")
    return file

"""Verifies that the people of a desk in Slack can be written to, and are heard."""

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.finding import Finding
from bot.channels.slack.clients import Clients
from bot.channels.slack.errors import asked
from bot.channels.slack.translate.read import part
from bot.core.errors import Undeliverable

INVITE = "write the channel's id (in its details, at the very bottom), and invite the bot to it: /invite @ and its name"


async def desk_finding(clients: Clients, channel: str) -> Finding:
    """Return whether the bot is in the channel of a desk; one workspace of several has it."""
    why = "no workspace has installed the app"
    for workspace in await clients.workspaces():
        client = await clients.of(workspace)
        try:
            answer = await asked(client.conversations_info(channel=channel), "conversations.info")
        except Undeliverable as exc:
            why = str(exc)
            continue
        return _membership(answer, channel)
    return Finding(False, f"the desk in {channel}: {why}", INVITE)


def _membership(answer: AsyncSlackResponse, channel: str) -> Finding:
    shown = part(answer.data if isinstance(answer.data, dict) else {}, "channel")
    name = f"the desk in {channel} ({shown.get('name') or '?'})"
    if shown.get("is_archived"):
        return Finding(False, f"{name}: the channel is archived", "choose another one, or unarchive it")
    if not shown.get("is_member"):
        return Finding(False, f"{name}: the bot is not in it", INVITE)
    return Finding(True, f"{name}: the bot is in it")

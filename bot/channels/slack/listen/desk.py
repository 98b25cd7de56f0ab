"""What people do at desks: handed to the tickets, and told to them; words are asked for in a form."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.channels.afterwards import Afterwards
from bot.channels.slack.clients import Clients
from bot.channels.slack.errors import asked
from bot.channels.slack.render.forms import desk_form
from bot.channels.slack.render.post import button_of
from bot.channels.slack.render.reply import notice
from bot.channels.slack.send.private import responded
from bot.channels.slack.translate.metadata import fields_of
from bot.channels.slack.translate.read import items, word
from bot.channels.slack.translate.values import Acted, Wanted
from bot.core.incoming import Place
from bot.core.intake import Intake
from bot.core.tickets.acts import Actor

# A part of what Slack waits for an acknowledgement.
NAMED_WITHIN_S = 1.0
# What somebody is called in a place, None where that cannot be found out.
NameOf = Callable[[Place, str], Awaitable[str | None]]

log = logging.getLogger(__name__)


class AtDesks:
    """The buttons and forms of all desks."""

    def __init__(self, clients: Clients, intake: Intake, name_of: NameOf | None = None) -> None:
        self._clients = clients
        self._intake = intake
        self._name_of = name_of

    async def keep(self, done: Acted | Wanted) -> Afterwards | None:
        """Do what somebody wants done, and return what follows."""
        if isinstance(done, Wanted):
            return lambda: self._open(done)
        outcome = await self._intake.act(replace(done.act, actor=await self._named(done.act.actor)))
        return (lambda: self._tell(done, outcome.told)) if outcome.told else None

    async def _named(self, actor: Actor) -> Actor:
        """Return somebody with the name by which others are told who was first, if Slack tells it soon."""
        if self._name_of is None or actor.place is None or actor.is_foreign:
            return actor
        try:
            async with asyncio.timeout(NAMED_WITHIN_S):
                name = await self._name_of(actor.place, actor.id.partition(":")[2])
        except TimeoutError:
            return actor
        return replace(actor, name=name or actor.name)

    async def _tell(self, acted: Acted, told: str) -> None:
        """Show to who did something what came of it, and to nobody else."""
        said = notice(told)
        if acted.respond_at:
            response = await responded(acted.respond_at, said.text, said.blocks, thread=acted.thread)
            if response.status_code == 200:
                return
            log.info("told in the place instead: %s", response.body[:100])
        client = await self._clients.of(acted.place.workspace)
        call = client.chat_postEphemeral(
            channel=acted.place.channel,
            user=acted.user,
            text=said.text,
            blocks=said.blocks,
            thread_ts=acted.thread,
        )
        await asked(call, "chat.postEphemeral")

    async def _open(self, wanted: Wanted) -> None:
        fields = await self._read(wanted) if wanted.fields is None else wanted.fields
        client = await self._clients.of(wanted.workspace)
        await asked(
            client.views_open(trigger_id=wanted.trigger, view=desk_form(wanted.form, fields)),
            "views.open",
        )

    async def _read(self, wanted: Wanted) -> dict[str, str]:
        """Return what a form begins with, as it stands with the message that its button is below."""
        form = wanted.form
        client = await self._clients.of(wanted.workspace)
        call = client.conversations_replies(
            channel=form.channel,
            ts=form.thread or form.message,
            oldest=form.message,
            latest=form.message,
            inclusive=True,
            include_all_metadata=True,
        )
        answer = (await asked(call, "conversations.replies")).data
        found = items(answer, "messages") if isinstance(answer, dict) else []
        button = button_of(form.kind, form.number)
        return next((fields_of(one, button) for one in found if word(one, "ts") == form.message), {})

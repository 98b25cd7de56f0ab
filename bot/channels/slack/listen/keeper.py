"""Stores what a delivery means; only when that is done is Slack told that we have it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from bot.channels.afterwards import Afterwards
from bot.channels.slack.clients import Clients
from bot.channels.slack.errors import asked
from bot.channels.slack.listen.counts import Counts
from bot.channels.slack.listen.desk import AtDesks, NameOf
from bot.channels.slack.render.blocks import feedback_reasons
from bot.channels.slack.settings import SlackSettings
from bot.channels.slack.translate.interactions import judged_in
from bot.channels.slack.translate.values import (
    PLATFORM,
    Acted,
    AskedInPrivate,
    Deleted,
    Explained,
    HomeOpened,
    Joined,
    Judged,
    MembersChanged,
    Reacted,
    TeamsLost,
    Translated,
    Uninstalled,
    Wanted,
)
from bot.channels.translated import Edited, Ignored
from bot.core.feedback import Feedback, Verdict
from bot.core.incoming import Incoming, Place
from bot.core.installations import Installations
from bot.core.intake import Heard, Intake
from bot.core.phrases import phrase
from knowledge.language import language_of

# Whose thumb up gives way to one down puts the second before taking back the first.
THUMBS_REMEMBERED = 10_000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stores:
    """Where what Slack delivers is kept; `installations` where many workspaces install the app.

    `forget_members` is told of a channel that others read from now on. `desks` are the channels where people take over.
    `name_of` tells what people are called.
    """

    intake: Intake
    feedback: Feedback
    heard: Heard
    installations: Installations | None = None
    forget_members: Callable[[str], None] | None = None
    desks: frozenset[str] = frozenset()
    name_of: NameOf | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A delivery is stored: what is said at once to who gave a command, and what is done afterwards if it can be."""

    text: str = ""
    then: Afterwards | None = None


class Keeper:
    """Stores every kind of delivery; what it raises means that nothing was stored. `note` is told how far we heard."""

    def __init__(
        self,
        settings: SlackSettings,
        clients: Clients,
        stores: Stores,
        counts: Counts,
        note: Callable[[Place, str], None],
    ) -> None:
        self._settings = settings
        self._clients = clients
        self._stores = stores
        self._counts = counts
        self._note = note
        self._desks = AtDesks(clients, stores.intake, stores.name_of)
        self._rooms: dict[tuple[str, str], str] = {}
        self._thumbs: dict[tuple[Place, str, str], Verdict] = {}

    async def keep(self, delivery: Translated) -> Kept:
        """Store a delivery."""
        match delivery:
            case Ignored(reason):
                self._counts.ignored += 1
                log.debug("ignored: %s", reason)
                return Kept()
            case Incoming():
                return await self._take(delivery)
            case Edited(incoming):
                await self._stores.intake.edit(incoming)
            case Deleted(place, message):
                await self._stores.intake.delete(place, message)
            case Joined() | MembersChanged():
                await self._channel_changed(delivery)
            case HomeOpened():
                return Kept(then=lambda: self._suggest(delivery))
            case Uninstalled() | TeamsLost():
                await self._forget(delivery)
            case Acted() | Wanted():
                return Kept(then=await self._desks.keep(delivery))
            case Judged() | Explained() | Reacted() | AskedInPrivate():
                return await self._opinion(delivery)
        return Kept()

    async def _channel_changed(self, change: Joined | MembersChanged) -> None:
        if isinstance(change, Joined):
            await self._stores.heard.hear(change.place, change.at)
        elif self._stores.forget_members:
            self._stores.forget_members(change.place.channel)

    async def _take(self, incoming: Incoming) -> Kept:
        stored = await self._stores.intake.take(incoming)
        self._counts.stored += stored in ("new", "limited")
        self._counts.known += stored == "known"
        if incoming.origin == "message":
            self._note(incoming.place, incoming.message)
        if incoming.origin != "command":
            return Kept()
        return Kept(phrase("status_retrieve", language_of(incoming.text)))

    async def _opinion(self, delivery: Judged | Explained | Reacted | AskedInPrivate) -> Kept:
        feedback = self._stores.feedback
        match delivery:
            case Judged(answer, place, actor, verdict):
                is_ours = await feedback.judge(answer, place=place, actor=actor, verdict=verdict)
                if not is_ours:
                    log.warning("feedback refused: the answer was not given there", extra={"answer": answer})
                elif verdict == "bad":
                    return Kept(then=lambda: self._ask_why(delivery))
            case Explained(answer, place, actor, reason, comment):
                if not await feedback.explain(answer, place=place, actor=actor, reason=reason, comment=comment):
                    log.warning("feedback refused: there is no verdict to explain", extra={"answer": answer})
            case Reacted():
                await self._react(delivery)
            case AskedInPrivate():
                return await self._take(await self._private(delivery))
        return Kept()

    async def _react(self, reacted: Reacted) -> None:
        """Store a thumb, or that it was taken back; not where the person's last one was the other."""
        key = (reacted.place, reacted.message, reacted.actor)
        if not reacted.is_taken_back:
            self._thumbs[key] = reacted.verdict
            if len(self._thumbs) > THUMBS_REMEMBERED:
                del self._thumbs[next(iter(self._thumbs))]
        elif self._thumbs.pop(key, reacted.verdict) != reacted.verdict:
            return
        verdict = None if reacted.is_taken_back else reacted.verdict
        await self._stores.feedback.react(reacted.place, reacted.message, actor=reacted.actor, verdict=verdict)

    async def _private(self, request: AskedInPrivate) -> Incoming:
        """Return the question once more, in the direct messages with who pressed."""
        channel = await self._room(request.workspace, request.author)
        return Incoming(
            place=Place(PLATFORM, request.workspace, channel),
            message=f"private:{request.question}",
            author=request.author,
            text="",
            sent_at=request.sent_at,
            company="direct",
            is_addressed=True,
            origin="button",
            wire={"again": str(request.question)},
        )

    async def _room(self, workspace: str, user: str) -> str:
        """Return the direct messages with a person, which never change."""
        if (workspace, user) not in self._rooms:
            client = await self._clients.of(workspace)
            opened = await asked(client.conversations_open(users=[user]), "conversations.open")
            self._rooms[workspace, user] = str(opened["channel"]["id"])
        return self._rooms[workspace, user]

    async def _forget(self, gone: Uninstalled | TeamsLost) -> None:
        if self._stores.installations is None:
            log.error("the app was removed from the workspace or its token revoked; install it again")
            return
        if isinstance(gone, TeamsLost):
            await self._stores.installations.lost(gone.enterprise, gone.teams)
        elif gone.team or gone.enterprise:
            await self._stores.installations.delete(gone.enterprise, gone.team)
            log.warning("the app was uninstalled", extra={"workspace": gone.team or gone.enterprise})
        self._clients.forget()

    async def _ask_why(self, judged: Judged) -> None:
        view = feedback_reasons(judged_in(judged), judged.language)
        client = await self._clients.of(judged.place.workspace)
        await asked(client.views_open(trigger_id=judged.trigger, view=view), "views.open")

    async def _suggest(self, opened: HomeOpened) -> None:
        if not self._settings.prompts:
            return
        client = await self._clients.of(opened.workspace)
        prompts = [{"title": prompt, "message": prompt} for prompt in self._settings.prompts]
        # Never with thread_ts: where the app has an agent_view, Slack then silently shows nothing.
        call = client.assistant_threads_setSuggestedPrompts(channel_id=opened.channel, prompts=prompts)
        await asked(call, "assistant.threads.setSuggestedPrompts")

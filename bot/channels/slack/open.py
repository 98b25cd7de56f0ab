"""Slack, open: what listens and what sends, over the same clients."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.util import find_spec

from bot.channels.slack.secrets import secrets_of
from bot.channels.slack.settings import SlackSettings
from bot.core.offered import Listening, Offered
from knowledge.errors import SettingsProblem

PACKAGES = ("aiohttp", "slack_bolt", "slack_sdk")


@asynccontextmanager
async def build(
    settings: SlackSettings, *, offered: Offered, environment: Mapping[str, str] | None = None
) -> AsyncIterator[Listening]:
    """Open Slack; nothing is called before somebody listens or something is sent."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise SettingsProblem(f'Slack needs {", ".join(missing)}: pip install "answerdesk[slack]"')
    secrets = secrets_of(os.environ if environment is None else environment, settings)
    # Slack's packages take a second to import: only who talks there waits for them.
    from bot.channels.slack.slack import open_slack

    async with open_slack(settings, secrets, offered) as slack:
        yield slack

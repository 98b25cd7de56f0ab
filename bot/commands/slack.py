"""`answerdesk slack`."""

from rich.console import Console

from bot.channels.slack.manifest import manifest_yaml
from bot.channels.slack.settings import SlackSettings
from bot.cli import DONE
from bot.settings import Settings


async def manifest(settings: Settings) -> int:
    """Print the manifest of the Slack app that fits the settings."""
    chosen = next((chosen.settings for chosen in settings.channels if chosen.kind == "slack"), SlackSettings())
    assert isinstance(chosen, SlackSettings), "the registry validates each table by its own model"
    Console(highlight=False, markup=False).print(manifest_yaml(chosen), soft_wrap=True)
    return DONE

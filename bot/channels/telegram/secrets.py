"""What Telegram gives in confidence: read from the environment, never shown."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.errors import SettingsProblem

BOT_TOKEN = "TELEGRAM_BOT_TOKEN"
WHERE = "write /newbot to @BotFather in Telegram, and copy the token that it gives"
_TOKEN = re.compile(r"\d{1,20}:[A-Za-z0-9_-]{1,100}")


@dataclass(frozen=True, slots=True)
class TelegramSecrets:
    """The bot's token."""

    bot_token: str = field(repr=False)

    @property
    def bot_id(self) -> str:
        """The bot's own number, which its token begins with."""
        return self.bot_token.split(":")[0]

    @property
    def webhook_secret(self) -> str:
        """What Telegram shows with each update that it brings: known to nobody who has not the token."""
        return hmac.new(self.bot_token.encode(), b"answerdesk webhook", hashlib.sha256).hexdigest()


def secrets_of(environment: Mapping[str, str]) -> TelegramSecrets:
    """Read the token; SettingsProblem where it is missing or mistaken, and where to get it."""
    token = environment.get(BOT_TOKEN, "").strip()
    if not token:
        raise SettingsProblem(f"{BOT_TOKEN} is not set; {WHERE}")
    if not _TOKEN.fullmatch(token):
        raise SettingsProblem(f"{BOT_TOKEN} is no token of a bot (digits, a colon, letters); {WHERE}")
    return TelegramSecrets(token)

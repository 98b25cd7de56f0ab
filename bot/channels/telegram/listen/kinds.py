"""Which kinds of updates Telegram is asked for: exactly those that mean something to us."""

from bot.channels.telegram.settings import TelegramSettings

KINDS = ("message", "edited_message", "callback_query", "message_reaction", "my_chat_member")
BUSINESS_KINDS = ("business_message", "edited_business_message")
GUEST_KINDS = ("guest_message",)


def kinds(settings: TelegramSettings) -> list[str]:
    """Return them by Telegram's names; without a list it would send nearly all, but no reactions."""
    return [*KINDS, *(BUSINESS_KINDS if settings.business else ()), *(GUEST_KINDS if settings.guests else ())]

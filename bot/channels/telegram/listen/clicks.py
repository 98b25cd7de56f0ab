"""What is said to who pressed a button, and what becomes of the buttons: nothing that anybody depends on."""

from telegram import Bot, InlineKeyboardMarkup

from bot.channels.telegram.errors import asked
from bot.channels.telegram.render.keyboards import Keyboard, answer_keyboard, reasons_keyboard, reply_markup
from bot.channels.telegram.send.desk import shortened
from bot.channels.telegram.translate.values import AskedInPrivate, Click, Explained, Judged
from bot.core.phrases import phrase
from bot.core.tickets.acts import Came, Outcome

# telegram.constants.CallbackQueryLimit
MAX_TOLD_UNITS = 200
FAILED: frozenset[Came] = frozenset({"refused", "taken", "late", "unknown"})


class Clicks:
    """Answers clicks, so that Telegram shows no clock any more."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def judged(self, judged: Judged) -> None:
        """Thank for a verdict; a bad one is asked about."""
        await self._say("feedback_noted", judged.click)
        if judged.verdict == "bad":
            await self._show(reasons_keyboard(str(judged.answer), judged.click.language), judged.click)

    async def explained(self, explained: Explained) -> None:
        """Thank for a reason, and show the answer's own buttons again."""
        if explained.reason:
            await self._say("feedback_noted", explained.click)
        else:
            await self.taken(explained.click)
        await self._show(answer_keyboard(str(explained.answer), explained.click.language), explained.click)

    async def taken(self, click: Click) -> None:
        """Say nothing: a message answers it."""
        await asked(self._bot.answer_callback_query(click.id), "answerCallbackQuery")

    async def told(self, click: Click, outcome: Outcome) -> None:
        """Tell what came of it; what somebody could not do is told so that they cannot miss it."""
        text = shortened(outcome.told, MAX_TOLD_UNITS) if outcome.told.strip() else None
        is_alert = bool(text) and outcome.came in FAILED
        await asked(self._bot.answer_callback_query(click.id, text, show_alert=is_alert), "answerCallbackQuery")

    async def asked_in_private(self, request: AskedInPrivate, username: str) -> None:
        """Open the direct messages with us, where the question is asked once more."""
        address = f"https://t.me/{username}?start=p_{request.question}"
        await asked(self._bot.answer_callback_query(request.click.id, url=address), "answerCallbackQuery")

    async def stale(self, click: Click) -> None:
        """Say that the button means nothing any more."""
        await self._say("refused_old_button", click)

    async def _say(self, name: str, click: Click) -> None:
        text = phrase(name, click.language)
        await asked(self._bot.answer_callback_query(click.id, text), "answerCallbackQuery")

    async def _show(self, keyboard: Keyboard, click: Click) -> None:
        if click.message is None:
            return
        markup = InlineKeyboardMarkup.de_json(reply_markup(keyboard), self._bot)
        call = self._bot.edit_message_reply_markup(int(click.place.channel), click.message, reply_markup=markup)
        await asked(call, "editMessageReplyMarkup")

"""A bot as python-telegram-bot's own documentation has it: many updates at once, its own limiter, all in memory.

Its updates are confirmed as soon as they are fetched; the handler answers at once, so that only the way is timed.
"""

import argparse
import os

from telegram import Update
from telegram.ext import AIORateLimiter, Application, ContextTypes, MessageHandler, filters

from bench.telegram_load import ANSWER


def main() -> None:
    """Answer until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base_url")
    parser.add_argument("--retries", type=int, default=0, help="after a limit was hit; the limiter's default is none")
    chosen = parser.parse_args()
    limiter = AIORateLimiter(max_retries=chosen.retries)
    builder = Application.builder().token(os.environ["TELEGRAM_BOT_TOKEN"]).base_url(chosen.base_url)
    application = builder.rate_limiter(limiter).concurrent_updates(True).build()
    application.add_handler(MessageHandler(filters.TEXT, answer))
    application.run_polling(timeout=2)


async def answer(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Reply at once."""
    assert update.message
    await update.message.reply_text(ANSWER, do_quote=True)


if __name__ == "__main__":
    main()

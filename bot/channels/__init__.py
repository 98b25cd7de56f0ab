"""Where people write to the bot."""

"""What Telegram sends, turned into values: pure functions."""

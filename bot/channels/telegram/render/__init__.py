"""What people see, as Telegram's text, entities and buttons: pure functions."""

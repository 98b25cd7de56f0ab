"""The bot's ports on PostgreSQL."""

"""The methods of the Bot API, by what they are about."""

"""Answers worded by Claude, or by any model behind a server that speaks its Messages API."""

"""Adapters that turn recordings into words."""

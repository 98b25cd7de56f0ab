"""Keeps documents, passages and their vectors in PostgreSQL."""

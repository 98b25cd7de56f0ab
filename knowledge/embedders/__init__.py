"""Embedding models: each file here satisfies the port in `knowledge.embed`."""

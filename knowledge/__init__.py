"""The knowledge base: documents in, passages found and weighed."""

"""Retrieval and answer quality, measured on labelled questions."""

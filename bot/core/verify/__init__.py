"""Does a sentence say what the passages that it cites say? Rules and word lists; `check.py` puts them together."""

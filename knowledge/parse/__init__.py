"""One parser per document format; each gives blocks in reading order."""

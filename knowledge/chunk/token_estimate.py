"""How many tokens a text has at most, for embedders that do not tell."""

import math

# Tokens a character: 0.24 of English and 0.30 of Russian text, 0.65 of Chinese, in multilingual-e5's vocabulary.
# Vocabularies made for English need twice as many for other scripts.
_ASCII_CHARACTERS_A_TOKEN = 3
_FURTHER_BYTES_A_TOKEN = 2


def estimated_tokens(text: str) -> int:
    """Return more tokens than most tokenizers find in text: one for 3 ASCII, 2 Cyrillic or 1 Chinese character."""
    ascii_characters = len(text.encode("ascii", "ignore"))
    further_bytes = len(text.encode("utf-8", "surrogatepass")) - len(text)
    return math.ceil(ascii_characters / _ASCII_CHARACTERS_A_TOKEN + further_bytes / _FURTHER_BYTES_A_TOKEN)

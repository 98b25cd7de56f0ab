"""Scripts that are read in another way than by words between blanks."""

# Ranges, for a character class, of Thai, Lao, Khmer, Japanese and Chinese letters.
UNSPACED = r"\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"

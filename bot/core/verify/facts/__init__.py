"""The hard facts of a sentence (numbers, dates, codes, addresses, names), and which of them a passage lacks."""

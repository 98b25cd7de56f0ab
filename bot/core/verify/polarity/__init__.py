"""What a sentence asserts or denies, and whether its text agrees; `check.py` and `across.py` ask."""

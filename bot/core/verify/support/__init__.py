"""How much of a sentence stands in the text that it cites, by words or by vectors."""

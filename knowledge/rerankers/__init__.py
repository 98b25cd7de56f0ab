"""Ways of weighing a hit against the question."""

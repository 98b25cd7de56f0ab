"""Ways of wording an answer from evidence."""

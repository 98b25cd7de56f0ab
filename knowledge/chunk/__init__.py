"""Ways of cutting a parsed document into passages."""

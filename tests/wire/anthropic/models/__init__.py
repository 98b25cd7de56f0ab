"""The models that answer in tests: each is called with a prompt and returns what it is going to say."""

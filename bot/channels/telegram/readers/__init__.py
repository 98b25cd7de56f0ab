"""Who reads along in a chat."""

"""Who reads along in a place, and what was said there before."""

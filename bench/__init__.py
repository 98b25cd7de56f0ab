"""Benchmarks: speed and quality, each against a named alternative in the same run."""

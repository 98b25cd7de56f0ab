"""What Slack sends, turned into values: pure functions."""

"""What people see, as Slack's blocks: pure functions."""

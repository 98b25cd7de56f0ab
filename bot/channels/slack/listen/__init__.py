"""Everything by which Slack reaches us: stored first, then acknowledged."""

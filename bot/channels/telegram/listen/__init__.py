"""Everything by which Telegram reaches us: stored first, then confirmed."""

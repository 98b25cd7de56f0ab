"""The bot: questions in, cited answers or hand-overs out."""

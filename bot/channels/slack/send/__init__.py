"""Everything that goes out to Slack: parcels, and what is shown while an answer is made."""

"""Everything that goes out to Telegram: parcels, and what is shown while an answer is made."""

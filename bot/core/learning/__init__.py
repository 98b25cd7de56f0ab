"""What people taught: drafts, what is taken out of them, and what speaks against them."""

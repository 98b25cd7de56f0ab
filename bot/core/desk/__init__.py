"""People who take over: tickets, the desks that they come to, and what is said there and back."""

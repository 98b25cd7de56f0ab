"""Where people take over: chats, ticket systems; each yields a desk, and what speaks to it."""

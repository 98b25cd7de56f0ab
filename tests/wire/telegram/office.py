"""A small world that most tests begin with."""

from tests.wire.telegram.server import TelegramServer

TOKEN = "12345:test"
BOT, BOT_NAME = 12345, "answer_desk_bot"
MENTION = f"@{BOT_NAME}"
# People; their chats with the bot have the same ids.
ASKER, COLLEAGUE, STRANGER = 700_000_001, 700_000_002, 700_000_003
# The bot may not write to this one: they never wrote to it.
NEWCOMER = 700_000_004
GROUP = -4_000_001
SUPERGROUP = -1_001_700_000_001
FORUM = -1_001_700_000_002
GENERAL, TOPIC = 1, 11
CHANNEL, DISCUSSION = -1_001_700_000_003, -1_001_700_000_004


def furnish(telegram: TelegramServer) -> None:
    """Add the people and the chats."""
    telegram.add_user(ASKER, "Олена", username="asker", language="uk")
    telegram.add_user(COLLEAGUE, "Colleague", username="colleague", language="en")
    telegram.add_user(STRANGER, "Stranger")
    telegram.add_user(NEWCOMER, "Newcomer", has_started=False)
    telegram.add_group(GROUP, [ASKER, COLLEAGUE], title="Group")
    telegram.add_supergroup(SUPERGROUP, [ASKER, COLLEAGUE], title="Supergroup")
    telegram.add_supergroup(FORUM, [ASKER, COLLEAGUE], title="Forum", is_forum=True)
    telegram.add_topic(FORUM, "VPN", topic=TOPIC, opened_by=COLLEAGUE)
    telegram.add_supergroup(DISCUSSION, [ASKER, COLLEAGUE], title="Discussion")
    telegram.add_channel(CHANNEL, title="Channel", discussion=DISCUSSION)

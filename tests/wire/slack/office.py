"""A small workspace that most tests begin with."""

from tests.wire.slack.server import SlackServer

TEAM = "T0HOME"
BOT_TOKEN = "xoxb-T0HOME"
BOT_USER = "UT0HOMEBOT"
MENTION = f"<@{BOT_USER}>"
ASKER, COLLEAGUE, OPERATOR = "U0ASKER", "U0COLLEAGUE", "U0OPERATOR"
# A guest with one channel, and somebody of another workspace.
GUEST, STRANGER = "U0GUEST", "U0STRANGER"
OTHER_BOT = "U0OTHERBOT"
# The conversation of ASKER with the bot.
DIRECT = "D0ASKER"
PUBLIC, PRIVATE, SHARED, GROUP, DESK = "C0PUBLIC", "G0PRIVATE", "C0SHARED", "G0GROUP", "C0DESK"
# The bot is not in this one.
ELSEWHERE = "C0ELSEWHERE"
ARCHIVED = "C0ARCHIVED"


def furnish(slack: SlackServer) -> None:
    """Add the workspace with its people and channels."""
    home = slack.add_workspace(TEAM, token=BOT_TOKEN)
    for user in (ASKER, COLLEAGUE, OPERATOR, GUEST):
        home.add_user(user)
    home.users[GUEST].is_ultra_restricted = True
    home.add_user(STRANGER, team_id="T0AWAY")
    home.add_bot(OTHER_BOT, "B0OTHER")
    home.add_channel(PUBLIC, [ASKER, COLLEAGUE, OPERATOR])
    home.add_channel(PRIVATE, [ASKER, COLLEAGUE], kind="private")
    home.add_channel(SHARED, [ASKER, STRANGER, GUEST]).is_ext_shared = True
    home.add_channel(GROUP, [ASKER, COLLEAGUE], kind="mpim")
    home.add_channel(DESK, [OPERATOR])
    home.add_channel(ELSEWHERE, [ASKER, COLLEAGUE], has_bot=False)
    home.add_channel(ARCHIVED, [ASKER]).is_archived = True
    home.add_usergroup("S0STAFF", [ASKER, COLLEAGUE])
    home.dm(ASKER)

"""Posts for the tests of how Slack shows them."""

from typing import Any

from bot.channels.slack.render.reply import Posting
from bot.core.incoming import Place
from bot.core.tickets.files import File
from bot.core.tickets.post import Part, Post, Press, Spot

DESK = Place("slack", "T1", "C9")
AFTER = 1_764_493_200.0
CARD_TS = "1764493300.000100"
PLAN = File("telegram", "7", "f-1", "plan.pdf", 1_234, "application/pdf")
CARD = Post(
    (
        Part("Ticket 12 · open", "title"),
        Part("How do I change my PIN?", "quote", label="Question"),
        Part("I was only 41 % sure.", label="Why it is here"),
        Part("Press the star key.", "item", label="PIN › Change", url="https://wiki.example.org/pin?a=1&b=2"),
        Part("Ada · Telegram · English", "small"),
    ),
    (
        (Press("claim", 12, "Take it", is_first=True), Press("draft", 12, "Send the draft")),
        (Press("reply", 12, "Reply"), Press("close", 12, "Close")),
    ),
    plain="Ticket 12",
)


def spot(**changes: Any) -> Spot:
    """Return a place at a desk's channel."""
    return Spot(**{"place": DESK, "key": "ticket:12:card", "after": AFTER, **changes})


def buttons(posting: Posting) -> list[dict[str, Any]]:
    """Return the buttons of a message."""
    rows: list[Any] = [block for block in posting.blocks if block["type"] == "actions"]
    return [button for row in rows for button in row["elements"]]


def texts(postings: list[Posting]) -> list[str]:
    """Return the mrkdwn of all blocks in order."""
    found: list[str] = []
    for block in (block for posting in postings for block in posting.blocks):
        elements: Any = block.get("elements") or [block]
        found += [
            element["text"] if isinstance(element["text"], str) else element["text"]["text"] for element in elements
        ]
    return found

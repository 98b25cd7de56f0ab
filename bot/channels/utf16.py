"""Text as chat platforms count it."""


def length(text: str) -> int:
    """Return the length in UTF-16 units, where an emoji is two or more.

    Telegram counts its offsets and limits so, and for Slack's limits it is never less than its own count.
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

"""What Confluence makes of names: the anchors of headings and the pictures of emoticons."""

from collections.abc import Mapping

_PICTURES = {
    "smile": "🙂",
    "sad": "🙁",
    "cheeky": "😛",
    "laugh": "😀",
    "wink": "😉",
    "thumbs-up": "👍",
    "thumbs-down": "👎",
    "information": "ℹ️",
    "tick": "✅",
    "cross": "❌",
    "warning": "⚠️",
    "plus": "➕",
    "minus": "➖",
    "question": "❓",
    "light-on": "💡",
    "light-off": "💡",
    "yellow-star": "⭐",
    "red-star": "⭐",
    "green-star": "⭐",
    "blue-star": "⭐",
    "heart": "❤️",
    "broken-heart": "💔",
}


class HeadingAnchors:
    """The anchors of one page's headings, in their order; headings of the same text get `.1`, `.2` ...

    Confluence Cloud puts `-` for white space. Data Center, meant when a page title is given, leaves out white space
    and `-` and puts the page's title before: `LanguageManualDDL-DropTable`.
    """

    def __init__(self, page_title: str | None = None) -> None:
        self._prefix = _data_center_prefix(page_title) if page_title else None
        self._taken: dict[str, int] = {}

    def of_heading(self, text: str) -> str:
        """Return the anchor of the next heading of the page."""
        wanted = "-".join(text.split()) if self._prefix is None else f"{self._prefix}-{_squeezed(text)}"
        if wanted not in self._taken:
            self._taken[wanted] = 0
            return wanted
        number, anchor = self._taken[wanted], wanted
        while anchor in self._taken:
            number += 1
            anchor = f"{wanted}.{number}"
        self._taken[wanted], self._taken[anchor] = number, 0
        return anchor

    def of_macro(self, name: str) -> str:
        """Return the anchor that the anchor macro of this name sets; no heading behind it gets the same."""
        anchor = name.strip() if self._prefix is None else f"{self._prefix}-{''.join(name.split())}"
        self._taken.setdefault(anchor, 0)
        return anchor


def _data_center_prefix(page_title: str) -> str:
    squeezed = _squeezed(page_title)
    return squeezed if squeezed[:1].isalpha() else f"id-{squeezed}"


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace("-", "")


def picture_of(attributes: Mapping[str, str]) -> str:
    """Return the emoji of an `ac:emoticon`; of one that is known by name only, that name (`:party_parrot:`)."""
    fallback = attributes.get("ac:emoji-fallback", "")
    if fallback and not fallback.startswith(":"):
        return fallback
    name = attributes.get("ac:name", "")
    return (
        _from_code_points(attributes.get("ac:emoji-id", ""))
        or _PICTURES.get(name)
        or attributes.get("ac:emoji-shortname")
        or fallback
        or (f"({name})" if name else "")
    )


def _from_code_points(emoji_id: str) -> str:
    """Return the emoji that an id such as `31-20e3` spells; other ids (`atlassian-tick`) give nothing."""
    try:
        points = [int(point, 16) for point in emoji_id.split("-")]
    except ValueError:
        return ""
    # Below stand controls and letters, and half surrogate pairs are no characters.
    return "".join(map(chr, points)) if all(_is_pictured(point) for point in points) else ""


def _is_pictured(point: int) -> bool:
    return 0x20 < point < 0xD800 or 0xE000 <= point <= 0x1FFFF

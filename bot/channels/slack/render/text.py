"""Text from outside as Slack shows it: character by character, and nothing in it does anything.

Slack has two languages: Markdown in its markdown blocks, and mrkdwn everywhere else. In both it runs what stands
between `<` and `>`, so those are entities in both.
"""

import re
from collections.abc import Callable
from urllib.parse import quote

from bot.channels.markdown_cuts import between_signs, farthest
from bot.channels.markdown_pieces import ticks_around
from bot.channels.utf16 import length
from bot.core.addresses import addresses
from bot.core.inert import WORD_JOINER

# Slack links these, for they are ends of hosts as well; what else looks like a host was defused before.
_FILE = r"(?P<file>(?<![\w./~-])[\w./~-]{0,200}[\w-]\.(?:md|py|sh|rs|pl|zip|mov)(?![\w-]|\.\w))"
_COMMAND = r"(?P<command>(?<![^\s(«„“\"'])/[a-z][a-z0-9_]{1,31}(?![\w/.-]))"
_NAME = re.compile(f"{_FILE}|{_COMMAND}")
_MENTION = re.compile(r"(?<!\w)[@＠﹫](?=\w)")
_EMOJI = re.compile(r"(?<!\d):(?=[a-z0-9_+'-]{1,60}:)")
# What Slack runs even where it shows code.
_CONTROL = re.compile(
    r"<(?=!(?:channel|here|everyone|subteam|date)|[@#][A-Z0-9]+[|>])|(?<!\w)@(?=(?:channel|here|everyone)\b)"
)

# Each only where CommonMark would read it as a mark: a backslash that is not needed is one more that may be seen.
_MARKDOWN_MARK = re.compile(
    r"""(?P<backslash>\\(?=[!-/:-@\[-`{-~]|$))
    |(?P<underscores>_+)
    |(?P<flanking>(?<!\s)[*~]|[*~](?!\s))
    |(?P<always>[`\[])""",
    re.VERBOSE,
)
_BLOCK_MARK = re.compile(r"(?:[-+](?=\s|$)|#{1,6}(?=\s|$)|=+\s*$|[-|:][-|:\s]*$)")
_NUMBER_MARK = re.compile(r"\d{1,9}(?=[.)](?:\s|$))")
_MRKDWN_MARK = re.compile(r"[*_~]+")
_IN_LABEL = str.maketrans({"|": "∣", "<": "‹", ">": "›"})
# Looks like the backtick, for which mrkdwn has no escape, and is none.
_BACKTICK = "\N{MODIFIER LETTER GRAVE ACCENT}"
_NOT_IN_ADDRESS = re.compile(r"""[\s<>|"`\\^{}]""")
_URL_SIGNS = "!#$%&'()*+,/:;=?@[]~"


def prose(text: str) -> str:
    """Return one line of prose as Markdown that shows it as it stands; the addresses in it are links."""
    position = 0
    shown: list[str] = []
    for start, end in addresses(text):
        if text.startswith(("http://", "https://"), start):
            shown += [_unlinked(text[position:start]), f"<{_NOT_IN_ADDRESS.sub(_percent, text[start:end])}>"]
            position = end
    return _at_line_start("".join([*shown, _unlinked(text[position:])]))


def _percent(sign: re.Match[str]) -> str:
    return quote(sign[0], safe="")


def _unlinked(text: str) -> str:
    """Return words, with the names that Slack would make links of as code."""
    position = 0
    shown: list[str] = []
    for name in _NAME.finditer(text):
        shown += [_escaped(text[position : name.start()]), f"`{name[0]}`"]
        position = name.end()
    return "".join([*shown, _escaped(text[position:])])


def _escaped(text: str) -> str:
    return entities(_quiet(_MARKDOWN_MARK.sub(_with_backslash, text)))


def _with_backslash(mark: re.Match[str]) -> str:
    if run := mark["underscores"]:
        before, after = mark.string[: mark.start()][-1:], mark.string[mark.end() :][:1]
        return run if before.isalnum() and after.isalnum() else "\\_" * len(run)
    return f"\\{mark[0]}"


def _at_line_start(text: str) -> str:
    if _BLOCK_MARK.match(text):
        return f"\\{text}"
    return _NUMBER_MARK.sub(r"\g<0>\\", text, count=1) if _NUMBER_MARK.match(text) else text


def _quiet(text: str) -> str:
    """Return text without mentions and names of emoji."""
    return _EMOJI.sub(f":{WORD_JOINER}", _MENTION.sub(rf"\g<0>{WORD_JOINER}", text))


def entities(text: str) -> str:
    """Return text in which nothing is between `<` and `>` any more, for Slack runs what is."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def cell(text: str) -> str:
    """Return a cell of a table as Markdown."""
    return prose(text.strip()).replace("|", "\\|")


def fence(code: str) -> str:
    """Return code as a fenced block that nothing in it closes."""
    ticks = ticks_around(code)
    shown = _CONTROL.sub(rf"\g<0>{WORD_JOINER}", code)
    return f"{ticks}\n{shown}\n{ticks}"


def mrkdwn(text: str) -> str:
    """Return text as mrkdwn; its marks have no escape there, so joiners keep them from being marks."""
    joined = _MRKDWN_MARK.sub(lambda run: "".join(f"{WORD_JOINER}{mark}{WORD_JOINER}" for mark in run[0]), _quiet(text))
    named = _NAME.sub(lambda name: name[0].replace(".", f".{WORD_JOINER}"), joined)
    return entities(named.replace("`", _BACKTICK))


def label(text: str) -> str:
    """Return text as it may stand in the label of a mrkdwn link."""
    return mrkdwn(" ".join(text.split()).translate(_IN_LABEL))


def on_button(text: str) -> str:
    """Return text as it may stand on a button: that is no mrkdwn, but what calls people is none there either."""
    return _quiet(text.translate(_IN_LABEL))


def linked(url: str) -> str:
    """Return an address as it may stand in a mrkdwn link."""
    return entities(quote(url, safe=_URL_SIGNS, errors="replace"))


def shortened(text: str, most: int, escaped: Callable[[str], str] = mrkdwn) -> str:
    """Return mrkdwn of at most `most` characters; what was left out is marked."""
    if len(text) <= most and length(escaped(text)) <= most:
        return escaped(text)
    end = farthest(text, 0, most - 1, lambda beginning: length(escaped(beginning)))
    return f"{escaped(text[: between_signs(text, 0, end)].rstrip())}…"

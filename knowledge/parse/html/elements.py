"""The elements of HTML: which of them a reader sees, and as what."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from knowledge.parse.html.hidden import UNSEEN_ELEMENTS, hides
from knowledge.parse.readable import ReadableText

Close = Callable[[], None]
"""What is to be done at an element's end."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_CELLS = frozenset({"td", "th"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "center", "details", "dialog", "div", "fieldset"),
        *("figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "main", "nav", "optgroup", "option"),
        *("p", "search", "section"),
    }
)
# Parts of a page that a heading may begin: their name is the heading's.
_PARTS = frozenset({"section", "div", "article", "header", "hgroup", "main", "details"})
# What a browser does not show, besides what hides anywhere: the stand-ins for small print over characters, and the
# source of a formula.
_NEVER_SEEN = UNSEEN_ELEMENTS | {"title", "datalist", "rp", "annotation", "annotation-xml"}
_Step = Callable[[ReadableText], None]
_CODE = (ReadableText.open_code, ReadableText.close_code)
_CAPTION = (ReadableText.open_caption, ReadableText.close_caption)
# How elements begin and end that need nothing of their attributes.
_STRUCTURE: Mapping[str, tuple[_Step, _Step]] = {
    "dt": (ReadableText.open_term, ReadableText.end_paragraph),
    "dd": (ReadableText.open_definition, ReadableText.end_paragraph),
    "table": (ReadableText.open_table, ReadableText.close_table),
    "tr": (ReadableText.open_row, ReadableText.close_row),
    **dict.fromkeys(("pre", "xmp", "listing"), _CODE),
    **dict.fromkeys(("caption", "figcaption"), _CAPTION),
}
# What generators of documentation call the sign that links to its own place.
_SIGN = re.compile(r"\b(?:anchor|headerlink|permalink|hash-link)\b", re.IGNORECASE)
# A rendered list of contents says again what the headings say.
_CONTENTS = "toc-macro"
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)
_MAX_DIGITS = 7
_OPEN_TASK, _DONE_TASK = "☐ ", "☑ "


def is_hidden(tag: str, attributes: Mapping[str, str], background: str) -> bool:
    """Tell whether an element is hidden, by itself, on the background that the elements around it have."""
    if tag in _NEVER_SEEN or (tag == "dialog" and "open" not in attributes):
        return True
    # Most elements have no attributes, and this is asked of every one.
    if not attributes:
        return False
    return _CONTENTS in attributes.get("class", "") or hides(tag, attributes, background)


def background_of(attributes: Mapping[str, str]) -> str:
    """Return the background colour that an element states for what is inside it; empty when it states none."""
    if not attributes:
        return ""
    stated = _BACKGROUND.search(attributes["style"]) if "style" in attributes else None
    if stated:
        return stated[1].strip()
    return attributes.get("data-highlight-colour") or attributes.get("bgcolor") or ""


def open_element(page: ReadableText, tag: str, attributes: Mapping[str, str]) -> Close | None:
    """Begin a visible HTML element on the page and return how to end it."""
    name = attributes.get("id", "")
    if tag in _HEADINGS:
        page.open_heading(int(tag[1]), name or None)
        return page.close_heading
    if tag in _BLOCKS:
        page.end_paragraph()
    if attributes:
        _name_place(page, tag, attributes, name)
    if tag in _LISTS:
        page.open_list(_whole_number(attributes.get("start")) if tag == "ol" else None)
        return page.close_list
    if tag in _CELLS:
        return _open_cell(page, tag, attributes)
    if tag in _ROW_GROUPS:
        page.open_rows(is_header=tag == "thead")
        return page.close_rows
    return _open_other(page, tag, attributes)


def _name_place(page: ReadableText, tag: str, attributes: Mapping[str, str], name: str) -> None:
    if (tag == "a" and "href" not in attributes) or "confluence-anchor-link" in attributes.get("class", ""):
        page.anchors.set_here(name or attributes.get("name", ""))
    elif tag == "dt":
        page.end_paragraph()
        page.anchors.set_here(name)
    elif tag in _PARTS:
        page.anchors.set_around(name)
    elif name:
        page.anchors.note(name)


def _open_cell(page: ReadableText, tag: str, attributes: Mapping[str, str]) -> Close:
    columns, rows = (_whole_number(attributes.get(name)) for name in ("colspan", "rowspan"))
    page.open_cell(is_header=tag == "th", columns=columns or 1, rows=rows)
    return page.close_cell


def _open_other(page: ReadableText, tag: str, attributes: Mapping[str, str]) -> Close | None:
    if tag in _STRUCTURE:
        begin, end = _STRUCTURE[tag]
        begin(page)
        return partial(end, page)
    match tag:
        case "li":
            page.open_item(_marker(attributes))
            return page.close_item
        case "summary":
            page.open_summary(attributes.get("id"))
            return page.close_heading
        case "details" | "figure":
            return _open_group(page, tag)
        case "section" | "article" if attributes.get("id"):
            return _open_section(page, attributes["id"])
    return _open_in_line(page, tag, attributes)


def _open_group(page: ReadableText, tag: str) -> Close:
    group = page.folds if tag == "details" else page.figures
    page.blocks()
    group.open()

    def close() -> None:
        page.blocks()
        group.close()

    return close


def _open_section(page: ReadableText, name: str) -> Close:
    page.anchors.open_section(name)

    def close() -> None:
        page.end_paragraph()
        page.anchors.close_section()

    return close


def _open_in_line(page: ReadableText, tag: str, attributes: Mapping[str, str]) -> Close | None:
    match tag:
        case "br":
            page.break_line()
        case "img":
            page.write(f" {attributes.get('alt') or attributes.get('title', '')} ")
        case "input" if attributes.get("type", "").lower() == "checkbox":
            page.write(_DONE_TASK if "checked" in attributes else _OPEN_TASK)
        case "q":
            return _open_between(page, "“", "”")
        case "rt":
            return _open_between(page, "(", ")")
        case "a" if attributes.get("href", "").startswith("#"):
            length, anywhere = page.running_length(), bool(_SIGN.search(attributes.get("class", "")))
            return lambda: page.drop_sign(length, anywhere=anywhere)
        case "button":
            length = page.running_length()
            return lambda: page.drop_control(length)
    return page.end_paragraph if tag in _BLOCKS else None


def _open_between(page: ReadableText, before: str, behind: str) -> Close:
    page.write(before)
    return lambda: page.write(behind)


def _marker(attributes: Mapping[str, str]) -> str:
    """Return what stands before a list item: the box of a task, or a dash."""
    if "data-inline-task-id" not in attributes:
        return "- "
    return _DONE_TASK if "checked" in attributes.get("class", "").split() else _OPEN_TASK


def _whole_number(written: str | None) -> int:
    return int(written) if written and written.isdecimal() and len(written) <= _MAX_DIGITS else 1

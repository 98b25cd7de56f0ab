"""What the styles of a Word document say of its paragraphs and runs: headings, lists, code, hidden text."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = frozenset({"0", "false", "off", "none"})
# "Heading 1" in the languages of programs that write the names of their styles translated, and no outline levels.
_HEADING_NAME = re.compile(
    r"(?:heading|überschrift|título|titulo|titre|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|başlık|címsor"
    r"|заголовок|заглавие|見出し|标题|標題|제목)\s*([1-9])",
    re.IGNORECASE,
)
_TITLE_NAMES = frozenset({"title", "titel", "название", "заглавие документа", "título del documento"})
_CODE_NAMES = frozenset(
    {"code", "code block", "source code", "html preformatted", "preformatted text", "preformatted", "macro text"}
)
_CAPTION_NAMES = frozenset({"caption", "table caption", "название объекта", "beschriftung", "légende", "descripción"})
_CONTENTS_NAME = re.compile(r"(?:toc|contents)\s*\d|toc heading|table of figures", re.IGNORECASE)
_BODY_TEXT = 9
# Nobody makes styles that build on each other this often; and one may build on itself.
_MAX_BASES = 20
# In half points: nobody reads text of one point.
_TINY_HALF_POINTS = 2


@dataclass(frozen=True, slots=True)
class Style:
    """What holds for text of a style: `level` of a heading, else 0; `numbering` is a list's id and the depth in it."""

    level: int = 0
    numbering: tuple[str, int] | None = None
    is_code: bool = False
    is_contents: bool = False
    is_caption: bool = False
    is_hidden: bool = False
    has_background: bool = False
    is_title: bool = False


class Styles:
    """The styles of a document by their ids; what a paragraph states itself counts more than its style."""

    def __init__(self, elements: Mapping[str, "Element"], default: str) -> None:
        self._elements = elements
        self._default = default
        self._styles: dict[str, Style] = {}
        self._has_title = False

    @classmethod
    def of(cls, root: "Element") -> "Styles":
        """Return the styles of a document's part for them."""
        elements = {attribute(style, "styleId"): style for style in root.findall(f"{WORD}style")}
        paragraphs = (name for name, style in elements.items() if attribute(style, "type") == "paragraph")
        return cls(elements, next((name for name in paragraphs if attribute(elements[name], "default") == "1"), ""))

    def of_paragraph(self, properties: "Element | None") -> Style:
        """Return what holds for a paragraph; under a title, headings are one level lower."""
        style = _stated(self.named(attribute(child(properties, "pStyle"), "val") or self._default), properties)
        if style.is_title:
            self._has_title = True
            return replace(style, level=1)
        return replace(style, level=style.level + 1) if style.level and self._has_title else style

    def is_hidden(self, properties: "Element | None", paragraph: Style, *, is_on_paper: bool) -> bool:
        """Tell whether nobody sees a run: hidden by itself or its style, tiny, or white on white paper."""
        character = self.named(attribute(child(properties, "rStyle"), "val"))
        if (hidden := _switch(properties, "vanish")) is None:
            hidden = paragraph.is_hidden or character.is_hidden
        if hidden or 0 < number_of(child(properties, "sz"), default=_TINY_HALF_POINTS + 1) <= _TINY_HALF_POINTS:
            return True
        is_white = attribute(child(properties, "color"), "val").upper() == "FFFFFF"
        has_background = paragraph.has_background or character.has_background or _has_background(properties)
        return is_white and is_on_paper and not has_background

    def named(self, name: str) -> Style:
        """Return the style of an id, with what it takes from those that it builds on."""
        if name not in self._styles:
            bases = list(self._bases(name))
            style = Style()
            for base in reversed(bases):
                style = _named(_stated(style, child(base, "pPr")), base)
            self._styles[name] = style
        return self._styles[name]

    def _bases(self, name: str) -> Iterable["Element"]:
        for _ in range(_MAX_BASES):
            style = self._elements.get(name)
            if style is None:
                return
            yield style
            name = attribute(child(style, "basedOn"), "val")


def _named(style: Style, element: "Element") -> Style:
    """Return a style with what its name and its run properties add."""
    name = attribute(child(element, "name"), "val").strip().lower()
    heading = _HEADING_NAME.fullmatch(name)
    properties = child(element, "rPr")
    hidden = _switch(properties, "vanish")
    return replace(
        style,
        level=int(heading[1]) if heading else style.level,
        is_title=name in _TITLE_NAMES,
        is_code=style.is_code or name in _CODE_NAMES,
        is_contents=style.is_contents or bool(_CONTENTS_NAME.fullmatch(name)),
        is_caption=style.is_caption or name in _CAPTION_NAMES,
        is_hidden=style.is_hidden if hidden is None else hidden,
        has_background=style.has_background or _has_background(properties),
    )


def _stated(style: Style, properties: "Element | None") -> Style:
    """Return a style with what paragraph properties state."""
    if properties is None:
        return style
    outline = child(properties, "outlineLvl")
    if outline is not None:
        level = number_of(outline, default=_BODY_TEXT)
        style = replace(style, level=level + 1 if 0 <= level < _BODY_TEXT else 0)
    numbering = child(properties, "numPr")
    if numbering is not None:
        list_id = attribute(child(numbering, "numId"), "val") or (style.numbering[0] if style.numbering else "")
        depth = number_of(child(numbering, "ilvl"), default=style.numbering[1] if style.numbering else 0)
        style = replace(style, numbering=(list_id, min(max(depth, 0), 8)) if list_id not in ("", "0") else None)
    return replace(style, has_background=style.has_background or _has_background(properties))


def _has_background(properties: "Element | None") -> bool:
    shading = attribute(child(properties, "shd"), "fill").lower()
    return shading not in ("", "auto", "ffffff") or is_on(child(properties, "highlight"))


def _switch(properties: "Element | None", name: str) -> bool | None:
    """Return whether a property is on; None when it is not stated."""
    element = child(properties, name)
    return None if element is None else is_on(element)


def is_on(element: "Element | None") -> bool:
    """Tell whether a property is stated and not switched off."""
    return element is not None and attribute(element, "val").lower() not in _OFF


def child(element: "Element | None", name: str) -> "Element | None":
    """Return the first child element of a name."""
    return None if element is None else element.find(WORD + name)


def attribute(element: "Element | None", name: str) -> str:
    """Return an attribute; "" for none."""
    return "" if element is None else str(element.get(WORD + name) or "")


def number_of(element: "Element | None", *, default: int) -> int:
    """Return the whole number that an element has as its value."""
    value = attribute(element, "val")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 7 else default

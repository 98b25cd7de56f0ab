"""What hides an element from a reader: an instruction hidden this way must not reach an index or a model."""

import re
from collections.abc import Mapping
from math import inf

UNSEEN_ELEMENTS = frozenset(
    {"script", "style", "template", "head", "noscript", "iframe", "object", "svg", "canvas", "audio", "video"}
)
# Text this small, in the units of the screen, or placed this far outside of it, is there for machines only.
_SMALLEST_PX = 1.0
_OUTSIDE_PX = -999.0

_MAY_HIDE = frozenset({"hidden", "style", "color", "bgcolor", "size"})
_STYLE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NUMBER = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*(px|pt|%|[a-z]*)")
# What cuts an element down to nothing, as is done for screen readers alone.
_CUT_AWAY = re.compile(
    r"rect\(\s*(?:[01](?:px)?[\s,]*){4}\)|inset\(\s*(?:[5-9]\d|100)%|(?:circle|ellipse|scale[xy]?)\(\s*0(?:\.0*)?(?:px|%)?\s*[,)]"
)
_WHITES = frozenset({"white", "#fff", "#ffff", "#ffffff", "#ffffffff", "rgb(255,255,255)", "rgba(255,255,255,1)"})
_INVISIBLE = frozenset({"transparent", "#0000", "#00000000", "rgba(0,0,0,0)"})


def hides(tag: str, attributes: Mapping[str, str], background: str = "") -> bool:
    """Tell whether an element is hidden, by its name or its attributes, on the background of those around it."""
    if tag in UNSEEN_ELEMENTS:
        return True
    if _MAY_HIDE.isdisjoint(attributes):
        return False
    style = _declarations(attributes.get("style", ""))
    style.setdefault("color", attributes.get("color", "").strip().lower())
    style.setdefault("background-color", attributes.get("bgcolor", background).strip().lower())
    is_tiny_font = tag == "font" and attributes.get("size", "").strip() == "0"
    return "hidden" in attributes or is_tiny_font or _is_unseen(style) or _is_lost_on_its_background(style)


def _declarations(style: str) -> dict[str, str]:
    """Return the properties of a style attribute; what stands last counts."""
    found: dict[str, str] = {}
    for declaration in _STYLE_COMMENT.sub("", style).lower().split(";"):
        name, _, value = declaration.partition(":")
        found[name.strip()] = value.replace("!important", "").strip()
    return found


def _is_unseen(style: dict[str, str]) -> bool:
    return bool(
        style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or _measure(style.get("opacity"))[0] <= 0
        or _is_tiny(style.get("font-size"))
        or style.get("content-visibility") == "hidden"
        or (_CUT_OFF & set(style.get("overflow", "").split()) and any(_is_tiny(style.get(side)) for side in _SIZES))
        or any(_CUT_AWAY.search(style.get(shape, "")) for shape in _SHAPES)
        or any(_measure(style.get(side))[0] <= _OUTSIDE_PX for side in _PLACES)
    )


_CUT_OFF = frozenset({"hidden", "clip"})
_SHAPES = ("clip", "clip-path", "transform")
_SIZES = ("width", "height", "max-width", "max-height")
_PLACES = ("left", "top", "right", "text-indent", "margin-left")


def _measure(value: str | None) -> tuple[float, str]:
    """Return a length with its unit; anything else is as large as can be."""
    number = _NUMBER.fullmatch(value or "")
    return (float(number[1]), number[2]) if number else (inf, "")


def _is_tiny(value: str | None) -> bool:
    number, unit = _measure(value)
    return number <= (_SMALLEST_PX if unit in ("px", "pt", "%") else 0)


def _is_lost_on_its_background(style: dict[str, str]) -> bool:
    """Tell whether the text has the colour of what lies under it; a page is taken to be white."""
    color = "".join(style["color"].split())
    background = "".join((style.get("background") or style["background-color"] or "white").split())
    is_white_on_white = color in _WHITES and background in _WHITES | _INVISIBLE
    return color in _INVISIBLE or is_white_on_white or (bool(color) and color == background)

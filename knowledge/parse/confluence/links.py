"""Links, pictures and emoticons of a page in storage format: the words that a reader sees of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.parse.confluence.modes import Capture, Handler, Mode, Opened
from knowledge.parse.confluence.names import picture_of
from knowledge.parse.readable import ReadableText

# What a link without a body shows is the first of these that its target has.
_TARGETS = ("ri:content-title", "ri:filename", "ri:value", "ri:parameter", "ri:space-key")
# Pages that are named by where they stand; what a reader sees is their title, which is not known here.
_RELATIVE = frozenset({"@self", "@home", "@parent", "@none", "@all"})


def target_of(attributes: Mapping[str, str]) -> str:
    """Return the name of what an `ri:` element points to, as a reader sees it; empty when only an id is known."""
    if "ri:username" in attributes:
        return f"@{attributes['ri:username']}"
    name = next((attributes[name] for name in _TARGETS if name in attributes), "")
    return "" if name in _RELATIVE else name


@dataclass(slots=True)
class _Label:
    """What a link without a body or an image shows."""

    text: str = ""
    title: str = ""
    caption: str = ""
    has_body: bool = False


class LinkElements:
    """Writes what links and pictures show."""

    def __init__(self, page: ReadableText, capture: Capture) -> None:
        self._page = page
        self._capture = capture
        self._labels: list[_Label] = []

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What opens each of the elements."""
        return {
            "ac:link": self._open_link,
            "ac:link-body": self._open_body,
            "ac:plain-text-link-body": self._open_body,
            "ac:image": self._open_image,
            "ac:caption": self._open_caption,
            "ac:emoticon": self._open_emoticon,
        }

    def open_target(self, attributes: Mapping[str, str], outside: str) -> Opened:
        """Open an `ri:` element: what a link leads to."""
        if outside == "ac:link" and self._labels:
            self._labels[-1].text = target_of(attributes) or self._labels[-1].text
        return Mode.BETWEEN, None

    def _open_link(self, attributes: Mapping[str, str], _: str) -> Opened:
        self._labels.append(_Label(attributes.get("ac:anchor", "")))
        return Mode.BETWEEN, self._close_link

    def _close_link(self) -> None:
        label = self._labels.pop()
        if not label.has_body:
            self._page.write(label.text)

    def _open_body(self, _: Mapping[str, str], __: str) -> Opened:
        if self._labels:
            self._labels[-1].has_body = True
        return Mode.SHOWN, None

    def _open_image(self, attributes: Mapping[str, str], _: str) -> Opened:
        self._labels.append(_Label(attributes.get("ac:alt", ""), attributes.get("ac:title", "")))
        is_block = "ac:layout" in attributes
        if is_block:
            self._page.end_paragraph()
        return Mode.BETWEEN, lambda: self._close_image(is_block=is_block)

    def _close_image(self, *, is_block: bool) -> None:
        """Write what stands for the picture, and each of its title and caption that says something else."""
        label = self._labels.pop()
        title = label.title if not _is_same(label.title, label.caption) else ""
        self._page.write(f" {label.text or title} ")
        for more in (title if label.text else "", label.caption):
            if more.strip() and not _is_same(more, label.text):
                self._page.break_line()
                self._page.write(more)
        if is_block:
            self._page.end_paragraph()

    def _open_caption(self, _: Mapping[str, str], outside: str) -> Opened:
        if outside != "ac:image" or not self._labels:
            self._page.end_paragraph()
            return Mode.SHOWN, self._page.end_paragraph
        label = self._labels[-1]
        return self._capture.open(lambda text: setattr(label, "caption", text))

    def _open_emoticon(self, attributes: Mapping[str, str], _: str) -> Opened:
        self._page.write(f" {picture_of(attributes)} ")
        return Mode.BETWEEN, None


def _is_same(one: str, other: str) -> bool:
    return one.split() == other.split()

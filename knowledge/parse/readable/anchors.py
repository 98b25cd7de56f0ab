"""The names of a page's places, and which of them the next block gets."""

from collections.abc import Callable


class Anchors:
    """Collects the names that a page gives to its places; each heading gets one that no other heading has.

    `anchor_of` gives the name of a heading that states none.
    """

    def __init__(self, anchor_of: Callable[[str], str] | None = None) -> None:
        self._anchor_of = anchor_of
        self._known: dict[str, None] = {}
        self._on_headings: set[str] = set()
        self._here: str | None = None
        self._around: str | None = None
        # The names of the open sections whose first heading is still to come.
        self._sections: list[str | None] = []
        self._was_here_before_heading = False

    @property
    def known(self) -> tuple[str, ...]:
        """All names on the page, in their order."""
        return tuple(self._known)

    def note(self, name: str) -> None:
        """Take down a name that no block needs."""
        if name:
            self._known[name] = None

    def set_here(self, name: str) -> None:
        """Name this place: the block that is written here or next."""
        self.note(name)
        self._here = self._here or name or None

    def set_around(self, name: str) -> None:
        """Name the part of the page that begins here, for a heading that begins it."""
        self.note(name)
        self._around = name or self._around

    def open_section(self, name: str) -> None:
        """Name a section: its first heading has its name, whatever stands before that."""
        self.note(name)
        self._sections.append(name)

    def close_section(self) -> None:
        """End the section."""
        self._sections.pop()

    def begin_heading(self) -> None:
        """Tell names set inside of a heading from those before it."""
        self._was_here_before_heading = self._here is not None

    def of_heading(self, text: str, stated: str | None) -> str | None:
        """Return the name of a heading: its own, that of its place, of its part or section, or one made of its text.

        A name set inside of a heading becomes a part of its own: it then takes none that a later one could need.
        """
        here, around = self._here, self._around
        self._here = self._around = None
        section = self._sections[-1] if self._sections else None
        self._sections[-1:] = [None] if self._sections else []
        is_named_inside = here is not None and not self._was_here_before_heading
        own = None if is_named_inside or self._anchor_of is None else self._anchor_of(text)
        names = (stated, here, around, section, own)
        name = next((name for name in names if name and name not in self._on_headings), None)
        if name is None and is_named_inside and self._anchor_of is not None:
            name = self._anchor_of(text)
        if name:
            self._on_headings.add(name)
        for other in filter(None, (stated, own, name)):
            self.note(other)
        return name

    def of_block(self) -> str | None:
        """Return the name of any other block."""
        here, self._here, self._around = self._here, None, None
        return here

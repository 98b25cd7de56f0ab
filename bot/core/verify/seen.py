"""What a reader sees of a cited passage: the text that a sentence is checked against."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seen:
    """One cited passage.

    `pieces` are its sentences, list items, table rows ("column: value; ...") and code blocks in reading order, without
    markup; `quoted` are the indexes of those that the sentence cites. `above` is its title and heading path.
    """

    language: str
    above: tuple[str, ...]
    pieces: tuple[str, ...]
    quoted: tuple[int, ...]

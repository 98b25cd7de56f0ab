"""Neighbouring blocks packed into passages, as many as fit; what opens a block goes with it."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from knowledge.types import Block, Span

Piece = tuple[Block, Span]
"""A block with the span of it that is packed: all of it, or a part of one that is too long."""

Group = Sequence[Piece]


def packed(pieces: Iterable[Piece], limit: int, opening: Callable[[Group, Block], int]) -> Iterator[Span]:
    """Yield the spans of groups of at most `limit` characters.

    `opening` tells how many pieces at the end of a full group open the block that comes next; those that fit with it go
    over into its group.
    """
    group: list[Piece] = []
    for block, (start, end) in pieces:
        if group and end - group[0][1][0] > limit:
            kept = group[len(group) - opening(group, block) :]
            while kept and end - kept[0][1][0] > limit:
                kept = kept[1:]
            if full := group[: len(group) - len(kept)]:
                yield full[0][1][0], full[-1][1][1]
            group = kept
        group.append((block, (start, end)))
    if group:
        yield group[0][1][0], group[-1][1][1]

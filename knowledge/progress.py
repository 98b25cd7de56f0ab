"""How long work tells how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (done, to do), now and then and at the end."""


def unwatched(done: int, total: int) -> None:
    """Show no progress: nobody watches."""

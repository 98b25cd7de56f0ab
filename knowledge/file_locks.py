"""Locks on files, for processes of one machine."""

import fcntl


def try_exclusive(descriptor: int) -> bool:
    """Lock an open file for oneself, unless somebody has it; its last close lets it go."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

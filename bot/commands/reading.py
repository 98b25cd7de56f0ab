"""Who reads, as the commands are told."""

from knowledge.types import PUBLIC, Reader


def reader_of(email: str | None) -> Reader:
    """Return the tags of a person given by e-mail address; nobody in particular sees what is public."""
    return Reader(frozenset({PUBLIC, f"user:{email.strip().lower()}"})) if email else Reader()

"""Slack's refusals: an error code in an answer of 200."""


class Refused(Exception):
    """A method's error code, and what else its answer says."""

    def __init__(self, error: str, **more: object) -> None:
        super().__init__(error)
        self.error = error
        self.more = more

"""What a look at a platform's side of the bot brings to light."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; a `remedy` where it is not as it should be."""

    is_good: bool
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.text}; {self.remedy}" if self.remedy else self.text

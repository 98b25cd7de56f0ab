"""Faults that a test orders for the next calls of a method."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from tests.wire.telegram.errors import Refused
from tests.wire.telegram.errors import flood as flood_refusal

LONGEST_WAIT_S = 5.0
PAGE = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>502 Bad Gateway</h1></body>\r\n</html>"


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to a call instead of, or after, the work that it asks for."""

    name: str
    does_work: bool = False
    refusal: Refused | None = None
    page_status: int | None = None
    wait_s: float = 0.0
    hangs_up: bool = False

    def __post_init__(self) -> None:
        assert self.wait_s <= LONGEST_WAIT_S

    @classmethod
    def refused(cls, code: int, description: str, parameters: Mapping[str, int] | None = None) -> Self:
        """A refusal; the description has its prefix, such as "Bad Request: "."""
        return cls(f"refused {code}", refusal=Refused(code, description, parameters))

    @classmethod
    def flood(cls, seconds: int = 1) -> Self:
        """429 with a wait."""
        return cls("flood", refusal=flood_refusal(seconds))

    @classmethod
    def html_502(cls, *, does_work: bool = False) -> Self:
        """A gateway's web page."""
        return cls("html 502", does_work=does_work, page_status=502)

    @classmethod
    def cut_before(cls) -> Self:
        """The connection ends, and nothing is done."""
        return cls("cut_before", hangs_up=True)

    @classmethod
    def lost_confirmation(cls) -> Self:
        """All is done, and the connection ends before the answer."""
        return cls("lost_confirmation", does_work=True, hangs_up=True)

    @classmethod
    def hang(cls, seconds: float = 2.0, *, does_work: bool = False) -> Self:
        """Nothing comes for a while, then the connection ends."""
        return cls("hang", does_work=does_work, wait_s=seconds, hangs_up=True)

    @classmethod
    def delayed(cls, seconds: float) -> Self:
        """The work is done at once, and the answer comes late."""
        return cls("delayed", does_work=True, wait_s=seconds)

"""What every route of a server needs: the wiki, where the server is, and how it misbehaves."""

from dataclasses import dataclass
from typing import Literal

from tests.wire.confluence.cursors import Cursors
from tests.wire.confluence.faults import Behaviour
from tests.wire.confluence.wiki import Wiki

Kind = Literal["cloud", "data_center"]


@dataclass(frozen=True, slots=True)
class Site:
    """One served wiki. `base` is the address with the context path, `media` that of the host for downloads."""

    wiki: Wiki
    kind: Kind
    base: str
    context: str
    media: str
    version: tuple[int, int]
    behaviour: Behaviour
    cursors: Cursors

    @property
    def is_cloud(self) -> bool:
        """Tell Cloud from Data Center."""
        return self.kind == "cloud"

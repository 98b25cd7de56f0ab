"""What requests are served from, in memory."""

from collections.abc import Sequence

from bot.core.linking import Linking, LinkRules
from bot.core.messages import Citation
from bot.core.requests import Forgotten, Given, HandedOver, Quotes, Requests
from knowledge.types import Hit, Reader
from tests.fakes.core import FakeStanding
from tests.fakes.links import FakeLinks
from tests.fakes.people import FakePeople


class FakeGiven:
    """Has one answer, or one ticket, whoever asks."""

    def __init__(self, found: Given | HandedOver | None = None) -> None:
        self.found = found
        self.asked: list[int | None] = []

    async def answer(self, number: int, answer: int | None) -> Given | None:
        self.asked.append(answer)
        return self.found if isinstance(self.found, Given) else None

    async def last(self, number: int) -> Given | HandedOver | None:
        return self.found


class FakeSections:
    """Finds each quote in the first passage that holds it, and remembers who asked."""

    def __init__(self, *hits: Hit) -> None:
        self.hits = hits
        self.readers: list[Reader] = []

    async def around(self, citations: Sequence[Citation], reader: Reader) -> Sequence[Hit | None]:
        self.readers.append(reader)
        return [next((hit for hit in self.hits if cited.quote in hit.text), None) for cited in citations]


class FakeForgetting:
    """Forgets what it is told to have."""

    def __init__(self, forgotten: Forgotten | None = None) -> None:
        self.forgotten = forgotten or Forgotten(0, 0)
        self.requests: list[int] = []

    async def forget(self, number: int) -> Forgotten:
        self.requests.append(number)
        return self.forgotten


def requests_of(
    people: FakePeople | None = None,
    *,
    given: FakeGiven | None = None,
    standing: FakeStanding | None = None,
    sections: FakeSections | None = None,
    linking: Linking | None = None,
    forgetting: FakeForgetting | None = None,
) -> Requests:
    """Return what serves requests, with whatever a test has nothing to say of."""
    return Requests(
        people or FakePeople(),
        given=given or FakeGiven(),
        quotes=Quotes(standing=standing or FakeStanding(), sections=sections or FakeSections()),
        linking=linking or Linking(FakeLinks(), rules=LinkRules()),
        forgetting=forgetting or FakeForgetting(),
    )

"""What is sent is noted before, and never sent blindly again."""

from dataclasses import replace

import pytest

from bot.core.deliver import Deliverer
from bot.core.errors import MaybeSent, Undeliverable
from bot.core.outgoing import Parcel, Trace
from knowledge.errors import RateLimited, TransientError
from tests.fakes.channel import PLACE, FakeChannel, FakeOutbox, FakeTraces, question

PARCELS = [Parcel(at, PLACE, "1.1", "open", {}, f"part {at}", f"m{at}") for at in (1, 2)]
STREAM = Trace(PLACE, "1.1", "stream", "1.5")


def outbox(*parcels: Parcel) -> FakeOutbox:
    box = FakeOutbox()
    box.parcels = list(parcels or PARCELS)
    return box


async def test_parcels_are_sent_in_order_and_once() -> None:
    channel, box = FakeChannel(), outbox()
    deliverer = Deliverer(box, FakeTraces())

    await deliverer.deliver(question(), channel)
    await deliverer.deliver(question(), channel)

    assert channel.texts == ["part 1", "part 2"]


@pytest.mark.parametrize("error", [RateLimited("slow down", retry_after_s=3), TransientError("down")])
async def test_what_surely_was_not_sent_is_sent_by_the_next_attempt(error: Exception) -> None:
    channel, box = FakeChannel(failures=[error]), outbox()
    deliverer = Deliverer(box, FakeTraces())

    with pytest.raises(TransientError):
        await deliverer.deliver(question(), channel)
    await deliverer.deliver(question(), channel)

    assert channel.texts == ["part 1", "part 2"]


async def test_what_may_have_been_sent_is_looked_for_and_not_sent_again() -> None:
    channel, box = FakeChannel(lost=[MaybeSent("no answer")]), outbox()

    await Deliverer(box, FakeTraces()).deliver(question(), channel)

    assert channel.texts == ["part 1", "part 2"]


async def test_what_may_have_been_sent_and_is_not_there_waits_for_the_next_attempt() -> None:
    channel, box = FakeChannel(failures=[MaybeSent("no answer")]), outbox()
    deliverer = Deliverer(box, FakeTraces())

    with pytest.raises(MaybeSent):
        await deliverer.deliver(question(), channel)
    await deliverer.deliver(question(), channel)

    assert channel.texts == ["part 1", "part 2"]


async def test_what_a_dead_process_had_sent_is_known_again() -> None:
    channel, box = FakeChannel(sent=[PARCELS[0]]), outbox()
    box.begun["m1"] = 1

    await Deliverer(box, FakeTraces()).deliver(question(), channel)

    assert channel.texts == ["part 1", "part 2"]


async def test_what_nobody_can_find_again_is_sent_once_more_and_no_third_time() -> None:
    channel, box = FakeChannel(lost=[MaybeSent("cut"), MaybeSent("cut"), MaybeSent("cut")], has_history=False), outbox()
    deliverer = Deliverer(box, FakeTraces())

    for _ in range(2):
        with pytest.raises(MaybeSent):
            await deliverer.deliver(question(), channel)
    with pytest.raises(MaybeSent):
        await deliverer.deliver(question(), channel)

    assert channel.texts == ["part 1", "part 1", "part 2"]


async def test_who_is_stopped_while_it_waits_for_its_turn_has_not_begun() -> None:
    channel, box = FakeChannel(full=[RateLimited("full", retry_after_s=9)], has_history=False), outbox()

    with pytest.raises(RateLimited):
        await Deliverer(box, FakeTraces()).deliver(question(), channel)

    assert (channel.texts, box.begun) == ([], {})


async def test_an_undeliverable_reply_is_given_up() -> None:
    channel, box = FakeChannel(failures=[Undeliverable("the channel is archived")]), outbox()

    await Deliverer(box, FakeTraces()).deliver(question(), channel)

    assert (channel.texts, box.given_up) == ([], ["the channel is archived"])


async def test_the_first_open_parcel_takes_the_place_of_what_grew() -> None:
    channel, traces = FakeChannel(), FakeTraces(STREAM)
    private = replace(PARCELS[0], position=0, sight="private", marker="m0")

    await Deliverer(outbox(private, *PARCELS), traces).deliver(question(), channel)

    assert (channel.over, traces.left) == ([None, STREAM, None], {})


async def test_what_grew_leaves_no_trace_though_its_name_became_known_while_the_reply_was_sent() -> None:
    traces = FakeTraces(replace(STREAM, reference="after:1.1"))
    channel = NamingChannel(traces)

    await Deliverer(outbox(), traces).deliver(question(), channel)

    assert (channel.texts, traces.left) == (["part 1", "part 2"], {})


async def test_what_grew_is_no_trace_any_more_when_its_reply_is_noted_as_sent() -> None:
    """Killed between the two, a trace of what is done with would be taken back: the reply itself."""
    traces = FakeTraces(STREAM)
    box = WatchingOutbox(traces)
    box.parcels = list(PARCELS)

    await Deliverer(box, traces).deliver(question(), FakeChannel())

    assert box.traces_when_sent == [[], []]


class NamingChannel(FakeChannel):
    """Learns the name of what grows just before it is finished."""

    def __init__(self, traces: FakeTraces) -> None:
        super().__init__()
        self._traces = traces

    async def send(self, parcel: Parcel, *, over: Trace | None = None) -> str | None:
        if over:
            await self._traces.leave(1, STREAM)
        return await super().send(parcel, over=over)


class WatchingOutbox(FakeOutbox):
    """Looks at the traces whenever a parcel is noted as sent."""

    def __init__(self, traces: FakeTraces) -> None:
        super().__init__()
        self.traces_when_sent: list[list[Trace]] = []
        self._traces = traces

    async def sent(self, number: int, parcel: Parcel, message: str | None) -> None:
        self.traces_when_sent.append([*self._traces.left.values()])
        await super().sent(number, parcel, message)

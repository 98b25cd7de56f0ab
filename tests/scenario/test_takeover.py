"""A person takes over: asked on Slack or on Telegram, answered at a desk on Slack or on Telegram."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count, product

import pytest

from bot.core.phrases import phrase
from tests.scenario.conftest import Site
from tests.scenario.takeover_office import ANN, BOB, STAYS_S, Asker, Desk, Takeover, takeover
from tests.scenario.whole_bot import EXPIRES, IN_DAYS

AT_ONCE = 8
numbers = count(1)


def begun(office: Takeover, asked_on: str, desk_on: str, animal: str) -> tuple[Asker, Desk]:
    """Return an asker whose question has just come to a desk."""
    asker = office.asker(asked_on, next(numbers))
    question = f"Who feeds the office {animal if desk_on == 'telegram' else 'cat'} {next(numbers)} on Sundays?"
    desk = office.desk(desk_on, animal, question)
    asker.asks(question)
    office.sees(desk.card)
    office.sees(asker.read)
    return asker, desk


def _takes_over(office: Takeover, asked_on: str, desk_on: str) -> None:
    asker, desk = begun(office, asked_on, desk_on, "dog")

    assert desk.presses(ANN, "claim") == phrase("desk_yours", "en")
    office.sees(lambda: "Ann" in desk.card())
    desk.says(ANN, "Bob does, with the key from room 12.")
    office.sees(lambda: asker.read()[-1].endswith("Bob does, with the key from room 12."))

    assert ANN in asker.read()[-1]
    asker.says(EXPIRES)
    office.sees(lambda: desk.read() and EXPIRES in desk.read()[-1])
    time.sleep(STAYS_S)

    assert not any(IN_DAYS in text for text in asker.read())
    desk.presses(ANN, "return")
    office.sees(lambda: asker.read()[-1] == phrase("asker_returned", "en"))
    asker.says(EXPIRES)
    office.sees(lambda: IN_DAYS in asker.read()[-1])


def _words_and_files(office: Takeover, asked_on: str, desk_on: str) -> None:
    asker, desk = begun(office, asked_on, desk_on, "hamster")

    desk.says(ANN, "🔒 I think that is a joke.")
    desk.says(BOB, "// so do I")
    said = desk.says(BOB, "Nobody on Sundays.")
    office.sees(lambda: asker.read()[-1].endswith("Nobody on Sundays."))
    desk.edits(BOB, said, "Nobody on Sundays, it eats on Saturdays.")
    office.sees(lambda: asker.read()[-1].endswith("it eats on Saturdays."))
    more = asker.says("And on holidays?")
    office.sees(lambda: desk.read() and "And on holidays?" in desk.read()[-1])
    asker.edits(more, "And on Easter Sunday?")
    office.sees(lambda: "And on Easter Sunday?" in desk.read()[-1])
    asker.sends("cat.pdf", b"%PDF a cat")
    office.sees(lambda: desk.files() == ["cat.pdf"])
    desk.sends(BOB, "plan.pdf", b"%PDF a plan")
    office.sees(lambda: asker.files() == ["plan.pdf"])

    read = "\n".join(asker.read())
    assert ("joke" in read, "so do I" in read, "And on holidays?" in "\n".join(desk.read())) == (False, False, False)
    assert sum("Nobody on Sundays" in text for text in asker.read()) == 1


def _closed_and_reopened(office: Takeover, asked_on: str, desk_on: str) -> None:
    asker, desk = begun(office, asked_on, desk_on, "parrot")

    assert desk.presses(BOB, "claim") == phrase("desk_yours", "en")
    desk.says(BOB, "I do.")
    office.sees(lambda: asker.read()[-1].endswith("I do."))
    assert desk.presses(BOB, "close") == phrase("desk_closed", "en")
    office.sees(lambda: "closed" in asker.read()[-1])
    office.sees(lambda: phrase("state_closed", "en") in desk.card())
    assert desk.presses(ANN, "reopen") == phrase("desk_reopened", "en")
    office.sees(lambda: phrase("state_open", "en") in desk.card())
    desk.says(ANN, "So do I.")
    office.sees(lambda: asker.read()[-1].endswith("So do I."))
    asker.gives_back()
    office.sees(lambda: asker.read()[-1] == phrase("asker_returned", "en"))
    asker.says(EXPIRES)
    office.sees(lambda: IN_DAYS in asker.read()[-1])

    assert sum(text.endswith("I do.") for text in asker.read()) == 1


def _nobody_answers(office: Takeover, asked_on: str, desk_on: str) -> None:
    asker, desk = begun(office, asked_on, desk_on, "turtle")
    newest = f"question = '{desk.question}'"

    office.change(
        f"update ticket set due_at = now(), opened_at = now() - interval '5 hours', next_step = 'late',"
        f" next_at = now() where {newest}"
    )
    late = phrase("asker_late", "en", ticket="\0", desk="\0").partition("\0")[0]
    office.sees(lambda: asker.read()[-1].startswith(late))
    office.change(
        f"update ticket set opened_at = now() - interval '20 days', touched_at = now() - interval '20 days',"
        f" next_step = 'expire', next_at = now() where {newest}"
    )
    office.sees(lambda: phrase("state_expired", "en") in desk.card())
    asker.says(EXPIRES)
    office.sees(lambda: IN_DAYS in asker.read()[-1])

    assert sum(text.startswith(late) for text in asker.read()) == 1


DIALOGS: Mapping[str, Callable[[Takeover, str, str], None]] = {
    "takes over, and gives back": _takes_over,
    "words, edits, notes and files": _words_and_files,
    "closed, reopened, given back by its asker": _closed_and_reopened,
    "nobody answers in time": _nobody_answers,
}
PAIRS: Sequence[tuple[str, str]] = [*product(("slack", "telegram"), ("slack", "telegram"))]
Played = Mapping[tuple[str, str, str], Future[None]]


@pytest.fixture(scope="module")
def played(site: Site) -> Iterator[Played]:
    """All dialogs of all pairs with one bot, several at once."""
    with takeover(*site) as office, ThreadPoolExecutor(AT_ONCE) as threads:
        yield {(name, *pair): threads.submit(play, office, *pair) for name, play in DIALOGS.items() for pair in PAIRS}


@pytest.mark.parametrize(("asked_on", "desk_on"), [pytest.param(*pair, id="-".join(pair)) for pair in PAIRS])
@pytest.mark.parametrize("dialog", DIALOGS)
def test_a_person_takes_over(played: Played, dialog: str, asked_on: str, desk_on: str) -> None:
    assert played[dialog, asked_on, desk_on].result() is None

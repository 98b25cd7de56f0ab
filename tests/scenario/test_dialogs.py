"""The same dialogs on Slack and on Telegram: what is decided, and what is cited, does not depend on the platform."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.scenario.conftest import Site
from tests.scenario.dialog_platforms import both_platforms
from tests.scenario.dialogs import DIALOGS, Decision, Dialog, hold

AT_ONCE = 6
Held = Mapping[str, Mapping[str, Future[list[Decision]]]]


@pytest.fixture(scope="module")
def held(site: Site) -> Iterator[Held]:
    """All dialogs on both platforms, several at once."""
    with both_platforms(*site) as both, ThreadPoolExecutor(AT_ONCE) as threads:
        yield {
            dialog.name: {
                name: threads.submit(hold, dialog, chat, both) for name, chat in both.chats(number, dialog).items()
            }
            for number, dialog in enumerate(DIALOGS)
        }


@pytest.mark.parametrize("dialog", DIALOGS, ids=lambda dialog: dialog.name)
def test_a_dialog_is_decided_alike_on_both_platforms(held: Held, dialog: Dialog) -> None:
    slack, telegram = (held[dialog.name][platform].result() for platform in ("slack", "telegram"))

    assert [one.outcome for one in telegram] == list(dialog.outcomes)
    assert telegram == slack
    assert {one.language for one in telegram if one.relevance is not None} <= {dialog.language}


def test_the_dialogs_have_answers_that_cite_something(held: Held) -> None:
    cited = [one.cited for dialog in held.values() for one in dialog["telegram"].result() if one.outcome == "answer"]

    assert len(cited) > len(DIALOGS) / 2
    assert all(cited)

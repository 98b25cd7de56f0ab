"""A message that kills the bot each time it is answered goes to a person, and the bot lives on."""

from pathlib import Path

from bot.core.worker import MOST_ATTEMPTS
from tests.scenario.slack_bot import EXPIRES, HANDED_OVER, slack_bot
from tests.wire.slack import ASKER, MENTION, PUBLIC, Asked

DIES_WITHIN_S = 60.0
GIVEN_UP_WITHIN_S = 60.0


def test_what_breaks_the_bot_again_and_again_goes_to_a_person(
    tmp_path: Path, embedded_home: Path, database_url: str
) -> None:
    """F08."""
    with slack_bot(tmp_path, embedded_home, database_url) as at_work:
        at_work.bot.sync()
        at_work.start(killed_at="worded")
        ts = at_work.slack.says(ASKER, PUBLIC, f"{MENTION} {EXPIRES}")
        for _ in range(MOST_ATTEMPTS):
            assert at_work.bot.died(DIES_WITHIN_S)
            at_work.start(killed_at="worded")

        # It would still die of it, but does not try any more.
        at_work.slack.wait_until(at_work.is_settled, GIVEN_UP_WITHIN_S)
        assert at_work.bot.is_running
        assert [post.text.startswith(HANDED_OVER) for post in at_work.slack.answers(PUBLIC)] == [True]
        assert at_work.rows("select reason from ticket") == [("failed",)]
        assert at_work.problems(Asked(PUBLIC, ts, ASKER, outcome="handed_over")) == []

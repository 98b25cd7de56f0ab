"""Single sentences about what happened to a ticket."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.core.desk.book import Event
from bot.core.desk.desks import Desk
from bot.core.desk.hours import Hours
from bot.core.desk.notices import asker_notice, desk_notice
from tests.fakes.book import case

AT = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
KYIV = Desk("it", "IT help", "en", Hours(ZoneInfo("Europe/Kyiv")), timedelta(hours=4))
LANGUAGES = ("en", "ru", "uk", "es")


def event(kind: str) -> Event:
    return Event(1, kind, "clock:", "", AT, "open", "open")  # type: ignore[arg-type]  # a table of kinds


@pytest.mark.parametrize("kind", ["remind", "escalate", "time_out", "expire", "undelivered"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_desk_is_told_in_its_language(kind: str, language: str) -> None:
    desk = Desk("it", "IT help", language, Hours(), timedelta(hours=4))

    text = desk_notice(case(), event(kind), desk)

    assert text
    assert "{" not in text


def test_a_desk_is_told_the_time_of_its_own_zone() -> None:
    assert "2026-11-30 15:00" in desk_notice(case(), event("remind"), KYIV)


@pytest.mark.parametrize("kind", ["close", "return", "reopen", "late", "time_out", "expire"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("desk", [KYIV, None])
def test_an_asker_is_told_in_their_language_whether_or_not_the_desk_is_still_there(
    kind: str, language: str, desk: Desk | None
) -> None:
    text = asker_notice(case(), event(kind), desk, language)

    assert text
    assert "{" not in text

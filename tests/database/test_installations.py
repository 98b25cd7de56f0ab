"""The workspaces that have installed the app are found, renewed and forgotten."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.core.installations import Installation
from bot.store.installations import PostgresInstallations, PostgresStates
from knowledge.store.pool import Pool

TEAM = Installation("E1", "T1", "A1", "U0BOT", "B0BOT", "xoxb-1", ("chat:write", "commands"), installed_by="U1")
WHOLE = Installation(
    "E1", None, "A1", "U0ORG", "B0ORG", "xoxe.xoxb-2", ("chat:write",), "xoxe-1", datetime(2026, 11, 27, tzinfo=UTC)
)


async def test_an_installation_is_found_as_it_was_saved(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(TEAM)
    await installations.save(WHOLE)

    assert await installations.find(None, "T1") == TEAM
    assert await installations.find("E1", "T1") == TEAM
    assert await installations.find("E1", None) == WHOLE


async def test_installing_again_replaces_the_token(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(TEAM)
    await installations.save(replace(TEAM, token="xoxb-3"))

    found = await installations.find(None, "T1")

    assert found is not None
    assert found.token == "xoxb-3"


async def test_a_workspace_of_an_organisation_is_served_by_it_once_it_was_seen(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(WHOLE)

    assert await installations.find("E1", "T2") == WHOLE
    assert await installations.find(None, "T2") is None
    await installations.seen("E1", "T2")
    assert await installations.find(None, "T2") == WHOLE
    assert await installations.workspaces() == ["T2"]


async def test_nobody_elses_installation_is_found(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(TEAM)

    assert await installations.find(None, "T2") is None
    assert await installations.find("E1", "T2") is None
    assert await installations.find("E2", None) is None
    assert await installations.find(None, None) is None


async def test_of_two_that_renew_a_token_one_wins(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(WHOLE)
    later = datetime(2026, 11, 28, tzinfo=UTC)
    renewed = replace(WHOLE, token="xoxe.xoxb-3", refresh_token="xoxe-2", expires_at=later)

    assert await installations.renew(renewed, instead_of="xoxe.xoxb-2")
    assert not await installations.renew(replace(WHOLE, token="xoxe.xoxb-4"), instead_of="xoxe.xoxb-2")
    assert await installations.find("E1", None) == renewed


async def test_an_uninstalled_workspace_is_forgotten_and_no_other(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(TEAM)
    await installations.save(replace(TEAM, team="T2", token="xoxb-9"))
    await installations.delete("E1", "T1")

    assert await installations.workspaces() == ["T2"]
    assert await installations.find(None, "T1") is None


async def test_an_organisation_that_is_gone_takes_its_workspaces_along(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(WHOLE)
    await installations.seen("E1", "T2")
    await installations.delete("E1", None)

    assert await installations.find("E1", "T2") is None
    assert await installations.workspaces() == []


async def test_a_workspace_that_an_organisation_takes_the_app_from_is_not_served_any_more(pool: Pool) -> None:
    installations = PostgresInstallations(pool)
    await installations.save(WHOLE)
    await installations.seen("E1", "T2")
    await installations.seen("E1", "T3")
    await installations.lost("E1", ["T2", "T9"])

    assert await installations.workspaces() == ["T3"]


async def test_an_installation_that_was_begun_ends_once(pool: Pool) -> None:
    states = PostgresStates(pool)
    state = await states.issue()

    assert await states.consume(state)
    assert not await states.consume(state)
    assert not await states.consume("never-issued")


async def test_an_installation_that_was_begun_long_ago_does_not_end(pool: Pool) -> None:
    states = PostgresStates(pool)
    state = await states.issue()
    async with pool.connection() as connection:
        await connection.execute("update slack_oauth_state set expires_at = now() - interval '1 second'")

    assert not await states.consume(state)

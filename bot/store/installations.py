"""The workspaces that have installed the Slack app, in PostgreSQL, with their tokens as Slack gave them."""

import secrets
from collections.abc import Sequence
from typing import Any

from psycopg.rows import kwargs_row

from bot.core.installations import Installation
from knowledge.store.pool import Pool

# So long somebody may take to say yes on Slack's page.
STATE_MINUTES = 10
STATE_BYTES = 24


class PostgresInstallations:
    """The `Installations` port."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def find(self, enterprise: str | None, team: str | None) -> Installation | None:
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=kwargs_row(_installation))
            await cursor.execute(_FIND, {"enterprise": enterprise, "team": team})
            return await cursor.fetchone()

    async def save(self, installation: Installation) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_SAVE, _row(installation))

    async def renew(self, installation: Installation, *, instead_of: str) -> bool:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(_RENEW, {**_row(installation), "instead_of": instead_of})
        return cursor.rowcount == 1

    async def delete(self, enterprise: str | None, team: str | None) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_DELETE, {"enterprise": enterprise, "team": team})

    async def seen(self, enterprise: str, team: str) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_SEEN, {"enterprise": enterprise, "team": team})

    async def lost(self, enterprise: str, teams: Sequence[str]) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_LOST, {"enterprise": enterprise, "teams": list(teams)})

    async def workspaces(self) -> Sequence[str]:
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(_WORKSPACES)).fetchall()
        return [str(team) for (team,) in rows]


class PostgresStates:
    """The `States` port."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def issue(self) -> str:
        state = secrets.token_urlsafe(STATE_BYTES)
        async with self._pool.connection() as connection:
            await connection.execute(_ISSUE, {"state": state, "minutes": STATE_MINUTES})
        return state

    async def consume(self, state: str) -> bool:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(_CONSUME, {"state": state})
        return cursor.rowcount == 1


def _installation(*, scopes: Sequence[str], **columns: Any) -> Installation:
    return Installation(scopes=tuple(scopes), **columns)


def _row(installation: Installation) -> dict[str, object]:
    return {
        "workspace": installation.team or installation.enterprise,
        "enterprise": installation.enterprise,
        "team": installation.team,
        "app": installation.app,
        "bot_user": installation.bot_user,
        "bot": installation.bot,
        "token": installation.token,
        "scopes": list(installation.scopes),
        "refresh_token": installation.refresh_token,
        "expires_at": installation.expires_at,
        "installed_by": installation.installed_by,
    }


# A workspace's own installation comes before that of its organisation.
_FIND = """
select enterprise, team, app, bot_user, bot, token, scopes, refresh_token, expires_at, installed_by
from slack_installation
where team = %(team)s::text
    or (team is null and enterprise = coalesce(
        %(enterprise)s::text, (select seen.enterprise from slack_team seen where seen.team = %(team)s::text)))
order by team is null limit 1
"""
_SAVE = """
insert into slack_installation (workspace, enterprise, team, app, bot_user, bot, token, scopes, refresh_token,
                                expires_at, installed_by)
values (%(workspace)s, %(enterprise)s, %(team)s, %(app)s, %(bot_user)s, %(bot)s, %(token)s, %(scopes)s,
        %(refresh_token)s, %(expires_at)s, %(installed_by)s)
on conflict (workspace) do update set
    enterprise = excluded.enterprise, team = excluded.team, app = excluded.app, bot_user = excluded.bot_user,
    bot = excluded.bot, token = excluded.token, scopes = excluded.scopes, refresh_token = excluded.refresh_token,
    expires_at = excluded.expires_at, installed_by = excluded.installed_by, installed_at = now()
"""
_RENEW = """
update slack_installation set token = %(token)s, refresh_token = %(refresh_token)s, expires_at = %(expires_at)s
where workspace = %(workspace)s and token = %(instead_of)s
"""
_DELETE = """
with gone as (
    delete from slack_team where %(team)s::text is null and enterprise = %(enterprise)s::text
)
delete from slack_installation where workspace = coalesce(%(team)s::text, %(enterprise)s::text)
"""
_SEEN = """
insert into slack_team (team, enterprise) values (%(team)s, %(enterprise)s)
on conflict (team) do update set enterprise = excluded.enterprise
"""
_LOST = "delete from slack_team where enterprise = %(enterprise)s and team = any(%(teams)s)"
_WORKSPACES = """
select team from slack_installation where team is not null
union
select seen.team from slack_team seen join slack_installation whole
    on whole.enterprise = seen.enterprise and whole.team is null
order by 1
"""
_ISSUE = """
with expired as (delete from slack_oauth_state where expires_at < now())
insert into slack_oauth_state (state, expires_at) values (%(state)s, now() + make_interval(mins => %(minutes)s))
"""
_CONSUME = "delete from slack_oauth_state where state = %(state)s and expires_at >= now()"

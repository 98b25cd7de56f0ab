"""The spending caps in PostgreSQL: however many processes ask at once, no cap is passed."""

from dataclasses import dataclass
from datetime import date

from psycopg import AsyncConnection, Rollback
from pydantic import BaseModel, ConfigDict, Field

from bot.core.budget import Reservation
from bot.store.notices import PostgresNotices
from knowledge.store.pool import Pool

# Whose row holds what all have spent.
EVERYBODY = ""
# Who asks without being told apart shares one cap with the others who do.
UNKNOWN = "unknown"
TOPIC = "spending"


class BudgetSettings(BaseModel):
    """`[budget]`: what models may cost a day (UTC), in US dollars: 0 asks no model at all, `inf` knows no cap."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    daily_usd: float = Field(default=10.0, ge=0)
    daily_usd_per_person: float = Field(default=1.0, ge=0)


@dataclass(frozen=True, slots=True)
class SpentToday:
    """What has been spent or set aside since midnight UTC, and how many people were refused at their own cap."""

    usd: float
    people_at_cap: int


class PostgresBudget:
    """The `Budget` port; at a cap it is for the notices to tell the operator."""

    def __init__(self, pool: Pool, *, settings: BudgetSettings, notices: PostgresNotices) -> None:
        self._pool = pool
        self._notices = notices
        self._daily_usd = settings.daily_usd
        self._daily_usd_per_person = settings.daily_usd_per_person

    async def reserve(self, asker: str, usd: float) -> Reservation | None:
        asker = asker or UNKNOWN
        # In this order in every process: two of them never wait for each other.
        caps = {EVERYBODY: self._daily_usd, asker: self._daily_usd_per_person}
        day, full = None, None
        async with self._pool.connection() as connection, connection.transaction():
            for spender, cap in caps.items():
                day = await _reserve(connection, spender, usd, cap)
                if day is None:
                    full = spender
                    raise Rollback
        if full is not None:
            await self._tell(full)
        return Reservation(day, asker, usd) if day else None

    async def settle(self, reservation: Reservation, spent: float) -> None:
        parameters = {"day": reservation.day, "difference": spent - reservation.usd}
        async with self._pool.connection() as connection, connection.transaction():
            # Lost in a crash of the machine, the reservation stands: on the careful side.
            await connection.execute("set local synchronous_commit = off")
            for spender in (EVERYBODY, reservation.asker):
                await connection.execute(_SETTLE, {**parameters, "spender": spender})

    async def spent_today(self) -> SpentToday:
        """Return how far the caps of today are used up."""
        async with self._pool.connection() as connection:
            parameters = {"everybody": EVERYBODY, "topic": _topic("")}
            row = await (await connection.execute(_SPENT_TODAY, parameters)).fetchone()
        assert row is not None, "a select of two values returns its row"
        return SpentToday(float(row[0]), int(row[1]))

    async def _tell(self, full: str) -> None:
        """Tell the operator which cap is full; the text keeps to what is the same for the whole day."""
        if full == EVERYBODY:
            cap, setting, who = self._daily_usd, "daily_usd", "everybody"
        else:
            cap, setting, who = self._daily_usd_per_person, "daily_usd_per_person", full
        await self._notices.post(
            _topic(full) if full else TOPIC,
            f"the spending cap of ${cap:,.2f} a day is reached for {who}: until midnight UTC answers come in the"
            f" documents' own words; raise `{setting}` in [budget] for more",
        )


def _topic(person: str) -> str:
    return f"{TOPIC}:{person}"


async def _reserve(connection: AsyncConnection, spender: str, usd: float, cap: float) -> date | None:
    """Add to what is spent if the cap allows it; return the day that it counts for, None where it does not."""
    if not 0 <= usd <= cap or cap == 0:
        return None
    row = await (await connection.execute(_RESERVE, {"spender": spender, "usd": usd, "cap": cap})).fetchone()
    return row[0] if row else None


# Another process that adds at the same time is waited for, and its sum is the one that is compared.
_RESERVE = """
insert into spending (day, asker, usd) values ((now() at time zone 'utc')::date, %(spender)s, %(usd)s)
on conflict (day, asker) do update set usd = spending.usd + excluded.usd
where spending.usd + excluded.usd <= %(cap)s
returning day
"""
_SETTLE = """
update spending set usd = greatest(usd + %(difference)s, 0) where day = %(day)s and asker = %(spender)s
"""
_SPENT_TODAY = """
select coalesce((select usd from spending where day = today and asker = %(everybody)s), 0),
       (select count(*) from notice where day = today and starts_with(topic, %(topic)s))
from (select (now() at time zone 'utc')::date as today) as clock
"""

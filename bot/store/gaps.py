"""Questions that the documents answered badly or not at all, in PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from knowledge.store.pool import Pool

# An answer that is so little above its threshold was nearly not given.
LOW_MARGIN = 0.1
# More are not grouped at once: the newest count.
MOST_QUESTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Page:
    """A document, with whoever wrote it as far as its source tells."""

    source: str
    document: str
    title: str
    url: str | None
    owner: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that had no answer (`id` u1, u2, …) or a weak one (a1, a2, …).

    `page` is the nearest that was found, and `asker` an opaque name of whoever asked. `answerable_at` is since when it
    has an answer.
    """

    id: str
    asked_at: datetime
    question: str
    language: str
    relevance: float | None
    asker: str | None
    page: Page | None
    answerable_at: datetime | None
    dismissed_at: datetime | None


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    asked_at: datetime
    question: str
    language: str
    relevance: float | None
    asker: str | None
    answerable_at: datetime | None
    dismissed_at: datetime | None
    source: str | None
    document: str | None
    title: str | None
    url: str | None
    owner: str | None

    def asked(self) -> Asked:
        page = None
        if self.source and self.document:
            page = Page(self.source, self.document, self.title or self.document, self.url, self.owner)
        return Asked(
            self.id,
            self.asked_at,
            self.question,
            self.language,
            self.relevance,
            self.asker,
            page,
            self.answerable_at,
            self.dismissed_at,
        )


class PostgresGaps:
    """Reads those questions, and keeps which of them an operator has dismissed."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def asked(self, since: datetime) -> list[Asked]:
        """Return what was asked since then and had no answer or a weak one, oldest first; what was forgotten is not."""
        parameters = {"since": since, "margin": LOW_MARGIN, "limit": MOST_QUESTIONS}
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=class_row(_Row))
            await cursor.execute(_ASKED, parameters)
            return [row.asked() for row in reversed(await cursor.fetchall())]

    async def dismiss(self, questions: Sequence[str], *, is_dismissed: bool) -> None:
        """Dismiss these questions, by their ids, or take that back."""
        parameters = {"questions": list(questions), "is_dismissed": is_dismissed}
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_DISMISS_UNANSWERED, parameters)
            await connection.execute(_DISMISS_ANSWERS, parameters)


# An outage, a mistake of ours or a rule says nothing about the documents; nor does the wish for a person where they
# had an answer.
_ASKED = """
with asked as (
    select 'u' || unanswered.id as id, asked_at, question, unanswered.language, relevance, message_id, ticket_id,
        answerable_at, dismissed_at, candidates -> 0 ->> 'source' as source, candidates -> 0 ->> 'document' as document,
        null as title, null as url
    from unanswered
    where asked_at >= %(since)s and question <> '' and reason not in ('outage', 'failed', 'risky')
        and (reason <> 'asked' or relevance is null or relevance < threshold)
    union all
    select 'a' || answer.id, answered_at, question, answer.language, relevance, message_id, null, null, dismissed_at,
        cited.source, cited.path, cited.title, cited.url
    from answer left join citation as cited on cited.answer_id = answer.id and cited.marker = 1
    where answered_at >= %(since)s and question <> ''
        and (relevance < threshold + %(margin)s or missing <> ''
             or exists (select from feedback where feedback.answer_id = answer.id and verdict = 'bad'))
        and not exists (select from unanswered where unanswered.message_id = answer.message_id)
)
select asked.id, asked.asked_at, asked.question, asked.language, asked.relevance, asked.answerable_at,
    asked.dismissed_at, asked.source, asked.document, coalesce(document.title, asked.title) as title,
    coalesce(document.url, asked.url) as url, document.author as owner,
    case when coalesce(message.author, ticket.asker, '') <> ''
        then concat_ws(':', coalesce(message.platform, ticket.platform), coalesce(message.workspace, ticket.workspace),
                       coalesce(message.author, ticket.asker)) end as asker
from asked
left join message on message.id = asked.message_id
left join ticket on ticket.id = asked.ticket_id
left join source on source.name = asked.source
left join document on document.source_id = source.id and document.path = asked.document
order by asked.asked_at desc, asked.id desc
limit %(limit)s
"""
_DISMISS_UNANSWERED = """
update unanswered set dismissed_at = case when %(is_dismissed)s then coalesce(dismissed_at, now()) end
where 'u' || id = any(%(questions)s::text[])
"""
_DISMISS_ANSWERS = """
update answer set dismissed_at = case when %(is_dismissed)s then coalesce(dismissed_at, now()) end
where 'a' || id = any(%(questions)s::text[])
"""

"""One question to the index: both legs, their fusion and the passages in a single statement."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from psycopg import sql
from psycopg.rows import tuple_row

from knowledge.embed import Space
from knowledge.fuse import RRF_K, FusionSettings
from knowledge.retrieve import Query
from knowledge.store.audiences import may_read
from knowledge.store.pool import Pool
from knowledge.store.vectors import checked
from knowledge.types import ANY_LANGUAGE, Hit, RankScore, Reader, Signals

# Lucene's BM25 defaults, measured on the development sets.
BM25_K1 = 1.2
BM25_B = 0.75
# Scores are standardised over this many of each leg's best.
STANDARDISED_OVER = 50
# How far below the mean a vector score can pull: a code that stands in one passage is found, whatever its vector says.
LOWEST_Z = -2.0
# How many postings one question may read; they cost about 0.4 µs each. Terms are taken from the rarest on; what the
# others add is looked up for the candidates only. In 5,000 passages the longest question stays below.
READ_POSTINGS = 30_000
# A reader's passages are compared one by one where they are few, or not many and a small part of all: docs/decisions.md
# has the times on both sides.
FEW_PASSAGES = 1_000
SOME_PASSAGES = 10_000
SOME_SHARE = 0.1


class PostgresSearch:
    """The `Index` port over the named sources; what another configuration stored is not found."""

    def __init__(self, pool: Pool, *, space: Space, fusion: FusionSettings, sources: Sequence[str]) -> None:
        self._pool = pool
        self._sources = list(sources)
        self._space = space
        self._fusion = fusion

    async def search(self, query: Query, *, reader: Reader, limit: int) -> list[Hit]:
        parameters = {
            "vector": None if query.vector is None else checked(query.vector[None, :], self._space)[0],
            "terms": list(query.terms),
            "weights": list(query.terms.values()),
            "language": query.language,
            "languages": list(query.levels),
            "levels": list(query.levels.values()),
            "any_level": query.levels.get(ANY_LANGUAGE, 0.0),
            "language_share": self._fusion.language_share,
            "sources": [name for name in self._sources if query.sources is None or name in query.sources],
            "tags": sorted(reader.tags),
            "dense_weight": self._fusion.dense_weight,
            "gate_low": self._fusion.gate_low,
            "gate_width": max(self._fusion.gate_high - self._fusion.gate_low, 1e-6),
            "by_rank": self._fusion.fusion == "ranks",
        }
        statement = _search_statement(self._space, self._fusion.candidates, limit)
        async with self._pool.connection() as connection:
            cursor = connection.cursor(row_factory=tuple_row, binary=True)
            await cursor.execute(statement, parameters, prepare=True)
            rows = await cursor.fetchall()
        return [_hit(rank, row) for rank, row in enumerate(rows, 1)]


def _hit(rank: int, row: tuple[Any, ...]) -> Hit:
    place, (start, end, author, media_type, updated, language, fused), signals = row[:9], row[9:16], row[16:]
    passage_id, source, path, title, url, heading, anchor, text, search_text = place
    return Hit(
        passage_id=passage_id,
        source=source,
        document=path,
        title=title,
        url=url,
        heading=tuple(heading),
        anchor=anchor,
        text=text,
        search_text=search_text,
        start_line=start,
        end_line=end,
        author=author,
        media_type=media_type,
        updated_at=updated,
        language=language,
        fused=RankScore(fused),
        fused_rank=rank,
        signals=Signals(*signals),
    )


@cache
def _search_statement(space: Space, candidates: int, limit: int) -> bytes:
    """Return the statement for one space; its id and dimension are literals, or the index would not be used.

    The limits are literals and the arrays of terms come out of a sub-select, so that the plan made without their values
    is as good as one made for them: PostgreSQL then keeps it, and saves 1 ms of planning a question.
    """
    statement = sql.SQL(_SEARCH).format(
        space=sql.Literal(space.id),
        dimension=sql.Literal(space.dimension),
        candidates=sql.Literal(candidates),
        limit=sql.Literal(limit),
        budget=sql.Literal(READ_POSTINGS),
        k1=sql.Literal(BM25_K1),
        b=sql.Literal(BM25_B),
        rrf_k=sql.Literal(RRF_K),
        over=sql.Literal(STANDARDISED_OVER),
        floor=sql.Literal(LOWEST_Z),
        few=sql.Literal(FEW_PASSAGES),
        some=sql.Literal(SOME_PASSAGES),
        share=sql.Literal(SOME_SHARE),
        may_read=may_read("%(tags)s::text[]"),
    )
    return statement.as_bytes(None)


_SEARCH = """
with corpus as materialized (
    select sum(passages)::float8 as passages, greatest(sum(terms)::float8 / greatest(sum(passages), 1), 1) as length
    from source where name = any(%(sources)s::text[])
),
permitted as (
    select coalesce(array_agg(audience.id), '{{}}') as ids, coalesce(sum(audience.passages), 0) as passages
    from audience join source on source.id = audience.source_id
    where source.name = any(%(sources)s::text[]) and {may_read}
),
readable as materialized (
    select ids, permitted.passages <= {few} or permitted.passages <= least({some}, {share} * corpus.passages) as are_few
    from permitted, corpus
),
known as (
    select term, weight::float8 as weight, coalesce(term.passages, 0) as passages
    from unnest((select %(terms)s::bigint[]), (select %(weights)s::float4[])) as wanted(term, weight)
    left join term using (term)
),
valued as (
    select known.*, corpus.length,
           ln(1 + (greatest(corpus.passages - known.passages, 0) + 0.5) / (known.passages + 0.5)) as idf
    from known, corpus
),
asked as materialized (
    select term, idf * ({k1} + 1) as boost, {k1} * (1 - {b}) as flat, {k1} * {b} / length as slope,
           idf * weight / greatest(sum(idf * weight) over (), 1e-9) as share,
           sum(passages) over rarest <= {budget} or sum(passages) over rarest = passages as is_read
    from valued
    window rarest as (order by passages, term rows unbounded preceding)
),
matched as materialized (
    select passage_id, sum(boost * frequency / (frequency + flat + slope * posting.length)) as score,
           sum(share) as coverage
    from asked join posting using (term)
    where is_read and audience_id = any((select ids from readable)::int[])
    group by passage_id
),
lexical as materialized (
    select best.*, row_number() over (order by score desc, passage_id) as rank
    from (select * from matched order by score desc, passage_id limit {candidates}) as best
),
-- One of the two ways to the nearest vectors is taken: a graph that holds few permitted ones is walked in vain.
compared as materialized (
    select passage_id, -(vector::halfvec({dimension}) <#> %(vector)s::vector::halfvec({dimension})) as score
    from embedding
    where (select are_few from readable) and space_id = {space} and passage_id is not null
      and %(vector)s::vector is not null and audience_id = any((select ids from readable)::int[])
),
walked as materialized (
    -- The sum keeps the planner from the index of audiences.
    select passage_id, -(vector::halfvec({dimension}) <#> %(vector)s::vector::halfvec({dimension})) as score
    from embedding
    where not (select are_few from readable) and space_id = {space} and passage_id is not null
      and %(vector)s::vector is not null and audience_id + 0 = any((select ids from readable)::int[])
    order by vector::halfvec({dimension}) <#> %(vector)s::vector::halfvec({dimension})
    limit {candidates}
),
dense as materialized (
    select nearest.*, row_number() over (order by score desc, passage_id) as rank
    from (
        select * from (select * from compared union all select * from walked) as either
        order by score desc, passage_id limit {candidates}
    ) as nearest
),
pool as materialized (
    select passage_id, dense.score as dense, dense.rank as dense_rank,
           lexical.score as lexical, lexical.rank as lexical_rank, lexical.coverage
    from dense full join lexical using (passage_id)
),
unread as (
    select passage_id, sum(boost * frequency / (frequency + flat + slope * found.length)) as score,
           sum(share) as coverage
    from asked join pool on not is_read cross join lateral (
        select frequency, length from posting
        where posting.term = asked.term and posting.passage_id = pool.passage_id limit 1
    ) as found
    group by passage_id
),
candidate as materialized (
    select pool.passage_id, dense_rank, lexical_rank,
           coalesce(dense, (
               select -(vector::halfvec({dimension}) <#> %(vector)s::vector::halfvec({dimension}))
               from embedding where embedding.passage_id = pool.passage_id and space_id = {space}
           )) as dense,
           coalesce(lexical, matched.score, 0) + coalesce(unread.score, 0) as lexical,
           coalesce(pool.coverage, matched.coverage, 0) + coalesce(unread.coverage, 0) as coverage
    from pool
    left join matched on matched.passage_id = pool.passage_id
    left join unread on unread.passage_id = pool.passage_id
),
placed as materialized (
    -- What any text of its language would reach is taken off a passage's vector score, in part.
    select candidate.*, heading, anchor, passage.text, search_text, start_line, end_line,
           source_id, path, title, url, author, document.media_type, updated_at, document.language,
           coalesce(spoken.level, %(any_level)s::float8) as level,
           dense - %(language_share)s * coalesce(spoken.level, %(any_level)s::float8) as raised
    from candidate
    join passage on passage.id = candidate.passage_id
    join document on document.id = passage.document_id
        and (pending_audience_id is null or pending_audience_id = any((select ids from readable)::int[]))
    left join unnest((select %(languages)s::text[]), (select %(levels)s::float8[])) as spoken(language, level)
        on spoken.language = document.language
),
moments as (
    select avg(raised) filter (where raised_rank <= {over}) as dense_mean,
           nullif(stddev_pop(raised) filter (where raised_rank <= {over}), 0) as dense_spread,
           -- Passages that hold none of the words count with a score of 0: the only one that holds a code stands out.
           sum(lexical) filter (where lexical_rank <= {over}) / min(compared) as lexical_mean,
           nullif(sqrt(greatest(
               sum(lexical ^ 2) filter (where lexical_rank <= {over}) / min(compared)
               - (sum(lexical) filter (where lexical_rank <= {over}) / min(compared)) ^ 2, 0)), 0) as lexical_spread
    from (
        select placed.*, row_number() over (order by raised desc nulls last, passage_id) as raised_rank from placed
    ) as ranked, (select least({over}, greatest(passages, 1)) as compared from corpus) as base
),
standardised as (
    select placed.*,
           case when raised is not null
               then greatest((raised - dense_mean) / dense_spread, {floor}) end as dense_z,
           coalesce((lexical - lexical_mean) / lexical_spread, 0) as lexical_z
    from placed, moments
),
gated as (
    select standardised.*,
           case
               when lexical_z > 0
               then lexical_z * least(greatest((coverage - %(gate_low)s) / %(gate_width)s, 0), 1)
               when language = %(language)s then lexical_z
               else 0
           end as lexical_part
    from standardised
),
scored as (
    select gated.*,
           case
               when dense_z is null then lexical_z
               else %(dense_weight)s * dense_z + (1 - %(dense_weight)s) * lexical_part
           end as score,
           coalesce(1.0 / ({rrf_k} + dense_rank), 0) + coalesce(1.0 / ({rrf_k} + lexical_rank), 0) as rank_score
    from gated
),
fused as (
    -- Relevance is judged by the score in either order: a sum of reciprocal ranks says nothing across questions.
    select scored.*, case when %(by_rank)s then rank_score else score end as place
    from scored
    order by place desc, passage_id
    limit {limit}
)
select passage_id, source.name, path, title, url, heading, anchor, text, search_text, start_line, end_line,
       author, media_type, updated_at, language,
       score::float8, dense::float8, dense_rank::int, dense_z::float8,
       lexical::float8, lexical_rank::int, lexical_z::float8, coverage::float8, level::float8
from fused join source on source.id = source_id
order by place desc, passage_id
"""

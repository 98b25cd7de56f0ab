"""What a reader finds, and what they never do."""

from collections.abc import Mapping
from dataclasses import astuple
from statistics import fmean, pstdev

import numpy as np
import pytest

from knowledge.embed import Space
from knowledge.errors import DimensionMismatch
from knowledge.fuse import RRF_K, FusionSettings
from knowledge.retrieve import Query
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.search import FEW_PASSAGES, PostgresSearch
from knowledge.store.vectors import PostgresVectors
from knowledge.types import NOBODY, PUBLIC, Audience, Reader
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.knowledge_base import EVERYTHING, Searcher, embed_all, prepared, store

TEXTS = {
    "password.md": "Reset your password in the settings of the app.",
    "printer.md": "The printer stands on the second floor.",
    "invoice.md": "Invoices are paid within thirty days. The code is KL-1042.",
    "holiday.md": "A holiday request goes to your manager.",
}


class OtherModel(FakeEmbedder):
    """Another model of the same length, whose vectors point elsewhere."""

    model = "fake/other"


@pytest.fixture
async def searcher(pool: Pool) -> Searcher:
    await store(pool, TEXTS)
    return Searcher(pool, await embed_all(pool))


@pytest.mark.parametrize("by_words", [False, True])
@pytest.mark.parametrize(
    ("question", "document"), [("How do I reset my password?", "password.md"), ("kl-1042", "invoice.md")]
)
async def test_the_passage_that_answers_comes_first(
    searcher: Searcher, question: str, document: str, by_words: bool
) -> None:
    hits = await searcher.ask(question, by_words=by_words)

    assert hits[0].document == document
    assert [hit.fused_rank for hit in hits] == list(range(1, len(hits) + 1))


async def test_a_hit_carries_all_that_a_citation_needs(searcher: Searcher) -> None:
    (hit, *_) = await searcher.ask("printer")

    assert (hit.source, hit.document, hit.title, hit.text) == ("docs", "printer.md", "printer.md", TEXTS["printer.md"])
    assert (hit.start_line, hit.end_line, hit.language, hit.url) == (1, 1, "en", None)


async def test_a_question_of_unknown_words_is_answered_by_vectors(searcher: Searcher) -> None:
    hits = await searcher.ask("passwordz")

    assert hits[0].document == "password.md"
    assert {hit.signals.lexical_rank for hit in hits} == {None}
    assert {hit.signals.coverage for hit in hits} == {0.0}


@pytest.mark.parametrize("question", ["", "qqq zzz", "\U0001f600", "half \ud83d pair", "word " * 3_000])
async def test_any_question_can_be_asked(searcher: Searcher, question: str) -> None:
    assert len(await searcher.ask(question)) == len(TEXTS)
    assert await searcher.ask(question, by_words=True) == []


@pytest.mark.parametrize("by_words", [False, True])
async def test_an_empty_index_has_no_hits(pool: Pool, by_words: bool) -> None:
    assert await Searcher(pool, await embed_all(pool)).ask("password", by_words=by_words) == []


async def test_documents_can_be_found_by_words_before_their_vectors_are_there(pool: Pool) -> None:
    await store(pool, TEXTS)
    space = await PostgresVectors(pool).open_space("fake/ngrams", 64)

    hits = await Searcher(pool, space).ask("reset password")

    assert [hit.document for hit in hits] == ["password.md"]
    assert hits[0].signals.dense is hits[0].signals.dense_rank is None


async def test_a_passage_without_a_vector_is_found_beside_those_that_have_one(pool: Pool, searcher: Searcher) -> None:
    await store(pool, {"new.md": "Reset the coffee machine with a paper clip."})

    hits = {hit.document: hit for hit in await searcher.ask("reset the coffee machine")}

    assert hits["new.md"].signals.dense is None
    assert hits["new.md"].fused_rank == 1
    assert hits["password.md"].signals.dense is not None


async def test_no_reader_gets_what_is_not_for_them(pool: Pool) -> None:
    await store(pool, {"public.md": "Password rules for everybody."})
    await store(pool, {"staff.md": "Password of the safe."}, audience=("staff",))
    await store(pool, {"legal.md": "Password of the archive."}, audience=("legal", "board"))
    searcher = Searcher(pool, await embed_all(pool))

    found = {
        tags: sorted(hit.document for hit in await searcher.ask("password", tags=tags))
        for tags in ((), (PUBLIC,), ("staff",), (PUBLIC, "board"), ("nobody",))
    }

    assert found == {
        (): [],
        (PUBLIC,): ["public.md"],
        ("staff",): ["staff.md"],
        (PUBLIC, "board"): ["legal.md", "public.md"],
        ("nobody",): [],
    }


async def test_a_reader_needs_a_tag_of_every_clause(pool: Pool) -> None:
    staff, legal = Audience.of(["staff"]), Audience.of(["legal", "board"])
    await keep(pool, {"both.md": staff & legal, "staff.md": staff, "all.md": Audience(), "none.md": NOBODY & staff})
    searcher = Searcher(pool, await embed_all(pool))

    found = {
        tags: sorted(hit.document for hit in await searcher.ask("password", tags=tags))
        for tags in (("public",), ("staff",), ("legal",), ("public", "staff", "board"))
    }

    assert found == {
        ("public",): ["all.md"],
        ("staff",): ["staff.md"],
        ("legal",): [],
        ("public", "staff", "board"): ["all.md", "both.md", "staff.md"],
    }


async def test_a_changed_audience_holds_for_words_and_vectors(pool: Pool) -> None:
    await keep(pool, {"a.md": Audience(), "b.md": Audience()})
    searcher = Searcher(pool, await embed_all(pool))
    documents = PostgresDocuments(pool)

    await documents.reopen(await documents.open_source("docs", "fake"), "a.md", Audience.of(["staff"]))

    for by_words in (False, True):
        assert [hit.document for hit in await searcher.ask("password", by_words=by_words)] == ["b.md"]
        assert [hit.document for hit in await searcher.ask("password", tags=("staff",), by_words=by_words)] == ["a.md"]


async def test_few_and_many_permitted_passages_take_ways_with_the_same_result(pool: Pool) -> None:
    pages = "\n\n".join(f"# {number}\n\nReset the password number {number}." for number in range(FEW_PASSAGES // 2))
    await store(pool, {"public.md": pages})
    space = await embed_all(pool)
    compared = await Searcher(pool, space).ask("reset the password number 7", limit=10)
    await count_as(pool, 100 * FEW_PASSAGES)

    walked = await Searcher(pool, space).ask("reset the password number 7", limit=10)

    assert [(hit.passage_id, hit.signals.dense_rank) for hit in walked] == [
        (hit.passage_id, hit.signals.dense_rank) for hit in compared
    ]


async def count_as(pool: Pool, passages: int) -> None:
    async with pool.connection() as connection:
        await connection.execute("update audience set passages = %s", [passages])


async def keep(pool: Pool, audiences: Mapping[str, Audience]) -> None:
    documents = PostgresDocuments(pool)
    source_id = await documents.open_source("docs", "fake")
    for path, audience in audiences.items():
        await documents.replace(source_id, prepared(path, "The password of the safe."), audience)


async def test_few_permitted_passages_are_found_among_many_forbidden_ones(pool: Pool) -> None:
    forbidden = "\n\n".join(f"# {number}\n\nReset the password number {number}." for number in range(2_000))
    await store(pool, {"forbidden.md": forbidden}, audience=("board",))
    await store(pool, {f"{number}.md": f"A holiday in {number} days." for number in range(3)}, audience=("staff",))
    searcher = Searcher(pool, await embed_all(pool))

    by_vectors = await searcher.ask("reset the password number", tags=("staff",))
    by_words = await searcher.ask("holiday", tags=("staff",), by_words=True)

    assert {hit.document for hit in by_vectors} == {hit.document for hit in by_words} == {"0.md", "1.md", "2.md"}


async def test_only_the_configured_sources_are_searched(pool: Pool, searcher: Searcher) -> None:
    await store(pool, {"other.md": "Reset your password elsewhere."}, source="other")
    space = await embed_all(pool)

    found = {
        sources: {hit.source for hit in await Searcher(pool, space, sources=sources).ask("reset password")}
        for sources in (("docs",), ("other",), ("docs", "other"), ("none",), ())
    }

    assert found == {
        ("docs",): {"docs"},
        ("other",): {"other"},
        ("docs", "other"): {"docs", "other"},
        ("none",): set(),
        (): set(),
    }


async def test_ranks_and_standard_scores_are_those_of_the_scores(searcher: Searcher) -> None:
    hits = await searcher.ask("reset the password, the printer and the holiday")
    signals = [hit.signals for hit in hits]
    dense = [s.dense for s in signals if s.dense is not None]
    lexical = [s.lexical for s in signals if s.lexical_rank is not None and s.lexical is not None]

    for s in signals:
        assert s.dense is not None
        assert s.dense_rank == 1 + sum(other > s.dense for other in dense)
        assert s.dense_z == pytest.approx((s.dense - fmean(dense)) / pstdev(dense))
        assert s.lexical is not None
        assert s.lexical_z == pytest.approx((s.lexical - fmean(lexical)) / pstdev(lexical))
        assert s.lexical_rank in (None, 1 + sum(other > s.lexical for other in lexical))
        assert 0 <= s.coverage <= 1 + 1e-6
    assert [hit.fused for hit in hits] == sorted((hit.fused for hit in hits), reverse=True)


async def test_dense_scores_are_inner_products(searcher: Searcher) -> None:
    question = "reset password"
    (asked,) = await FakeEmbedder().embed([question], role="query")

    for hit in await searcher.ask(question):
        (vector,) = await FakeEmbedder().embed([f"{hit.title}\n{hit.text}"], role="passage")
        assert hit.signals.dense == pytest.approx(float(asked @ vector), abs=2e-3)


async def test_by_ranks_the_order_is_that_of_reciprocal_ranks_and_the_scores_stay(searcher: Searcher) -> None:
    question = "reset the password of the printer"
    by_scores = {hit.passage_id: hit.fused for hit in await searcher.ask(question)}

    hits = await searcher.ask(question, fusion=FusionSettings(fusion="ranks"))

    ranks = [[rank for rank in (hit.signals.dense_rank, hit.signals.lexical_rank) if rank] for hit in hits]
    sums = [sum(1 / (RRF_K + rank) for rank in of_hit) for of_hit in ranks]
    assert sums == sorted(sums, reverse=True)
    assert {hit.passage_id: hit.fused for hit in hits} == pytest.approx(by_scores)


async def test_a_limit_keeps_the_best(searcher: Searcher) -> None:
    every = await searcher.ask("reset the password of the printer")

    assert [astuple(hit) for hit in await searcher.ask("reset the password of the printer", limit=2)] == [
        astuple(hit) for hit in every[:2]
    ]


async def test_spaces_side_by_side_never_mix(pool: Pool, searcher: Searcher) -> None:
    alone = [(hit.document, hit.signals.dense) for hit in await searcher.ask("reset password")]
    await embed_all(pool, OtherModel())

    assert [(hit.document, hit.signals.dense) for hit in await searcher.ask("reset password")] == alone


async def test_a_question_vector_of_another_length_is_refused(pool: Pool) -> None:
    index = PostgresSearch(pool, space=Space(1, "m", 8), fusion=EVERYTHING, sources=["docs"])

    with pytest.raises(DimensionMismatch):
        await index.search(Query({}, "en", np.zeros(16, np.float32)), reader=Reader(frozenset({PUBLIC})), limit=5)


NEAREST = """
explain select passage_id from embedding
where space_id = {space} and passage_id is not null and audience_id = any(array[1])
order by vector::halfvec(64) <#> array_fill(0.1, array[64])::vector::halfvec(64) limit 100
"""


async def test_many_vectors_are_searched_through_the_index_of_their_space(pool: Pool) -> None:
    await store(pool, {"a.md": "\n\n".join(f"# {number}\n\nPassage {number}." for number in range(4_000))})
    space = await embed_all(pool)

    async with pool.connection() as connection:
        await connection.execute("analyze embedding")
        plan = await (await connection.execute(NEAREST.format(space=space.id).encode())).fetchall()

    assert f"embedding_hnsw_{space.id}" in "\n".join(str(line[0]) for line in plan)


async def test_a_page_in_another_language_is_brought_up_by_what_any_text_reaches(pool: Pool) -> None:
    await store(pool, {"en.md": "The password is reset in the portal.", "ru.md": "Пароль меняют на портале reset."})
    space = await embed_all(pool)
    levels = {"en": 0.9, "ru": 0.1}

    async def first(share: float) -> str:
        searcher = Searcher(pool, space, levels=levels)
        hits = await searcher.ask("reset password", fusion=FusionSettings(language_share=share, dense_weight=1.0))
        return hits[0].document

    assert [await first(share) for share in (0.0, 1.0)] == ["en.md", "ru.md"]


async def test_every_hit_tells_the_level_of_its_language(pool: Pool) -> None:
    await store(pool, {"en.md": "The password is reset in the portal.", "ru.md": "Пароль меняют на портале."})
    searcher = Searcher(pool, await embed_all(pool), levels={"en": 0.5, "any": 0.25})

    hits = await searcher.ask("reset password")

    assert {hit.document: hit.signals.level for hit in hits} == {"en.md": 0.5, "ru.md": 0.25}


async def test_the_only_passage_with_a_code_is_among_the_first_however_far_its_vector_is(pool: Pool) -> None:
    near = {f"near-{number}.md": f"zx 52 34 zx 523 {number}" for number in range(80)}
    await store(pool, {**near, "far.md": "Long before that the shelf of the archive was marked with ZX-5234 by hand."})

    hits = await Searcher(pool, await embed_all(pool)).ask("5234")

    assert "far.md" in [hit.document for hit in hits[:3]]

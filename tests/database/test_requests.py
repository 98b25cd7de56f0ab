"""Requests over the real stores: nobody is shown what they may not read, however it was answered before."""

from dataclasses import replace

import pytest

from bot.core.incoming import Company
from bot.core.linking import Linking, LinkRules
from bot.core.messages import Answer, Reply
from bot.core.outgoing import Readers
from bot.core.phrases import phrase
from bot.core.requests import Quotes, Requests, Said
from bot.store.given_answers import PostgresGivenAnswers
from bot.store.journal import PostgresJournal
from knowledge.store.documents import PostgresDocuments
from knowledge.store.pool import Pool
from knowledge.store.sections import PostgresSections
from knowledge.store.standing import PostgresStanding
from knowledge.types import Audience, Reader
from tests.database.stored_answers import quoting, reply_of, said
from tests.database.stored_messages import Conversations, heard
from tests.fakes.knowledge_base import prepared, store
from tests.fakes.links import FakeLinks
from tests.fakes.people import FakePeople
from tests.fakes.requests import FakeForgetting

STAFF = Reader(frozenset({"public", "staff"}))
TEXT = "# Doors\n\nThe code is 7.\n\nIt changes every Monday."
SOURCES = ["docs"]


@pytest.fixture
async def requests(pool: Pool) -> Requests:
    await store(pool, {"a.md": TEXT}, audience=["staff"])
    await store(pool, {"b.md": "# Cat\n\nShe eats at nine."})
    return Requests(
        FakePeople(),
        given=PostgresGivenAnswers(pool),
        quotes=Quotes(
            standing=PostgresStanding(pool, sources=SOURCES), sections=PostgresSections(pool, sources=SOURCES)
        ),
        linking=Linking(FakeLinks(), rules=LinkRules()),
        forgetting=FakeForgetting(),
    )


async def served(
    talk: Conversations, requests: Requests, name: str, *, company: Company, readers: Readers
) -> Reply | Said:
    """Answer a question from both documents, and ask about the answer."""
    asked = replace(heard("1", company=company), conversation="chat")
    question = await talk.heard_and_taken(asked)
    cat = quoting("She eats at nine.", document="b.md", marker=2)
    answer = Answer((said("Seven.", quoting("The code is 7.")), said("At nine.", cat)), "extractive")
    await PostgresJournal(talk.pool).record(replace(reply_of(answer), message=question.number), STAFF)
    await talk.answer(question, "Seven. At nine.")
    wire = {"request": name, "about": ""}
    request = replace(heard("2", "", company=company, origin="request", wire=wire), conversation="chat")
    return await requests.serve(await talk.heard_and_taken(request), readers, "en")


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("sources", ["The code is 7.", "She eats at nine."]),
        ("more", ["The code is 7.", "It changes every Monday.", "She eats at nine."]),
    ],
)
async def test_who_may_read_all_of_it_is_shown_all_of_it(
    talk: Conversations, requests: Requests, name: str, texts: list[str]
) -> None:
    reply = await served(talk, requests, name, company="direct", readers=Readers(STAFF, STAFF))

    assert isinstance(reply, Reply)
    assert [sentence.text for sentence in reply.sentences] == texts
    assert (reply.notes, reply.language) == ((), "uk")


@pytest.mark.parametrize("name", ["sources", "more", "why"])
async def test_where_others_read_along_only_what_they_may_read_is_shown(
    talk: Conversations, requests: Requests, name: str
) -> None:
    reply = await served(talk, requests, name, company="group", readers=Readers(Reader(), STAFF))

    text = f"{reply.text} {reply.notes}" if isinstance(reply, Reply) else reply.text
    assert phrase("source_removed", "uk") in text
    assert "code is 7" not in text
    assert "a.md" not in text
    assert "nine" in text or name == "why"


async def test_a_document_that_was_closed_since_is_quoted_no_more(
    talk: Conversations, requests: Requests, pool: Pool
) -> None:
    documents = PostgresDocuments(pool)
    await documents.replace(1, prepared("a.md", "# Doors\n\nThe code is 8."), Audience.of(["staff"]))
    await documents.close(1, {"b.md": Audience.of(["legal"])})

    reply = await served(talk, requests, "more", company="direct", readers=Readers(STAFF, STAFF))

    assert reply == Said(phrase("source_removed", "uk"))

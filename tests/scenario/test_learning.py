"""A question that nobody could answer is answered once, taught, and answered ever after, in other languages too."""

import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.compose import Desk, open_desk
from bot.core.errors import EntryProblem
from bot.core.learning.entry import Taught, Until
from bot.core.messages import Asked, Reply
from bot.learning import Learning, learning_of
from bot.settings import load_settings
from bot.store.entries import PostgresEntries
from knowledge.embed import complete_vectors
from knowledge.progress import unwatched
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sync import sync
from knowledge.types import CURATED
from tests.scenario.conftest import Commands

QUESTION = "Добрий день! Мене звати Олена. Де можна припаркувати велосипед біля офісу?"
IN_OTHER_WORDS = [
    "Де поставити велосипед біля офісу?",
    "Где можно припарковать велосипед возле офиса?",
    "¿Dónde puedo aparcar la bicicleta cerca de la oficina?",
    "Where can I park my bike near the office?",
]
OTHER_QUESTIONS = ["Скільки коштує квиток у кіно?", "Кто написал Войну и мир?", "How do I cook pasta?"]
ANSWER = "Вітаю, Олено! Велосипед можна залишити на підземній стоянці. Код воріт видає охорона."
TAUGHT = ["Велосипед можна залишити на підземній стоянці.", "Код воріт видає охорона."]
PAGE = "# Оплата\n\nРахунки надсилаємо першого числа. Обід у їдальні починається о дванадцятій.\n"
SEARCHABLE_WITHIN_S = 10.0


@pytest.fixture
async def desk(tmp_path: Path, embedded_home: Path, database_url: str) -> AsyncIterator[Desk]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/pay.md").write_text(PAGE, encoding="utf-8")
    config = tmp_path / "answerdesk.toml"
    config.write_text('[[sources]]\nname = "docs"\nkind = "folder"\npath = "docs"\n', encoding="utf-8")
    settings = load_settings(config, {"ANSWERDESK_HOME": str(embedded_home), "DATABASE_URL": database_url})
    async with open_desk(settings) as desk:
        folder = FolderSettings(name="docs", path=tmp_path / "docs")
        await sync(FolderSource(folder, root=folder.path), desk.base.documents, progress=unwatched)
        await complete_vectors(desk.base.vectors, desk.embedder, progress=unwatched)
        yield desk


@pytest.fixture
def learning(desk: Desk) -> Learning:
    return learning_of(desk)


async def ask(desk: Desk, question: str) -> Reply:
    return await desk.handler.handle(Asked(question))


def cited(reply: Reply) -> set[tuple[str, str, str | None]]:
    return {(one.source, one.document, one.author) for sentence in reply.sentences for one in sentence.citations}


async def taught(desk: Desk, learning: Learning) -> int:
    """Teach the answer to the question; return the entry's number."""
    ticket = (await ask(desk, QUESTION)).ticket
    assert ticket is not None
    proposal = await learning.propose(ticket, actor="slack:U1", actor_name="Оксана", answer=ANSWER)
    await learning.approve(proposal.entry, actor="slack:U2")
    return proposal.entry


async def test_what_was_answered_once_is_answered_in_every_language(desk: Desk, learning: Learning) -> None:
    await ask(desk, QUESTION)
    started = time.monotonic()

    entry = await taught(desk, learning)
    replies = [await ask(desk, question) for question in [QUESTION, *IN_OTHER_WORDS]]

    assert time.monotonic() - started < SEARCHABLE_WITHIN_S
    assert [[sentence.text for sentence in reply.sentences] for reply in replies] == [TAUGHT] * len(replies)
    assert [cited(reply) for reply in replies] == [{(CURATED, f"entry/{entry}", "Оксана")}] * len(replies)


async def test_other_questions_are_answered_as_before(desk: Desk, learning: Learning) -> None:
    page = "Коли починається обід у їдальні?"
    before = await ask(desk, page)

    await taught(desk, learning)
    after = await ask(desk, page)

    assert (after.decision, after.relevance, after.text) == (before.decision, before.relevance, before.text)
    assert [(await ask(desk, question)).decision for question in OTHER_QUESTIONS] == ["escalate"] * 3


async def test_a_draft_tells_what_was_taken_out_and_is_one_a_ticket(desk: Desk, learning: Learning) -> None:
    ticket = (await ask(desk, QUESTION)).ticket or 0

    one, again = [
        await learning.propose(ticket, actor="slack:U1", actor_name="Оксана", answer=ANSWER) for _ in range(2)
    ]

    assert one == again
    assert (one.question, one.answer) == ("Де можна припаркувати велосипед біля офісу?", " ".join(TAUGHT))
    assert [(found.kind, found.part, found.text) for found in one.stripped] == [
        ("name", "question", "Олена"),
        ("name", "answer", "Олено"),
    ]
    assert (await ask(desk, IN_OTHER_WORDS[0])).decision == "escalate"


async def test_an_entry_leaves_the_index_when_it_is_unlearned_or_over(desk: Desk, learning: Learning) -> None:
    now = datetime.now(UTC)
    unlearned, over = await taught(desk, learning), await taught_again(desk, learning)

    await learning.unlearn(unlearned, actor="slack:U2")
    await learning.time(over, Until(None, now + timedelta(days=1)))

    assert await learning.expire_due(now) == []
    assert cited(await ask(desk, IN_OTHER_WORDS[1])) == {(CURATED, f"entry/{over}", "Петро")}
    assert await learning.expire_due(now + timedelta(days=2)) == [over]
    assert (await ask(desk, IN_OTHER_WORDS[1])).decision == "escalate"


async def taught_again(desk: Desk, learning: Learning) -> int:
    """Teach another answer to the question in other words."""
    other = Taught(
        IN_OTHER_WORDS[0], "Велосипед стоїть у дворі.", "uk", (), ("public",), "slack:U3", "Петро", ticket=None
    )
    draft = await PostgresEntries(desk.base.pool).draft(other, actor="slack:U3")
    return (await learning.approve(draft.id, actor="slack:U3")).id


async def test_two_answers_to_one_question_are_told_before_the_second_is_approved(
    desk: Desk, learning: Learning
) -> None:
    first = await taught(desk, learning)
    number = await taught_again(desk, learning)

    proposal = await learning.proposal(number)

    assert [found.place.entry for found in proposal.duplicates] == [first]
    assert [found.place.entry for found in proposal.contradictions] == [first]


async def test_an_edit_changes_the_answer_at_once_and_warns_of_what_is_personal(desk: Desk, learning: Learning) -> None:
    entry = await taught(desk, learning)

    changed = await learning.edit(
        entry, question="Де припаркувати велосипед біля офісу?", answer="Спитайте 050 123 45 67.", actor="slack:U3"
    )

    assert [(found.kind, found.text) for found in changed.left] == [("phone", "050 123 45 67")]
    assert [sentence.text for sentence in (await ask(desk, IN_OTHER_WORDS[1])).sentences] == ["Спитайте 050 123 45 67."]


async def test_what_a_process_left_half_done_is_put_right_by_the_clock(desk: Desk, learning: Learning) -> None:
    ticket = (await ask(desk, QUESTION)).ticket or 0
    proposal = await learning.propose(ticket, actor="slack:U1", actor_name="Оксана", answer=ANSWER)
    await PostgresEntries(desk.base.pool).turn(proposal.entry, "approved", actor="slack:U2")

    await learning.expire_due(datetime.now(UTC))

    assert (await ask(desk, QUESTION)).decision == "answer"


async def test_what_does_not_follow_is_refused_with_the_reason(desk: Desk, learning: Learning) -> None:
    entry = await taught(desk, learning)

    with pytest.raises(EntryProblem, match=f"entry {entry} is approved"):
        await learning.reject(entry, actor="slack:U1")
    with pytest.raises(EntryProblem, match="no entry 99"):
        await learning.approve(99, actor="slack:U1")
    with pytest.raises(EntryProblem, match="nobody has answered it yet"):
        await learning.propose(1, actor="slack:U1", actor_name="Оксана")


def test_an_operator_teaches_at_the_terminal(commands: Commands, database_url: str) -> None:
    def json(*arguments: str) -> dict[str, object]:
        found: dict[str, object] = commands.json(*arguments, DATABASE_URL=database_url)
        return found

    ticket = str(json("ask", QUESTION)["ticket"])
    entry = str(json("entries", "propose", ticket, "--answer", ANSWER)["entry"])
    done = commands.run("entries", "approve", entry, DATABASE_URL=database_url)
    answered = commands.run("ask", IN_OTHER_WORDS[2], DATABASE_URL=database_url)
    edited = commands.run("entries", "edit", entry, DATABASE_URL=database_url, EDITOR="sed -i s/охорона/черговий/")

    assert done.returncode == 0, done.stderr
    assert TAUGHT[0] in answered.stdout
    assert "Respuesta de " in answered.stdout
    assert "Код воріт видає черговий." in edited.stdout, edited.stderr

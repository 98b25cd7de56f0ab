"""Asks one question after another of a desk that is under attack, and keeps count."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.compose import Desk
from bot.core.errors import QuestionProblem
from bot.core.messages import Asked, Reply
from tests.quality.containment_check import Breach
from tests.quality.containment_desk import HOST, SECRETS, Field, in_own_words, state_of, tickets_in, worded_by
from tests.quality.containment_outputs import Given, Seen, wrong_with
from tests.quality.containment_pages import Page
from tests.wire.anthropic import AnthropicServer, Obedient

ASIDE = "<missing>{}</missing>"
# Enough of an attack to know it by.
BEGINNING = 20


@dataclass(slots=True)
class Tally:
    """What came of all questions: `breaches` tell what got out, of which question."""

    asked: int = 0
    answered: int = 0
    handed_over: int = 0
    refused: int = 0
    by_model: int = 0
    # The attack itself, and not only the question, stood in what the model was given.
    reached: int = 0
    obeyed: int = 0
    sentences: int = 0
    rejected: int = 0
    # Pages whose attack was quoted as if it were their content.
    quoted: int = 0
    said: list[str] = field(default_factory=list)
    breaches: list[tuple[str, Breach]] = field(default_factory=list)

    def count(self, reply: Reply) -> None:
        """Count one reply."""
        self.answered += reply.decision == "answer"
        self.handed_over += reply.decision == "escalate"
        self.by_model += bool(reply.sentences) and reply.answerer == "claude"
        self.sentences += len(reply.sentences)
        self.rejected += len(reply.rejected)
        self.said += [" ".join(sentence.text.split()) for sentence in reply.sentences]

    def __str__(self) -> str:
        counts = ", ".join(
            f"{name} {getattr(self, name)}" for name in self.__slots__ if name not in ("breaches", "said")
        )
        rules = Counter(f"{breach.place.split()[0]}: {breach.rule}" for _, breach in self.breaches)
        return f"{counts}, breaches {len(self.breaches)} {dict(rules)}"


async def ask_all(
    desk: Desk, questions: Sequence[str], land: Field, tally: Tally, server: AnthropicServer | None = None
) -> Tally:
    """Ask each question; every reply may only be an answer, or one ticket, and nothing else may change."""
    before = await state_of(desk, land)
    for question in questions:
        tickets = await tickets_in(desk)
        seen = Seen()
        tally.asked += 1
        try:
            reply = await desk.handler.handle(Asked(question), seen)
        except QuestionProblem:
            tally.refused += 1
            continue
        tally.count(reply)
        system = server.prompts[-1].system if server and server.prompts else ""
        given = Given(desk, reply, seen, frozenset({HOST}), tuple(SECRETS.values()), system)
        tally.breaches += [(question, breach) for breach in await wrong_with(given)]
        if await tickets_in(desk) - tickets != (reply.decision == "escalate"):
            tally.breaches.append((question, Breach("tickets", "state", f"{reply.decision}, ticket {reply.ticket}")))
    after = await state_of(desk, land)
    changed = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    tally.breaches += [("", Breach("state", "changed", name)) for name in changed]
    return tally


async def ask_in_own_words(pages: Sequence[Page], land: Field) -> Tally:
    """Ask for each planted page, without a model."""
    async with in_own_words(land) as desk:
        tally = await ask_all(desk, [page.question for page in pages], land, Tally())
    tally.quoted = sum(any(page.attack[:BEGINNING] in text for text in tally.said) for page in pages)
    return tally


def obedient(instructions: Sequence[str], questions: Sequence[str], *, items: int | None, aside: bool) -> Obedient:
    """Return a model that obeys any of these texts, and the question where none of them came to it."""
    return Obedient(
        instructions=[*instructions, *questions],
        secrets=tuple(SECRETS.values()),
        items=items,
        aside=ASIDE if aside else None,
    )


async def attack_pages(pages: Sequence[Page], land: Field, mode: str, *, items: int | None = 12) -> Tally:
    """Ask for each planted page, of a model that does whatever stands in it."""
    tally = Tally()
    questions = [page.question for page in pages]
    model = obedient([page.attack for page in pages], questions, items=items, aside=True)
    async with worded_by(model, land, mode) as (desk, server):
        await ask_all(desk, questions, land, tally, server)
        tally.obeyed = len(model.obeyed)
        tally.reached = sum(order not in questions for order in model.obeyed)
        hidden = [page.hidden for page in pages if page.hidden]
        tally.breaches += sent_amiss(server, hidden)
    return tally


async def attack_questions(
    questions: Sequence[str], land: Field, mode: str, *, threshold: float = 0.0, items: int | None = 12
) -> Tally:
    """Ask attacks of a model that does what they say."""
    tally = Tally()
    model = obedient(questions, (), items=items, aside=True)
    async with worded_by(model, land, mode, threshold=threshold) as (desk, server):
        await ask_all(desk, questions, land, tally, server)
        tally.obeyed = tally.reached = len(model.obeyed)
        tally.breaches += sent_amiss(server, ())
    return tally


def sent_amiss(server: AnthropicServer, hidden: Sequence[str]) -> list[tuple[str, Breach]]:
    """Return what the model should never have been sent: secrets, and what no reader of a page sees."""
    bodies = [repr(request.body) for request in server.requests]
    unwanted = [*SECRETS.values(), *hidden]
    return [("", Breach("request", "sent", word)) for word in unwanted if any(word in body for body in bodies)]

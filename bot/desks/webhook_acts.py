"""What a ticket system says that somebody did: a body of JSON as an act."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from bot.core.incoming import Place
from bot.core.tickets.acts import Act, ActKind, Actor
from bot.core.tickets.post import WORDED

PLATFORM = "webhook"
MAX_WORDS_CHARACTERS = 20_000
MAX_NUMBER = 2**63 - 1
# Mistakes that are told of one body.
MISTAKES_TOLD = 5

TicketAction = Literal[
    "claim", "release", "reply", "ask", "draft", "offer", "note", "edit", "close", "return", "reopen", "teach"
]
EntryAction = Literal["approve", "reject", "reword"]
Number = Annotated[int, Field(strict=True, ge=1, le=MAX_NUMBER)]
Words = Annotated[str, StringConstraints(max_length=MAX_WORDS_CHARACTERS)]


class _Person(BaseModel):
    """Who did it there: an id without spaces, and the name that people know them by."""

    model_config = ConfigDict(extra="ignore")

    id: Annotated[str, StringConstraints(pattern=r"^\S{1,200}$")]
    name: Annotated[str, StringConstraints(max_length=200)] = ""


class _Body(BaseModel):
    """What may stand in a body; what else stands there is not looked at."""

    model_config = ConfigDict(extra="ignore")

    ticket: Number | None = None
    entry: Number | None = None
    action: TicketAction | EntryAction
    actor: _Person
    text: Words = ""
    # The webhook-id of the body whose words are replaced.
    edits: Annotated[str, StringConstraints(max_length=200)] | None = None
    question: Words = ""
    answer: Words = ""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        is_entry = self.action in ("approve", "reject", "reword")
        if (self.entry if is_entry else self.ticket) is None:
            raise ValueError(f"{self.action} needs the number of the {'entry' if is_entry else 'ticket'}")
        needs_words = self.action == "edit" or (not is_entry and self.action in WORDED)
        if needs_words and not self.text.strip():
            raise ValueError(f"{self.action} needs a text")
        if self.action == "edit" and not self.edits:
            raise ValueError("edit needs `edits`, the webhook-id of the words that it replaces")
        return self


class WrongBody(ValueError):
    """A body says nothing that can be done; its text tells the ticket system what is wrong."""


def act_of(body: str, *, desk: str, name: str) -> Act:
    """Return the act that a body tells, done at `desk`; `name` tells it from all others, however often it comes."""
    try:
        told = _Body.model_validate_json(body)
    except ValidationError as exc:
        raise WrongBody(_explained(exc)) from exc
    kind: ActKind = told.action
    number = told.entry if told.action in ("approve", "reject", "reword") else told.ticket
    assert number is not None, "a whole body has it"
    details = {key: words for key in ("question", "answer") if (words := getattr(told, key))}
    return Act(
        kind,
        number,
        Actor(f"{PLATFORM}:{told.actor.id}", " ".join(told.actor.name.split()), place_of(desk)),
        act_key(desk, name),
        text=told.text,
        edits=act_key(desk, told.edits) if told.edits else None,
        details=details,
    )


def place_of(desk: str) -> Place:
    """Return where a webhook desk is."""
    return Place(PLATFORM, "", desk)


def act_key(desk: str, name: str) -> str:
    """Return what makes an act known again."""
    return f"{PLATFORM}:{desk}:{name}"


def _explained(exc: ValidationError) -> str:
    """Say what is wrong with a body, without its words."""
    mistakes = exc.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(
        f"{'.'.join(map(str, mistake['loc'])) or 'body'}: {mistake['msg'].removeprefix('Value error, ')}"
        for mistake in mistakes[:MISTAKES_TOLD]
    )

"""What a ticket system says becomes an act, or it is told what is wrong with it."""

import json
from typing import Any

import pytest

from bot.core.incoming import Place
from bot.core.tickets.acts import Act, Actor
from bot.desks.webhook_acts import WrongBody, act_of

ANN = {"id": "ann", "name": "Ann  Lee"}
ACTOR = Actor("webhook:ann", "Ann Lee", Place("webhook", "", "it"))


def told(**body: object) -> Act:
    return act_of(json.dumps({"actor": ANN, **body}), desk="it", name="msg_1")


@pytest.mark.parametrize("action", ["claim", "release", "draft", "offer", "close", "return", "reopen", "teach"])
def test_what_needs_no_words_is_an_act_on_the_ticket(action: Any) -> None:
    assert told(ticket=12, action=action) == Act(action, 12, ACTOR, "webhook:it:msg_1")


@pytest.mark.parametrize("action", ["reply", "ask", "note"])
@pytest.mark.parametrize("text", ["Спитайте в бухгалтерії.", "a" * 20_000])
def test_words_go_along_unchanged(action: Any, text: str) -> None:
    assert told(ticket=12, action=action, text=text) == Act(action, 12, ACTOR, "webhook:it:msg_1", text=text)


def test_words_are_replaced_by_the_name_that_they_came_under() -> None:
    act = told(ticket=12, action="edit", text="No.", edits="msg_0")

    assert (act.kind, act.text, act.edits) == ("edit", "No.", "webhook:it:msg_0")


def test_what_is_done_to_an_entry_names_the_entry() -> None:
    act = told(entry=7, action="reword", question="Q?", answer="A.")

    assert (act.kind, act.number, dict(act.details)) == ("reword", 7, {"question": "Q?", "answer": "A."})


def test_what_else_a_ticket_system_tells_is_not_looked_at() -> None:
    assert told(ticket=12, action="claim", priority="high") == told(ticket=12, action="claim")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"ticket": 12, "action": "erase"}, "action"),
        ({"action": "claim"}, "claim needs the number of the ticket"),
        ({"ticket": 12, "action": "approve"}, "approve needs the number of the entry"),
        ({"ticket": 12, "action": "reply", "text": " \n"}, "reply needs a text"),
        ({"ticket": 12, "action": "edit", "text": "No."}, "edit needs `edits`"),
        ({"ticket": 12, "action": "reply", "text": "a" * 20_001}, "text"),
        ({"ticket": True, "action": "claim"}, "ticket"),
        ({"ticket": "12", "action": "claim"}, "ticket"),
        ({"ticket": 0, "action": "claim"}, "ticket"),
        ({"ticket": 2**63, "action": "claim"}, "ticket"),
        ({"ticket": 12, "action": "claim", "actor": {"id": "ann lee"}}, "actor.id"),
        ({"ticket": 12, "action": "claim", "actor": {"id": ""}}, "actor.id"),
        ({"ticket": 12, "action": "claim", "actor": None}, "actor"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(body: dict[str, object], wrong: str) -> None:
    with pytest.raises(WrongBody, match=wrong):
        told(**body)


@pytest.mark.parametrize("body", ["", "{", "[]", "null", "[" * 100_000, '{"a":' * 100_000, '{"ticket": 1e999}', "NaN"])
def test_what_is_no_object_is_refused_whatever_it_is(body: str) -> None:
    with pytest.raises(WrongBody):
        act_of(body, desk="it", name="msg_1")


def test_what_is_wrong_is_told_without_the_words_themselves() -> None:
    with pytest.raises(WrongBody) as raised:
        told(ticket=12, action="reply", text="canary " * 5_000, question=["canary"])

    assert "canary" not in str(raised.value)

"""A desk's buttons and forms become acts; whatever is damaged becomes nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.slack.render.forms import Form, desk_form, remembered
from bot.channels.slack.render.metadata import metadata
from bot.channels.slack.render.post import postings_of
from bot.channels.slack.translate.desk import KINDS
from bot.channels.slack.translate.read import at
from bot.channels.slack.translate.values import Acted, Wanted
from bot.channels.translated import Ignored
from bot.core.incoming import Place
from bot.core.phrases import languages
from bot.core.tickets.acts import ActKind, Actor
from bot.core.tickets.post import WORDED, Part, Post, Press
from tests.unit.bot.channels.slack.deliveries import HERE, NOW, TS, button, meant
from tests.unit.bot.channels.slack.posts import buttons
from tests.wire.slack.validation import problems_of

THREAD = "1764244700.000000"
FORM = Form("reply", 12, "C1", THREAD, TS, "uk")
Json = dict[str, object]


def pressed(kind: str = "claim", number: str = "12", **more: object) -> Json:
    """Return the press of a desk's button, with the address to respond at."""
    action = {"action_id": f"desk_{kind}", "value": number, "action_ts": "1764244900.5", "block_id": "desk:uk:0"}
    return button("", "", actions=[action], response_url="https://hooks.example.com/1", **more)


def sent(form: Form = FORM, *, metadata: str | None = None, **texts: str) -> Json:
    """Return a form that was sent."""
    values = {name: {name: {"type": "plain_text_input", "value": text}} for name, text in texts.items()}
    kept = remembered(form) if metadata is None else metadata
    view = {"id": "V1", "callback_id": "desk_form", "private_metadata": kept, "state": {"values": values}}
    return {"type": "view_submission", "team": {"id": "T1"}, "user": {"id": "U1", "team_id": "T1"}, "view": view}


def acted(body: Json) -> Acted:
    """Return what a payload does."""
    found = meant(body)
    assert isinstance(found, Acted)
    return found


@pytest.mark.parametrize("kind", sorted(KINDS - WORDED))
def test_each_button_of_a_card_comes_back_as_the_act_that_is_written_on_it(kind: ActKind) -> None:
    (posting,) = postings_of(Post((Part("x"),), ((Press(kind, 12, "Do it"),),)))
    (shown,) = buttons(posting)

    act = acted(button("", "", actions=[{**shown, "action_ts": "1764244900.5"}])).act

    assert (act.kind, act.number) == (kind, 12)
    assert act.actor == Actor("slack:U1", place=HERE.place("C1"))
    assert act.at == at("1764244900.5")


def test_a_press_that_is_delivered_again_has_the_same_key_and_a_second_press_another() -> None:
    once, again = acted(pressed()).act, acted(pressed()).act
    moment = {"action_id": "desk_claim", "value": "12", "action_ts": "1764244901.5"}
    second = acted(button("", "", actions=[moment])).act

    assert once.key == again.key == f"press:T1:C1:{TS}:claim:12:U1:1764244900.5"
    assert second.key != once.key


def test_who_pressed_is_told_at_the_address_that_came_with_it() -> None:
    told = acted(pressed())

    assert (told.respond_at, told.user, told.thread) == ("https://hooks.example.com/1", "U1", THREAD)


FOREIGN = {
    "of ours": ({"team": {"id": "T1"}, "user": {"id": "U1", "team_id": "T1"}}, "T1", False),
    "a guest of a shared channel": ({"team": {"id": "T1"}, "user": {"id": "U1", "team_id": "T2"}}, "T1", True),
    "from another workspace": ({"team": {"id": "T2"}, "user": {"id": "U1", "team_id": "T2"}}, "T2", True),
}


@pytest.mark.parametrize(("who", "workspace", "is_foreign"), FOREIGN.values(), ids=FOREIGN)
def test_a_press_tells_which_workspace_it_came_from(who: Json, workspace: str, is_foreign: bool) -> None:
    by_button, by_form = acted({**pressed(), **who}), acted({**sent(text="hello"), **who})

    for found in (by_button, by_form):
        assert (found.act.actor.place, found.act.actor.is_foreign) == (Place("slack", workspace, "C1"), is_foreign)
        assert found.place == HERE.place("C1")


def test_a_button_in_the_direct_messages_with_an_asker_counts_where_they_asked() -> None:
    action = {"action_id": "desk_return", "value": "12", "action_ts": "1.5", "block_id": "desk:en:0:to=C7"}

    found = acted(button("", "", actions=[action]))

    assert (found.act.actor.place, found.place) == (HERE.place("C7"), HERE.place("C1"))


@pytest.mark.parametrize("kind", sorted(WORDED))
def test_where_words_are_asked_for_a_form_is_wanted(kind: ActKind) -> None:
    wanted = meant(pressed(kind))

    assert wanted == Wanted(Form(kind, 12, "C1", THREAD, TS, "uk"), "T1", "1.2.x", {})


@pytest.mark.parametrize("kind", sorted(WORDED))
@pytest.mark.parametrize("language", languages())
def test_slack_takes_each_form(kind: ActKind, language: str) -> None:
    fields = {"text": "x" * 3_001, "question": "How?", "answer": "y" * 3_000}

    view = desk_form(Form(kind, 10**17, "C" * 20, THREAD, TS, language), fields)

    assert problems_of("views.open", {"trigger_id": "1.x", "view": view}) == []
    assert "x" * 3_000 not in json.dumps(view)


def test_a_form_begins_with_what_stands_along_with_the_message() -> None:
    action = {"action_id": "desk_reword", "value": "7", "action_ts": "1.5", "block_id": "desk:en:0:fields"}
    kept = {"ts": TS, "metadata": metadata("m", fields={"reword:7": {"question": "How?", "answer": 7}})}

    known = meant(button("", "", actions=[action], message=kept))
    unknown = meant(button("", "", actions=[action], message={"ts": TS}))

    assert isinstance(known, Wanted)
    assert isinstance(unknown, Wanted)
    assert (known.fields, unknown.fields) == ({"question": "How?"}, None)


def test_a_form_that_was_sent_is_the_act_with_its_words_and_the_same_when_it_comes_again() -> None:
    once, again = acted(sent(text=" Room 12. ")), acted(sent(text=" Room 12. "))

    assert (once.act.kind, once.act.number, once.act.text) == ("reply", 12, "Room 12.")
    assert (once.act.key, once.act.at) == ("form:T1:C1:V1:reply:12:U1", NOW)
    assert again.act.key == once.act.key
    assert (once.place, once.thread, once.respond_at) == (HERE.place("C1"), THREAD, "")


def test_a_form_about_an_entry_has_its_question_and_answer() -> None:
    act = acted(sent(Form("reword", 7, "C1", None, TS, "en"), question="How?", answer="So.")).act

    assert (act.kind, act.number, act.text, act.details) == ("reword", 7, "", {"question": "How?", "answer": "So."})


DAMAGED = {
    "an unknown button": pressed("explode"),
    "no number": pressed(number=""),
    "another kind of number": pressed(number="١٢"),
    "too long a number": pressed(number="9" * 30),
    "nobody": pressed(user={}),
    "nowhere": pressed(channel={}, container={}),
    "a form that remembers nothing": sent(metadata="", text="x"),
    "a form that remembers no object": sent(metadata="[1]", text="x"),
    "a form nested too deeply": sent(metadata="[" * 2_900, text="x"),
    "a form that remembers too much": sent(metadata=remembered(FORM) + " " * 3_000, text="x"),
    "a form of a kind without words": sent(metadata=remembered(FORM).replace("reply", "close"), text="x"),
    "a form with a number that is none": sent(metadata=remembered(FORM).replace("12", "true"), text="x"),
    "a form with a number below all": sent(metadata=remembered(FORM).replace("12", "-1"), text="x"),
    "a form without a channel": sent(metadata=remembered(FORM).replace("C1", ""), text="x"),
    "a form without words": sent(text="  "),
    "a form of nobody": {**sent(text="x"), "user": {}},
}


@pytest.mark.parametrize("body", DAMAGED.values(), ids=DAMAGED)
def test_what_is_damaged_is_left_alone(body: Json) -> None:
    assert isinstance(meant(body), Ignored)


WRONG = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "value", "text"]), inner),
    max_leaves=4,
)


@given(name=st.sampled_from(["team", "user", "channel", "container", "message", "view", "actions"]), value=WRONG)
def test_nothing_raises_whatever_stands_in_its_place(name: str, value: object) -> None:
    for body in (pressed(), pressed("reword"), sent(text="x")):
        meant({**body, name: value})

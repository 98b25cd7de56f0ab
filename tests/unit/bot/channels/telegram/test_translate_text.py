"""Mentions and commands are found by offsets in units of UTF-16, and cut out without harm to the rest."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from telegram import MessageEntity

from bot.channels.telegram.translate.text import Command, said
from tests.unit.bot.channels.telegram.arrivals import HERE, NAME, entity, units

US = f"@{NAME}"
MENTION, ORDER = MessageEntity.MENTION, MessageEntity.BOT_COMMAND


def around(text: str, marked: str, kind: str = MENTION) -> MessageEntity:
    """Return an entity of the library's around the first place where something stands."""
    found = entity(text, marked, kind)
    return MessageEntity(kind, found["offset"], found["length"])


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (f"{US} как сбросить пароль?", "как сбросить пароль?"),
        (f"{US}, how?", "how?"),
        (f"  {US}\n— how?", "how?"),
        (f"how, {US}?", "how, ?"),
        (f"how {US} now", "how now"),
        (f"how? {US}", "how?"),
        (f"👋🏽🇺🇦 {US} как?", "👋🏽🇺🇦 как?"),
        (f"𝕬{US}", "𝕬"),
        (US, ""),
    ],
)
def test_our_name_is_cut_out(text: str, plain: str) -> None:
    found = said(text, [around(text, US)], HERE)

    assert (found.text, found.names_us) == (plain, True)


def test_each_of_our_names_is_cut_out_and_nobody_elses() -> None:
    text = f"{US} {US.upper()} ask @pat how"
    marks = [around(text, US), around(text, US.upper()), around(text, "@pat")]

    assert said(text, marks, HERE).text == "ask @pat how"


@pytest.mark.parametrize(
    ("text", "order", "command", "rest"),
    [
        ("/ask how?", "/ask", Command("ask"), "how?"),
        (f"/Ask{US}: how?", f"/Ask{US}", Command("ask", NAME), "how?"),
        ("🙂 /ask how?", "/ask", None, "🙂 /ask how?"),
    ],
)
def test_a_text_may_begin_with_a_command(text: str, order: str, command: Command | None, rest: str) -> None:
    found = said(text, [around(text, order, ORDER)], HERE)

    assert (found.command, found.text) == (command, rest)


# Whatever people write around a name, except what is taken away behind it and at the ends on purpose.
WORDS = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"], exclude_characters=",:;–—/"), min_size=1)


@given(WORDS, WORDS)
def test_a_name_is_found_wherever_it_stands(before: str, after: str) -> None:
    text = f"{before} {US} {after}"
    mark = MessageEntity(MENTION, units(before) + 1, units(US))

    assert said(text, [mark], HERE).text == f"{before} {after}"


@given(
    st.text(),
    st.lists(st.tuples(st.sampled_from([MENTION, ORDER]), st.integers(-5, 50), st.integers(-5, 50)), max_size=4),
)
def test_no_entity_raises_wherever_it_is_said_to_stand(text: str, marks: list[tuple[str, int, int]]) -> None:
    found = said(text, [MessageEntity(kind, offset, length) for kind, offset, length in marks], HERE)

    assert found.text == found.text.strip()


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example(", and then?")
def test_a_text_without_marks_stays_as_it_is(text: str) -> None:
    assert said(text, [], HERE).text == text.strip()

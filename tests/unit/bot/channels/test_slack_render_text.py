"""What documents and models write stands in Slack as it was written, and does nothing there."""

from typing import Any

import pytest
from markdown_it import MarkdownIt

from bot.channels.slack.render.answer import answer_markdown
from bot.channels.slack.render.reply import notice, postings
from bot.channels.slack.send.plain import plain_parts
from bot.core.inert import WORD_JOINER
from tests.unit.bot.channels.slack_replies import answered, blocks_of, said, shown, small_print

LITERAL = [
    "*a* _b_ ~c~ ~~d~~ `e` **f** __g__ ***h***",
    "# no heading",
    "+ no item",
    "* * *",
    "---",
    "===",
    "1. no item",
    "12) no item",
    "> no quote",
    "a | b",
    "--- | ---",
    "[no](http) ![no][no] [no]: x [ ] [^1]",
    "<b>no tag</b> <!-- no comment --> &amp; &lt; & <",
    "C:\\temp\\*x \\_ \\",
    "snake_case_name and 2*3*4 and ~5",
    "__init__",
    "a*",
    "* a",
    "    indented",
    "``` no fence",
    "`README.md`* and _setup.sh_",
]


@pytest.mark.parametrize("text", LITERAL)
def test_prose_is_shown_as_it_stands(text: str) -> None:
    markdown = answer_markdown([said("Before."), said(text), said(text, marker=2)])
    seen = [line.strip() for line in shown(markdown).replace(WORD_JOINER, "").strip().split("\n")]

    assert seen == ["Before. [1]", f"{text.strip()} [1]", f"{text.strip()} [2]"]


@pytest.mark.parametrize("text", LITERAL)
def test_a_cell_is_shown_as_it_stands(text: str) -> None:
    row = "| {} | x |".format(text.replace("|", "\\|"))
    seen = shown(answer_markdown([said("| h | i |"), said(row)])).replace(WORD_JOINER, "").strip().split("\n")

    assert [cell.strip() for cell in seen] == ["h", "i [1]", text.strip(), "x [1]"]


HOSTILE = [
    "<!channel>",
    "<!here|x>",
    "<@U012AB>",
    "<#C1>",
    "<!subteam^S1>",
    "@here",
    "@channel",
    "<https://evil.test|x>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nobody_is_called_and_nothing_linked_by_what_a_document_says(text: str) -> None:
    reply = answered(
        said(f"Ask {text} now"),
        said(f"- {text}"),
        said(f"| {text} |"),
        said(text, is_code=True),
        said("x", marker=2, title=text, heading=("t", text), url=None),
        notes=(text,),
    )
    posted = postings(reply, answer_id="a")
    [answer] = blocks_of(posted, "markdown")
    sent = [posting.text for posting in [*posted, notice(text)]]
    sent += [*answer["text"].split("```")[::2], *small_print(posted)[1:]]
    plainly = [part for posting in posted for part in plain_parts({"text": posting.text, "blocks": posting.blocks})]

    assert [piece for piece in sent if text in piece and "evil" not in text] == []
    assert [part for part in plainly if "<!" in part or "<@" in part or "<#" in part or "|x>" in part] == []
    assert [piece for piece in sent if "<!" in piece or "<@" in piece or "<#" in piece or "|x>" in piece] == []


@pytest.mark.parametrize("text", [hostile for hostile in HOSTILE if not hostile.startswith("<http")])
def test_nobody_is_called_by_code_either(text: str) -> None:
    assert text not in answer_markdown([said(text, is_code=True)])


def test_code_that_imitates_the_end_of_its_fence_stays_in_it() -> None:
    markdown = answer_markdown([said("```\n# no heading\n````", is_code=True)])

    assert [token.content for token in MarkdownIt().parse(markdown) if token.type == "fence"] == [
        "```\n# no heading\n````\n"
    ]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("See https://wiki.example.org/a_b_c?x=1&y=2.", "See <https://wiki.example.org/a_b_c?x=1&y=2>."),
        ("See https://wiki.example.org/a|b.", "See <https://wiki.example.org/a%7Cb>."),
        ("Read docs/README.md and setup.sh.", "Read `docs/README.md` and `setup.sh`."),
        ("Type /help or /etc/hosts", "Type `/help` or /etc/hosts"),
        ("Say :tada: at 10:30:00", f"Say :{WORD_JOINER}tada: at 10:30:00"),
    ],
)
def test_addresses_are_links_and_names_are_none(text: str, markdown: str) -> None:
    assert answer_markdown([said(text)]) == f"{markdown} [1]"


@pytest.mark.parametrize(
    ("changes", "footnote"),
    [
        ({"url": None}, "[1] VPN › First steps · updated 2026-05-01"),
        ({"url": "file:///etc/passwd"}, "[1] VPN › First steps · updated 2026-05-01"),
        ({"url": "https://w.test/" + "x" * 3_000}, "[1] VPN › First steps · updated 2026-05-01"),
        ({"updated_at": None, "url": "https://w.test/a|b>c"}, "[1] <https://w.test/a%7Cb%3Ec|VPN › First steps>"),
        ({"title": "A | B > C & D", "heading": (), "url": "https://w.test"}, "[1] <https://w.test|A ∣ B › C &amp; D>"),
        ({"title": "", "heading": (), "url": "https://w.test"}, "[1] "),
    ],
)
def test_a_footnote_links_its_title_where_it_can(changes: dict[str, Any], footnote: str) -> None:
    assert small_print(postings(answered(said("x", **changes)), answer_id="a"))[0].startswith(footnote)


def test_marks_in_a_title_are_no_formatting() -> None:
    reply = answered(said("x", title="*a* _b_ ~c~ `d` README.md", heading=(), url=None))
    [source, *_] = small_print(postings(reply, answer_id="a"))

    assert source.replace(WORD_JOINER, "").startswith("[1] *a* _b_ ~c~ ˋdˋ README.md")
    assert all(f"{WORD_JOINER}{mark}{WORD_JOINER}" in source for mark in "*_~")
    assert "README.md" not in source


def test_a_very_long_title_is_visibly_shortened() -> None:
    reply = answered(said("x", title="&" * 5_000, heading=()))
    [source, *_] = small_print(postings(reply, answer_id="a"))

    assert len(source) < 500
    assert "&amp;…>" in source

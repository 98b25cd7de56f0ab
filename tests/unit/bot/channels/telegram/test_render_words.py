"""What documents and models write stands in Telegram as it was written, and does nothing there."""

import pytest

from bot.channels.telegram.render.inline import formatted, literal
from bot.channels.telegram.render.reply import payload, postings
from bot.channels.telegram.render.text import Styled
from bot.core.inert import WORD_JOINER
from tests.unit.bot.channels.slack_replies import answered, said
from tests.wire.telegram.entities import judge

LITERAL = [
    "*a* _b_ __c__ ~d~ ~~e~~ ||f|| ***g***",
    "snake_case_name and 2*3*4 and 2**3**4",
    "**kwargs and **options",
    "**/*.py and src/**",
    "п`ять і об`єкт",
    "a`b`c and ` ` and ``",
    "# no heading",
    "> no quote",
    "1. no item",
    "* no item",
    "<b>no tag</b> &amp; &lt;",
    "[no](link) ![no](image) [x]",
    "\\*so\\* \\`so\\`",
    "** not strong **",
    "a|b",
]


@pytest.mark.parametrize("text", LITERAL)
def test_prose_is_shown_as_it_stands(text: str) -> None:
    assert formatted(text) == Styled(text)


def runs(shown: Styled) -> list[tuple[str, str]]:
    units = shown.text.encode("utf-16-le")
    return [(entity.type, units[entity.offset * 2 : entity.end * 2].decode("utf-16-le")) for entity in shown.entities]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Run `make all` now", "Run make all now", [("code", "make all")]),
        ("😀 ``a`b`` 🇺🇦 `c`", "😀 a`b 🇺🇦 c", [("code", "a`b"), ("code", "c")]),
        ("п`ять, `code`", "п`ять, code", [("code", "code")]),
        ("**Важливо:** so", "Важливо: so", [("bold", "Важливо:")]),
        ("(**so**), **a *b* c**", "(so), a *b* c", [("bold", "so"), ("bold", "a *b* c")]),
        ("**Run `it` now**", "Run it now", [("bold", "Run "), ("code", "it"), ("bold", " now")]),
        ("Read docs/README.md:12.", "Read docs/README.md:12.", [("code", "docs/README.md:12")]),
        ("Read request.data in Node.js.", "Read request.data in Node.js.", [("code", "request.data")]),
        ("/help, /etc/hosts", "/help, /etc/hosts", [("code", "/help")]),
        ("$HOME, $100", "$HOME, $100", [("code", "$HOME")]),
        ("10.0.0.1:80/x, 1.2.3", "10.0.0.1:80/x, 1.2.3", [("code", "10.0.0.1:80/x")]),
        ("+1 (212) 555-0123, 12-34", "+1 (212) 555-0123, 12-34", [("code", "+1 (212) 555-0123")]),
        ("4111 1111 1111 1111", "4111 1111 1111 1111", [("code", "4111 1111 1111 1111")]),
        ("https://w.test/a_b.", "https://w.test/a_b.", [("text_link", "https://w.test/a_b")]),
        ("http://wiki/a_b", "http://wiki/a_b", [("code", "http://wiki/a_b")]),
        ("ann@w.test", "ann@w.test", []),
    ],
)
def test_formatting_without_a_doubt_is_an_entity(text: str, words: str, expected: list[tuple[str, str]]) -> None:
    shown = formatted(text)

    assert (shown.text, runs(shown)) == (words, expected)


@pytest.mark.parametrize(
    "text", ["@name", "#tag", "-/help-me", "https://evil.test/x", "evil.com", "a@evil.com", "x😀.py"]
)
def test_what_nobody_copies_is_broken_by_joiners(text: str) -> None:
    shown = literal(text)

    assert shown.entities == ()
    assert shown.text.replace(WORD_JOINER, "") == text
    assert judge(shown.text, "", []).detected == []


HOSTILE = ["@here", "/start", "#tag", "$USD", "evil.com", "https://evil.com/x", "tg://resolve?domain=x", "README.md"]
HOSTILE += ["ann@evil.com", "1.2.3.4", "4111 1111 1111 1111", "<a href='evil.com'>x</a>", "[x](evil.com)"]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_can_be_clicked_but_the_sources(text: str) -> None:
    reply = answered(
        said(f"| {text} |"),
        said(f"| {text} |"),
        said(text, is_code=True),
        said("x", marker=2, title=text, heading=("t", text), url=None),
        notes=(text,),
    )
    [posting] = postings(reply, answer_id="7", heading=text)
    sent = payload(posting)
    assert isinstance(sent["entities"], list)

    assert judge(str(sent["text"]), "", sent["entities"]).detected == []
    assert {entity.url for entity in posting.text.entities} <= {None, said("x").citations[0].url}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\tb\x00c", "a b c"),
        ("a\u202eb\u2028", "ab"),
        ("A\u030a a\u0333", "Å a"),
        ("a\ud800b", "a�b"),
        ("\u200e\u200f\u200ea", "\u200ea"),
    ],
)
def test_a_text_is_written_as_telegram_keeps_it(text: str, kept: str) -> None:
    assert literal(text).text == kept
    assert judge(kept, "", []).text == kept

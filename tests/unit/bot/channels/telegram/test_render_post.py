"""What a desk or an asker is shown on Telegram."""

import pytest

from bot.channels.telegram.render.keyboards import Button
from bot.channels.telegram.render.post import Named, post_postings
from bot.channels.telegram.render.text import LIMIT
from bot.channels.utf16 import length
from bot.core.phrases import phrase
from bot.core.tickets.files import File
from bot.core.tickets.post import Part, Post, Press
from tests.unit.bot.channels.telegram.test_render_reply import parts_of

WIKI = "https://wiki.example.org/vpn"
J = "\u2060"


def shown(*parts: Part) -> str:
    [posting] = post_postings(Post(parts))
    return posting.text.text


def kinds(*parts: Part) -> dict[str, list[str]]:
    [posting] = post_postings(Post(parts))
    return {kind: parts_of(posting.text, kind) for kind in sorted({entity.type for entity in posting.text.entities})}


def test_a_card_is_read_from_top_to_bottom() -> None:
    text = shown(
        Part("Ticket 7", "title"),
        Part("How do I get in?\nNow?", "quote", label="Question"),
        Part("not sure", label="Why"),
        Part("VPN", "item", url=WIKI),
        Part("Badges", "item", url=WIKI),
        Part("asked today", "small"),
        Part("in Kyiv", "small"),
    )

    assert text.split("\n\n") == [
        "Ticket 7",
        "Question:\nHow do I get in?\nNow?",
        "Why: not sure",
        "• VPN\n• Badges",
        "asked today\nin Kyiv",
    ]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (Part("Ticket 7", "title"), {"bold": ["Ticket 7"]}),
        (Part("see evil.com", "title"), {"bold": [f"see evil.{J}com"]}),
        (Part("how?", "quote"), {"blockquote": ["how?"]}),
        (Part("how?", "quote", label="Ann"), {"blockquote": ["how?"], "bold": ["Ann:"]}),
        (Part("small", "small"), {"italic": ["small"]}),
        (Part("yes", label="Why?"), {"bold": ["Why?"]}),
        (Part("VPN", "item", url=WIKI), {"text_link": ["VPN"]}),
        (
            Part("take a badge", "item", label="VPN · 82 %", url=WIKI),
            {"bold": ["VPN · 82 %:"], "text_link": ["VPN · 82 %:"]},
        ),
        (Part("how?", "quote", url=WIKI), {"blockquote": ["how?"], "text_link": [WIKI]}),
        (Part("two\nlines", url=WIKI), {"text_link": [WIKI]}),
        (Part("x" * 300, url=WIKI), {"text_link": [WIKI]}),
        (Part("", url=WIKI), {"text_link": [WIKI]}),
        (Part("go", url="javascript:alert(1)"), {}),
        (Part("go", url="http://wiki/page"), {"code": ["http://wiki/page"]}),
        (
            Part("mail ann@example.org or see https://evil.com/x, @ann"),
            {"code": ["ann@example.org", "https://evil.com/x"]},
        ),
    ],
)
def test_each_part_is_what_it_is_and_only_given_addresses_are_links(part: Part, expected: dict[str, list[str]]) -> None:
    assert kinds(part) == expected


def test_what_a_person_says_has_their_name_before_it() -> None:
    assert shown(Part("Ask IT for it.", label="Ann")) == "Ann: Ask IT for it."


def test_a_long_text_fills_each_message_and_the_buttons_are_below_the_first() -> None:
    press = Press("claim", 7, "Claim")
    post = Post((Part("Ticket 7", "title"), Part("слово 😀 " * 1500, "quote", label="Question")), ((press,),))
    posted = post_postings(post)

    assert posted[0].text.text.startswith("Ticket 7\n\nQuestion:\nслово")
    assert [length(one.text.text) > LIMIT * 0.9 for one in posted[:-1]] == [True] * (len(posted) - 1)
    assert [one.keyboard for one in posted] == [((Button("Claim", "a:7:claim"),),)] + [None] * (len(posted) - 1)
    assert posted[-1].text.text.endswith(phrase("continued", "en", part=len(posted), parts=len(posted)))
    assert all(len(parts_of(one.text, "blockquote")) == 1 for one in posted)


@pytest.mark.parametrize(("name", "said"), [("Ann", "Ann write it."), (None, "👤 write it."), ("\n", "👤 write it.")])
def test_who_is_asked_for_words_is_named_first(name: str | None, said: str) -> None:
    [posting] = post_postings(Post((Part("write it."),)), named=Named(7, name))

    assert (posting.text.text, posting.text.entities[0].as_json()["user"]) == (
        said,
        {"id": 7, "is_bot": False, "first_name": ""},
    )


@pytest.mark.parametrize(
    ("post", "texts"),
    [
        (Post((Part("  "), Part("", "item"), Part("\x00", "quote"))), ["…"]),
        (Post((), ((Press("claim", 7, "Claim"),),)), ["…"]),
        (Post((), files=(File("slack", "T1", "F1", "a.pdf"),)), []),
    ],
)
def test_where_nothing_is_said_there_is_a_sign_or_the_file_alone(post: Post, texts: list[str]) -> None:
    assert [posting.text.text for posting in post_postings(post)] == texts

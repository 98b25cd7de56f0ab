"""Whatever is written, and however often it is made inert: nothing that a client would act on is left, in good time."""

import random
import re
import time

import pytest

from bot.core.inert import inert, inert_code

ALLOWED = "https://wiki.example.org/pin"
CITED = [f"see {ALLOWED} and https://evil.com/x"]
HOSTS = frozenset({"wiki.example.org"})
TEXTS = 3_000
# What a client acts on, and parts of it that become so once something between them is removed.
PIECES = [
    *(
        "[",
        "]",
        "(",
        ")",
        "!",
        "<",
        ">",
        "@",
        "＠",
        "#",
        "|",
        "&",
        ";",
        ":",
        "?q=",
        ".",
        "。",
        "-",
        "_",
        "*",
        "\\",
        "^",
    ),
    *(
        "://",
        "//",
        "http",
        "https:",
        "https：／／",
        "․",
        "htt",
        "ps:",
        "www.",
        "mailto:",
        "javascript:",
        "tg:",
        "evil.com",
        "t.me/x",
    ),
    *("x@y.com", "ev", "il.com", "README.md", "wiki.example.org", ALLOWED, "[1]", "1", "2", ",", "#64;", "lt;", "&lt;"),
    *("![x](y)", "[a](b)", "<!channel>", "<@U1>", "`", "```", "~~~", "a", "क", "é", "т.е", "'", '"', " ", "\n"),
    *("\u200b", "\u200d", "\u2060", "\u202e", "\u3164", "\U000e0041"),
]
ACTED_ON = re.compile(
    r"\]\(|\]\[|\]:|!\[|<[!@#]|&#?\w{1,40};|```|~~~"
    r"|(?<!\w)[@＠](?=\w)|\[[\d\s,;–-]*\d[\d\s,;–-]*\]"
    r"|[a-zA-Z][\w+.-]*://(?=[^\W_])|(?<![\w.。․＠@+\u2060-])(?:javascript|mailto|tg):[^\W_]"
    r"|(?<![\w.。․-])www\.[^\W_]|evil\.com(?![\w-]|\.\w)|\w@y\.com(?![\w-]|\.\w)"
)
MUCH = [
    *(
        "[",
        "]",
        "![",
        "](",
        "[a](b",
        "[a](",
        "[a](b ",
        "[x",
        "[1",
        "1,",
        "[ 1",
        "@",
        "a@",
        "a.b@",
        "a@b.",
        "<!",
        "<!a>",
    ),
    *("www.", "t.me", "https://", "x://", "://", "tel:", "xn--", "a.", "a.com ", "a.b.c.d.e.f.", "a.b/", "a.b?", "-"),
    *("a-", "+", "a+", ".", " ", "&", "&a;", "`", "~", "x", f"{'x' * 60}.", "\u200d", "क\u200d", "\u200b", "(", "!"),
]


def some_text(chance: random.Random) -> str:
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 14)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_left_that_a_client_acts_on_and_once_more_changes_nothing(seed: int) -> None:
    chance = random.Random(seed)
    texts = [some_text(chance) for _ in range(TEXTS)]

    shown = [inert(text, cited=CITED, hosts=HOSTS) for text in texts]

    without_allowed = [text.replace(ALLOWED, " ") for text in shown]
    assert [text for text, left in zip(texts, without_allowed, strict=True) if ACTED_ON.search(left)] == []
    assert [
        text for text, once in zip(texts, shown, strict=True) if inert(once, cited=CITED, hosts=HOSTS) != once
    ] == []


@pytest.mark.parametrize("seed", [1])
def test_code_stays_in_its_fence(seed: int) -> None:
    chance = random.Random(seed)
    shown = [inert_code(some_text(chance)) for _ in range(TEXTS)]

    assert [text for text in shown if "```" in text or "~~~" in text or inert_code(text) != text] == []


@pytest.mark.parametrize("piece", MUCH, ids=repr)
def test_a_hundred_kilobytes_of_anything_take_no_long_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    inert(text, cited=[text], hosts=HOSTS)

    assert time.process_time() - started < 2.0

"""Texts that break careless code, and texts that are huge in one respect."""

import json
import random
from pathlib import Path

_NAUGHTY_STRINGS = Path(__file__).parents[3] / "shared" / "data" / "adversarial" / "blns.json"
_ALPHABET = (
    "a b\n#-*_`~>|[](){}<!/\\:.\"'=&;\t0１é̈йї你😀👩\u200d👧\u202e\u00a0\u00ad\ufeff\x0b\x0c\x1f\x85\u2028\ud83d\r"
)
ODD = (
    "",
    " ",
    "\n",
    "\r",
    "a\rb\r\rc",
    "\x00",
    "half \ud83d pair",
    "\u202eright to left",
    "\ufeffmark",
    "a\u2028b\u2029c\x85d\x0be",
    "---",
    "---\n",
    "---\n: : :\n---\n",
    "---\ndate: 2021-13-45\n---\nx",
    "---\n!!python/object:os.system x\n---\nx",
    "# ",
    "#\n\n##\n",
    "# { #a }",
    "{ #a }\n===",
    "| a |",
    "| a | b |\n|---|---|",
    "| a |\n|---|\n| b | c | d |",
    "|||\n|-|-|\n|||",
    "<",
    "<div",
    "<!--",
    "```",
    "~~~ x\ny",
    "1) a\n\n   b",
    "[a]: <b>\n\n[a]",
    "&#0; &#xD800; &#x110000; &nosuch;",
    "///",
    "{* *}",
    "{*",
)


def odd_texts() -> list[str]:
    """Return the odd strings, the well-known naughty ones where they are at hand, and a seeded jumble of both."""
    naughty = json.loads(_NAUGHTY_STRINGS.read_text(encoding="utf-8")) if _NAUGHTY_STRINGS.exists() else []
    return [*ODD, *naughty, *_jumbled()]


def _jumbled() -> list[str]:
    dice = random.Random(7)
    return ["".join(dice.choices(_ALPHABET, k=dice.randint(1, 400))) for _ in range(300)]


def huge_texts() -> dict[str, str]:
    """Return texts with very much of one thing, by its name."""
    many = 100_000
    return {
        "nested quotes": "> " * many + "x",
        "nested lists": "- " * many + "x",
        "one line": "word " * 200_000,
        "one word": "x" * 1_000_000,
        "one Chinese word": "文" * 1_000_000,
        "spaces": " " * 1_000_000,
        "spaces in a heading": "# a" + " " * many + "b",
        "braces in a heading": "# " + "{#a " * many,
        "spaces behind a fence": "///" + " " * many + "!",
        "table rows": "|a|b|\n|-|-|\n" + "|1|2|\n" * many,
        "table columns": "|a" * 2_000 + "|\n" + "|-" * 2_000 + "|\n" + "|\n" * 5_000,
        "unclosed elements": "<div>\n" * many,
        "unclosed comments": "<!--" * many,
        "unclosed data": "a " + "<![CDATA[" * many,
        "images": "![" * many,
        "links": "[a](" * many,
        "brackets": "[" * many,
        "emphasis": "a**b" * many,
        "backticks": "".join("`" * length + " " for length in range(1_500)),
        "fences": "```\n" * many,
        "nested front matter": "---\na: " + "[" * many + "\n---\nx",
        "swelling front matter": "---\na0: &a0 [x, x]\n"
        + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
        + "title: *a39\n---\nx",
    }

"""Texts for hypothesis: words, marks and white space of many scripts, and junk."""

from hypothesis import strategies as st

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
_PARTS = (
    *("word", "i", "Слово", "їжак", "Ґанок", "¿Qué?", "ñandú", "文字", "アプリ", "عربي", "हिन्दी", "ไทย", "한국어"),
    *(FAMILY, "🇺🇦", "e\u0301", "o\u0308\u0323", "👍🏽", "\u200b", "\u202e", "\ud83d", "\x85", "\u2028", "e.g.", "3.14"),
    *(
        ". ",
        "! ",
        "? ",
        "… ",
        "。",
        "।",
        "؟ ",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "\u00a0",
        " — ",
        "«",
        "»",
        "(",
        ")",
    ),
    *(
        "x" * 70,
        "ж" * 90,
        "- ",
        "1. ",
        "| a | b |\n",
        "```\n",
        "# ",
        "<b>",
        "<!-- ",
        "-->",
        "&amp;",
        "\\",
        "*",
        "_",
        "`",
    ),
)


def texts_of_all_scripts() -> st.SearchStrategy[str]:
    """Return texts of up to 60 such parts; without NUL, which no document has."""
    without_nul = st.text(st.characters(blacklist_characters="\0", blacklist_categories=()), max_size=8)
    return st.lists(st.one_of(st.sampled_from(_PARTS), without_nul), max_size=60).map("".join)

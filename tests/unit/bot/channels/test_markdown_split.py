"""Long Markdown goes out in parts, each of which shows by itself."""

import pytest

from bot.channels.markdown import split

WORDS = "One two three four. Five six seven eight. Nine ten eleven twelve."


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_a_text_that_fits_is_one_part() -> None:
    assert split("# Title\n\ntext\n", 20) == ["# Title\n\ntext"]


@pytest.mark.parametrize("blank", ["", "\n\n", "   \n"])
def test_a_blank_text_has_no_part(blank: str) -> None:
    assert split(blank, 20) == []


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        pytest.param("aaaa\n\nbbbb\n\ncccc", 10, ["aaaa\n\nbbbb", "cccc"], id="between paragraphs"),
        pytest.param("- aaaa\n- bbbb\n- cccc", 14, ["- aaaa\n- bbbb", "- cccc"], id="between list items"),
        pytest.param("aaaa aaaa\n\n# b\n\ncccc", 14, ["aaaa aaaa", "# b\n\ncccc"], id="a heading goes with its text"),
        pytest.param("> aaaa bbbb cccc", 12, ["> aaaa bbbb", "> cccc"], id="a quote stays a quote"),
        pytest.param(
            WORDS, 45, ["One two three four. Five six seven eight.", "Nine ten eleven twelve."], id="sentences"
        ),
        pytest.param("Aaa aaa. [1][2] Bbb bbb.", 18, ["Aaa aaa. [1][2]", "Bbb bbb."], id="markers stay with theirs"),
        pytest.param("aaaa aaa\nbbbb bbb\ncccc", 18, ["aaaa aaa\nbbbb bbb", "cccc"], id="between lines"),
        pytest.param("aaa **bbb bbb** ccc", 14, ["aaa", "**bbb bbb**", "ccc"], id="not within emphasis"),
        pytest.param("aaaaa `b b b b` c", 14, ["aaaaa", "`b b b b` c"], id="not within code"),
        pytest.param("aaaaa [b c](http://d.e) f", 20, ["aaaaa", "[b c](http://d.e) f"], id="not within a link"),
        pytest.param("aaaa [b](http://c.d/e)", 18, ["aaaa", "[b](http://c.d/e)"], id="before a link"),
        pytest.param("aaaa bb - cc dd ee", 8, ["aaaa bb", "\u2060- cc dd", "ee"], id="no mark begins a part"),
    ],
)
def test_it_is_cut_where_a_reader_would(text: str, limit: int, parts: list[str]) -> None:
    assert split(text, limit) == parts


def test_a_fence_is_closed_and_opened_again_with_its_language() -> None:
    parts = split("```python\n" + "\n".join(f"line {number}" for number in range(6)) + "\n```\n[1]", 40)

    assert parts == [
        "```python\nline 0\nline 1\nline 2\n```",
        "```python\nline 3\nline 4\nline 5\n```\n[1]",
    ]


def test_a_table_has_its_header_in_every_part() -> None:
    header = "| a | b |\n|---|---|"

    parts = split(header + "".join(f"\n| {number} | x |" for number in range(5)), 50)

    assert parts == [
        f"{header}\n| 0 | x |\n| 1 | x |\n| 2 | x |",
        f"{header}\n| 3 | x |\n| 4 | x |",
    ]


def test_what_stood_deep_in_a_list_is_no_code_at_the_beginning_of_a_part() -> None:
    parts = split("- aaaa\n    - bbbb\n        - cccc\n        - dddd", 25)

    assert parts == ["- aaaa\n    - bbbb", "- cccc\n- dddd"]


def test_a_fence_in_a_list_goes_on_at_the_margin() -> None:
    parts = split("- item\n\n  ```sh\n  one\n  two\n  three\n  ```", 22)

    assert parts == ["- item", "```sh\none\ntwo\n```", "```sh\nthree\n```"]


def test_indented_code_that_is_cut_becomes_fences() -> None:
    parts = split("    one\n    two\n    three", 17)

    assert parts == ["```\none\ntwo\n```", "```\nthree\n```"]


@pytest.mark.parametrize("cluster", ["👩‍👩‍👧", "é", "🇺🇦", "👍🏽", "☎️"])
def test_no_sign_is_cut_in_two(cluster: str) -> None:
    parts = split(cluster * 30, 20)

    assert "".join(parts) == cluster * 30
    assert all(len(part) % len(cluster) == 0 for part in parts)


def test_parts_are_measured_as_the_platform_measures() -> None:
    parts = split("😀" * 30, 20, utf16)

    assert [len(part) for part in parts] == [10, 9, 9, 2]


def test_a_row_that_is_too_long_is_shown_as_words() -> None:
    parts = split("| a | b |\n|---|---|\n| " + "word " * 20 + "| x |\n| y | z |", 60)

    assert sum(part.count("word") for part in parts) == 20
    assert parts[-1].endswith("| a | b |\n|---|---|\n| y | z |")


def test_a_lone_word_is_cut_as_a_last_resort() -> None:
    assert split("x" * 45, 20) == ["x" * 20, "x" * 19, "x" * 6]


def test_what_belongs_to_no_block_is_kept() -> None:
    parts = split("aaaa [b]\n\n[b]: http://c.d\n\ncccc", 18)

    assert "\n".join(parts).count("[b]: http://c.d") == 1


@pytest.mark.parametrize("marks", ["[", "![", "*a ", "_a_ `", "- ", "> ", "|a", "<a", "\\"])
def test_a_text_made_to_be_slow_is_cut_in_time(marks: str) -> None:
    parts = split(marks * (20_000 // len(marks)), 4_000)

    assert all(len(part) <= 4_000 for part in parts)

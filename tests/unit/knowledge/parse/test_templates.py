"""What conditionals, values and included parts become, line by line."""

import pytest

from knowledge.parse.templates import Rules, resolve

VALUES = {"cloud": "VK Cloud"}


def shown(text: str, *, flags: tuple[str, ...] = ("public",), **files: str) -> str:
    rules = Rules(VALUES, frozenset(flags))
    return resolve(text, "page.md", rules, {f"{name}.md": content for name, content in files.items()}.get).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a {ifdef(public)}b{/ifdef} c", "a b c"),
        ("a {ifdef(s3,s3-pdf)}b{/ifdef} c", "a  c"),
        ("a {ifdef(s3, public)}b{/ifdef} c", "a b c"),
        ("a {ifndef(public)}b{/ifndef} c", "a  c"),
        ("a {ifndef(s3)}b{/ifndef} c", "a b c"),
        ("{ifdef(public)}a{ifdef(s3)}b{/ifdef}c{/ifdef}", "ac"),
        ("{ifdef(s3)}a{ifdef(public)}b{/ifdef}c{/ifdef}", ""),
        ("{ifdef(public)}a{ifndef(public)}b{/ifdef}c{/ifndef}d", "ad"),
        ("a\n{ifdef(public)}\nb\n{/ifdef}\nc", "a\n\nb\n\nc"),
        ("a\n{ifdef(s3)}\nb\n{/ifdef}\nc", "a\n\n\n\nc"),
        ("a {ifdef(public)}b:\n\n   - c\n   {/ifdef}{ifdef(s3)}d{/ifdef}\ne", "a b:\n\n   - c\n\ne"),
        ("a {ifdef(s3)}b:\n\n   - c\n   {/ifdef}{ifdef(public)}d{/ifdef}\ne", "a \n\n\nd\ne"),
        ("- {ifdef(s3)}a{/ifdef}\n- b", "\n- b"),
        ("## {ifdef(s3)}a{/ifdef}\n\nb", "\n\nb"),
        ("{ifdef(s3)}a", "a"),
        ("a{/ifdef}", "a"),
        ("{ifdef(s3)}a{/ifndef}b", "ab"),
        ("{ifdef()}a{/ifdef}", ""),
        ("{caption(T {ifdef(public)}1{/ifdef})[a=b]}", "{caption(T 1)[a=b]}"),
        ("{includetag(a)}\nb\n{/includetag}", "\nb\n"),
    ],
)
def test_conditions_are_kept_or_taken_out_and_lines_stay(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_flags_choose_what_is_built() -> None:
    assert shown("{ifdef(s3)}a{/ifdef}{ifdef(public)}b{/ifdef}", flags=("s3",)) == "a"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| a |\n|---|\n{ifdef(public)}\n| b |\n{/ifdef}\n| c |\n\nd", "| a |\n|---|\n| b |\n| c |\n\n\n\nd"),
        ("|===\n|a\n{ifdef(public)}\n|b\n{/ifdef}\n|c\n|===\nd", "|===\n|a\n\n|b\n\n|c\n|===\nd"),
    ],
)
def test_a_mark_between_rows_does_not_part_a_table(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In {var(cloud)}.", "In VK Cloud."),
        ("In {var(elsewhere)}.", "In elsewhere."),
        ("---\nteam: 'Ops'\n---\nBy {var(team)}.", "---\nteam: 'Ops'\n---\nBy Ops."),
        ("---\ncloud: Other\n---\nIn {var(cloud)}.", "---\ncloud: Other\n---\nIn VK Cloud."),
        ("{counter(a)}. x\n{counter(b)}. y\n{counter(a)}. z", "1. x\n1. y\n2. z"),
        ("T {counter(t)[id=n]}, see {const(n)}", "T 1, see 1"),
        ("See {const(n)}: T {counter(t)}[id=n]", "See 1: T 1"),
        ("T{const(unknown)}.", "T."),
        ("{var(cloud)}[link](x)", "VK Cloud[link](x)"),
    ],
)
def test_values_take_the_place_of_their_names(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize("fence", ["```", "~~~", "   ```", "- ```", "> ```", "````"])
def test_code_stays_as_it_is(fence: str) -> None:
    text = f"{fence}\n{{ifdef(s3)}}\n{{var(cloud)}} {{include(x.md)}}\n{{/ifdef}}\n{fence.replace('-', ' ')}\n"

    assert shown(text, x="Not here.") == text


def test_counters_go_on_in_included_parts() -> None:
    assert shown("{counter(a)}\n{include(x.md)}\n{counter(a)}", x="{counter(a)} of x") == "1\n2 of x\n3"


def test_of_tagged_parts_the_chosen_ones_are_shown_beside_what_has_no_tag() -> None:
    part = (
        "---\ntitle: Part\n---\nfirst\n{includetag(a)}\none {includetag(b)}two{/includetag}\n{/includetag}\n"
        "between\n{includetag(c, a)}\nthree {var(cloud)}\n{/includetag}\nlast"
    )

    assert shown("{include(x.md)[tags=a]}", x=part).split() == [
        "first",
        "one",
        "two",
        "between",
        "three",
        "VK",
        "Cloud",
        "last",
    ]
    assert shown("{include(x.md)[tags=b,none]}", x=part).split() == ["first", "two", "between", "last"]
    assert shown("{include(x.md)}", x=part).split() == [
        *("first", "one", "two", "between", "three", "VK", "Cloud", "last")
    ]


def test_parts_of_code_are_chosen_inside_their_fence() -> None:
    code = (
        "Text.\n\n```hcl\n{includetag(a)}\nx = 1\n{/includetag}\n{includetag(b)}\ny = 2\n{/includetag}\n```\n\nMore.\n"
    )

    found = shown("{include(x.md)[tags=b]}", x=code)

    assert [line for line in found.split("\n") if line] == ["Text.", "```hcl", "y = 2", "```", "More."]


def test_a_text_in_which_nothing_is_tagged_is_included_whole() -> None:
    assert shown("{include(x.md)[tags=a]}", x="All.") == "All."


def test_rows_included_from_several_parts_stay_one_table() -> None:
    parts = [("a", 1), ("b", 2), ("a", 3)]
    rows = "\n".join(f"{{includetag({tag})}}\n| {number} |\n{{/includetag}}" for tag, number in parts)

    assert shown("| h |\n|---|\n{include(x.md)[tags=a]}\n| 4 |", x=rows) == "| h |\n|---|\n| 1 |\n| 3 |\n| 4 |"

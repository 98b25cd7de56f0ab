"""A page is shown without what only its site generator reads."""

import pytest

from knowledge.parse import markdown


def shown(text: str) -> str:
    return markdown.parse(text).text


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("# {heading(Buy (now))[id=buy]}", "# Buy (now)"),
        ("## {heading({counter(x)}. Buy)[id=buy]}", "## Buy"),
        ("## Buy { #buy } ##", "## Buy"),
        ("See {linkto(../a#b)[text=the [guide]]}.", "See [the [guide]](../a#b)."),
        ("See {linkto(../a/b)}.", "See [b](../a/b)."),
        ("See {linkto(#t)[text=table\u00a0%number]}.", "See [table](#t)."),
        ("In {var(cloud)}, {const(n)}all {counter(x)} of it.", "In cloud, all of it."),
        ("A{ifdef(a,b)}, B{/ifdef}.", "A, B."),
        ("{include(/a.md)[tags=x]}", ""),
        ("{caption(Table {counter(t)[id=n]} — X)[id=t;number={const(n)}]}", "Table — X"),
        ("![x](a.png){params[noBorder=true; width=60%]}", "![x](a.png)"),
        ("[x](y){.internal-link target=_blank} and `c`{.py}", "[x](y) and `c`"),
        ("Text. {: .lead }", "Text."),
        ("{unknown(a)[b=c]}Text", "Text"),
        ("{% if x %}Text{% endif %} {{ name }}", "Text"),
        ('[x]({{< ref "/a.md" >}})', "[x](/a.md)"),
        ("{{% notice tip %}}", ""),
        ("A {# comment #}word", "A word"),
        ("A <!-- comment -->word", "A word"),
        ("<!-- a\nb -->\nText", "\n\nText"),
        ("{/* a\nb */}\nText", "\n\nText"),
        ("import A from 'b'\n\nText", "\n\nText"),
        ("import the data from the old system", "import the data from the old system"),
        ("[TOC]", ""),
        ('--8<-- "a.md"', ""),
        ("> [!NOTE] Read\n> this", "> **Read**\n> this"),
        ("::: tip\nText\n:::", "\nText\n"),
        ("!!! no callout follows this", "!!! no callout follows this"),
        ("```\n{* a.py *}\n```", "\n\n"),
    ],
)
def test_directives_are_shown_as_their_text_or_not_at_all(written: str, seen: str) -> None:
    assert shown(written) == seen


@pytest.mark.parametrize(
    "text",
    [
        "Use {item_id}, {project_id}, {object}, {e} and {}.",
        "`{var(x)}` and ``{{ ` }}``",
        "A `span of\n{{ code }} here` ends.",
        "<code>{{ x }}</code>",
        "```\n{* a.py *}\nprint()\n/// tip\n```",
        "- a\n\n  ~~~\n  {note:info}\n  ~~~",
        "Text.\n\n    {{ indented }}",
        "<pre>\n{{ x }}\n</pre>",
        "Costs ${price(1)} and x^{f(x)}.",
        "https://api.example.com/repos{/owner}",
        "[^a] is a regular expression",
        "| a | b |\n|---|---|\n| {id} | c |",
        "",
    ],
)
def test_code_and_names_in_braces_stay(text: str) -> None:
    assert shown(text) == text


def test_a_line_keeps_its_number() -> None:
    lines = shown("---\ntitle: x\n---\n/// tip | Title\nText\n///\n\n!!! note\n    Body\n\nEnd").split("\n")

    assert lines == ["", "", "", "**Title**", "Text", "", "", "", "Body", "", "End"]


@pytest.mark.parametrize(
    "fold",
    [
        "{cut(Why?)}\nBecause.\n{/cut}",
        "<details>\n<summary>Why?</summary>\n\nBecause.\n\n</details>",
        '??? faq "Why?"\n    Because.\n',
        "/// details | Why?\nBecause.\n///",
        ":::details Why?\nBecause.\n:::",
    ],
)
def test_a_fold_is_a_section_and_the_one_around_it_goes_on(fold: str) -> None:
    blocks = markdown.parse(f"## Questions\n\n{fold}\n\nMore.").blocks

    assert [(block.kind, block.level, block.text, block.anchor) for block in blocks] == [
        ("heading", 2, "Questions", "questions"),
        ("heading", 3, "Why?", "why"),
        ("paragraph", 0, "Because.", None),
        ("heading", 2, "Questions", "questions"),
        ("paragraph", 0, "More.", None),
    ]


@pytest.mark.parametrize(
    "tab",
    [
        "{tabs}\n{tab(CLI)}\nRun it.\n{/tab}\n{/tabs}",
        "//// tab | CLI\nRun it.\n////",
        '=== "CLI"\n    Run it.\n',
        '<TabItem label="CLI">\nRun it.\n</TabItem>',
    ],
)
def test_a_tab_is_a_section_whose_address_is_that_of_the_heading_above(tab: str) -> None:
    heading, title, text = markdown.parse(f"# Start {{#s}}\n\n{tab}").blocks

    assert (heading.text, title.text, title.anchor, text.text) == ("Start", "CLI", "s", "Run it.")


def test_a_fold_in_a_list_item_stays_in_it() -> None:
    blocks = markdown.parse("1. Do this:\n\n   {cut(Example)}\n   So.\n   {/cut}\n\n1. And that.").blocks

    assert [block.text for block in blocks] == ["Do this:\nExample So.".replace(" So", "\nSo"), "And that."]


def test_hidden_folds_stay_hidden() -> None:
    text = "<div hidden>\n\n<details>\n<summary>SECRET</summary>\n\nSECRET\n\n</details>\n\n</div>\n\nSeen."

    assert "SECRET" not in "".join(block.text for block in markdown.parse(text).blocks)


def test_footnotes_are_items_and_the_rows_that_name_them_know_them() -> None:
    parsed = markdown.parse("| a |\n|---|\n| b[^1] |\n\n[^1]: Only *here*.\n[^2]: other\n\nText[^2].")

    assert [(block.kind, block.text) for block in parsed.blocks[1:]] == [
        ("row", "a: b"),
        ("item", "Only here."),
        ("item", "other"),
        ("paragraph", "Text."),
    ]
    assert parsed.blocks[1].context == "a\nOnly here."

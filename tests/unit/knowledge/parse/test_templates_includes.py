"""Which lines include which files, and what never can."""

import time
from pathlib import Path

import pytest

from knowledge.parse.templates import (
    MAX_DEPTH,
    MAX_FILES,
    MAX_INCLUDED_CHARACTERS,
    MAX_INCLUDES,
    MAX_LINES,
    Resolved,
    Rules,
    resolve,
)

FILES = {
    "docs/x.md": "---\ntitle: X\n---\nOne.\n\nTwo.\n",
    "_includes/top.md": "Top.",
    "docs/_includes/deep.md": "Deep.",
    "code/a.py": "import os\n# --8<-- [start:main]\nrun()\n# --8<-- [end:main]\nend()\n",
    "docs/parts.md": "<!--intro-->Intro.<!--/intro-->\n\nRest.",
    "docs/.secret.md": "Secret.",
    ".env": "SECRET=1",
}
VKCLOUD = Path(__file__).parents[4] / "../shared/data/kb/vkcloud"
FASTAPI = Path(__file__).parents[4] / "../shared/data/kb/fastapi"


def resolved(text: str, files: dict[str, str] | None = None, **rules: object) -> Resolved:
    return resolve(text, "docs/page.md", Rules(**rules), (FILES if files is None else files).get)  # type: ignore[arg-type] # a table's values


@pytest.mark.parametrize(
    "line",
    [
        *("{include(x.md)}", "{include(/docs/x.md)}", "{include(../docs/x.md)}", "{include(./x.md)}"),
        *("{! x.md !}", "{!x.md!}", "{!> docs/x.md !}", '--8<-- "x.md"', "--8<-- 'docs/x.md'", ';--8<-- "x.md"'),
        *("--8<--\nx.md\n--8<--", '{% include "x.md" %}', "{% include_relative x.md %}", "{%- include 'x.md' -%}"),
        *('{% include-markdown "x.md" %}', '{%\n   include-markdown "x.md"\n%}', "::: include x.md", ":::include x.md"),
        *("@include x.md", "@include(x.md)", "@include: ./x.md", "<!-- @include: ./x.md -->", "<!--@include: x.md-->"),
        *('!INCLUDE "x.md"', "[!INCLUDE [title](x.md)]", "[!include[](x.md)]", "```{include} x.md\n```"),
    ],
)
def test_every_way_to_include_a_text_includes_it(line: str) -> None:
    found = resolved(f"Before.\n\n{line}\n\nAfter.")

    assert found.text.split() == ["Before.", "One.", "Two.", "After."]
    assert (found.problems, found.keeps_lines) == ((), False)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{* ../code/a.py *}", "```py\nimport os\nrun()\nend()\n```"),
        ("{* ../../code/a.py ln[1] hl[2] *}", "```py\nimport os\n```"),
        ("{* ../code/a.py ln[1,3:9] *}", "```py\nimport os\nend()\n```"),
        ('--8<-- "code/a.py:main"', "```py\nrun()\n```"),
        ('--8<-- "code/a.py:2:3"', "```py\nrun()\nend()\n```"),
        ("<<< @/code/a.py{1}", "```py\nimport os\nrun()\nend()\n```"),
        ("```python\n{!> ../code/a.py [ln:1]!}\n```", "```python\nimport os\n```"),
        ('```python\n--8<-- "code/a.py:main"\n```', "```python\nrun()\n```"),
        ("```{literalinclude} ../code/a.py\n:lines: 1\n```", "```py\nimport os\nrun()\nend()\n```"),
    ],
)
def test_included_code_is_shown_as_code(line: str, expected: str) -> None:
    assert resolved(line).text.strip() == expected


def test_code_that_holds_a_fence_gets_a_longer_one() -> None:
    assert resolved("{* a.sh *}", {"docs/a.sh": "```\n"}).text == "````sh\n```\n````"


@pytest.mark.parametrize(
    "line", ["{* ../../docs_src/a.py *}", "```\n{!../../../docs_src/a.py!}\n```", '--8<-- "none.py"', "<<< /x.js"]
)
def test_code_that_lies_elsewhere_is_dropped_in_silence(line: str) -> None:
    found = resolved(f"Before.\n\n{line}\n\nAfter.")

    assert found.problems == ()
    assert "a.py" not in found.text
    assert found.keeps_lines


@pytest.mark.parametrize(
    "line",
    [
        *("@include me in the next round.", "::: include everything", "<<<<<<< HEAD", "<<<EOT", "{x}", "{ #anchor }"),
        *("Write `{include(x.md)}` there.", "Write --8<-- there.", "!INCLUDE x.md", "-- 8<- --", "{include x.md}"),
        *("See {! x.md !} there.", "{%", "%}", "--8<--", "@includes", "a | {* b"),
    ],
)
def test_what_only_looks_like_an_include_stays(line: str) -> None:
    text = f"Before.\n\n{line}\n\nAfter."

    assert resolved(text) == Resolved(text)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("   {include(x.md)}", "   One.\n\n   Two."),
        ("1. {include(x.md)}", "1. One.\n\n   Two."),
        ("- {include(x.md)}", "- One.\n\n  Two."),
        ("> {include(x.md)}", "> One.\n\n> Two."),
        ("See {include(/_includes/top.md)} there.", "See Top. there."),
    ],
)
def test_included_lines_stand_where_their_include_stood(line: str, expected: str) -> None:
    assert resolved(line).text == expected


def test_parts_can_be_named_by_the_words_around_them() -> None:
    line = '{% include-markdown "parts.md" start="<!--intro-->" end="<!--/intro-->" %}'

    assert resolved(line).text == "Intro."


def test_an_include_is_looked_for_where_its_generator_looks() -> None:
    assert resolved("{% include top.md %}").text == "Top."
    assert resolved("{include(/_includes/deep.md)}", roots=("docs", "")).text == "Deep."
    assert resolved("{include(/_includes/top.md)}", roots=("docs", "")).text == "Top."


@pytest.mark.parametrize(
    "path",
    [
        *("../../etc/passwd", "../../../../x.md", "/../x.md", "..\\x.md", "x\\..\\y.md", "C:/x.md", "C:\\x.md"),
        *("file:///etc/passwd", "https://host.example/x.md", "//host.example/x.md", "/etc/passwd"),
        *("%2e%2e/%2e%2e/etc/passwd", ".secret.md", "/.env", "../.env", "", ".", "..", "/", "a\tb", "x" * 3_000),
    ],
)
@pytest.mark.parametrize("form", ["{{include({})}}", "{{!{}!}}", '--8<-- "{}"', '{{% include "{}" %}}', "@include {}"])
def test_nothing_outside_of_the_source_can_be_read(path: str, form: str) -> None:
    asked: list[str] = []

    def read(inside: str) -> str | None:
        asked.append(inside)
        return FILES.get(inside)

    found = resolve(form.format(path), "docs/page.md", Rules(), read)

    assert not any(part in ("", "..", ".") or part.startswith(".") for path in asked for part in path.split("/"))
    assert "Secret" not in found.text
    assert "SECRET" not in found.text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{include(none.md)}", "an included file is missing: docs/none.md"),
        ("{include(../../none.md)}", "an included file lies outside of the source: ../../none.md"),
        ("{include(page.md)}", "files include each other in a circle: docs/page.md"),
        ('--8<-- "parts.md:none"', "an included part is missing: docs/parts.md:none"),
    ],
)
def test_what_cannot_be_included_is_left_out_and_told(text: str, problem: str) -> None:
    found = resolved(f"Before.\n{text}\nAfter.", {**FILES, "docs/page.md": text})

    assert (found.text, found.problems, found.keeps_lines) == ("Before.\n\nAfter.", (problem,), True)


def test_a_part_of_others_that_is_missing_is_told() -> None:
    found = resolved("{include(t.md)[tags=b]}", {"docs/t.md": "{includetag(a)}x{/includetag}"})

    assert found.problems == ("an included part is missing: docs/t.md tags=b",)


def test_files_that_include_each_other_are_shown_once() -> None:
    files = {"docs/a.md": "A.\n{include(b.md)}", "docs/b.md": "B.\n{include(a.md)}"}

    found = resolved("{include(a.md)}", files)

    assert found.text == "A.\nB."
    assert found.problems == ("files include each other in a circle: docs/a.md",)


def test_a_file_may_include_another_part_of_itself() -> None:
    text = "{include(page.md)[tags=a]}\n{includetag(a)}x{/includetag}"

    assert resolved(text, {"docs/page.md": text}).text == "x\nx"


def test_depth_number_and_length_are_bounded() -> None:
    deep = {f"docs/{n}.md": f"{n}\n{{include({n + 1}.md)}}" for n in range(50)}
    many = {f"docs/{n}.md": "x" for n in range(MAX_FILES + 5)}
    lines = "\n".join

    depth = resolved("{include(0.md)}", deep)
    number = resolved(lines(["{include(x.md)}"] * (MAX_INCLUDES + 5)), {"docs/x.md": "x"})
    files = resolved(lines(f"{{include({n}.md)}}" for n in range(MAX_FILES + 5)), many)
    length = resolved(lines(["{include(x.md)}"] * 20), {"docs/x.md": "x" * 1_000}, max_characters=10_000)

    assert depth.text.split() == [str(n) for n in range(MAX_DEPTH)]
    assert number.text.count("x") == MAX_INCLUDES
    assert files.text.count("x") == MAX_FILES
    assert length.text.count("x") == 9_000
    assert all(len(found.problems) >= 1 for found in (depth, number, files, length))


@pytest.mark.parametrize(
    "line",
    [
        *("{include(large.md)}", "{include(large.md)[tags=a]}", '--8<-- "large.md:2:3"', '--8<-- "large.md:part"'),
        *("{* large.md ln[1] *}", '{% include-markdown "large.md" start="<!--x-->" end="<!--y-->" %}'),
        *(" " * 1_900 + "{include(large.md)}", "- " + "{include(small.md)}" * 90, '--8<-- "large.md:none"'),
    ],
)
def test_a_large_file_that_is_included_many_times_takes_bounded_time(line: str) -> None:
    large = "{includetag(a)}\nx\n{/includetag}\n--8<-- [start:part]\ny\n--8<-- [end:part]\n" + "\n" * 190_000
    started = time.process_time()

    found = resolved(f"{line}\n" * 1_000, {"docs/large.md": large, "docs/small.md": "x\ny"})

    assert time.process_time() - started < 10.0
    assert len(found.text) < 3 * MAX_INCLUDED_CHARACTERS


def test_a_file_of_very_many_lines_is_left_as_it_is() -> None:
    text = "{var(x)}" + "\n" * (MAX_LINES + 1)

    assert resolved(text).text == text
    assert resolved("{include(x.md)}", {"docs/x.md": text}).problems == ("an included file is missing: docs/x.md",)


def test_files_that_include_each_other_many_times_do_not_grow_without_end() -> None:
    files = {f"docs/{n}.md": f"{{include({n + 1}.md)}}\n" * 10 + "x" for n in range(8)}

    assert len(resolved("{include(0.md)}", files).text) < 10 * MAX_INCLUDES


@pytest.mark.skipif(not VKCLOUD.is_dir(), reason="the evaluation data is not beside the project")
def test_all_pages_of_vk_cloud_are_resolved() -> None:
    texts = {path.relative_to(VKCLOUD).as_posix(): path.read_text(encoding="utf-8") for path in VKCLOUD.rglob("*.md")}

    found = {path: resolve(text, path, Rules(), texts.get) for path, text in texts.items()}

    assert len(found) == 557
    assert {problem for page in found.values() for problem in page.problems} == set()
    left = ("{include", "{/include", "{ifdef", "{/ifdef", "{ifndef", "{/ifndef", "{var(", "{counter(", "{const(")
    assert [path for path, page in found.items() if any(mark in page.text for mark in left)] == []


@pytest.mark.skipif(not FASTAPI.is_dir(), reason="the evaluation data is not beside the project")
def test_all_pages_of_fastapi_keep_their_lines_and_lose_dangling_code_only() -> None:
    for path in FASTAPI.rglob("*.md"):
        text = path.read_text(encoding="utf-8")

        found = resolve(text, path.name, Rules(), lambda path: None)

        changed = [old for old, new in zip(text.split("\n"), found.text.split("\n"), strict=True) if old != new]
        assert found.problems == ()
        assert all("../../" in line for line in changed)

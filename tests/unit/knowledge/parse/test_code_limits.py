"""What cannot be read by its syntax is one block, or keeps what is sound; nothing is lost and nothing takes long."""

from dataclasses import replace

import pytest

from knowledge.parse import code
from knowledge.parse.code import parse_document
from knowledge.parse.code.grammars import GRAMMARS
from knowledge.types import Document, Parsed

SOUND = "def sound(value):\n    return value\n"


def parsed(text: str, language: str = "python") -> Parsed:
    return parse_document(Document("code", "x", text, "1", media_type=f"text/x-code;language={language}"))


def visible(document: Parsed) -> str:
    return "".join("".join(block.text.split()) for block in document.blocks if block.kind == "code")


@pytest.mark.parametrize(
    ("text", "language", "problems"),
    [
        (SOUND * 15_000, "python", (code.TOO_LONG,)),
        ("a=>\n" * 1_000, "java", (code.TOO_SLOW,)),
        ("/*\n" * 1_000, "python", (code.TOO_SLOW,)),
        ("/*a,\n" * 4_000, "javascript", (code.TOO_SLOW,)),
        ("var a=1;" * 1_000, "javascript", (code.MINIFIED,)),
        (f"a = 1\n{'x' * 5_001}\n", "python", (code.MINIFIED,)),
        ("".join(f"{'x' * 400} = 1\n" for _ in range(20)), "python", (code.MINIFIED,)),
        ("my $x = 1;\n\nsub f { return 1 }\n", "perl", ()),
        ("  some text\n", "", ()),
    ],
)
def test_what_is_not_read_by_its_syntax_is_one_block(text: str, language: str, problems: tuple[str, ...]) -> None:
    document = parsed(text, language)

    assert [(block.kind, block.text) for block in document.blocks] == [("heading", "x"), ("code", text.rstrip())]
    assert document.problems == problems


@pytest.mark.parametrize("text", ["", " \n\t\n"])
@pytest.mark.parametrize("language", ["", "python", "sql"])
def test_a_file_without_text_has_no_blocks(text: str, language: str) -> None:
    assert parsed(text, language) == Parsed(text, ())


def test_without_the_package_a_file_is_one_block_and_the_problem_names_the_remedy() -> None:
    absent = {"python": replace(GRAMMARS["python"], package="a_package_that_is_not_there")}

    document = parse_document(Document("code", "x", SOUND, "1", media_type="text/x-code;language=python"), absent)

    assert [block.text for block in document.blocks] == ["x", SOUND.rstrip()]
    assert 'pip install "answerdesk[code]"' in document.problems[0]


def test_broken_code_keeps_its_sound_definitions() -> None:
    document = parsed(f"{SOUND}\n<<<<<<< ours\n= )))\n>>>>>>> theirs\n\n{SOUND.replace('sound', 'second')}")

    assert [block.anchor for block in document.blocks if block.anchor] == ["sound", "second"]
    assert visible(document) == "".join(document.text.split())


def test_a_file_in_another_language_than_its_name_says_is_reported() -> None:
    document = parsed("the quick brown fox; jumps! over? the lazy dog.\n" * 50)

    assert document.problems == (code.BROKEN,)
    assert visible(document) == "".join(document.text.split())


DEPTH = 3_000


@pytest.mark.parametrize("language", sorted(GRAMMARS))
@pytest.mark.parametrize(
    "text",
    [
        "(\n" * DEPTH,
        "x = " + "[\n" * DEPTH + "]\n" * DEPTH,
        "{\n" * DEPTH + "}\n" * DEPTH,
        "class A {\n" * DEPTH + "}\n" * DEPTH,
        "if (x) {\n" * DEPTH,
        "".join(f"{' ' * depth}if x:\n" for depth in range(1_000)),
        "".join(f"{' ' * depth}class A{depth}:\n" for depth in range(1_000)) + " " * 1_000 + "pass\n",
        "namespace A { export namespace B {\n" * 1_000,
        "mod a { impl B { \n" * 1_000,
        "/*\n" * DEPTH,
        "'\n\"\n`\n" * DEPTH,
        "$a$ $b$\n" * DEPTH,
        "@a\n" * DEPTH,
        "#[a]\n// b\n" * DEPTH,
        "export " * 500 + "\n",
        "CREATE TABLE a (\n" * DEPTH,
        "\ufeff\u2028\x0c\x85 \u00a0 x = 1\n" * 100,
        "\ud800 = 1\ndef f(): pass\n" * 100,
    ],
    ids=range(18),
)
def test_nothing_is_lost_of_what_is_nested_deeply_or_goes_on_for_ever(text: str, language: str) -> None:
    assert visible(parsed(text, language)) == "".join(text.split())

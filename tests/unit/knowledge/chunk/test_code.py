"""Source files are cut between definitions, and long definitions between statements."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.chunk.code import Code, CodeSettings
from knowledge.chunk.passages import Spans
from knowledge.parse.code import parse_document
from knowledge.types import Document, Parsed, Passage

FILES = Path(__file__).parents[3] / "data" / "code"
LANGUAGES = {
    "cart.py": "python",
    "cart.ts": "typescript",
    "cart.tsx": "tsx",
    "cart.js": "javascript",
    "cart.go": "go",
    "cart.rs": "rust",
    "Cart.java": "java",
    "Cart.php": "php",
    "cart.sql": "sql",
    "cart_standard.sql": "sql",
    "cart_mysql.sql": "sql",
    "cart_transact.sql": "sql",
}
SHORT = CodeSettings(max_characters=800, small_characters=200)
SHORTEST = CodeSettings(max_characters=400, small_characters=0)

# The first passage of the long method of each file: its headings, and what it holds besides the first lines.
CHECKOUT = [
    ("cart.py", ("shop.cart", "Cart"), ["async def checkout(", "The order has"]),
    ("cart.ts", ("src/shop/cart.ts", "Cart"), ["* Turn the cart", '@Log("checkout")', "async checkout("]),
    ("cart.js", ("src/shop/cart.js", "Cart"), ["// Turn the cart", "// The warehouse", "async checkout("]),
    ("cart.go", ("src/shop", "Cart"), ["// Checkout turns", "//nolint", "func (c *Cart[T]) Checkout("]),
    ("cart.rs", ("src/shop/cart.rs", "Cart"), ["/// Turn the cart", "#[inline]", "pub fn checkout("]),
    ("Cart.java", ("com.example.shop", "Cart"), ["* Turns the cart", "@Transactional", "public String checkout("]),
    ("Cart.php", (r"Example\Shop", "Cart"), ["* Turns the cart", "#[Route(", "public function checkout("]),
    ("cart.sql", ("src/shop/cart.sql",), ["-- Turns a cart", "CREATE FUNCTION shop.checkout("]),
]


def parsed(name: str, text: str | None = None) -> Parsed:
    text = (FILES / name).read_text("utf-8") if text is None else text
    media_type = f"text/x-code;language={LANGUAGES[name]}"
    return parse_document(Document("code", f"src/shop/{name}", text, "1", media_type=media_type))


def passages(name: str, text: str | None = None, limits: CodeSettings | None = None) -> list[Passage]:
    document = parsed(name, text)
    return list(Spans(document, Code(limits).cut(document, language="en")).passages("Shop"))


def mutated(text: str, changes: list[tuple[float, int, str]]) -> str:
    """Return a text in which each change takes some characters away and puts others in."""
    for place, length, inserted in changes:
        start = int(place * len(text))
        text = text[:start] + inserted + text[start + length :]
    return text


CHANGES = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 200),
        st.sampled_from(["", "\n", *"{}()'`\"\t\x0c", "/*", "*/", "$$", "🛒", "e\u0301", "class "])
        | st.text(max_size=9),
    ),
    max_size=6,
)  # fmt: skip


@pytest.mark.parametrize(("name", "headings", "held"), CHECKOUT)
def test_a_method_is_whole_with_its_comment_decorators_and_headings(
    name: str, headings: tuple[str, ...], held: list[str]
) -> None:
    whole = [passage for passage in passages(name, limits=CodeSettings(max_characters=1_200, small_characters=0))
             if "an empty cart" in passage.text]  # fmt: skip

    assert [part for part in [*held, "an empty cart", "gift wrapping"] if part not in whole[0].text] == []
    assert whole[0].heading == headings
    assert len(whole) == 1


@pytest.mark.parametrize(("name", "headings", "held"), CHECKOUT)
def test_each_part_of_a_long_method_is_indexed_with_its_signature(
    name: str, headings: tuple[str, ...], held: list[str]
) -> None:
    text = (FILES / name).read_text("utf-8")
    line = next(line for line in text.split("\n") if "gift wrapping" in line)
    parts = [passage for passage in passages(name, text.replace(line, "\n".join([line] * 60)), SHORT)
             if "gift wrapping" in passage.text]  # fmt: skip

    assert len(parts) > 1
    assert {"checkout(" in part.search_text.lower() for part in parts} == {True}
    assert {part.heading for part in parts} == {headings}


def test_a_class_that_fits_is_one_passage_with_the_classes_inside_it() -> None:
    found = {passage.heading[-1]: passage.text for passage in passages("cart.py")}

    assert found["Cart"].startswith("class Cart:")
    assert "class Coupon" in found["Cart"]
    assert found["Cart"].endswith('raise TimeoutError("the warehouse does not answer")')


def test_small_neighbours_under_one_heading_share_a_passage() -> None:
    functions = "".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(4))
    text = f"import os\n\n{functions}class Apart:\n    pass\n"

    assert [passage.heading for passage in passages("cart.py", text)] == [("shop.cart",), ("shop.cart", "Apart")]


def test_neighbours_that_are_not_small_are_apart() -> None:
    function = "def f{0}():\n" + "    print('a line of the body')\n" * 10
    text = function.replace("{0}", "1") + "\n\n" + function.replace("{0}", "2")

    assert [passage.anchor for passage in passages("cart.py", text, SHORT)] == ["f1", "f2"]


def test_a_long_function_is_cut_between_its_outermost_statements() -> None:
    loop = "    for item in items:\n" + "        print(item, 'in the loop')\n" * 12
    text = "def long(items):\n" + loop * 3

    assert [passage.text.split("\n")[0] for passage in passages("cart.py", text, SHORT)] == [
        "def long(items):",
        "    for item in items:",
        "    for item in items:",
    ]


def test_a_line_longer_than_a_passage_is_cut_by_length() -> None:
    text = f"def f():\n    return '{'слово ' * 500}'\n"

    found = passages("cart.py", text, SHORT)

    assert max(len(passage.text) for passage in found) <= 800
    assert "".join("".join(passage.text.split()) for passage in found) == "".join(text.split())


@given(
    name=st.sampled_from(sorted(LANGUAGES)), changes=CHANGES, limits=st.sampled_from([CodeSettings(), SHORT, SHORTEST])
)
@settings(max_examples=300, deadline=None)
def test_whatever_happens_to_a_file_nothing_of_it_is_lost_or_too_long(
    name: str, changes: list[tuple[float, int, str]], limits: CodeSettings
) -> None:
    document = parsed(name, mutated((FILES / name).read_text("utf-8"), changes))
    spans = Code(limits).cut(document, language="en")

    assert "".join("".join(document.text[start:end].split()) for start, end in spans) == "".join(document.text.split())
    assert all(end <= following for (_, end), (following, _) in pairwise(spans))
    assert all(0 < end - start <= limits.max_characters for start, end in spans)


@given(name=st.sampled_from(sorted(LANGUAGES)), changes=CHANGES)
@settings(max_examples=30, deadline=None)
def test_passages_are_slices_of_the_text_and_the_same_ones_each_time(
    name: str, changes: list[tuple[float, int, str]]
) -> None:
    text = mutated((FILES / name).read_text("utf-8"), changes)
    found = passages(name, text, SHORT)

    assert all(text[passage.start : passage.end] == passage.text for passage in found)
    assert found == passages(name, text, SHORT)


def test_the_name_tells_all_settings() -> None:
    assert Code(SHORT).name == "code-800-200-characters"

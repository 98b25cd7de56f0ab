"""A source file becomes blocks: whole definitions under their module and classes."""

from pathlib import Path

import pytest

from knowledge.parse.code import parse_document
from knowledge.types import Block, Document, Parsed

FILES = Path(__file__).parents[3] / "data" / "code"
CLASS_OF_IMPL = "impl fmt::Display for Cart"

# The file, its path in the source, a definition's qualified name, the headings above it, and what its block holds.
DEFINITIONS = [
    ("cart.py", "shop.cart", "Cart.total", ["Cart"],
     ["# Скидка", "@typing.final", "@property", "def total(", "Sum up", "return sum("]),
    ("cart.py", "shop.cart", "Cart", ["Cart"], ["class Cart:", "What a customer", "owner: str", "discount = 0"]),
    ("cart.py", "shop.cart", "Money", ["Money"], ["@dataclass(frozen=True)", "class Money:", "cents: int"]),
    ("cart.py", "shop.cart", "Cart.Coupon.is_valid", ["Cart", "Coupon"], ["def is_valid", "Tell whether", "SPRING"]),
    ("cart.py", "shop.cart", "currencies", [], ["@functools.cache", "def currencies", "List what", "return ["]),
    ("cart.py", "shop.cart", "send", [], ["async def send", "return f"]),
    ("cart.ts", "src/shop/cart.ts", "Cart", ["Cart"],
     [" * What a", "@Injectable", "export class Cart", "@Input() owner", "items: Item[]"]),
    ("cart.ts", "src/shop/cart.ts", "Cart.total", ["Cart"],
     ["/** Sum up", "@Memoize()", "get total(): number", "reduce"]),
    ("cart.ts", "src/shop/cart.ts", "Item", ["Item"], ["/** What the shop", "export interface Item", "cents: number"]),
    ("cart.ts", "src/shop/cart.ts", "Coupons.isValid", ["Coupons"], ["/** Tell", "export function isValid", "SPRING"]),
    ("cart.ts", "src/shop/cart.ts", "currencies", [], ["/** List", "export const currencies = ", '"USD"']),
    ("cart.ts", "src/shop/cart.ts", "Currency", [], ["export type Currency"]),
    ("cart.tsx", "src/shop/cart.tsx", "CartBadge", [], ["/** Shows", "memo(", "<span", "🛒"]),
    ("cart.tsx", "src/shop/cart.tsx", "CheckoutButton", [], ["// Кнопка", "export default function", "<button>"]),
    ("cart.js", "src/shop/cart.js", "Cart", ["Cart"], ["/** What", "class Cart {", "discount = 0"]),
    ("cart.js", "src/shop/cart.js", "Cart.total", ["Cart"], ["/** Sum up", "get total()", "reduce"]),
    ("cart.js", "src/shop/cart.js", "module.exports.currencies", [], ["/** List", "= function ()", '"USD"']),
    ("cart.js", "src/shop/cart.js", "isValid", [], ["/** Tell", "export const isValid", "SPRING"]),
    ("cart.go", "src/shop", "Cart", ["Cart"], ["// Cart is what", "type Cart[T Warehouse] struct", "warehouse T"]),
    ("cart.go", "src/shop", "Cart.Total", ["Cart"], ["// Total sums", "func (c *Cart[T]) Total() int", "return sum"]),
    ("cart.go", "src/shop", "Coupon", ["Coupon"], ["type (", "// Coupon is", "Coupon string"]),
    ("cart.go", "src/shop", "Warehouse", ["Warehouse"], ["// Warehouse sends", "Warehouse interface", "Send("]),
    ("cart.go", "src/shop", "Currencies", [], ["// Currencies lists", "func Currencies()", "return"]),
    ("cart.rs", "src/shop/cart.rs", "Cart", ["Cart"],
     ["/// What a", "#[derive(Debug, Clone)]", "pub struct Cart<W>", "warehouse: W"]),
    ("cart.rs", "src/shop/cart.rs", "Cart::total", ["Cart"], ["/// Sum up", "#[must_use]", "pub fn total", ".sum()"]),
    ("cart.rs", "src/shop/cart.rs", "Cart::fmt", [CLASS_OF_IMPL], ["fn fmt", "write!"]),
    ("cart.rs", "src/shop/cart.rs", "Warehouse::send", ["Warehouse"], ["/// Hand", "fn send(&self"]),
    ("cart.rs", "src/shop/cart.rs", "coupons::is_valid", ["coupons"], ["/// Tell", "pub fn is_valid", "SPRING"]),
    ("cart.rs", "src/shop/cart.rs", "currencies", [], ["/// List", "pub fn currencies", "vec!"]),
    ("Cart.java", "com.example.shop", "Cart", ["Cart"],
     [" * What a", "@Service", "public class Cart", "MAX_ITEMS", "items ="]),
    ("Cart.java", "com.example.shop", "Cart.total", ["Cart"],
     ["/** Sums up", "@Override", "public long total()", "sum()"]),
    ("Cart.java", "com.example.shop", "Cart.Cart", ["Cart"], ["public Cart(W warehouse)", "this.warehouse"]),
    ("Cart.java", "com.example.shop", "Cart.Item", ["Cart", "Item"], ["/** One thing", "public record Item("]),
    ("Cart.java", "com.example.shop", "Cart.Item.isFree", ["Cart", "Item"], ["/** Tells", "isFree()", "cents == 0"]),
    ("Cart.java", "com.example.shop", "Cart.Currency.symbol", ["Cart", "Currency"], ["String symbol()", "€"]),
    ("Cart.php", r"Example\Shop", "Cart", ["Cart"],
     [" * What a", "#[Entity]", "final class Cart", "use HasOwner", "$items"]),
    ("Cart.php", r"Example\Shop", "Cart::total", ["Cart"],
     ["/** Sums up", "#[Memoize]", "function total()", "array_sum"]),
    ("Cart.php", r"Example\Shop", "Currency::symbol", ["Currency"], ["function symbol()", "€"]),
    ("Cart.php", r"Example\Shop", "currencies", [], ["/** Lists", "function currencies()", "'USD'"]),
    ("cart.sql", "src/shop/cart.sql", "shop.cart", ["shop.cart"], ["-- What a", "CREATE TABLE", "owner text", ");"]),
    ("cart.sql", "src/shop/cart.sql", "shop.open_cart", ["shop.open_cart"],
     ["/* Carts that", "CREATE OR REPLACE VIEW", "now();"]),
    ("cart_standard.sql", "src/shop/cart_standard.sql", "shop.cart", ["shop.cart"],
     ["-- What a", "CREATE TABLE", ");"]),
    ("cart_standard.sql", "src/shop/cart_standard.sql", "shop.total", [],
     ["/* Sums", "CREATE FUNCTION", "$$ LANGUAGE"]),
    ("cart_mysql.sql", "src/shop/cart_mysql.sql", "cart", ["cart"],
     ["-- What a", "CREATE TABLE `cart`", "KEY", "utf8mb4;"]),
    ("cart_mysql.sql", "src/shop/cart_mysql.sql", "close_carts", [], ["-- Closes", "PROCEDURE", "UPDATE", "END ;;"]),
    ("cart_transact.sql", "src/shop/cart_transact.sql", "dbo.Orders", ["dbo.Orders"], ["CREATE TABLE", "ON [PRIMARY]"]),
    ("cart_transact.sql", "src/shop/cart_transact.sql", "dbo.CloseOrders", [],
     ["-- Closes", "PROCEDURE", "UPDATE", "END"]),
]  # fmt: skip
LANGUAGES = {
    "py": "python", "ts": "typescript", "tsx": "tsx", "js": "javascript", "go": "go", "rs": "rust", "java": "java",
    "php": "php", "sql": "sql",
}  # fmt: skip
# The long method of each file: its qualified name and its signature as further parts have it.
LONG = [
    ("cart.py", "Cart.checkout", "async def checkout(self, address: str, *, gift: bool = False) -> str"),
    ("cart.ts", "Cart.checkout", "async checkout(address: string, gift = false): Promise<string>"),
    ("cart.js", "Cart.checkout", "async checkout(address, gift = false)"),
    ("cart.go", "Cart.Checkout", "func (c *Cart[T]) Checkout(address string, gift bool) (string, error)"),
    ("cart.rs", "Cart::checkout", "pub fn checkout(&mut self, address: &str, gift: bool) -> Result<String, String>"),
    ("Cart.java", "Cart.checkout", "public String checkout(String address, boolean gift) throws WarehouseException"),
    ("Cart.php", "Cart::checkout", "public function checkout(string $address, bool $gift = false): string"),
    ("cart.sql", "shop.checkout", "CREATE FUNCTION shop.checkout(cart_id bigint, gift boolean) RETURNS bigint"),
]


def parsed(name: str, text: str | None = None) -> Parsed:
    text = (FILES / name).read_text("utf-8") if text is None else text
    language = LANGUAGES[name.rpartition(".")[2]]
    return parse_document(
        Document("code", f"src/shop/{name}", text, "1", media_type=f"text/x-code;language={language}")
    )


def headings_above(blocks: tuple[Block, ...], block: Block) -> list[str]:
    path: list[Block] = []
    for heading in blocks[: blocks.index(block)]:
        if heading.kind == "heading":
            path = [above for above in path if above.level < heading.level] + [heading]
    return [heading.text for heading in path]


@pytest.mark.parametrize(("name", "module", "qualified", "classes", "held"), DEFINITIONS)
def test_a_definition_is_one_block_with_all_that_belongs_to_it(
    name: str, module: str, qualified: str, classes: list[str], held: list[str]
) -> None:
    blocks = parsed(name).blocks
    block = next(block for block in blocks if block.anchor == qualified)

    assert [part for part in held if part not in block.text] == []
    assert headings_above(blocks, block) == [module, *classes]


@pytest.mark.parametrize(("name", "qualified", "signature"), LONG)
def test_the_parts_of_a_long_definition_have_its_signature(name: str, qualified: str, signature: str) -> None:
    first, *further = [block for block in parsed(name).blocks if block.anchor == qualified]

    assert first.level == 0
    assert {(part.level > 0, part.context) for part in further} == {(True, signature)}


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.glob("[Cc]art*")))
def test_offsets_count_characters_and_nothing_is_left_out(name: str) -> None:
    document = parsed(name)
    code = [block for block in document.blocks if block.kind == "code"]

    assert [document.text[block.start : block.end] for block in code] == [block.text for block in code]
    assert "".join("".join(block.text.split()) for block in code) == "".join(document.text.split())
    assert document.problems == ()


@pytest.mark.parametrize(
    ("path", "media_type", "module"),
    [
        ("src/shop/cart.py", "text/x-code;language=python", "shop.cart"),
        ("backend/src/shop/__init__.py", "text/x-code; language=python", "shop"),
        ("scripts/run-me.py", "text/x-code;language=python", "scripts/run-me.py"),
        ("lib/cart.rb", "text/x-code", "lib/cart.rb"),
        ("lib/cart.ts", 'text/x-code;language="typescript"', "lib/cart.ts"),
    ],
)
def test_the_first_heading_is_the_module_as_people_know_it(path: str, media_type: str, module: str) -> None:
    blocks = parse_document(Document("code", path, "value = 1\n", "1", media_type=media_type)).blocks

    assert [(block.kind, block.text) for block in blocks] == [("heading", module), ("code", "value = 1")]


@pytest.mark.parametrize(
    ("name", "text", "module"),
    [
        ("main.go", "package main\n\nfunc main() {}\n", "src/shop"),
        ("x.go", "package other\n", "other"),
        ("X.java", "class X { }\n", "src/shop/X.java"),
        ("x.php", "<?php function f() { }\n", "src/shop/x.php"),
    ],
)
def test_a_module_without_a_telling_package_goes_by_its_path(name: str, text: str, module: str) -> None:
    assert parsed(name, text).blocks[0].text == module


def test_comments_apart_from_a_definition_are_not_its_own() -> None:
    one, two = "def one():\n    pass\n    # inside", "# of two\ndef two():\n    pass"
    text = f"import os\n\n# Section\n\n# Another\n\n{one}\n{two}\n"

    blocks = {block.anchor: block.text for block in parsed("x.py", text).blocks if block.anchor}

    assert blocks == {"one": one, "two": two}


def test_after_an_inner_class_the_outer_one_is_the_heading_again() -> None:
    text = "class Outer:\n    class Inner:\n        pass\n\n    def after(self): ...\n\n\ndef free(): ...\n"

    headings = [(block.level, block.text) for block in parsed("x.py", text).blocks if block.kind == "heading"]

    assert headings == [(1, "shop.x"), (2, "Outer"), (3, "Inner"), (2, "Outer"), (1, "shop.x")]

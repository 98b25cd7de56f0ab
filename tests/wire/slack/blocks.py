"""Which blocks Slack takes (limits: the SDK's own models; tables: docs.slack.dev/reference/block-kit/blocks).

Not verified: the exact words for a second table.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from tests.wire.slack.elements import (
    IN_ACTIONS,
    IN_CONTEXT,
    IN_CONTEXT_ACTIONS,
    IN_INPUT,
    IN_SECTION,
    element,
    image,
    repeated_actions,
)
from tests.wire.slack.shapes import PLAIN, items, keys, objects, one_of, problem, string, text

Block = Mapping[str, object]
Check = Callable[[Block, str], Iterator[str]]

BLOCK_ID = 255
SECTION_TEXT = 3000
FIELD_TEXT = 2000
FIELDS = 10
HEADER_TEXT = 150
MARKDOWN_TEXT = 12_000
CONTEXT_ELEMENTS = 10
ACTIONS_ELEMENTS = 25
CONTEXT_ACTIONS_ELEMENTS = 5
LABEL = 2000
TABLE_ROWS = 100
TABLE_COLUMNS = 20
CELLS = ("raw_text", "raw_number", "rich_text")
RICH_PARTS = ("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote")
TASK_STATES = ("pending", "in_progress", "complete", "error")
TASK_TEXT = 256


def blocks_problems(blocks: object, most: int, *, at: str = "/blocks", only: Iterable[str] = ()) -> Iterator[str]:
    """Yield what Slack would refuse in a list of blocks; with `only`, it takes no other kinds."""
    yield from items(blocks, at, most, least=0)
    allowed = {*only} or _CHECKS.keys()
    ids: set[object] = set()
    for number, block in enumerate(blocks if isinstance(blocks, list) else []):
        place = f"{at}/{number}"
        if not isinstance(block, Mapping):
            yield problem("must provide an object", place)
            continue
        yield from _block(block, place, allowed)
        block_id = block.get("block_id")
        if block_id and block_id in ids:
            yield problem(f'`block_id` "{block_id}" already exists for another block', f"{place}/block_id")
        ids.add(block_id)
    if sum(block.get("type") == "table" for block in objects(blocks)) > 1:
        yield problem("only_one_table_allowed", at)


def _block(block: Block, at: str, allowed: Iterable[str]) -> Iterator[str]:
    kind = block.get("type")
    if kind is None:
        yield problem("missing required field: type", at)
    elif not isinstance(kind, str) or kind not in {*allowed}:
        yield problem(f"unsupported type: {kind}", f"{at}/type")
    else:
        yield from string(block.get("block_id"), f"{at}/block_id", BLOCK_ID)
        yield from _CHECKS[kind]({name: value for name, value in block.items() if name != "block_id"}, at)


def _section(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, [], {"text", "fields", "accessory", "expand"})
    if block.get("text") is None and not block.get("fields"):
        yield problem("must define either `text` or `fields`", at)
    yield from text(block.get("text"), f"{at}/text", SECTION_TEXT)
    yield from items(block.get("fields"), f"{at}/fields", FIELDS)
    for number, field in enumerate(objects(block.get("fields"))):
        yield from text(field, f"{at}/fields/{number}", FIELD_TEXT)
    accessory = block.get("accessory")
    if isinstance(accessory, Mapping):
        yield from element(accessory, f"{at}/accessory", IN_SECTION)


def _header(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, ["text"], {"level"})
    yield from text(block.get("text"), f"{at}/text", HEADER_TEXT, PLAIN)


def _markdown(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, ["text"])
    yield from string(block.get("text"), f"{at}/text", MARKDOWN_TEXT)


def _divider(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, [])


def _holding(most: int, kinds: frozenset[str]) -> Check:
    def check(block: Block, at: str) -> Iterator[str]:
        yield from keys(block, at, ["elements"])
        yield from items(block.get("elements"), f"{at}/elements", most)
        for number, item in enumerate(objects(block.get("elements"))):
            yield from element(item, f"{at}/elements/{number}", kinds)
        yield from repeated_actions(block.get("elements"), f"{at}/elements")

    return check


def _input(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, ["label", "element"], {"hint", "optional", "dispatch_action"})
    yield from text(block.get("label"), f"{at}/label", LABEL, PLAIN)
    yield from text(block.get("hint"), f"{at}/hint", LABEL, PLAIN)
    inner = block.get("element")
    if isinstance(inner, Mapping):
        yield from element(inner, f"{at}/element", IN_INPUT)


def _rich_text(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, ["elements"])
    for number, part in enumerate(objects(block.get("elements"))):
        yield from one_of(part.get("type"), f"{at}/elements/{number}/type", RICH_PARTS)


def _table(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, ["rows"], {"column_settings"})
    yield from items(block.get("rows"), f"{at}/rows", TABLE_ROWS)
    yield from items(block.get("column_settings"), f"{at}/column_settings", TABLE_COLUMNS, least=0)
    rows = block.get("rows")
    for number, row in enumerate(rows if isinstance(rows, list) else []):
        yield from items(row, f"{at}/rows/{number}", TABLE_COLUMNS)
        for column, cell in enumerate(objects(row)):
            yield from _cell(cell, f"{at}/rows/{number}/{column}")


def _cell(cell: Block, at: str) -> Iterator[str]:
    yield from one_of(cell.get("type"), f"{at}/type", CELLS)
    if cell.get("type") == "rich_text":
        yield from _rich_text(cell, at)
    else:
        yield from keys(cell, at, ["text"], {"value"})
        yield from string(cell.get("text"), f"{at}/text", MARKDOWN_TEXT)


def _task_card(block: Block, at: str) -> Iterator[str]:
    optional = {"details", "output", "sources", "status", "icon", "hide_title"}
    yield from keys(block, at, ["task_id", "title"], optional)
    yield from string(block.get("title"), f"{at}/title", TASK_TEXT)
    yield from one_of(block.get("status"), f"{at}/status", TASK_STATES)


def _plan(block: Block, at: str) -> Iterator[str]:
    yield from keys(block, at, ["title"], {"tasks"})
    yield from string(block.get("title"), f"{at}/title", TASK_TEXT)
    for number, task in enumerate(objects(block.get("tasks"))):
        yield from _task_card(task, f"{at}/tasks/{number}")


def _needing(*names: str) -> Check:
    """Return the check of a kind that we never send: only what it cannot do without."""

    def check(block: Block, at: str) -> Iterator[str]:
        yield from keys(block, at, names, block)

    return check


_CHECKS: Mapping[str, Check] = {
    "section": _section,
    "header": _header,
    "markdown": _markdown,
    "divider": _divider,
    "context": _holding(CONTEXT_ELEMENTS, IN_CONTEXT),
    "actions": _holding(ACTIONS_ELEMENTS, IN_ACTIONS),
    "context_actions": _holding(CONTEXT_ACTIONS_ELEMENTS, IN_CONTEXT_ACTIONS),
    "image": image,
    "input": _input,
    "rich_text": _rich_text,
    "table": _table,
    "task_card": _task_card,
    "plan": _plan,
    "alert": _needing("text"),
    "card": _needing(),
    "carousel": _needing("elements"),
    "container": _needing("child_blocks"),
    "file": _needing("external_id", "source"),
    "video": _needing("alt_text", "title", "thumbnail_url", "video_url"),
}

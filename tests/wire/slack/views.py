"""Which dialogs and home tabs Slack takes."""

from collections.abc import Iterator, Mapping

from tests.wire.slack.blocks import blocks_problems
from tests.wire.slack.shapes import PLAIN, keys, objects, one_of, problem, string, text

VIEW_BLOCKS = 100
VIEW_TITLE = 24
CALLBACK_ID = 255
PRIVATE_METADATA = 3000
OPTIONAL = {"callback_id", "private_metadata", "external_id", "title", "submit", "close"}
SWITCHES = {"clear_on_close", "notify_on_close", "submit_disabled"}


def view_problems(view: object) -> Iterator[str]:
    """Yield what Slack would refuse in a view."""
    if not isinstance(view, Mapping):
        yield problem("missing required field: view", "")
        return
    is_modal = view.get("type") == "modal"
    yield from one_of(view.get("type") or "", "/view/type", ("modal", "home"))
    yield from keys(view, "/view", ["blocks", *(["title"] if is_modal else [])], OPTIONAL | SWITCHES)
    for name in ("title", "submit", "close"):
        yield from text(view.get(name), f"/view/{name}", VIEW_TITLE, PLAIN)
    yield from string(view.get("callback_id"), "/view/callback_id", CALLBACK_ID)
    yield from string(view.get("private_metadata"), "/view/private_metadata", PRIVATE_METADATA, least=0)
    yield from blocks_problems(view.get("blocks"), VIEW_BLOCKS, at="/view/blocks")
    asks = any(block.get("type") == "input" for block in objects(view.get("blocks")))
    if is_modal and asks and view.get("submit") is None:
        yield problem("missing required field: submit", "/view")

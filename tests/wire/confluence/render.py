"""Page bodies as the vendor gives them out: storage as it is, the rendered view, the document format of the editor.

The view expands include and excerpt-include of pages the token's user may see and drops the other macros' wrappers,
which is far less than the real one does; a page whose view matters carries its own.
"""

import json
import re
from collections.abc import Callable
from html import escape

from tests.wire.confluence.model import Page
from tests.wire.confluence.wiki import Wiki

MOST_INCLUDES = 5
INCLUDE = re.compile(
    r'<ac:structured-macro[^>]*ac:name="(?P<macro>include|excerpt-include)".*?<ri:page(?P<target>[^>]*)/>'
    r".*?</ac:structured-macro>",
    re.DOTALL,
)
EXCERPT = re.compile(
    r'<ac:structured-macro[^>]*ac:name="excerpt".*?<ac:rich-text-body>(?P<text>.*?)</ac:rich-text-body>', re.DOTALL
)
PARAMETER = re.compile(r"<ac:parameter.*?</ac:parameter>", re.DOTALL)
CONFLUENCE_TAG = re.compile(r"</?(?:ac|ri|at):[^>]*>")
TAG = re.compile(r"<[^>]*>")
MISSING = '<div class="error"><span class="error">Unable to render {include}</span> The page could not be found.</div>'


def view(wiki: Wiki, page: Page, depth: int = 0) -> str:
    """Render a page as the token's user sees it."""
    if page.view is not None:
        return page.view
    expanded = INCLUDE.sub(lambda found: _included(wiki, page, found, depth), page.body)
    return CONFLUENCE_TAG.sub("", PARAMETER.sub("", expanded))


def document(page: Page) -> str:
    """Return a page in the document format of the editor, a JSON text."""
    text = TAG.sub(" ", page.body)
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return page.adf or json.dumps({"type": "doc", "version": 1, "content": [paragraph]})


def body_in(wiki: Wiki, page: Page, representation: str) -> dict[str, str]:
    """Return the body of a page in one representation."""
    ways: dict[str, Callable[[], str]] = {"storage": lambda: page.body, "atlas_doc_format": lambda: document(page)}
    return {"representation": representation, "value": ways.get(representation, lambda: view(wiki, page))()}


def _included(wiki: Wiki, page: Page, found: re.Match[str], depth: int) -> str:
    target = dict(re.findall(r'ri:(content-title|space-key)="([^"]*)"', found["target"]))
    where = target.get("space-key", page.space), target.get("content-title", "")
    source = next((one for one in wiki.pages.values() if (one.space, escape(one.title)) == where), None)
    if source is None or depth == MOST_INCLUDES or source.status != "current" or not wiki.is_visible(source):
        return MISSING
    if found["macro"] == "include":
        return view(wiki, source, depth + 1)
    excerpt = EXCERPT.search(source.body)
    return CONFLUENCE_TAG.sub("", excerpt["text"]) if excerpt else MISSING

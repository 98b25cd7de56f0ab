"""Source files to blocks: whole definitions, each under its module and classes."""

import re
from collections.abc import Mapping

from knowledge.parse.code.grammars import GRAMMARS, Grammar
from knowledge.parse.code.names import module_of
from knowledge.parse.code.outline import outline
from knowledge.parse.code.parts import blocks_of, code_block
from knowledge.parse.code.sql import sql_outline
from knowledge.parse.code.tree import CodeTree, UnreadableCode, error_share, tree_of
from knowledge.types import Block, Document, Parsed

# Broken code takes up to a kilobyte of memory for each character, and a second for 150,000 of them.
MAX_CHARACTERS = 500_000
# What machines wrote for machines has longer lines.
MAX_LINE_CHARACTERS = 5_000
MAX_MEAN_LINE_CHARACTERS = 300
# More operators without a bracket or comma between them are no expression that somebody wrote, and may take
# tree-sitter memory by the square of their number: 150 MB for these.
MAX_OPERATORS = 600
# A file of which this share is no code of its language is cut at lines there.
BROKEN_SHARE = 0.2

TOO_LONG = f"code cut without regard to its definitions, longer than {MAX_CHARACTERS:,} characters: split it"
MINIFIED = "code cut without regard to its definitions, minified by its long lines: index what it was made from instead"
TOO_SLOW = "code cut without regard to its definitions, its syntax takes too long to read: correct it or leave it out"
NOT_INSTALLED = 'code cut without regard to its definitions: run `pip install "answerdesk[code]"`, then sync again'
BROKEN = "code cut at lines where it is not in the language of its file name: correct or rename it"

_EXPRESSION = re.compile(rf"[^,;()\[\]]{{{MAX_OPERATORS},}}")
_OPERATOR = re.compile(r"[=<>*/+\-!&|^%~?:@]+")


def parse_document(document: Document, grammars: Mapping[str, Grammar] = GRAMMARS) -> Parsed:
    """Parse a source file; never fails.

    What has no known language or cannot be read by its syntax is one block. The language is a parameter of the media
    type: `text/x-code;language=go`.
    """
    language = _language(document.media_type)
    text = document.text
    try:
        problem = _refusal(text)
        if language not in grammars or problem or not text.strip():
            return _unread(document, language, [problem] if problem else [])
        tree = tree_of(text, grammars[language])
    except ImportError:
        return _unread(document, language, [NOT_INSTALLED])
    except UnreadableCode:
        return _unread(document, language, [TOO_SLOW])
    return _read(document, language, grammars[language], tree)


def _language(media_type: str) -> str:
    parameters = dict(part.strip().partition("=")[::2] for part in media_type.split(";")[1:])
    return parameters.get("language", "").strip('"').lower()


def _refusal(text: str) -> str | None:
    if len(text) > MAX_CHARACTERS:
        return TOO_LONG
    lines = text.split("\n")
    mean = len(text) / len(lines) if len(text) > MAX_LINE_CHARACTERS else 0
    is_minified = mean > MAX_MEAN_LINE_CHARACTERS or len(max(lines, key=len)) > MAX_LINE_CHARACTERS
    if is_minified:
        return MINIFIED
    expressions = (len(_OPERATOR.findall(found[0])) for found in _EXPRESSION.finditer(text))
    return TOO_SLOW if max(expressions, default=0) > MAX_OPERATORS else None


def _unread(document: Document, language: str, problems: list[str]) -> Parsed:
    text = document.text
    blocks: list[Block] = []
    if text.strip():
        heading = Block("heading", 0, 0, module_of(document.path, language), level=1)
        blocks = [heading, code_block(text, 0, len(text))]
    return Parsed(text, tuple(blocks), problems=tuple(problems))


def _read(document: Document, language: str, grammar: Grammar, tree: CodeTree) -> Parsed:
    module = module_of(document.path, language, tree)
    if language == "sql" and tree.root.has_error:
        # No grammar knows all dialects: what it does not know is no mistake.
        return Parsed(document.text, tuple(blocks_of(tree, sql_outline(document.text, module))))
    regions = outline(tree, grammar, module)
    problems = (BROKEN,) if error_share(tree) > BROKEN_SHARE else ()
    return Parsed(document.text, tuple(blocks_of(tree, regions)), problems=problems)

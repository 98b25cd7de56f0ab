"""API descriptions (Swagger 2.0, OpenAPI 3.0 to 3.2) as readable text; other YAML and JSON as it is written.

https://spec.openapis.org/oas/: a section for each operation and each shared schema, references resolved inside the
source. What one file becomes is bounded, by the numbers in `openapi_page` and `openapi_load`.
"""

import re
from collections.abc import Mapping

from knowledge.errors import SourceProblem
from knowledge.parse.openapi import configuration as openapi_configuration
from knowledge.parse.openapi.load import Unreadable, load
from knowledge.parse.openapi.operation import Operations, operations
from knowledge.parse.openapi.overview import title_of, write_overview
from knowledge.parse.openapi.page import Page
from knowledge.parse.openapi.reference import Library
from knowledge.parse.openapi.schema import Schemas
from knowledge.parse.openapi.security import Security
from knowledge.parse.openapi.shared import write_shared
from knowledge.parse.openapi.values import Value, fields
from knowledge.types import Document, Parsed

# The key that makes a file an API description, where people write it: among the first lines.
_LOOKED_AT_CHARACTERS = 20_000
_DESCRIPTION_KEY = re.compile(
    r"""^[ \t]{0,8}\{?[ \t]{0,8}["']?(?:openapi|swagger)["']?[ \t]{0,8}:[ \t]{0,8}["']?\d""", re.M
)
_VERSION = re.compile(r"\d+(?:\.\d+)*\S*")


def parse_document(document: Document) -> Parsed:
    """Parse a YAML or JSON file; raises SourceProblem for an API description that cannot be read."""
    return parse(document.text, document.path, document.files)


def parse(text: str, path: str, files: Mapping[str, str]) -> Parsed:
    """Parse the text of a file; `files` are those of its source by their paths, where references may lead."""
    try:
        loaded = load(text)
    except Unreadable as exc:
        if _DESCRIPTION_KEY.search(text, 0, _LOOKED_AT_CHARACTERS):
            raise SourceProblem(f"{exc}; correct the YAML or JSON, or exclude the file") from exc
        problem = f"{exc}; its text is indexed as it is written, correct the YAML or JSON or exclude the file"
        return openapi_configuration.parse(text, (problem,))
    if not is_description(loaded.value):
        return openapi_configuration.parse(text, tuple(loaded.problems))
    return _written(Library(loaded.value, path, files), loaded.problems)


def is_description(value: Value) -> bool:
    """Tell whether a file describes an API: it says in which version of OpenAPI or Swagger."""
    stated = fields(value).get("openapi", fields(value).get("swagger"))
    return isinstance(stated, str | int) and not isinstance(stated, bool) and bool(_VERSION.fullmatch(str(stated)))


def _written(library: Library, problems: list[str]) -> Parsed:
    page, schemas, security = Page(), Schemas(library), Security(library)
    write_overview(page, library, security)
    root = library.root
    writer = Operations(library, page, schemas, security)
    addresses = security.addresses(root)
    for key in ("paths", "webhooks", "x-webhooks"):
        for operation in operations(library, root.child(root.value.get(key)), is_webhook=key != "paths"):
            if page.is_full:
                break
            writer.write(operation, addresses)
    write_shared(page, library, schemas)
    return page.parsed(title_of(library), [*problems, *page.problems, *library.problems])

"""Real knowledge bases, read as a sync reads them: no page fails, and nothing that no reader sees is in a passage."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from knowledge.parse.confluence import CLOUD_STORAGE
from knowledge.parse.formats import parser_of
from knowledge.parse.markdown.links import broken_links
from knowledge.prepare import PreparedDocument, prepare
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.types import Document, Parsed

SHARED = Path(__file__).parents[3] / "shared"
BASES = {"fastapi": ("**/*.md", 488), "vkcloud": ("**/*.md", 557), "openapi": ("**/*.[ym][ad]*", 33)}
# What site generators, macros and storage format are written with.
MARKUP = re.compile(
    r"\{/?(?:heading|linkto|var|if(?:n)?def|include|includetag|note|tabs?|cut|caption|counter|const|video|substr)\b"
    r"|^///|\{\*\s|\{!\s?>|\{\s*[#:][\w.]|--8<--|^\|===|^\[cols|^:::|^!!! |^\?\?\? |\{%|\[TOC\]"
    r"|</?(?:ac|ri|at):|xmlns|CDATA|ac:(?:name|macro|parameter)|ri:(?:content|space|user)",
    re.MULTILINE,
)
INLINE_CODE = re.compile(r"`+[^`]*`+")
# Places that the documentation itself links to in vain, by page: it gave them other names (`account-…`), shows
# them only to private installations or in other pages, or links from English pages to places of Russian ones.
NOWHERE = {
    ("ru/audit-logs-arcsight", "event-log-activate-siem-connection"),
    ("ru/balance", "billing-balance-bonuses"),
    ("ru/create", "quotasandlimits-tech-limits"),
    ("ru/create-bucket", "onboarding-create-bucket-video"),
    ("ru/payment", "billing-balance"),
    ("ru/payment", "billing-detail"),
    ("ru/prerequisites-lk-entry", "tools-account-project-select"),
    ("ru/quotasandlimits", "quotasandlimits-tech-limits"),
    ("ru/vm-add-ip", "includes-connect-to-vm"),
    ("en/corporate", "predoplata"),
    ("en/create-backup-plan", "restore_instance_from_backup"),
    ("en/invite", "iam-roles-reference"),
    ("en/invite", "project-access-delete-user"),
    ("en/invite", "project-access-user-role-edit"),
    ("en/invite", "tools-account-project-invitation"),
    ("en/manage", "getting-the-project-id"),
    ("en/manage-backup-plan", "restore_instance_from_backup"),
    ("en/manage-object", "object_uploading"),
    ("en/objects-lock", "permissions"),
    ("en/objects-lock", "ways_to_create_bucket"),
    ("en/quotasandlimits", "common_4cc7e93b"),
    ("en/service-account-manage", "general_project_management_roles"),
}
PAGES = sorted((SHARED / "fixtures" / "confluence").glob("*.storage.xml"))

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the knowledge bases are not beside the project")


@cache
def settings_of(base: str) -> FolderSettings:
    return FolderSettings(name=base, path=SHARED / "data" / "kb" / base, include=(BASES[base][0],))


async def documents_of(base: str) -> list[Document]:
    settings = settings_of(base)
    source = FolderSource(settings, root=settings.path)
    return [await source.fetch(entry) for entry in (await source.discover({})).entries]


def pages() -> list[Document]:
    return [
        Document("wiki", path.name, path.read_text(encoding="utf-8"), "1", media_type=CLOUD_STORAGE) for path in PAGES
    ]


def without_code(parsed: Parsed) -> str:
    """Return the text with its code made blank: what looks like markup in there is what the page is about."""
    text = parsed.text
    for block in parsed.blocks:
        raw = text[block.start : block.end]
        blank = "".join(character if character == "\n" else " " for character in raw)
        if block.kind == "code" or "```" in raw or "~~~" in raw:
            text = text[: block.start] + blank + text[block.end :]
    return INLINE_CODE.sub(lambda code: " " * len(code[0]), text)


def markup_in(document: Document, prepared: PreparedDocument) -> Iterator[str]:
    parsed = parser_of(document.media_type)(document)
    text = without_code(parsed)
    for piece in prepared.passages:
        passage = text[piece.passage.start : piece.passage.end]
        headings = "\n".join([prepared.title, *piece.passage.heading])
        yield from (f"{document.path}: {found[0]!r}" for found in MARKUP.finditer(f"{headings}\n{passage}"))


@pytest.mark.parametrize("base", BASES)
async def test_no_page_fails_and_no_passage_holds_what_only_a_generator_reads(base: str) -> None:
    documents = await documents_of(base)

    prepared = [prepare(document) for document in documents]

    assert len(prepared) == BASES[base][1]
    left = [found for pair in zip(documents, prepared, strict=True) for found in markup_in(*pair)]
    assert left == []
    lost = [
        (one.document.path, piece.passage)
        for one in prepared
        for piece in one.passages
        if one.text[piece.passage.start : piece.passage.end] != piece.passage.text
    ]
    assert lost == []


def test_no_wiki_page_fails_and_no_passage_holds_macros_or_storage_format() -> None:
    documents = pages()

    prepared = [prepare(document) for document in documents]

    assert len(prepared) >= 35
    assert [found for pair in zip(documents, prepared, strict=True) for found in markup_in(*pair)] == []
    indexed = "\n".join(piece.passage.search_text for one in prepared for piece in one.passages)
    assert re.findall(r"</?(?:ac|ri|at):[\w-]*", indexed) == []


@pytest.mark.parametrize("base", ["fastapi", "vkcloud"])
async def test_every_link_to_a_page_that_is_there_leads_to_a_place_that_is_there(base: str) -> None:
    parsed = {document.path: parser_of(document.media_type)(document) for document in await documents_of(base)}

    broken = {
        (f"{path[:2]}/{PurePosixPath(path).stem}", link.anchor)
        for path, link in broken_links(parsed)
        # A fragment's links are those of the pages that include it.
        if "/_includes/" not in path
    }

    assert broken == (NOWHERE if base == "vkcloud" else set())

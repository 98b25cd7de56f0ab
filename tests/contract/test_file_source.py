"""What every source of files promises: how a file becomes the document that its readers see."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from knowledge.errors import SourceProblem
from knowledge.sources.folder import FolderSettings, FolderSource
from knowledge.sync import Source
from knowledge.types import Document
from tests.wire.git import Content, Link, Remote, make_remote, make_source

Files = Mapping[str, Content]
Make = Callable[..., Awaitable[Source]]
LINK = "https://docs.example/{path}#L{start_line}-L{end_line}"
RUSSIAN = "Чтобы подключиться к сети компании, откройте приложение и введите код из письма, который придёт.\n"


async def folder(stack: AsyncExitStack, home: Path) -> Make:
    async def make(files: Files, **settings: object) -> Source:
        for path, content in files.items():
            _write(home / "docs" / path, content)
        table = {"name": "docs", "path": home / "docs", **settings}
        return FolderSource(FolderSettings.model_validate(table), root=home / "docs")

    return make


def _write(file: Path, content: Content) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    if isinstance(content, Link):
        file.symlink_to(content.target)
    elif content is not None:
        assert isinstance(content, str | bytes)
        file.write_bytes(content.encode() if isinstance(content, str) else content)


async def git(stack: AsyncExitStack, home: Path) -> Make:
    remote = make_remote(home / "remote.git")

    async def make(files: Files, **settings: Any) -> Source:
        Remote(remote.folder).commit(dict(files))
        source = make_source(remote.url, home, **settings)
        stack.push_async_callback(source.close)
        return source

    return make


@pytest.fixture(params=[folder, git])
async def make(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Make]:
    """Make a source of files given by path; called again, some of them change (None removes one)."""
    async with AsyncExitStack() as stack:
        yield await request.param(stack, tmp_path)


async def read(source: Source, stored: Mapping[str, str] | None = None) -> dict[str, Document]:
    """Read what is not stored yet, as a sync does."""
    listed = (await source.discover(stored or {})).entries
    stale = [entry for entry in listed if (stored or {}).get(entry.path) != entry.revision]
    return {entry.path: await source.fetch(entry) for entry in stale}


def revisions(documents: Mapping[str, Document]) -> dict[str, str]:
    return {path: document.revision for path, document in documents.items()}


async def test_an_include_becomes_a_part_of_its_document(make: Make) -> None:
    files = {"a.md": "In {var(x)}.\n{include(/_includes/b.md)}\n", "_includes/b.md": "---\nx: y\n---\nShared."}

    documents = await read(await make(files, exclude=["**/_includes/**"], variables={"x": "the office"}, link=LINK))

    assert {path: document.text for path, document in documents.items()} == {"a.md": "In the office.\nShared.\n"}
    assert documents["a.md"].remark is None


async def test_only_where_lines_stay_the_link_leads_to_them(make: Make) -> None:
    files = {"a.md": "{include(b.md)}", "b.md": "{ifdef(x)}\nOne.\n{/ifdef}\nTwo.\nThree."}

    documents = await read(await make(files, link=LINK))

    assert documents["a.md"].url == "https://docs.example/a.md"
    assert documents["b.md"].url == "https://docs.example/b.md#L{start_line}-L{end_line}"


@pytest.mark.parametrize(
    "changed",
    [
        {"_includes/b.md": "Changed."},
        {"_includes/b.md": None},
        {"_includes/c.md": "Changed."},
        {"_includes/missing.md": "No longer."},
        {"a.meta.json": '{"title": "Changed"}'},
        {"a.meta.json": None},
    ],
)
async def test_a_change_of_what_it_is_made_of_changes_the_document(make: Make, changed: Files) -> None:
    before = {
        "a.md": "{include(_includes/b.md)}\n{include(_includes/missing.md)}",
        "_includes/b.md": "Shared.\n{include(c.md)}",
        "_includes/c.md": "Nested.",
        "other.md": "Other.",
        "a.meta.json": '{"title": "Title"}',
    }
    stored = revisions(await read(await make(before, exclude=["_includes/**"])))

    unchanged = await read(await make({}, exclude=["_includes/**"]), stored)
    documents = await read(await make(changed, exclude=["_includes/**"]), stored)

    assert unchanged == {}
    assert set(documents) == {"a.md"}
    assert await read(await make({}, exclude=["_includes/**"]), stored | revisions(documents)) == {}


async def test_an_include_that_is_missing_is_told_and_the_rest_is_read(make: Make) -> None:
    documents = await read(await make({"a.md": "Before.\n{include(x.md)}\nAfter.", "b.md": "Text."}))

    assert (documents["a.md"].text, documents["b.md"].text) == ("Before.\n\nAfter.", "Text.")
    assert documents["a.md"].remark == "an included file is missing: x.md"


async def test_files_that_include_each_other_come_to_an_end(make: Make) -> None:
    documents = await read(await make({"a.md": "A.\n{include(b.md)}", "b.md": "B.\n{include(a.md)}"}))

    assert [document.text.split() for document in documents.values()] == [["A.", "B."], ["B.", "A."]]
    assert documents["a.md"].remark == "files include each other in a circle: a.md"


@pytest.mark.parametrize(
    "path",
    [
        *("../secret.md", "/../secret.md", "x/../../secret.md", "..\\secret.md", "%2e%2e/secret.md", "link.md"),
        *("linked/secret.md", ".hidden/secret.md", "/etc/passwd", "file:///etc/passwd", "folder", "a.md\0"),
    ],
)
async def test_no_include_leads_out_of_the_source(make: Make, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.md").write_text("Secret.", encoding="utf-8")
    (tmp_path / "secret.md").write_text("Secret.", encoding="utf-8")
    files = {
        "a.md": f'Before.\n{{include({path.strip(chr(0))})}}\n--8<-- "{path.strip(chr(0))}"\nAfter.',
        "link.md": Link("../secret.md"),
        "linked": Link("../outside"),
        ".hidden/secret.md": "Secret.",
        "folder/b.md": "Text.",
    }

    document = (await read(await make(files)))["a.md"]

    assert "Secret" not in document.text
    assert "root:" not in document.text
    assert document.remark is not None


async def test_a_sidecar_gives_the_title(make: Make) -> None:
    files = {
        "a.md": "# Heading",
        "a.meta.json": '{"title": "About  {var(cloud)}", "draft": true, "build": {"for": ["private"]}}',
        "b.md": "# Heading",
        "b.meta.json": "{",
        "c.md": "# Heading",
        "c.meta.json": '["title"]',
    }

    documents = await read(await make(files, variables={"cloud": "VK Cloud"}))

    assert {path: document.title for path, document in documents.items()} == {
        "a.md": "About VK Cloud",
        "b.md": None,
        "c.md": None,
    }
    assert documents["b.md"].remark == "the .meta.json file beside it is no JSON; correct or remove it"


async def test_bytes_are_handed_on_as_they_are(make: Make) -> None:
    content = b"%PDF-1.7\0\xff\r\n"

    documents = await read(await make({"a.pdf": content, "b/a.XLSX": content}, include=["**/*"]))

    assert {(document.content, document.text) for document in documents.values()} == {(content, "")}
    assert documents["a.pdf"].media_type == "application/pdf"


async def test_what_cannot_be_read_fails_for_itself_alone(make: Make) -> None:
    source = await make(
        {"a.md": b"\xff\xff\xff", "b.md": b"a\0b", "c.pdf": b"x" * 2_000, "d.md": "Text."}, max_file_mb=0.001
    )
    *bad, good = (await source.discover({})).entries

    for entry in bad:
        with pytest.raises(SourceProblem, match=r"not UTF-8|NUL|over the limit"):
            await source.fetch(entry)
    assert (await source.fetch(good)).text == "Text."


async def test_an_older_encoding_is_read_and_told(make: Make) -> None:
    files = {"a.md": (RUSSIAN * 3).encode("cp1251"), "b.md": "{include(c.txt)}", "c.txt": RUSSIAN.encode("utf-16")}

    documents = await read(await make(files))

    assert documents["a.md"].text == RUSSIAN * 3
    assert documents["a.md"].remark == "read as windows-1251; save the file as UTF-8 to be sure"
    assert documents["b.md"].text == RUSSIAN.strip()


async def test_a_description_takes_along_what_it_refers_to(make: Make) -> None:
    files = {"openapi.yaml": "$ref: schemas/a.yaml", "schemas/a.yaml": "$ref: b.yaml#/x", "schemas/b.yaml": "x: 1"}
    documents = await read(await make(files))

    again = await read(await make({"schemas/b.yaml": "x: 2"}), revisions(documents))

    assert set(documents) == set(again) == {"openapi.yaml"}
    assert documents["openapi.yaml"].text == files["openapi.yaml"]
    assert again["openapi.yaml"].files == {"schemas/a.yaml": files["schemas/a.yaml"], "schemas/b.yaml": "x: 2"}


async def test_settings_decide_what_a_document_is_and_change_it(make: Make) -> None:
    files = {"a.inc": "{ifdef(s3)}S3{/ifdef}{ifdef(public)}Public{/ifdef}", "b.md": "Text."}
    settings = {"include": ["**/*.inc"], "formats": {"**/*.inc": "markdown"}}
    stored = revisions(await read(await make(files, **settings)))

    flagged = await read(await make({}, **settings, flags=["s3"]), stored)
    plain = await read(await make({}, include=["**/*.inc"], formats={"*.inc": "text"}), stored)

    assert flagged["a.inc"].text == "S3"
    assert (plain["a.inc"].text, plain["a.inc"].media_type) == (files["a.inc"], "text/plain")


async def test_the_usual_documents_are_chosen_and_code_is_not(make: Make) -> None:
    chosen = ["a.csv", "a.docx", "a.htm", "a.html", "a.markdown", "a.md", "a.pdf", "a.pptx", "a.txt", "a.xlsx"]
    described = ["api/openapi-v1.json", "api/swagger.yaml", "openapi.yml"]
    others = ["a.meta.json", "a.py", "a.yaml", "package.json", "a.png"]
    source = await make(dict.fromkeys([*chosen, *described, *others], "{}"))

    assert sorted(entry.path for entry in (await source.discover({})).entries) == sorted(chosen + described)

"""What a Confluence source fetches, and what it refuses to."""

from datetime import UTC, datetime

import pytest

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.links import passage_link
from knowledge.listing import Entry
from knowledge.parse import confluence
from knowledge.parse.confluence import CLOUD_STORAGE, DATA_CENTER_STORAGE
from knowledge.sources.confluence.source import RENDERED
from tests.unit.knowledge.sources.confluence_sites import PAGES, Served, fetched, opened
from tests.wire.confluence import ConfluenceServer, Fault, fixture_wiki, serve


def storage(server: ConfluenceServer) -> str:
    return CLOUD_STORAGE if server.kind == "cloud" else DATA_CENTER_STORAGE


def page_url(server: ConfluenceServer, page: str) -> str:
    if server.kind == "cloud":
        return f"{server.url}/spaces/DOCS/pages/{page}"
    return f"{server.url}/pages/viewpage.action?pageId={page}"


async def test_a_page_is_its_storage_body_with_its_marks(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Leave & more", "<p>Thirty&nbsp;days.</p>", author="ann")

    document = await fetched(server, page)

    assert (document.source, document.path, document.title) == ("wiki", page, "Leave & more")
    assert (document.text, document.media_type) == ("<p>Thirty&nbsp;days.</p>", storage(server))
    assert document.url == page_url(server, page) + "#{anchor}"
    assert document.author == "Ann"
    assert document.updated_at is not None
    assert document.updated_at.astimezone(UTC) > datetime(2026, 1, 5, tzinfo=UTC)


async def test_a_page_costs_one_request(served: Served) -> None:
    wiki, server = served
    wiki.add_page("DOCS", "Page")

    async with opened(server) as source:
        (entry,) = (await source.discover({})).entries
        before = len(server.requests)
        document = await source.fetch(entry)

    assert document.revision == entry.revision
    assert len(server.requests) - before == 1


async def test_links_lead_to_the_address_that_readers_open(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")

    document = await fetched(server, page, link_url="https://wiki.example.org/")

    assert document.url is not None
    assert document.url.startswith("https://wiki.example.org/")


async def test_an_empty_page_is_a_document(served: Served) -> None:
    wiki, server = served

    assert (await fetched(server, wiki.add_page("DOCS", "Page", ""))).text == ""


async def test_real_pages_come_as_they_are_stored() -> None:
    wiki = fixture_wiki(PAGES)
    with serve(wiki) as server:
        async with opened(server) as source:
            listing = await source.discover({})
            documents = [await source.fetch(entry) for entry in listing.entries]

    assert {document.title: document.text for document in documents} == {
        page.title: page.body for page in wiki.pages.values()
    }


async def test_a_page_that_was_edited_meanwhile_waits_for_the_next_sync(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")

    async with opened(server) as source:
        (entry,) = (await source.discover({})).entries
        wiki.edit(page, "<p>New.</p>")
        with pytest.raises(SourceProblem, match="edited while it was read"):
            await source.fetch(entry)


async def test_a_page_that_has_gone_meanwhile_fails_alone(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")

    async with opened(server) as source:
        (entry,) = (await source.discover({})).entries
        wiki.purge(page)
        with pytest.raises(SourceProblem, match=r"cannot be read any more \(404\)"):
            await source.fetch(entry)


async def test_refused_credentials_end_the_sync_and_fail_no_page(served: Served) -> None:
    wiki, server = served
    wiki.add_page("DOCS", "Page")

    async with opened(server) as source:
        (entry,) = (await source.discover({})).entries
        server.inject("", Fault(status=401))
        with pytest.raises(SourceUnavailable, match="CONFLUENCE_TOKEN"):
            await source.fetch(entry)


async def test_what_was_never_listed_is_refused(served: Served) -> None:
    async with opened(served[1]) as source:
        with pytest.raises(SourceProblem, match="was not listed"):
            await source.fetch(Entry("1", "1"))


async def test_a_page_over_the_limit_is_refused(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page", "x" * 20_000)

    with pytest.raises(SourceProblem, match="raise `max_page_mb`"):
        await fetched(server, page, max_page_mb=0.01)


async def test_a_body_that_does_not_come_is_not_taken_for_an_empty_one(cloud: Served) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page")
    body = b'{"id": "%s", "version": {"number": 1}, "body": {}}' % page.encode()
    server.inject("body-format", Fault(status=200, headers={"Content-Type": "application/json"}, body=body))

    with pytest.raises(SourceProblem, match="holds no body"):
        await fetched(server, page)


@pytest.mark.parametrize(
    ("name", "media_type"), [("notes.md", "text/markdown"), ("NOTES.TXT", "text/plain"), ("a{b} ü.md", "text/markdown")]
)
async def test_a_file_is_a_document_with_its_own_link(served: Served, name: str, media_type: str) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    file = wiki.attach(page, name, b"\xef\xbb\xbfOne\r\ntwo\n")

    document = await fetched(server, file)

    assert (document.title, document.text, document.media_type) == (name, "One\ntwo\n", media_type)
    assert document.url is not None
    assert document.url.startswith(f"{server.url}/download/attachments/{page}/")
    assert "{" not in document.url


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04 an archive", "is a ZIP archive"),
        (b"%PDF-1.7", "is a PDF document"),
        (b"\x1f\x8b packed", "is a gzip archive"),
        (b"\n<!DOCTYPE html><html>Log in", "is a web page"),
        (b"caf\xe9", "byte 3 is not UTF-8"),
        (b"a\0b", "NUL byte"),
    ],
)
async def test_s43_a_file_that_is_not_what_its_name_says_is_refused(served: Served, content: bytes, says: str) -> None:
    wiki, server = served
    file = wiki.attach(wiki.add_page("DOCS", "Page"), "notes.md", content, "text/markdown")

    with pytest.raises(SourceProblem, match=says):
        await fetched(server, file, max_attachment_mb=0.001)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("manual.pdf", b"%PDF-1.7 and so on"),
        ("manual.pdf", b"\r\n%PDF-1.4"),
        ("Letter.DOCX", b"PK\x03\x04 and so on"),
        ("talk.pptx", b"PK\x03\x04"),
        ("prices.xlsx", b"PK\x03\x04"),
        ("secret.xlsx", b"\xd0\xcf\x11\xe0"),
    ],
)
async def test_an_office_file_is_handed_on_as_its_bytes(served: Served, name: str, content: bytes) -> None:
    wiki, server = served
    file = wiki.attach(wiki.add_page("DOCS", "Page"), name, content)

    document = await fetched(server, file)

    assert (document.content, document.text) == (content, "")
    assert document.media_type.startswith("application/")


async def test_a_pdf_is_linked_with_a_place_for_its_page(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")

    pdf = await fetched(server, wiki.attach(page, "manual.pdf", b"%PDF-1.7"))
    word = await fetched(server, wiki.attach(page, "manual.docx", b"PK\x03\x04"))

    assert str(passage_link(pdf.url, anchor="page=7", start_line=1, end_line=1)).endswith("/manual.pdf#page=7")
    assert str(passage_link(word.url, anchor=None, start_line=1, end_line=1)).endswith("/manual.docx")


async def test_a_table_of_text_is_text(served: Served) -> None:
    wiki, server = served
    file = wiki.attach(wiki.add_page("DOCS", "Page"), "prices.csv", b"Plan;Price\r\nBasic;5\r\n")

    document = await fetched(server, file)

    assert (document.text, document.media_type, document.content) == ("Plan;Price\nBasic;5\n", "text/csv", b"")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("manual.pdf", b"<!DOCTYPE html><html>Log in", "is a web page, perhaps a login page"),
        ("manual.pdf", b"PK\x03\x04", "is a ZIP archive or office document, not what its name says"),
        ("manual.docx", b"%PDF-1.7", "is a PDF document, not what its name says"),
        ("manual.xlsx", b"<html>", "is a web page"),
        ("manual.pptx", b"\x1f\x8b", "is a gzip archive"),
        ("manual.docx", b"plain words", "is of another format"),
        ("manual.pdf", b"", "is of another format"),
    ],
)
async def test_an_office_file_that_is_another_is_refused(served: Served, name: str, content: bytes, says: str) -> None:
    wiki, server = served
    file = wiki.attach(wiki.add_page("DOCS", "Page"), name, content)

    with pytest.raises(SourceProblem, match=says):
        await fetched(server, file)


async def test_s43_a_file_over_the_limit_is_refused_unread(served: Served) -> None:
    wiki, server = served
    file = wiki.attach(wiki.add_page("DOCS", "Page"), "notes.md", b"x" * 2_000)

    with pytest.raises(SourceProblem, match="raise `max_attachment_mb`"):
        await fetched(server, file, max_attachment_mb=0.001)

    assert server.count("/download/") == 0


async def test_s43_a_file_that_lies_about_its_size_is_cut_off(cloud: Served) -> None:
    wiki, server = cloud
    file = wiki.attach(wiki.add_page("DOCS", "Page"), "notes.md", b"x")
    server.inject("/download/", Fault(status=200, body=b"x" * 5_000))

    with pytest.raises(SourceProblem, match="raise `max_attachment_mb`"):
        await fetched(server, file, max_attachment_mb=0.001)


async def test_a_comment_is_a_document_that_leads_to_itself(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page")
    comment = wiki.comment(page, "<p>Agreed.</p>")

    document = await fetched(server, comment, comments=True)

    assert (document.text, document.media_type, document.title) == ("<p>Agreed.</p>", storage(server), "Re: Page")
    mark = "?" if server.kind == "cloud" else "&"
    assert document.url == f"{page_url(server, page)}{mark}focusedCommentId={comment}"


INCLUDE = """<ac:structured-macro ac:name="{macro}"><ac:parameter ac:name=""><ac:link>
<ri:page ri:content-title="{title}" /></ac:link></ac:parameter></ac:structured-macro>"""
OTHER_PAGE = INCLUDE.format(macro="include", title="Other")


async def test_text_of_another_page_comes_with_the_rendered_page(served: Served) -> None:
    wiki, server = served
    wiki.add_page("DOCS", "Other", "<p>Included text.</p>")
    page = wiki.add_page("DOCS", "Page", f"<p>Own&nbsp;text.</p>{OTHER_PAGE}")

    document = await fetched(server, page)

    assert document.media_type == RENDERED
    assert "Included text." in document.text


@pytest.mark.parametrize("hidden_in", ["Other", "Third"])
async def test_s19_text_that_not_all_readers_may_see_is_not_taken_over(served: Served, hidden_in: str) -> None:
    wiki, server = served
    pages = {
        "Third": wiki.add_page("DOCS", "Third", "<p>Secret.</p>"),
        "Other": wiki.add_page("DOCS", "Other", INCLUDE.format(macro="include", title="Third")),
    }
    page = wiki.add_page("DOCS", "Page", OTHER_PAGE)
    wiki.restrict(pages[hidden_in], users=["ann"])

    document = await fetched(server, page)

    assert (document.media_type, document.text) == (storage(server), OTHER_PAGE)


async def test_a_narrower_page_may_show_a_wider_one(served: Served) -> None:
    wiki, server = served
    wiki.add_page("DOCS", "Other", "<p>Included text.</p>")
    page = wiki.add_page("DOCS", "Page", OTHER_PAGE)
    wiki.restrict(page, users=["ann"])

    assert "Included text." in (await fetched(server, page)).text


@pytest.mark.parametrize(
    "body",
    [
        INCLUDE.format(macro="include", title="Not listed"),
        INCLUDE.format(macro="multiexcerpt-include", title="Other"),
        f'{OTHER_PAGE}<ac:structured-macro ac:name="children" />',
        '<ac:structured-macro ac:name="include"><ac:parameter ac:name="">Other</ac:parameter></ac:structured-macro>',
        '<ac:structured-macro ac:name="detailssummary" />',
        f"{OTHER_PAGE}<p>not closed",
    ],
)
async def test_s19_macros_that_show_what_cannot_be_judged_are_not_rendered(cloud: Served, body: str) -> None:
    wiki, server = cloud
    wiki.add_page("DOCS", "Other")
    page = wiki.add_page("DOCS", "Page", body)

    assert (await fetched(server, page)).media_type == CLOUD_STORAGE


async def test_settings_may_trust_all_that_is_rendered(cloud: Served) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page", INCLUDE.format(macro="detailssummary", title="x"), view="<p>Table.</p>")

    assert (await fetched(server, page, included_text="all")).text == "<p>Table.</p>"


@pytest.mark.parametrize("change", ["edit", "restrict", "trash", "rename"])
async def test_a_page_changes_with_what_it_includes(served: Served, change: str) -> None:
    wiki, server = served
    other = wiki.add_page("DOCS", "Other")
    page = wiki.add_page("DOCS", "Page", OTHER_PAGE)
    changes = {
        "edit": lambda: wiki.edit(other, "<p>New.</p>"),
        "restrict": lambda: wiki.restrict(other, users=["ann"]),
        "trash": lambda: wiki.trash(other),
        "rename": lambda: wiki.rename(other, "Another", new_version=False),
    }

    async with opened(server) as source:
        entries = (await source.discover({})).entries
        stored = {entry.path: (await source.fetch(entry)).revision for entry in entries}
        same = (await source.discover(stored)).entries
        changes[change]()
        after = {entry.path: entry.revision for entry in (await source.discover(stored)).entries}

    assert {entry.path: entry.revision for entry in same} == stored
    assert after[page] != stored[page]


async def test_a_page_is_read_again_when_what_it_includes_appears(served: Served) -> None:
    wiki, server = served
    page = wiki.add_page("DOCS", "Page", OTHER_PAGE)

    async with opened(server) as source:
        entries = (await source.discover({})).entries
        stored = {entry.path: (await source.fetch(entry)).revision for entry in entries}
        wiki.add_page("DOCS", "Other", "<p>Included text.</p>")
        after = {entry.path: entry for entry in (await source.discover(stored)).entries}
        document = await source.fetch(after[page])

    assert after[page].revision != stored[page]
    assert "Included text." in document.text


async def test_who_is_mentioned_is_read_by_name(served: Served) -> None:
    wiki, server = served
    reference = "account-id" if server.kind == "cloud" else "userkey"
    user = wiki.users["ann"]
    mention = f'<ri:user ri:{reference}="{user.id if server.kind == "cloud" else user.key}" />'
    body = f"<p>Ask <ac:link>{mention}</ac:link> &lt; noon.</p><p><![CDATA[{mention}]]></p>"
    page = wiki.add_page("DOCS", "Page", body)

    document = await fetched(server, page)

    assert confluence.parse(document.text).text == f"Ask @Ann < noon.\n\n{mention}"


async def test_a_mention_of_nobody_known_costs_no_page(cloud: Served) -> None:
    wiki, server = cloud
    page = wiki.add_page("DOCS", "Page", '<p>Ask <ac:link><ri:user ri:account-id="gone" /></ac:link> soon.</p>')

    assert confluence.parse((await fetched(server, page)).text).text == "Ask soon."

"""A wiki made of real page bodies."""

from pathlib import Path

from tests.wire.confluence.wiki import Wiki

SUFFIX = ".storage.xml"


def fixture_wiki(folder: Path, space: str = "DOCS") -> Wiki:
    """Make a wiki with one page per `*.storage.xml` of a folder, in the order of their names, which are the titles.

    The group "staff", with the user "u-reader" (reader@example.com), may view the space.
    """
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        raise FileNotFoundError(f"{folder} has no *{SUFFIX} files to make a wiki of")
    wiki = Wiki()
    wiki.add_user("u-reader", name="Reader", email="reader@example.com")
    wiki.add_group("g-staff", "staff", ["u-reader"])
    wiki.add_space(space, groups=["g-staff"])
    for file in files:
        wiki.add_page(space, file.name.removesuffix(SUFFIX), file.read_text(encoding="utf-8"))
    return wiki

"""A Confluence on loopback: a wiki that tests change, served as Cloud or as Data Center.

wiki = Wiki()
wiki.add_space("DOCS", groups=["g-staff"])
page = wiki.add_page("DOCS", "Leave", "<p>Thirty days.</p>")
with serve(wiki) as server:          # or serve(wiki, kind="data_center")
    server.url, server.email, server.token
    server.inject(r"/spaces/\\d+/pages", Fault.rate_limited(retry_after_s=1))
    wiki.edit(page, "<p>Thirty-one days.</p>")
    server.count(r"/pages/\\d+\\?body-format=storage")
"""

from tests.wire.confluence.canary import Canary
from tests.wire.confluence.faults import Fault
from tests.wire.confluence.fixtures import fixture_wiki
from tests.wire.confluence.model import Page, User
from tests.wire.confluence.server import ConfluenceServer, serve
from tests.wire.confluence.wiki import Wiki

__all__ = ["Canary", "ConfluenceServer", "Fault", "Page", "User", "Wiki", "fixture_wiki", "serve"]

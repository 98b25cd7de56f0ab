"""Measures syncs of a Confluence site: the first, one of an unchanged site, one after one edit, and one that reads all.

Run `python -m bench.wiki [PAGES]`. The site is the loopback server of the tests; commands run as an operator runs them,
in processes of their own, with the real model. The alternative that an unchanged site is compared with is `--full`,
which reads every page again, as a sync without versions would have to. The process ends with 1 when a promise does not
hold.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bench.machine import machine, print_table, temporary_folder
from tests.wire.confluence import ConfluenceServer, Wiki, serve

PAGES = 2_000
MAX_UNCHANGED_S = 10.0
PAGE = "<h1>Shelf {n}</h1><p>Shelf {n} of the archive holds the files from {first} to {last}.</p><p>Key: hook {n}.</p>"


@dataclass(frozen=True, slots=True)
class Measured:
    """One sync: wall seconds, requests, bodies read, passages embedded."""

    name: str
    wall_s: float
    requests: int
    bodies: int
    embedded: int


def main() -> None:
    """Serve a wiki, sync it four times, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=int, nargs="?", default=PAGES)
    pages = parser.parse_args().pages
    wiki = Wiki()
    wiki.add_space("DOCS", anonymous=True)
    ids = [wiki.add_page("DOCS", f"Shelf {n}", PAGE.format(n=n, first=9 * n, last=9 * n + 8)) for n in range(pages)]
    with temporary_folder() as folder, serve(wiki, "cloud") as server:
        done = measure(folder, server, wiki, ids)
    print(f"{machine()}\n{pages:,} pages\n")
    print_table(
        ["sync", "wall s", "requests", "pages read", "embedded"],
        [[one.name, one.wall_s, f"{one.requests:,}", f"{one.bodies:,}", f"{one.embedded:,}"] for one in done],
    )
    unchanged, edited, full = done[1:]
    print(f"unchanged against full: {unchanged.wall_s / full.wall_s:.3f} of the time")
    holds = (unchanged.wall_s < MAX_UNCHANGED_S, unchanged.bodies == 0, unchanged.embedded == 0, edited.bodies == 1)
    sys.exit(0 if all(holds) else 1)


def measure(folder: Path, server: ConfluenceServer, wiki: Wiki, ids: list[str]) -> list[Measured]:
    """Sync the first time, unchanged, after one edit, and in full."""
    (folder / "answerdesk.toml").write_text(
        f'[[sources]]\nname = "wiki"\nkind = "confluence"\nurl = "{server.url}"\ndeployment = "cloud"\n'
        'spaces = ["DOCS"]\nallow_private = true\n',
        encoding="utf-8",
    )
    first = sync(folder, server, "first")
    unchanged = sync(folder, server, "unchanged")
    wiki.edit(ids[len(ids) // 2], "<p>This shelf was emptied.</p>")
    return [first, unchanged, sync(folder, server, "one edit"), sync(folder, server, "--full", "--full")]


def sync(folder: Path, server: ConfluenceServer, name: str, *options: str) -> Measured:
    """Run one `answerdesk sync` and count what it asked of the server."""
    environment = {
        **os.environ,
        "ANSWERDESK_HOME": str(folder / "home"),
        "CONFLUENCE_EMAIL": server.email,
        "CONFLUENCE_TOKEN": server.token,
    }
    server.requests.clear()
    command = [sys.executable, "-m", "bot", "sync", "--json", *options]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    wall_s = time.perf_counter() - started
    bodies = sum("body-format" in call.query for call in server.requests)
    return Measured(name, wall_s, len(server.requests), bodies, json.loads(done.stdout)["embedded"])


if __name__ == "__main__":
    main()

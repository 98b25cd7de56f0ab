"""What a source lists against what is stored of it, and what follows: a plan, made without touching anything."""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from knowledge.prepare import storable
from knowledge.types import Audience

# More deletions than this share of a source's documents are taken for a fault of the source, not for its will.
MAX_DELETED_SHARE = 0.3
FEW_DOCUMENTS = 10
# A document that failed is tried again after the first pause, then after four times as long, up to the longest.
FIRST_PAUSE = timedelta(minutes=15)
LONGEST_PAUSE = timedelta(days=1)
PAUSE_GROWTH = 4
MAX_FAILED_PATH_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Entry:
    """One document in a source's listing.

    An equal revision promises an equal document; who may read it is compared by itself, and costs no fetch.
    `renamed_from` is the path under which the same document was stored. What is stored of it stays open to `meanwhile`
    at most until it has been read again: it may show what has been restricted since.
    """

    path: str
    revision: str
    audience: Audience = field(default_factory=Audience)
    renamed_from: str | None = None
    meanwhile: Audience = field(default_factory=Audience)


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything that a source holds at one moment.

    `revision` names that moment where the source has a word for it (a commit). `members` gives the e-mail addresses
    (lower case) behind each group tag that an audience mentions. `notes` are what an operator should know. A `problem`
    says that a part is missing: what is listed can still be closed to readers, but nothing is read or deleted.
    """

    entries: Sequence[Entry]
    revision: str | None = None
    members: Mapping[str, Collection[str]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What we stored of one document, and to whom it is open; `is_closing` while the passages lag behind that."""

    revision: str
    content_hash: bytes
    recipe: str
    audience: Audience
    is_closing: bool = False


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A document that failed: at which revision, how often, why, and when it is tried again."""

    revision: str
    attempts: int
    reason: str
    next_try_at: datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """What one sync has to do. `stored` is what is known of each document, by the path that it has from now on."""

    stored: Mapping[str, Known]
    gone: Sequence[str]
    renamed: Mapping[str, str]
    reopened: Mapping[str, Audience]
    to_read: Sequence[Entry]
    waiting: Mapping[str, Quarantined]
    unchanged: int


def quarantine_key(path: str) -> str:
    """Return under which name a document's failure is kept: what no index holds fails under its beginning."""
    return storable(path)[:MAX_FAILED_PATH_CHARACTERS]


def pause_after(attempts: int) -> timedelta:
    """Return how long a document waits after so many failures in a row (from 1 on)."""
    growth: int = PAUSE_GROWTH ** min(attempts - 1, 10)
    return min(FIRST_PAUSE * growth, LONGEST_PAUSE)


def plan(
    listing: Listing,
    known: Mapping[str, Known],
    quarantined: Mapping[str, Quarantined],
    *,
    recipe: str,
    full: bool,
    now: datetime | None,
) -> Plan:
    """Compare a listing with what is stored; with `full` every document is read again, as with another recipe.

    Quarantined documents wait for their time unless they have changed; without `now` nobody waits.
    """
    renamed = {
        entry.path: entry.renamed_from
        for entry in listing.entries
        if entry.renamed_from is not None and entry.renamed_from in known and entry.path not in known
    }
    left = set(renamed.values())
    stored = {new: known[old] for new, old in renamed.items()} | {
        path: of_path for path, of_path in known.items() if path not in left
    }
    listed = {entry.path: entry for entry in listing.entries}
    stale = [entry for path, entry in listed.items() if full or not _is_current(stored.get(path), entry, recipe)]
    waiting = {
        entry.path: quarantined[quarantine_key(entry.path)]
        for entry in stale
        if now is not None and not full and _waits(quarantined.get(quarantine_key(entry.path)), entry, now)
    }
    to_read = [entry for entry in stale if entry.path not in waiting]
    not_read_yet = {entry.path for entry in stale}
    # The old text is open at most to those whom it was open to: only with the new text come new readers.
    wanted = {
        path: entry.audience & stored[path].audience & entry.meanwhile if path in not_read_yet else entry.audience
        for path, entry in listed.items()
        if path in stored
    }
    reopened = {
        path: audience
        for path, audience in wanted.items()
        if audience != stored[path].audience or stored[path].is_closing
    }
    return Plan(
        stored=stored,
        gone=sorted(stored.keys() - listed.keys()),
        renamed=renamed,
        reopened=reopened,
        to_read=to_read,
        waiting=waiting,
        unchanged=len(listed) - len(not_read_yet | reopened.keys()),
    )


def _is_current(known: Known | None, entry: Entry, recipe: str) -> bool:
    return known is not None and known.revision == entry.revision and known.recipe == recipe


def _waits(quarantined: Quarantined | None, entry: Entry, now: datetime) -> bool:
    return quarantined is not None and quarantined.revision == entry.revision and now < quarantined.next_try_at


def why_not_delete(source: str, *, gone: int, known: int, listed: int, is_confirmed: bool) -> str | None:
    """Return why so many deletions are not believed; None when they are.

    A source that lists nothing at all is broken, whatever anybody confirms: it would empty the knowledge base.
    """
    if not gone:
        return None
    if not listed:
        return (
            f"source {source!r}: none of its {known} documents is listed any more; nothing was deleted. See what is"
            " wrong with the source, or what its settings choose (paths, patterns, labels, trees); if it is really"
            " empty, take it out of answerdesk.toml"
        )
    if not is_confirmed and gone >= FEW_DOCUMENTS and gone > known * MAX_DELETED_SHARE:
        return (
            f"source {source!r}: {gone} of {known} documents are missing from its listing; nothing was deleted."
            f" If they are really gone, run `answerdesk sync --source {shlex.quote(source)} --confirm-deletes`"
        )
    return None

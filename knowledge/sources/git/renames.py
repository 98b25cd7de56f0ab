"""Which documents are the same as before under another path."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from knowledge.sources.git.program import Git

# The share of a file's content that must be the same; git's own measure and usual value.
SIMILARITY = "-M50%"
# Comparing each with each grows with the product; beyond this many files only equal ones are recognised.
MAX_COMPARED = 1_000


def same_content(gone: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """Pair new paths with those gone that have the same blob, each once, preferably under the same file name.

    Both give blobs by path; the result gives old paths by new ones.
    """
    olds: dict[str, list[str]] = {}
    for path, blob in sorted(gone.items()):
        olds.setdefault(blob, []).append(path)
    pairs: dict[str, str] = {}
    for has_name in (True, False):
        for path, blob in sorted(new.items()):
            candidates = [old for old in olds.get(blob, ()) if not has_name or _name(old) == _name(path)]
            if path not in pairs and candidates:
                pairs[path] = candidates[0]
                olds[blob].remove(candidates[0])
    return pairs


async def similar_content(git: Git, gone: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """Pair new paths with those gone that git finds similar; all blobs must be in the clone."""
    olds, news = list(gone), list(new)
    before = await _tree(git, "old", [gone[path] for path in olds])
    after = await _tree(git, "new", [new[path] for path in news])
    limits = [SIMILARITY, f"-l{MAX_COMPARED}"]
    out = await git.run("diff-tree", "-r", "-z", *limits, "--diff-filter=R", "--raw", before, after)
    records = out.decode("ascii").split("\0")
    # Each rename is three records: modes and blobs, the old name, the new name.
    return {
        news[int(new.split()[1])]: olds[int(old.split()[1])]
        for old, new in zip(records[1::3], records[2::3], strict=False)
    }


async def _tree(git: Git, name: str, blobs: list[str]) -> str:
    """Store a folder of these blobs, named by their place in the list: whatever a path holds, this is a valid name."""
    lines = (f"100644 blob {blob}\t{name} {number:07}\0" for number, blob in enumerate(blobs))
    return (await git.run("mktree", "-z", stdin="".join(lines).encode("ascii"))).decode("ascii").strip()


def _name(path: str) -> str:
    return PurePosixPath(path).name

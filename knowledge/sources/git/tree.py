"""The files of a commit: regular ones only, for a link may lead anywhere and a submodule is another repository."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from knowledge.errors import SourceProblem
from knowledge.sources.file_text import is_sidecar, sidecar_of
from knowledge.sources.git.program import Git

# More files than this, documents or not, are no repository that people work with. The same few folders, each many
# times in the next, can make a tree without end.
MAX_TREE_FILES = 3_000_000
# At twenty thousand folders in each other git 2.39 itself runs out of stack.
MAX_DEPTH = 200
# As many arguments of the longest paths fit into one call of a program.
MAX_PATHS_A_CALL = 100
REGULAR_FILES = (b"100644", b"100755")


@dataclass(frozen=True, slots=True)
class File:
    """A regular file of a commit; in `path` the bytes of a name that is no text are escaped.

    `sidecar` is the blob of the file beside it that may say its title.
    """

    path: str
    blob: str
    has_text_name: bool
    sidecar: str | None = None


async def files_of(git: Git, commit: str, folder: str, *, choose: Callable[[str], bool], max_files: int) -> list[File]:
    """Return the files below a folder that `choose` takes by their path below it; raise SourceProblem if too many."""
    tree = _Tree(f"{folder}/" if folder else "", choose, max_files)
    top = await _folder(git, commit, folder) if folder else commit
    await git.each(tree.take, "ls-tree", "-r", "-z", "--full-tree", top)
    if tree.problem:
        raise SourceProblem(f"{tree.problem} (nothing already indexed was changed)")
    return [replace(file, sidecar=tree.sidecars.get(sidecar_of(path))) for path, file in tree.files.items()]


async def blobs_at(git: Git, commit: str, paths: Collection[str]) -> dict[str, str]:
    """Return the blobs of those paths, from the repository's root, at which there is a regular file.

    A path that ends in a slash stands for all files directly in that folder.
    """
    found: dict[str, str] = {}

    def take(record: bytes) -> bool:
        about, _, name = record.partition(b"\t")
        mode, _, blob = about.split()
        path = name.decode("utf-8", "backslashreplace")
        if mode in REGULAR_FILES and path.encode() == name:
            found[path] = blob.decode("ascii")
        return len(found) < MAX_TREE_FILES

    ordered = sorted(paths)
    for start in range(0, len(ordered), MAX_PATHS_A_CALL):
        asked = ordered[start : start + MAX_PATHS_A_CALL]
        await git.each(take, "ls-tree", "-z", "--full-tree", commit, "--", *asked)
    return found


async def _folder(git: Git, commit: str, folder: str) -> str:
    out = await git.run("ls-tree", "-z", "--full-tree", commit, "--", folder)
    _, kind, tree = out.partition(b"\t")[0].split() if out else (b"", b"", b"")
    if kind != b"tree":
        raise SourceProblem(
            f"the branch has no folder {folder!r}; correct `path` (nothing already indexed was changed)"
        )
    return tree.decode("ascii")


class _Tree:
    """Takes the records of `git ls-tree`."""

    def __init__(self, prefix: str, choose: Callable[[str], bool], max_files: int) -> None:
        self.files: dict[str, File] = {}
        self.sidecars: dict[str, str] = {}
        self.problem: str | None = None
        self._prefix = prefix
        self._choose = choose
        self._max_files = max_files
        self._seen = 0

    def take(self, record: bytes) -> bool:
        """Tell whether more is wanted."""
        self._seen += 1
        if self._seen > MAX_TREE_FILES:
            self.problem = f"there are more than {MAX_TREE_FILES:,} files; choose a folder with `path`"
        about, _, name = record.partition(b"\t")
        if name.count(b"/") > MAX_DEPTH:
            self.problem = f"a file lies in more than {MAX_DEPTH} folders; choose another folder with `path`"
        mode, _, blob = about.split()
        if mode in REGULAR_FILES:
            self._add(name, blob.decode("ascii"))
        return self.problem is None

    def _add(self, name: bytes, blob: str) -> None:
        path = name.decode("utf-8", "backslashreplace")
        if is_sidecar(path) and len(self.sidecars) < self._max_files:
            self.sidecars[self._prefix + path] = blob
        if not self._choose(path):
            return
        file = File(self._prefix + path, blob, has_text_name=path.encode() == name)
        # Should a name that is no text look like another file's when its bytes are escaped, the other one stays.
        if file.path not in self.files or file.has_text_name:
            self.files[file.path] = file
        if len(self.files) > self._max_files:
            self.problem = f"more than {self._max_files:,} files are chosen; narrow `include`, or raise `max_files`"

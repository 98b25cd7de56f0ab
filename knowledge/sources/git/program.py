"""Runs the git program: with our settings only, within limits, and never longer than whoever waits for it."""

import asyncio
import os
import re
import shutil
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.sources.git.remote import masked
from knowledge.sources.text_files import MEBIBYTE

# What Debian 12 has; older ones cannot be told which address to connect to.
OLDEST_GIT = (2, 39)
CHUNK_BYTES = 64 * 1024
# Of what git says on stderr the end tells why it failed; a server may send any amount.
KEPT_MESSAGE_BYTES = 16 * 1024
# More than what is known of the two million files that a source may have.
MAX_ANSWER_BYTES = 256 * MEBIBYTE
# Nothing that git names is as long as this.
MAX_RECORD_BYTES = MEBIBYTE
# POSIX counts the limit of `ulimit -f` in blocks.
_ULIMIT_BLOCK_BYTES = 512
# The shell sets limits before git starts, without a fork of this process's threads; a write over the limit then fails
# with a message instead of a signal.
_LIMITED = ("sh", "-c", 'trap "" XFSZ; ulimit -c 0; ulimit -f "$1"; shift; exec "$@"', "sh")
_NO_LIMIT_BYTES = 1 << 40

# What the network and temporary files need; everything else in our environment is none of git's business.
INHERITED = frozenset({"PATH", "TMPDIR", "SSH_AUTH_SOCK"}) | {
    name for proxy in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for name in (proxy, proxy.upper())
}
_VARIABLES: Mapping[str, str] = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    # Only what goes to the network may use a transport at all.
    "GIT_ALLOW_PROTOCOL": "",
}
_CONFIG: Mapping[str, str] = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    # Larger blobs are streamed, and never compared.
    "core.bigFileThreshold": "16m",
    # Commits listed before stay where git finds them, for the sake of renames.
    "core.logAllRefUpdates": "always",
    "user.name": "AnswerDesk",
    "user.email": "answerdesk@localhost",
    "gc.auto": "0",
    "maintenance.auto": "false",
    # Always one pack: its size is then the size of what was fetched.
    "fetch.unpackLimit": "1",
    "fetch.recurseSubmodules": "false",
    # Nobody reads whether history was rewritten, and to know it costs a walk.
    "fetch.showForcedUpdates": "false",
    "credential.helper": "",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
}


Take = Callable[[bytes], bool]


class GitFailed(Exception):
    """Git ended with an error; the text is its own last words on one line, secrets masked."""


@dataclass(frozen=True, slots=True)
class Git:
    """The git program on one bare repository. `secrets` are masked in all that it says."""

    folder: Path
    timeout_s: float
    variables: Mapping[str, str]
    config: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    max_written_bytes: int = _NO_LIMIT_BYTES

    def also(self, *, variables: Mapping[str, str] | None = None, config: Mapping[str, str] | None = None) -> "Git":
        """Return the same with more variables and settings."""
        return replace(
            self, variables={**self.variables, **(variables or {})}, config={**self.config, **(config or {})}
        )

    async def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return what a command writes; raise GitFailed, or SourceUnavailable when it takes too long."""
        async with self._in_time(arguments), self.started(*arguments) as process:
            assert process.stderr
            _, out, message = await asyncio.gather(
                _write(process, stdin), _answer(process), _last_words(process.stderr)
            )
            await self._check(process, message)
            return out

    async def each(self, take: Take, *arguments: str, stdin: bytes = b"") -> None:
        """Hand out what a command writes, parted at each NUL, while it runs; raise as `run` does.

        The command ends, and not with an error, as soon as `take` returns False.
        """
        async with self._in_time(arguments), self.started(*arguments) as process:
            assert process.stderr
            _, is_whole, message = await asyncio.gather(
                _write(process, stdin), _hand_out(process, take), _last_words(process.stderr)
            )
            if is_whole:
                await self._check(process, message)

    @asynccontextmanager
    async def started(self, *arguments: str, stderr: int = PIPE) -> AsyncIterator[Process]:
        """Start a command with open pipes; it, and whatever it started, is gone at the end."""
        limit = str(self.max_written_bytes // _ULIMIT_BLOCK_BYTES)
        try:
            process = await asyncio.create_subprocess_exec(
                *(*_LIMITED, limit, "git", *arguments),
                stdin=PIPE,
                stdout=PIPE,
                stderr=stderr,
                cwd=self.folder,
                env=self._environment(),
                start_new_session=True,
            )
        except OSError as exc:
            raise GitFailed(f"it cannot be started in {str(self.folder)!r} ({exc.strerror})") from exc
        assert process.stdin and process.stdout
        try:
            yield process
        finally:
            _kill(process)
            process.stdin.close()
            # A pipe that is not read to its end is never closed.
            await process.stdout.read()
            await process.wait()

    def _environment(self) -> dict[str, str]:
        config = {**_CONFIG, **self.config}
        pairs = {"GIT_CONFIG_COUNT": str(len(config))}
        for number, (key, value) in enumerate(config.items()):
            pairs |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        folder = str(self.folder)
        # Without a home there is no .netrc with somebody's passwords in it.
        return {**_VARIABLES, **self.variables, **pairs, "GIT_DIR": folder, "HOME": folder}

    @asynccontextmanager
    async def _in_time(self, arguments: Sequence[str]) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self.timeout_s):
                yield
        except TimeoutError as exc:
            raise SourceUnavailable(
                f"`git {arguments[0]}` was not done within {self.timeout_s / 60:g} minutes;"
                " raise `timeout_minutes` if the repository is that large"
            ) from exc

    async def _check(self, process: Process, message: bytes) -> None:
        if await process.wait() != 0:
            raise GitFailed(self._shown(message) or f"it ended with status {process.returncode} and said nothing")

    def _shown(self, message: bytes) -> str:
        text = message.decode("utf-8", "replace")
        for secret in self.secrets:
            text = text.replace(secret, "***")
        lines = (" ".join("".join(c if c.isprintable() else " " for c in line).split()) for line in text.splitlines())
        return "; ".join(line for line in masked("\n".join(lines)).splitlines() if line)


def check_program(environment: Mapping[str, str]) -> None:
    """Raise SourceProblem unless there is a git to run."""
    if shutil.which("git", path=environment.get("PATH")) is None:
        raise SourceProblem("the program `git` is not installed, or not in PATH; install it (Debian: apt install git)")


async def check_version(git: Git) -> None:
    """Raise SourceProblem if git is older than what we ask of it."""
    said = (await git.run("version")).decode("utf-8", "replace").strip()
    found = re.search(r"(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_GIT:
        oldest = ".".join(map(str, OLDEST_GIT))
        raise SourceProblem(f"{said or 'this git'} is too old; install git {oldest} or newer")


async def _write(process: Process, data: bytes) -> None:
    """Write all of a command's input; one that does not want it has its reasons, and says so itself."""
    assert process.stdin
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(data)
        await process.stdin.drain()
    process.stdin.close()


async def _last_words(stream: asyncio.StreamReader) -> bytes:
    kept = b""
    while chunk := await stream.read(CHUNK_BYTES):
        kept = (kept + chunk)[-KEPT_MESSAGE_BYTES:]
    return kept


async def _answer(process: Process) -> bytes:
    assert process.stdout
    chunks: list[bytes] = []
    size = 0
    while chunk := await process.stdout.read(CHUNK_BYTES):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_ANSWER_BYTES:
            raise GitFailed(f"it wrote more than {MAX_ANSWER_BYTES:,} bytes")
    return b"".join(chunks)


async def _hand_out(process: Process, take: Take) -> bool:
    """Tell whether all was taken."""
    assert process.stdout
    rest = b""
    while chunk := await process.stdout.read(CHUNK_BYTES):
        *records, rest = (rest + chunk).split(b"\0")
        if len(rest) > MAX_RECORD_BYTES:
            raise GitFailed(f"it wrote more than {MAX_RECORD_BYTES:,} bytes without an end")
        if not all(take(record) for record in records):
            _kill(process)
            return False
    return not rest or take(rest)


def _kill(process: Process) -> None:
    # The number of a process that has ended may be another's by now.
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

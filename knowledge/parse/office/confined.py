"""Files that could break their reader are read by a process of their own: within a time and a memory, without secrets.

An office file or a PDF is read by a large library, one of them written in C++. What such a file can cost is bounded
from outside: the process gets no environment variables (so no tokens), is stopped at its deadline, and what it takes
down with it is itself. Starting it costs about 0.2 s.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knowledge.errors import SourceProblem
from knowledge.types import Block, Parsed

if TYPE_CHECKING:
    from collections.abc import Mapping

# What the process may use: seconds of one core, seconds by the clock on a busy machine, and memory where the system
# can limit it (Linux).
CPU_S = 60
DEADLINE_S = 180.0
MEMORY_BYTES = 2 * 1024**3
REMEDY = "open it in its program and save it again, split it, or leave it out"

# `-I`: no variable and no folder chooses what is imported. The project comes last on the path, behind the libraries.
_START = """
import sys
sys.path.append(sys.argv[1])
from knowledge.parse.office.confined_reader import main
main(sys.argv[2:])
"""
_PROJECT = Path(__file__).parents[3]
# What an interpreter may need to start at all.
_KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")


@dataclass(frozen=True, slots=True)
class Confines:
    """What reading one file may use."""

    cpu_s: int = CPU_S
    deadline_s: float = DEADLINE_S
    memory_bytes: int = MEMORY_BYTES


def read_confined(module: str, content: bytes, confines: Confines | None = None) -> Parsed:
    """Return what a module's `read(content)` makes of a file, in a process of its own.

    Raise SourceProblem when it cannot be read, or not within the confines.
    """
    confines = confines or Confines()
    if not content:
        raise SourceProblem("it is empty; upload it again or leave it out")
    command = [sys.executable, "-I", "-c", _START, str(_PROJECT), module]
    command += [str(confines.cpu_s), str(confines.memory_bytes)]
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    try:
        done = subprocess.run(
            command,
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=kept,
            timeout=confines.deadline_s,
            check=False,
        )
    except subprocess.TimeoutExpired as exc:
        raise SourceProblem(f"it cannot be read within {confines.deadline_s:g} s; {REMEDY}") from exc
    return _answer(done, confines)


def _answer(done: "subprocess.CompletedProcess[bytes]", confines: Confines) -> Parsed:
    """Return what the process has written; it is trusted no more than the file."""
    try:
        answer = json.loads(done.stdout) if done.returncode == 0 else {}
        if problem := answer.get("problem"):
            raise SourceProblem(str(problem))
        return _parsed(answer)
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise SourceProblem(
            f"it stopped its reader (status {done.returncode}), which may use {confines.cpu_s} s of one core and"
            f" {confines.memory_bytes // 1024**2} MB; {REMEDY}"
        ) from exc


def _parsed(answer: "Mapping[str, Any]") -> Parsed:
    return Parsed(
        str(answer["text"]),
        tuple(Block(*block) for block in answer["blocks"]),
        metadata={str(name): str(value) for name, value in answer["metadata"].items()},
        keeps_lines=False,
        problems=tuple(map(str, answer["problems"])),
    )

"""What runs in the process of `confined`: one file from standard input, what was read to the output."""

import json
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple
from importlib import import_module

from knowledge.errors import SourceProblem
from knowledge.parse.office.confined import REMEDY
from knowledge.types import Parsed

# More text than this is no document that people read: 20,000 pages of a book.
MAX_TEXT_CHARACTERS = 40_000_000
# No database and no encoder takes these.
_NO_CHARACTERS = re.compile("[\0\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def main(arguments: Sequence[str]) -> None:
    """Read the file with the module's `read`, within so many seconds of a core and so many bytes of memory."""
    module, cpu_s, memory_bytes = arguments
    _confine(int(cpu_s), int(memory_bytes))
    # Answers are read by a program that must not be told anything by what a library prints.
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    output.write(json.dumps(answer_of(module, sys.stdin.buffer.read())).encode("ascii"))
    output.flush()


def _confine(cpu_s: int, memory_bytes: int) -> None:
    """Set the limits that the system knows: all on Linux, fewer on macOS, none on Windows."""
    with suppress(ImportError):
        import resource

        limits = (
            (resource.RLIMIT_CPU, cpu_s),
            (resource.RLIMIT_AS, memory_bytes),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, 0),
        )
        for limit, value in limits:
            with suppress(ValueError, OSError):
                resource.setrlimit(limit, (value, value))


def answer_of(module: str, content: bytes) -> dict[str, object]:
    """Return what was read, or the problem; a damaged file makes a library raise anything."""
    try:
        return _told(import_module(module).read(content))
    except SourceProblem as exc:
        return {"problem": str(exc)}
    except ModuleNotFoundError as exc:
        return {"problem": missing(exc)}
    except MemoryError:
        return {"problem": f"it needs more memory than reading a file may use; {REMEDY}"}
    except Exception as exc:  # noqa: BLE001 - libraries tell of a damaged file by KeyError, struct.error, RecursionError ...
        return {"problem": f"it is damaged or not what its name says ({type(exc).__name__}); {REMEDY}"}


def missing(exc: ModuleNotFoundError) -> str:
    """Return what is said when the library of a format is not installed."""
    return f'office files and PDF need the package {exc.name!r}; run `pip install "answerdesk[office]"`'


def _told(parsed: Parsed) -> dict[str, object]:
    if len(parsed.text) > MAX_TEXT_CHARACTERS:
        raise SourceProblem(f"its text is longer than {MAX_TEXT_CHARACTERS:,} characters; {REMEDY}")
    return {
        "text": _clean(parsed.text),
        "blocks": [tuple(map(_clean, astuple(block))) for block in parsed.blocks],
        "metadata": {name: _clean(value) for name, value in parsed.metadata.items() if value},
        "problems": list(parsed.problems),
    }


def _clean(value: object) -> object:
    """Replace what is no character by one that is, so that offsets stay."""
    return _NO_CHARACTERS.sub(_REPLACEMENT, value) if isinstance(value, str) else value

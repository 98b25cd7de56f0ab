"""Measures starts: imports, `answerdesk --help`, a cold `ask`, and the memory of `chat` after one question.

Run `python -m bench.startup`. Every figure is of a new process, the median of several; the floor is `python -c pass`
(a peak below the memory of this process cannot be seen: a child begins as its copy).
The process ends with 1 when a promise does not hold.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.corpus import EXAMPLES
from bench.machine import machine, print_table, resident_mb, temporary_folder, verdict

ROUNDS = 5
REPLY_DEADLINE_S = 60.0
PROMPT = "›"
QUESTION = "How long is the PIN valid?"
# The promises.
MAX_IMPORT_CPU_S = 1.5
MAX_HELP_WALL_S = 0.5
MAX_CHAT_RESIDENT_MB = 600.0

BOT = [sys.executable, "-m", "bot"]
# All that a question needs with the built-in configuration: loading it imports what it names.
IMPORTS = """
import bot.commands.ask, knowledge.embedders.e5_onnx
from bot.settings import load_settings
load_settings(None)
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def main() -> None:
    """Measure, print, judge."""
    with temporary_folder() as folder:
        environment = os.environ | {"ANSWERDESK_HOME": str(folder / "home")}
        environment.pop("DATABASE_URL", None)
        held = measure(environment)
    sys.exit(0 if held else 1)


def measure(environment: dict[str, str]) -> bool:
    """Run everything and report."""
    config = ["--config", str(EXAMPLES / "answerdesk.toml")]
    first = run([*BOT, "sync", *config], environment)
    runs = {
        "floor: python -c pass": middle([sys.executable, "-c", "pass"], environment),
        "import the search path": middle([sys.executable, "-c", IMPORTS], environment),
        "answerdesk --help": middle([*BOT, "--help"], environment),
        "first sync of the handbook": first,
        "sync with nothing to do": middle([*BOT, "sync", *config], environment),
        "cold ask": middle([*BOT, "ask", QUESTION, *config], environment),
    }
    chat_mb = chat_resident_mb([*BOT, "chat", *config], environment)
    print(f"{machine()}, median of {ROUNDS} processes\n")
    floor = runs["floor: python -c pass"]
    print_table(
        ["", "wall s", "CPU s", "peak MB", "wall/floor"],
        [[name, one.wall_s, one.cpu_s, one.peak_mb, one.wall_s / floor.wall_s] for name, one in runs.items()],
    )
    imports, shown = runs["import the search path"], runs["answerdesk --help"]
    promises = [
        verdict(f"imports {imports.cpu_s:.2f} s CPU < {MAX_IMPORT_CPU_S} s", held=imports.cpu_s < MAX_IMPORT_CPU_S),
        verdict(f"--help {shown.wall_s:.2f} s < {MAX_HELP_WALL_S} s", held=shown.wall_s < MAX_HELP_WALL_S),
        verdict(
            f"chat after one question {chat_mb:.0f} MB resident < {MAX_CHAT_RESIDENT_MB:.0f} MB",
            held=chat_mb < MAX_CHAT_RESIDENT_MB,
        ),
    ]
    return all(promises)


def middle(command: Sequence[str], environment: dict[str, str]) -> Run:
    """Run a command several times, and take the median of each figure."""
    runs = [run(command, environment) for _ in range(ROUNDS)]
    return Run(*(median(figures) for figures in zip(*((r.wall_s, r.cpu_s, r.peak_mb) for r in runs), strict=True)))


def run(command: Sequence[str], environment: dict[str, str]) -> Run:
    """Run a command to its end."""
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None, "it was asked for"
    complaints = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    assert process.returncode == 0, complaints.decode("utf-8", "replace")
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return Run(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def chat_resident_mb(command: Sequence[str], environment: dict[str, str]) -> float:
    """Ask one question in a real chat and return the process's memory once it waits for the next."""
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None, "it was asked for"
        assert process.stdout is not None, "it was asked for"
        wait_for_prompt(process.stdout.fileno())
        process.stdin.write(f"{QUESTION}\n".encode())
        process.stdin.flush()
        wait_for_prompt(process.stdout.fileno())
        resident = resident_mb(process.pid)
        process.stdin.close()
        process.wait(timeout=REPLY_DEADLINE_S)
    assert process.returncode == 0, f"chat ended with {process.returncode}"
    return resident


def wait_for_prompt(output: int) -> None:
    """Read until the prompt appears."""
    seen = b""
    deadline = time.monotonic() + REPLY_DEADLINE_S
    while PROMPT.encode() not in seen:
        assert time.monotonic() < deadline, f"no prompt within {REPLY_DEADLINE_S} s: {seen.decode('utf-8', 'replace')}"
        piece = os.read(output, 65_536)
        assert piece, f"chat ended: {seen.decode('utf-8', 'replace')}"
        seen += piece


if __name__ == "__main__":
    main()

"""What all commands share: settings, signals, exit codes, and where output goes."""

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from bot.settings import Settings

DONE, PROBLEM, WRONG_USE = 0, 1, 2
INTERRUPTED, TERMINATED = 130, 143

REPORT = "please report it with what ANSWERDESK_LOG__LEVEL=debug prints"

log = logging.getLogger(__name__)


def run(config: Path | None, command: Callable[["Settings"], Awaitable[int]]) -> None:
    """Load the settings, run a command and leave with its exit code.

    Every failure becomes a message that names its remedy: code 2 for wrong usage or configuration, 1 for a problem
    of the run. A traceback is only logged, at level debug.
    """
    from bot.core.errors import CoreError
    from bot.logs import configure_logging
    from bot.settings import load_settings
    from knowledge.errors import KnowledgeError, SettingsProblem

    try:
        settings = load_settings(config)
        configure_logging(settings.log)
        code = asyncio.run(_until_told_to_stop(command(settings)))
        sys.stdout.flush()
    except (CoreError, SettingsProblem) as exc:
        code = _failed(WRONG_USE, str(exc))
    except KnowledgeError as exc:
        log.debug("the command failed", exc_info=True)
        code = _failed(PROBLEM, str(exc))
    except KeyboardInterrupt:
        code = INTERRUPTED
    except asyncio.CancelledError:
        code = TERMINATED
    except BrokenPipeError:
        # Whoever read our output has seen enough; a second attempt to write at exit would only complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = DONE
    except Exception as exc:  # the outermost line: a person gets a message, the log the traceback
        log.debug("the command failed unexpectedly", exc_info=True)
        code = _failed(PROBLEM, f"{type(exc).__name__}: {exc}; this is a mistake of ours: {REPORT}")
    if code in (INTERRUPTED, TERMINATED):
        # Everything is closed; a thread may still wait for the keyboard, and the interpreter would wait for it.
        sys.stderr.flush()
        os._exit(code)
    raise SystemExit(code)


async def _until_told_to_stop(command: Awaitable[int]) -> int:
    """Run the command; on SIGTERM cancel it, so that everything it opened is closed in order."""
    task = asyncio.ensure_future(command)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def _failed(code: int, message: str) -> int:
    error_console().print(f"[bold red]error:[/] {_escaped(message)}", soft_wrap=True, highlight=False)
    return code


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def error_console() -> "Console":
    """Return the console for everything that is not the result."""
    from rich.console import Console

    return Console(stderr=True)


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def print_json(document: Any) -> None:
    """Print one JSON document on standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=_written) + "\n")

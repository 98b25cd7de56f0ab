"""What all commands share: settings, signals, exit codes, and where output goes."""

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from bot.settings import Settings

DONE, PROBLEM, WRONG_USE = 0, 1, 2
INTERRUPTED, TERMINATED = 130, 143
# Closing everything takes a second or two; whoever asked for the end waits ten or more, as orchestrators do.
STOP_AGAIN_S, STOPPED_WITHIN_S = 6.0, 9.0

REPORT = "please report it with what ANSWERDESK_LOG__LEVEL=debug prints"

log = logging.getLogger(__name__)


def run(
    config: Path | None, command: Callable[["Settings"], Coroutine[Any, Any, int]], *, as_json: bool = False
) -> None:
    """Load the settings, run a command and leave with its exit code.

    Every failure becomes a message that names its remedy: code 2 for wrong usage or configuration, 1 for a problem
    of the run. A traceback is only logged, at level debug. With `as_json` the message is also the one document on
    standard output, as {"error": message}.
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
        code = _failed(WRONG_USE, str(exc), as_json=as_json)
    except KnowledgeError as exc:
        log.debug("the command failed", exc_info=True)
        code = _failed(PROBLEM, str(exc), as_json=as_json)
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
        message = f"{type(exc).__name__}: {exc}; this is a mistake of ours: {REPORT}"
        code = _failed(PROBLEM, message, as_json=as_json)
    if code in (INTERRUPTED, TERMINATED):
        # Everything is closed; a thread may still wait for the keyboard, and the interpreter would wait for it.
        sys.stderr.flush()
        os._exit(code)
    raise SystemExit(code)


async def _until_told_to_stop(command: Coroutine[Any, Any, int]) -> int:
    """Run the command; on SIGTERM cancel it, so that everything it opened is closed in order.

    A cancellation can be lost on the way, so it is repeated; what has not ended by then is left to its fate.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(command)

    def stop() -> None:
        task.cancel()
        loop.call_later(STOP_AGAIN_S, task.cancel)
        loop.call_later(STOPPED_WITHIN_S, os._exit, TERMINATED)

    def complain(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if task.cancelling():
            log.debug("while closing: %s", context.get("message"))
        else:
            loop.default_exception_handler(context)

    loop.add_signal_handler(signal.SIGTERM, stop)
    loop.set_exception_handler(complain)
    return await task


def _failed(code: int, message: str, *, as_json: bool) -> int:
    if as_json:
        print_json({"error": message})
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

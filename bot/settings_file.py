"""What answerdesk.toml and the environment say, before anything of it is validated."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import platformdirs

from knowledge.errors import SettingsProblem

CONFIG_FILE = "answerdesk.toml"
# `ANSWERDESK_ANSWER__THRESHOLD=0.8` overrides `threshold` in the table `[answer]`.
OVERRIDE_PREFIX = "ANSWERDESK_"
_NOT_OVERRIDES = frozenset({"ANSWERDESK_HOME"})


def home_folder(environment: Mapping[str, str]) -> Path:
    """Return where models and the embedded database live."""
    given = environment.get("ANSWERDESK_HOME")
    return Path(given).expanduser().absolute() if given else Path(platformdirs.user_data_dir("answerdesk"))


def config_path(config: Path | None) -> Path:
    """Return the file to read: the given one, else the working directory's, else the built-in demo."""
    if config is not None:
        if not config.is_file():
            raise SettingsProblem(f"the configuration {str(config)!r} does not exist; correct --config")
        return config.absolute()
    local = Path(CONFIG_FILE)
    return local.absolute() if local.is_file() else Path(str(resources.files("examples") / CONFIG_FILE))


def read_tables(path: Path) -> dict[str, Any]:
    """Return the tables of a file; SettingsProblem where it cannot be read, or is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsProblem(f"{path} cannot be read: {exc}; save it as UTF-8, readable by this user") from exc
    except tomllib.TOMLDecodeError as exc:
        raise SettingsProblem(f"{path} is not valid TOML: {exc}; correct that line") from exc


def overridden(raw: dict[str, Any], environment: Mapping[str, str], problems: list[str]) -> dict[str, Any]:
    """Put `ANSWERDESK_TABLE__KEY` values over the file's; pydantic reads numbers and booleans from their text."""
    for name in sorted(environment):
        if not name.startswith(OVERRIDE_PREFIX) or name in _NOT_OVERRIDES:
            continue
        table, _, key = name.removeprefix(OVERRIDE_PREFIX).lower().partition("__")
        if not key or not isinstance(raw.setdefault(table, {}), dict):
            problems.append(
                f"{name}: no such setting; write ANSWERDESK_TABLE__KEY, for instance ANSWERDESK_ANSWER__THRESHOLD"
            )
            continue
        raw[table][key] = environment[name]
    return raw

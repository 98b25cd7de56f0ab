"""answerdesk.toml and the environment, read once; all problems are reported together, each with its remedy."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bot.registry import UnknownKind, settings_model
from bot.store.spending import BudgetSettings
from knowledge.errors import SettingsProblem
from knowledge.fuse import FusionSettings

MINUTES_OF_A_YEAR = 525_600
CONFIG_FILE = "answerdesk.toml"
# `ANSWERDESK_ANSWER__THRESHOLD=0.8` overrides `threshold` in the table `[answer]`.
OVERRIDE_PREFIX = "ANSWERDESK_"
_NOT_OVERRIDES = frozenset({"ANSWERDESK_HOME"})

M = TypeVar("M", bound=BaseModel)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerSettings(_Table):
    """`[answer]`: who words the answer, and how sure we must be to give one."""

    kind: str = "extractive"
    # The careful default until an operator's own questions have certified a threshold; docs/decisions.md has the table
    # of what it answers, and how much of that wrongly, on the development sets.
    threshold: float = Field(default=0.65, ge=0.0, le=1.0)
    # Links lead to the hosts of the configured sources, and to these.
    link_hosts: tuple[str, ...] = ()
    # An answer says when its source has not changed for so long; 0: never.
    outdated_days: int = Field(default=730, ge=0)
    # For how long the same question of the same readers gets the stored answer, while nothing changes; 0: not at all.
    cache_days: float = Field(default=7.0, ge=0.0)


class SyncTimes(_Table):
    """When a source is synced, as its `[[sources]]` table may say: at an interval, or by a cron line (UTC)."""

    every_minutes: float | None = Field(default=None, gt=0, le=MINUTES_OF_A_YEAR)
    cron: str | None = None

    @field_validator("cron")
    @classmethod
    def _has_sense(cls, cron: str | None) -> str | None:
        if cron is not None:
            # Imported here: without a cron line no command needs the scheduler.
            from knowledge.schedule import cron_trigger

            cron_trigger(cron)
        return cron


class SyncSettings(SyncTimes):
    """`[sync]`: how a running bot keeps its knowledge in step, where a source has no times of its own."""

    every_minutes: float = Field(default=15.0, gt=0, le=MINUTES_OF_A_YEAR)
    jitter_s: int = Field(default=10, ge=0, le=3600)


class LogSettings(_Table):
    """`[log]`."""

    level: str = Field(default="warning", pattern="^(debug|info|warning|error)$")
    json_lines: bool = False


class _File(_Table):
    """The file's tables; each is validated by itself, so that a mistake in one hides none in another."""

    sources: list[dict[str, Any]] = Field(default_factory=list)
    embedder: dict[str, Any] = Field(default_factory=dict)
    reranker: dict[str, Any] = Field(default_factory=dict)
    retrieval: dict[str, Any] = Field(default_factory=dict)
    answer: dict[str, Any] = Field(default_factory=dict)
    budget: dict[str, Any] = Field(default_factory=dict)
    entailment: dict[str, Any] = Field(default_factory=dict)
    sync: dict[str, Any] = Field(default_factory=dict)
    log: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One implementation with its validated table."""

    port: str
    kind: str
    settings: BaseModel


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that was chosen, valid."""

    config: Path
    home: Path
    database_url: str | None
    sources: tuple[Chosen, ...]
    embedder: Chosen
    reranker: Chosen
    answerer: Chosen
    # A model that judges whether a passage bears a sentence out; without one, words and vectors do.
    entailment: Chosen | None
    budget: BudgetSettings
    retrieval: FusionSettings
    answer: AnswerSettings
    sync: SyncSettings
    times: Mapping[str, SyncTimes]
    log: LogSettings

    @property
    def base(self) -> Path:
        """The folder that relative paths in the configuration start from."""
        return self.config.parent


def load_settings(config: Path | None, environment: Mapping[str, str] | None = None) -> Settings:
    """Read the configuration; raise one SettingsProblem that lists every problem, a line each, with its remedy."""
    environment = os.environ if environment is None else environment
    path = _config_path(config)
    problems: list[str] = []
    raw = _overridden(_read(path), environment, problems)
    for table in sorted(raw.keys() - _File.model_fields.keys()):
        problems.append(f"`{table}`: no such setting; known here: {', '.join(sorted(_File.model_fields))}")
        del raw[table]
    file = _validated(_File, raw, "", problems) or _File()
    decision = {key: value for key, value in file.answer.items() if key in AnswerSettings.model_fields}
    answer = _validated(AnswerSettings, decision, "[answer]", problems)
    budget = _validated(BudgetSettings, file.budget, "[budget]", problems)
    retrieval = _validated(FusionSettings, file.retrieval, "[retrieval]", problems)
    sync = _validated(SyncSettings, file.sync, "[sync]", problems)
    log = _validated(LogSettings, file.log, "[log]", problems)
    times = {name: own for name, own in _times(file.sources, problems) if own}
    sources = tuple(_sources(file.sources, problems))
    embedder = _chosen("embedder", file.embedder, "[embedder]", "local", problems)
    reranker = _chosen("reranker", file.reranker, "[reranker]", "local", problems)
    own = {key: value for key, value in file.answer.items() if key == "kind" or key not in AnswerSettings.model_fields}
    answerer = _chosen("answerer", own, "[answer]", "extractive", problems)
    entailment = _chosen("entailment", file.entailment, "[entailment]", "onnx", problems) if file.entailment else None
    if problems:
        raise SettingsProblem(
            f"{path} has {len(problems)} problem(s):\n" + "\n".join(f"  - {line}" for line in problems)
        )
    assert answer and budget and retrieval and sync and log, "problems were raised"
    assert embedder and reranker and answerer, "problems were raised"
    return Settings(
        config=path,
        home=home_folder(environment),
        database_url=environment.get("DATABASE_URL") or None,
        sources=sources,
        embedder=embedder,
        reranker=reranker,
        answerer=answerer,
        entailment=entailment,
        budget=budget,
        retrieval=retrieval,
        answer=answer,
        sync=sync,
        times=times,
        log=log,
    )


def home_folder(environment: Mapping[str, str]) -> Path:
    """Return where models and the embedded database live."""
    given = environment.get("ANSWERDESK_HOME")
    return Path(given).expanduser().absolute() if given else Path(platformdirs.user_data_dir("answerdesk"))


def _config_path(config: Path | None) -> Path:
    """Return the file to read: the given one, else the working directory's, else the built-in demo."""
    if config is not None:
        if not config.is_file():
            raise SettingsProblem(f"the configuration {str(config)!r} does not exist; correct --config")
        return config.absolute()
    local = Path(CONFIG_FILE)
    return local.absolute() if local.is_file() else Path(str(resources.files("examples") / CONFIG_FILE))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsProblem(f"{path} cannot be read: {exc}; save it as UTF-8, readable by this user") from exc
    except tomllib.TOMLDecodeError as exc:
        raise SettingsProblem(f"{path} is not valid TOML: {exc}; correct that line") from exc


def _overridden(raw: dict[str, Any], environment: Mapping[str, str], problems: list[str]) -> dict[str, Any]:
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


def _sources(tables: list[dict[str, Any]], problems: list[str]) -> Iterator[Chosen]:
    names: set[str] = set()
    for position, table in enumerate(tables, 1):
        name = str(table.get("name", f"number {position}"))
        if name in names:
            problems.append(f"[[sources]] {name}: the name is taken by another source; names must differ")
        names.add(name)
        own = {key: value for key, value in table.items() if key not in SyncTimes.model_fields}
        chosen = _chosen("source", own, f"[[sources]] {name}", None, problems)
        if chosen:
            yield chosen


def _times(tables: list[dict[str, Any]], problems: list[str]) -> Iterator[tuple[str, SyncTimes | None]]:
    for position, table in enumerate(tables, 1):
        name = str(table.get("name", f"number {position}"))
        given = {key: value for key, value in table.items() if key in SyncTimes.model_fields}
        if len(given) > 1:
            problems.append(f"[[sources]] {name}: has both `every_minutes` and `cron`; leave one of them out")
        if given:
            yield name, _validated(SyncTimes, given, f"[[sources]] {name}", problems)


def _chosen(port: str, table: Mapping[str, Any], place: str, default: str | None, problems: list[str]) -> Chosen | None:
    kind = table.get("kind", default)
    if not kind:
        problems.append(f'{place}: `kind` is missing; write for instance kind = "folder"')
        return None
    try:
        model = settings_model(port, str(kind))
    except UnknownKind as exc:
        problems.append(f"{place}: {exc}")
        return None
    given = dict(table) if "kind" in model.model_fields else _without(table, "kind")
    settings = _validated(model, given, place, problems)
    return Chosen(port, str(kind), settings) if settings else None


def _without(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}


def _validated(model: type[M], raw: Mapping[str, Any], place: str, problems: list[str]) -> M | None:
    try:
        return model.model_validate(raw)
    except ValidationError as exc:
        for error in exc.errors(include_url=False):
            problems.append(f"{place} {_explained(model, error)}".strip())
        return None


def _explained(model: type[BaseModel], error: Mapping[str, Any]) -> str:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"`{key}`: no such setting; known here: {', '.join(sorted(model.model_fields))}"
    if error["type"] == "missing":
        return f"`{key}`: is missing; add it"
    message = error["msg"].removeprefix("Value error, ").replace("valid tuple", 'list, for instance ["a", "b"]')
    # Somebody may have put the secret itself where the name of its variable belongs.
    shown = "" if key.endswith("_env") else f" = {error['input']!r}"
    return f"`{key}`{shown}: {message[0].lower()}{message[1:]}"

"""answerdesk.toml and the environment, read once; all problems are reported together, each with its remedy."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from pydantic import BaseModel, ValidationError

from bot.registry import REGISTRY, UnknownKind, settings_model
from bot.store.spending import BudgetSettings
from bot.tables import (
    AnswerSettings,
    File,
    LinkingSettings,
    LogSettings,
    MessageSettings,
    MetricsSettings,
    PlaceSettings,
    SyncSettings,
    SyncTimes,
    Table,
)
from knowledge.errors import SettingsProblem
from knowledge.fuse import FusionSettings

CONFIG_FILE = "answerdesk.toml"
# `ANSWERDESK_ANSWER__THRESHOLD=0.8` overrides `threshold` in the table `[answer]`.
OVERRIDE_PREFIX = "ANSWERDESK_"
# A token in the environment turns its channel on, without any table.
TOKEN_SUFFIX = "_BOT_TOKEN"
_NOT_OVERRIDES = frozenset({"ANSWERDESK_HOME"})

M = TypeVar("M", bound=BaseModel)


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
    # What turns recordings into words; without one people are asked to write.
    transcriber: Chosen | None
    budget: BudgetSettings
    retrieval: FusionSettings
    answer: AnswerSettings
    sync: SyncSettings
    times: Mapping[str, SyncTimes]
    log: LogSettings
    messages: MessageSettings
    metrics: MetricsSettings
    linking: LinkingSettings
    places: tuple[PlaceSettings, ...]
    # Where people are listened to.
    channels: tuple[Chosen, ...]
    # The tokens in the environment that are of no channel we have.
    strange_tokens: tuple[str, ...]

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
    channels = tuple(_channels(raw, environment, problems))
    for table in sorted(raw.keys() - File.model_fields.keys()):
        known = sorted({*File.model_fields, *REGISTRY["channel"]})
        problems.append(f"`{table}`: no such setting; known here: {', '.join(known)}")
        del raw[table]
    file = _validated(File, raw, "", problems) or File()
    settings = _settings(path, environment, file, channels, problems)
    if problems:
        raise SettingsProblem(
            f"{path} has {len(problems)} problem(s):\n" + "\n".join(f"  - {line}" for line in problems)
        )
    return settings


def _settings(
    path: Path, environment: Mapping[str, str], file: File, channels: tuple[Chosen, ...], problems: list[str]
) -> Settings:
    """Return what was chosen; where that has problems, something stands in for it that nobody ever sees."""
    decision = {key: value for key, value in file.answer.items() if key in AnswerSettings.model_fields}
    wording = {key: value for key, value in file.answer.items() if key == "kind" or key not in decision}
    return Settings(
        config=path,
        home=home_folder(environment),
        database_url=environment.get("DATABASE_URL") or None,
        answer=_table(AnswerSettings, decision, "answer", problems),
        budget=_table(BudgetSettings, file.budget, "budget", problems),
        retrieval=_table(FusionSettings, file.retrieval, "retrieval", problems),
        sync=_table(SyncSettings, file.sync, "sync", problems),
        log=_table(LogSettings, file.log, "log", problems),
        messages=_table(MessageSettings, file.messages, "messages", problems),
        metrics=_table(MetricsSettings, file.metrics, "metrics", problems),
        linking=_table(LinkingSettings, file.linking, "linking", problems),
        places=tuple(_places(file, problems)),
        times={name: own for name, own in _times(file.sources, problems) if own},
        sources=tuple(_sources(file.sources, problems)),
        embedder=_one("embedder", file.embedder, "[embedder]", "local", problems),
        reranker=_one("reranker", file.reranker, "[reranker]", "local", problems),
        answerer=_one("answerer", wording, "[answer]", "extractive", problems),
        entailment=_perhaps("entailment", file.entailment, "onnx", problems),
        transcriber=_perhaps("transcriber", file.transcriber, "onnx", problems),
        channels=channels,
        strange_tokens=tuple(_strange_tokens(environment)),
    )


def _table(model: type[M], table: Mapping[str, Any], name: str, problems: list[str]) -> M:
    return _validated(model, table, f"[{name}]", problems) or model()


def _one(port: str, table: Mapping[str, Any], place: str, default: str, problems: list[str]) -> Chosen:
    return _chosen(port, table, place, default, problems) or Chosen(port, default, Table())


def _perhaps(port: str, table: Mapping[str, Any], default: str, problems: list[str]) -> Chosen | None:
    return _chosen(port, table, f"[{port}]", default, problems) if table else None


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


def token_of(channel: str) -> str:
    """Return the variable that turns a channel on."""
    return f"{channel.upper()}{TOKEN_SUFFIX}"


def _channels(raw: dict[str, Any], environment: Mapping[str, str], problems: list[str]) -> Iterator[Chosen]:
    """Yield the channels that have a table of their own, which is taken out, or a token in the environment."""
    for name in REGISTRY["channel"]:
        table = raw.pop(name, None)
        if table is not None and not isinstance(table, dict):
            problems.append(f"`{name}` = {table!r}: is no table; write [{name}]")
        elif table is not None or environment.get(token_of(name)):
            chosen = _chosen("channel", {**(table or {}), "kind": name}, f"[{name}]", name, problems)
            yield from [chosen] if chosen else []


def _strange_tokens(environment: Mapping[str, str]) -> Iterator[str]:
    known = set(map(token_of, REGISTRY["channel"]))
    for name in sorted(environment.keys() - known):
        if name.endswith(TOKEN_SUFFIX) and environment[name]:
            yield name


def _places(file: File, problems: list[str]) -> Iterator[PlaceSettings]:
    known = {str(table.get("name")) for table in file.sources}
    taken: set[str] = set()
    for position, table in enumerate(file.places, 1):
        label = f"[[places]] {table.get('channel', f'number {position}')}"
        place = _validated(PlaceSettings, table, label, problems)
        if place is None:
            continue
        if place.channel in taken:
            problems.append(f"{label}: the channel has another table; leave one of them out")
        taken.add(place.channel)
        for name in set(place.sources or ()) - known:
            problems.append(f"{label} `sources`: there is no source {name!r}; known: {', '.join(sorted(known))}")
        yield place


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

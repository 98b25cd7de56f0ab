"""answerdesk.toml and the environment, read once; all problems are reported together, each with its remedy."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from bot.chosen import Chosen, chosen, without
from bot.cutting_tables import CuttingChoice, cutting_of
from bot.desk_tables import desk_problems
from bot.registry import REGISTRY
from bot.settings_file import config_path, home_folder, overridden, read_tables
from bot.store.spending import BudgetSettings
from bot.tables import (
    AnswerSettings,
    DeskTable,
    File,
    HandoverSettings,
    LearningSettings,
    LinkingSettings,
    LogSettings,
    MessageSettings,
    MetricsSettings,
    PlaceSettings,
    SyncSettings,
    SyncTimes,
    Table,
)
from bot.validated import validated
from knowledge.errors import SettingsProblem
from knowledge.fuse import FusionSettings
from knowledge.types import CURATED

# A token in the environment turns its channel on, without any table.
TOKEN_SUFFIX = "_BOT_TOKEN"
M = TypeVar("M", bound=BaseModel)


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
    # How the documents of each source are cut, by its name; under "" those of none.
    cuttings: Mapping[str, CuttingChoice]
    log: LogSettings
    messages: MessageSettings
    metrics: MetricsSettings
    linking: LinkingSettings
    learning: LearningSettings
    places: tuple[PlaceSettings, ...]
    # Where people take over; without any that is the terminal.
    desks: tuple[Chosen, ...]
    handover: HandoverSettings
    # Where people are listened to.
    channels: tuple[Chosen, ...]
    # The tokens in the environment that are of no channel we have.
    strange_tokens: tuple[str, ...]

    @property
    def desk_tables(self) -> tuple[DeskTable, ...]:
        """What the tables of all desks have in common, whatever kind they are."""
        return _tables(self.desks)

    @property
    def base(self) -> Path:
        """The folder that relative paths in the configuration start from."""
        return self.config.parent


def load_settings(config: Path | None, environment: Mapping[str, str] | None = None) -> Settings:
    """Read the configuration; raise one SettingsProblem that lists every problem, a line each, with its remedy."""
    environment = os.environ if environment is None else environment
    path = config_path(config)
    problems: list[str] = []
    raw = overridden(read_tables(path), environment, problems)
    channels = tuple(_channels(raw, environment, problems))
    for table in sorted(raw.keys() - File.model_fields.keys()):
        known = sorted({*File.model_fields, *REGISTRY["channel"]})
        problems.append(f"`{table}`: no such setting; known here: {', '.join(known)}")
        del raw[table]
    file = validated(File, raw, "", problems) or File()
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
    places, desks = tuple(_places(file, problems)), tuple(_desks(file, problems))
    problems += desk_problems(_tables(desks), file)
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
        learning=_table(LearningSettings, file.learning, "learning", problems),
        places=places,
        desks=desks,
        handover=_table(HandoverSettings, file.handover, "handover", problems),
        times={name: own for name, own in _times(file.sources, problems) if own},
        cuttings=dict(_cuttings(file, problems)),
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
    return validated(model, table, f"[{name}]", problems) or model()


def _one(port: str, table: Mapping[str, Any], place: str, default: str, problems: list[str]) -> Chosen:
    return chosen(port, table, place, default, problems) or Chosen(port, default, Table())


def _perhaps(port: str, table: Mapping[str, Any], default: str, problems: list[str]) -> Chosen | None:
    return chosen(port, table, f"[{port}]", default, problems) if table else None


def _sources(tables: list[dict[str, Any]], problems: list[str]) -> Iterator[Chosen]:
    # What people taught is a source of its own.
    names = {CURATED}
    for position, table in enumerate(tables, 1):
        name = str(table.get("name", f"number {position}"))
        if name in names:
            problems.append(f"[[sources]] {name}: the name is taken by another source; names must differ")
        names.add(name)
        own = without(table, "cutting", *SyncTimes.model_fields)
        found = chosen("source", own, f"[[sources]] {name}", None, problems)
        if found:
            yield found


def _cuttings(file: File, problems: list[str]) -> Iterator[tuple[str, CuttingChoice]]:
    """Yield how each source is cut, and under "" what has no source; what is wrong in `[cutting]` is told once."""
    yield "", cutting_of(file.cutting, {}, "", problems)
    for position, table in enumerate(file.sources, 1):
        name = str(table.get("name", f"number {position}"))
        yield name, cutting_of(file.cutting, table, name, problems if "cutting" in table else [])


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
            found = chosen("channel", {**(table or {}), "kind": name}, f"[{name}]", name, problems)
            yield from [found] if found else []


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
        place = validated(PlaceSettings, table, label, problems)
        if place is None:
            continue
        if place.channel in taken:
            problems.append(f"{label}: the channel has another table; leave one of them out")
        taken.add(place.channel)
        for name in set(place.sources or ()) - known:
            problems.append(f"{label} `sources`: there is no source {name!r}; known: {', '.join(sorted(known))}")
        yield place


def _desks(file: File, problems: list[str]) -> Iterator[Chosen]:
    for position, table in enumerate(file.desks, 1):
        label = f"[[desks]] {table.get('name', f'number {position}')}"
        found = chosen("desk", table, label, None, problems)
        yield from [found] if found else []


def _tables(desks: Iterable[Chosen]) -> tuple[DeskTable, ...]:
    return tuple(desk.settings for desk in desks if isinstance(desk.settings, DeskTable))


def _times(tables: list[dict[str, Any]], problems: list[str]) -> Iterator[tuple[str, SyncTimes | None]]:
    for position, table in enumerate(tables, 1):
        name = str(table.get("name", f"number {position}"))
        given = {key: value for key, value in table.items() if key in SyncTimes.model_fields}
        if len(given) > 1:
            problems.append(f"[[sources]] {name}: has both `every_minutes` and `cron`; leave one of them out")
        if given:
            yield name, validated(SyncTimes, given, f"[[sources]] {name}", problems)

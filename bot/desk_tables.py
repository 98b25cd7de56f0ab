"""What is wrong with the desks of answerdesk.toml as a whole: names, times, and what they say of each other."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.desks.configured import time_problems
from bot.registry import REGISTRY
from bot.tables import DeskTable, File


def desk_problems(desks: Sequence[DeskTable], file: File) -> Iterator[str]:
    """Yield every problem with its remedy; `desks` are those of the file's desks that are valid by themselves."""
    sources = {str(table.get("name")) for table in file.sources}
    names = {str(table.get("name")) for table in file.desks}
    yield from _taken_twice(desks)
    for desk in desks:
        label = f"[[desks]] {desk.name}"
        for problem in time_problems(desk):
            yield f"{label} {problem}"
        for name in sorted(set(desk.sources) - sources):
            yield f"{label} `sources`: there is no source {name!r}; known: {', '.join(sorted(sources))}"
        yield from _fallback_problems(desk, {one.name: one.fallback for one in desks}, names)
    yield from _place_problems(file.places, names)


def _taken_twice(desks: Sequence[DeskTable]) -> Iterator[str]:
    names: set[str] = set()
    rooms: dict[tuple[str, str], str] = {}
    for desk in desks:
        if desk.name in names:
            yield f"[[desks]] {desk.name}: the name is taken by another desk; names must differ"
        names.add(desk.name)
        room = _room(desk)
        if room is None:
            continue
        if room[0] not in REGISTRY["channel"]:
            known = ", ".join(sorted(REGISTRY["channel"]))
            yield f"[[desks]] {desk.name} `platform` = {room[0]!r}: is no channel; choose one of: {known}"
        if (other := rooms.setdefault(room, desk.name)) != desk.name:
            yield f"[[desks]] {desk.name} `channel` = {room[1]!r}: the desk {other!r} is there; choose another one"


def _room(desk: DeskTable) -> tuple[str, str] | None:
    table = desk.model_dump()
    return (table["platform"], table["channel"]) if "platform" in table else None


def _fallback_problems(desk: DeskTable, fallbacks: dict[str, str | None], names: set[str]) -> Iterator[str]:
    if desk.fallback is None:
        return
    label = f"[[desks]] {desk.name} `fallback` = {desk.fallback!r}"
    if desk.fallback not in names:
        yield f"{label}: there is no such desk; known: {', '.join(sorted(names))}"
    seen, step = [desk.name], fallbacks[desk.name]
    while step is not None and step not in seen:
        seen.append(step)
        step = fallbacks.get(step)
    if step == desk.name:
        yield f"{label}: leads back to itself ({' → '.join([*seen, step])}); leave one of them out"


def _place_problems(places: Sequence[dict[str, Any]], names: set[str]) -> Iterator[str]:
    """Yield places of desks that are none; without any [[desks]] they are names that operators read in the terminal."""
    for place in places if names else ():
        name = place.get("desk")
        if name is not None and name not in names:
            label = f"[[places]] {place.get('channel', '?')} `desk` = {name!r}"
            yield f"{label}: there is no such desk; known: {', '.join(sorted(names))}"

"""A random wiki: how it begins, and the steps that change it.

A step is a kind and a number that decides everything else, so that a list of steps means something with any of them
left out: that is how a failing list is made short.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tests.quality.permission_model import SPACES, World
from tests.wire.confluence.model import Item, Page
from tests.wire.confluence.site import Kind

SYNC = "sync"
PAGES_AT_FIRST = 16
# Above this many pages, however they are, new ones are made no more.
MOST_PAGES = 40
DEEPEST = 6
GAPS = (1, 1, 1, 2, 2, 3, 5, 8, 13)
GROUPS = ("g-staff", "g-legal", "g-board", "g-empty")
SENTENCES = (
    "The code word of this part is {word}, and nobody changed it.",
    "Кодовое слово этой части {word}, и никто его не менял.",
    "La palabra clave de esta parte es {word} y nadie la ha cambiado.",
)
INCLUDES = '<ac:structured-macro ac:name="include">'
INCLUDE = (
    INCLUDES + '<ac:parameter ac:name=""><ac:link>'
    '<ri:page ri:space-key="{space}" ri:content-title="{title}"/></ac:link></ac:parameter></ac:structured-macro>'
)
FILES = ("notes.md", "list.txt", "picture.png")
# How often a long paragraph repeats its sentence, so that it is cut into several passages.
MANY = 40

Dice = random.Random
AnyItem = TypeVar("AnyItem", bound=Item)


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the wiki, or a sync."""

    kind: str
    dice: int


def random_steps(seed: int, count: int, kind: Kind) -> list[Step]:
    """Return so many changes, with syncs between and one at the end; more of them begin with the same ones."""
    dice = Dice(seed)
    kinds = [name for name in CHANGES if kind == "cloud" or name not in CLOUD_ONLY]
    weights = [CHANGES[name][0] for name in kinds]
    steps = []
    until_sync = dice.choice(GAPS)
    for _ in range(count):
        steps.append(Step(dice.choices(kinds, weights)[0], dice.getrandbits(32)))
        until_sync -= 1
        if until_sync == 0:
            steps.append(Step(SYNC, dice.getrandbits(32)))
            until_sync = dice.choice(GAPS)
    return [*steps, Step(SYNC, dice.getrandbits(32))]


def new_world(seed: int, kind: Kind) -> World:
    """Return a wiki of two spaces, a few pages, and people of all sorts."""
    world, dice = World(kind), Dice(seed)
    wiki = world.wiki
    for name in ("ann", "bob", "cid", "dan"):
        wiki.add_user(name, email=f"{name.title()}@example.com")
    wiki.add_user("hid", email="")
    wiki.add_user("app", email="app@example.com", account_type="app")
    wiki.add_user("old", email="old@example.com")
    for group in GROUPS:
        wiki.add_group(group)
    for space in SPACES:
        wiki.add_space(space, anonymous=True)
        world.anchors.add(wiki.add_page(space, f"Home of {space}", _body(world, dice)))
    folders = [_add_folder] * 3 if kind == "cloud" else []
    for change in (_members, _members, *folders, *[_add_page] * PAGES_AT_FIRST, *[_restrict] * 4):
        change(world, dice)
    return world


def apply(world: World, step: Step) -> None:
    """Change the wiki, or leave it as it is where there is nothing to change in this way."""
    CHANGES[step.kind][1](world, Dice(step.dice))


def _add_page(world: World, dice: Dice) -> None:
    if len(world.wiki.pages) >= MOST_PAGES:
        _purge(world, dice)
        return
    parent = dice.choice([None, *_parents(world, DEEPEST - 1)])
    space = parent.space if parent else dice.choice(SPACES)
    body = _body(world, dice)
    world.wiki.add_page(space, f"Topic {world.written}", body, parent=parent.id if parent else None)


def _add_folder(world: World, dice: Dice) -> None:
    if len(world.wiki.containers) < MOST_PAGES / 4:
        parent = dice.choice([None, *_parents(world, DEEPEST - 1)])
        space = parent.space if parent else dice.choice(SPACES)
        world.wiki.add_folder(space, "Folder", parent=parent.id if parent else None)


def _edit(world: World, dice: Dice) -> None:
    world.wiki.edit(dice.choice(_pages(world)).id, _body(world, dice))


def _save_again(world: World, dice: Dice) -> None:
    page = dice.choice(_pages(world))
    world.wiki.edit(page.id, page.body)


def _include(world: World, dice: Dice) -> None:
    page, shown = dice.choice(_pages(world)), dice.choice([*_pages(world), *_restricted(_pages(world)) * 3])
    world.wiki.edit(page.id, _body(world, dice) + INCLUDE.format(space=shown.space, title=shown.title))


def _rename(world: World, dice: Dice) -> None:
    page = dice.choice(_pages(world))
    world.wiki.rename(page.id, f"Topic {world.new_word()[2:]}", new_version=dice.random() < 0.5)


def _move(world: World, dice: Dice) -> None:
    wiki = world.wiki
    item = dice.choice(_movable(world))
    below = {item.id, *wiki.descendants(item.id)}
    height = max(len(wiki.ancestors(one)) for one in below) - len(wiki.ancestors(item.id))
    parents = [parent for parent in _parents(world, DEEPEST - 1 - height) if parent.id not in below]
    parent = dice.choice([None, *parents])
    space = parent.space if parent else dice.choice(SPACES)
    wiki.move(item.id, parent=parent.id if parent else None, space=space)


def _restrict(world: World, dice: Dice) -> None:
    items: list[Item] = [*world.wiki.pages.values(), *world.wiki.containers.values()]
    above = [item for item in items if world.wiki.children(item.id)]
    item = dice.choice(above if above and dice.random() < 0.5 else items)
    world.wiki.restrict(item.id, users=_some_users(world, dice, 2), groups=_some_groups(dice, 2))


def _unrestrict(world: World, dice: Dice) -> None:
    items: list[Item] = [*world.wiki.pages.values(), *world.wiki.containers.values()]
    if restricted := _restricted(items):
        world.wiki.unrestrict(dice.choice(restricted).id)


def _members(world: World, dice: Dice) -> None:
    for group in dice.sample(GROUPS[:-1], dice.randint(1, 2)):
        world.wiki.set_members(group, _some_users(world, dice, 4))


def _viewers(world: World, dice: Dice) -> None:
    is_anyone = dice.random() < 0.6
    users, groups = _some_users(world, dice, 2), _some_groups(dice, 3)
    world.wiki.set_viewers(dice.choice(SPACES), anonymous=is_anyone, users=users, groups=groups)


def _tell_viewers(world: World, dice: Dice) -> None:
    key = dice.choice(SPACES)
    space = world.wiki.spaces[key]
    tells = not space.shows_permissions or dice.random() < 0.7
    world.wiki.spaces[key] = replace(space, shows_permissions=tells)


def _open_or_close_account(world: World, dice: Dice) -> None:
    user = world.wiki.users["old"]
    world.wiki.users["old"] = replace(user, active=not user.active)


def _archive_or_open_space(world: World, dice: Dice) -> None:
    archived = world.wiki.spaces["TEAM"].status == "current" and dice.random() < 0.3
    world.wiki.set_space_status("TEAM", "archived" if archived else "current")


def _trash(world: World, dice: Dice) -> None:
    if pages := _removable(world):
        world.wiki.trash(dice.choice(pages).id)


def _archive(world: World, dice: Dice) -> None:
    if pages := _removable(world):
        world.wiki.archive(dice.choice(pages).id)


def _restore(world: World, dice: Dice) -> None:
    away = [page.id for page in world.wiki.pages.values() if page.status in {"trashed", "archived"}]
    if away:
        world.wiki.restore(dice.choice(away))


def _purge(world: World, dice: Dice) -> None:
    trashed = [page for page in world.wiki.pages.values() if page.status == "trashed"]
    if pages := trashed or _removable(world):
        world.wiki.purge(dice.choice(pages).id)


def _attach(world: World, dice: Dice) -> None:
    name = dice.choice(FILES)
    content = dice.choice(SENTENCES).format(word=world.new_word())
    world.wiki.attach(dice.choice(_pages(world)).id, name, content.encode(), "text/plain")


def _detach(world: World, dice: Dice) -> None:
    if world.wiki.attachments:
        world.wiki.detach(dice.choice(list(world.wiki.attachments)))


def _deny(world: World, dice: Dice) -> None:
    if len(world.wiki.denied) < 2 and (items := _movable(world)):
        world.wiki.deny(dice.choice(items).id)


def _allow(world: World, dice: Dice) -> None:
    if world.wiki.denied:
        world.wiki.allow(dice.choice(sorted(world.wiki.denied)))


def _tell_folder(world: World, dice: Dice) -> None:
    folders = list(world.wiki.containers)
    world.untold = {dice.choice(folders)} if folders and not world.untold else set()


def _lag(world: World, dice: Dice) -> None:
    """Let the search index know all pages but a few."""
    pages = [page.id for page in _pages(world)]
    world.wiki.search_index_misses = set(dice.sample(pages, min(len(pages), dice.choice((0, 0, 1, 3)))))


def _pages(world: World) -> list[Page]:
    return [page for page in world.wiki.pages.values() if page.status == "current"]


def _restricted(items: Iterable[AnyItem]) -> list[AnyItem]:
    return [item for item in items if item.restriction.users or item.restriction.groups]


def _removable(world: World) -> list[Page]:
    return [page for page in _pages(world) if page.id not in world.anchors]


def _movable(world: World) -> Sequence[Item]:
    return [*_removable(world), *world.wiki.containers.values()]


def _parents(world: World, deepest: int) -> list[Item]:
    items: list[Item] = [*_pages(world), *list(world.wiki.containers.values()) * 2]
    return [item for item in items if len(world.wiki.ancestors(item.id)) < deepest]


def _some_users(world: World, dice: Dice, most: int) -> list[str]:
    return dice.sample(["u-ghost", *world.wiki.users], dice.randint(0, most))


def _some_groups(dice: Dice, most: int) -> list[str]:
    return dice.sample(["g-gone", *GROUPS], dice.randint(0, most))


def _body(world: World, dice: Dice) -> str:
    return "".join(_parts(world, dice))


def _parts(world: World, dice: Dice) -> Iterator[str]:
    for number in range(dice.choice((1, 1, 1, 2, 3))):
        sentence = dice.choice(SENTENCES).format(word=world.new_word())
        repeated = " ".join([sentence] * (MANY if dice.random() < 0.1 else 1))
        yield f"<h2>Part {number}</h2><p>{repeated}</p>"


# How often each change comes, relative to the others.
CHANGES: dict[str, tuple[int, Callable[[World, Dice], None]]] = {
    "add page": (10, _add_page),
    "add folder": (3, _add_folder),
    "edit": (8, _edit),
    "save again": (1, _save_again),
    "include": (5, _include),
    "rename": (4, _rename),
    "move": (12, _move),
    "restrict": (16, _restrict),
    "unrestrict": (7, _unrestrict),
    "members": (6, _members),
    "viewers": (4, _viewers),
    "tell viewers": (1, _tell_viewers),
    "open or close account": (2, _open_or_close_account),
    "archive or open space": (1, _archive_or_open_space),
    "trash": (3, _trash),
    "archive": (2, _archive),
    "restore": (4, _restore),
    "purge": (1, _purge),
    "attach": (4, _attach),
    "detach": (2, _detach),
    "deny": (2, _deny),
    "allow": (4, _allow),
    "tell folder": (3, _tell_folder),
    "lag": (2, _lag),
}
CLOUD_ONLY = {"add folder", "tell folder", "open or close account"}

"""Communities of a graph."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from knowledge.errors import SettingsProblem

# More than one, for smaller communities; chosen on half of the intents of BANKING77.
RESOLUTION = 2.0
# The method visits the points in random order: always in the same one.
SEED = 0


def communities(
    count: int, ties: Iterable[tuple[int, int, float]], *, is_coherent: Callable[[Sequence[int]], bool]
) -> Iterator[list[int]]:
    """Yield the points 0 to `count` - 1 in groups, each in order.

    What is tied together stays together where that is coherent, and is divided else, as long as the ties tell where.
    """
    try:
        import networkx
    except ImportError as exc:
        raise SettingsProblem(f'grouping questions needs {exc.name}: pip install "answerdesk[gaps]"') from exc
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(ties)
    waiting = [sorted(members) for members in networkx.connected_components(graph)]
    while waiting:
        members = waiting.pop()
        if len(members) == 1 or is_coherent(members):
            yield members
            continue
        parts = networkx.community.louvain_communities(graph.subgraph(members), resolution=RESOLUTION, seed=SEED)
        if len(parts) == 1:
            yield members
        else:
            waiting.extend(sorted(part) for part in parts)

"""A picture of how a document is cut: how long its passages are, and where meaning turns from sentence to sentence."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from bot.pictures import write_picture
from knowledge.chunk.semantic import Semantic
from knowledge.chunk.semantic_cuts import DistanceCurve
from knowledge.parse.formats import format_of, parser_of
from knowledge.prepare import Cutting, PreparedDocument
from knowledge.types import Document

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PASSAGES_SHOWN = 60
LABEL_CHARACTERS = 48
WIDTH_INCHES, HEIGHT_OF_PASSAGE_INCHES, FRAME_INCHES, CURVE_INCHES = 11.0, 0.26, 1.4, 3.4
# Dark and light, so that neighbouring sections differ in grey too.
SECTIONS = ("#1b4f8a", "#f0b467")
CURVE, THRESHOLD, BORDER = "#1b4f8a", "#b3261e", "#555555"


def draw(file: Path, document: Document, prepared: PreparedDocument, cutting: Cutting) -> None:
    """Write a picture of a document's passages; of the semantic strategy with the curve that it goes by."""
    chunker = cutting.others.get(format_of(document.media_type).kind, cutting.prose)
    curve = None
    if isinstance(chunker, Semantic):
        curve = chunker.curve(parser_of(document.media_type)(document), language=prepared.language)
    write_picture(file, lambda: _figure(prepared, chunker.name, curve))


def _figure(prepared: PreparedDocument, strategy: str, curve: DistanceCurve | None) -> "Figure":
    from matplotlib.figure import Figure

    rows = max(1, min(len(prepared.passages), PASSAGES_SHOWN))
    heights = [CURVE_INCHES] if curve else []
    heights.append(FRAME_INCHES + HEIGHT_OF_PASSAGE_INCHES * rows)
    figure = Figure(figsize=(WIDTH_INCHES, sum(heights)), layout="constrained")
    panels = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
    if curve:
        _draw_curve(panels[0], curve)
    _draw_passages(panels[-1], prepared, strategy)
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _draw_curve(axes: "Axes", curve: DistanceCurve) -> None:
    places = [number + 0.5 for number in range(len(curve.distances))]
    axes.plot(places, curve.distances, color=CURVE, linewidth=1, marker=".", label="distance to the next sentence")
    axes.axhline(curve.threshold, color=THRESHOLD, linestyle="--", label=f"threshold {curve.threshold:.3f}")
    for number, border in enumerate(curve.borders):
        axes.axvline(border + 0.5, color=BORDER, linewidth=0.8, linestyle=":", label=None if number else "border")
    axes.set_xlabel("sentence")
    axes.set_ylabel("cosine distance")
    axes.set_title("Where meaning turns", loc="left")
    axes.legend(frameon=False, loc="upper right")


def _draw_passages(axes: "Axes", prepared: PreparedDocument, strategy: str) -> None:
    passages = [piece.passage for piece in prepared.passages][:PASSAGES_SHOWN]
    rows = range(len(passages))
    colours = [SECTIONS[passage.section % len(SECTIONS)] for passage in passages]
    bars = axes.barh(rows, [len(passage.text) for passage in passages], 0.8, color=colours)
    axes.bar_label(bars, [f"{passage.start_line}–{passage.end_line}" for passage in passages], padding=3, fontsize=7)
    axes.set_yticks(list(rows), [_label(passage.heading, prepared.title) for passage in passages], fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("characters (lines beside the bars; a change of colour is another section)")
    left_out = len(prepared.passages) - len(passages)
    more = f", {left_out} more not shown" if left_out else ""
    axes.set_title(f"{prepared.document.path}: {len(prepared.passages)} passages, {strategy}{more}", loc="left")


def _label(heading: Sequence[str], title: str) -> str:
    return shorten(heading[-1] if heading else title, LABEL_CHARACTERS, placeholder="…")

"""The largest gaps as a picture: how often each was asked in this period and in the one before."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from bot.gaps.gap import Gap
from bot.pictures import write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAPS_SHOWN = 15
LABEL_CHARACTERS = 64
WIDTH_INCHES, HEIGHT_OF_GAP_INCHES, FRAME_INCHES = 11.0, 0.42, 1.4
BAR = 0.38
# Dark and light, so that they differ in grey too; the hatching tells them apart in any print.
NOW, BEFORE = "#1b4f8a", "#f0b467"


def draw(gaps: Sequence[Gap], days: int, file: Path) -> None:
    """Write a picture of the largest open gaps."""
    largest = [gap for gap in gaps if gap.status == "open"][:GAPS_SHOWN]
    write_picture(file, lambda: _figure(largest, days))


def _figure(gaps: Sequence[Gap], days: int) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    height = FRAME_INCHES + HEIGHT_OF_GAP_INCHES * max(1, len(gaps))
    figure = Figure(figsize=(WIDTH_INCHES, height), layout="constrained")
    axes = figure.add_subplot()
    rows = range(len(gaps))
    now = axes.barh([row - BAR / 2 for row in rows], [gap.count for gap in gaps], BAR, color=NOW)
    before = axes.barh(
        [row + BAR / 2 for row in rows], [gap.before for gap in gaps], BAR, color=BEFORE, hatch="///", edgecolor="white"
    )
    axes.bar_label(now, padding=3)
    axes.set_yticks(list(rows), [shorten(gap.label, LABEL_CHARACTERS, placeholder="…") for gap in gaps])
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("questions")
    axes.set_title("What the documents lack" if gaps else "No open gap", loc="left")
    if gaps:
        axes.legend([now, before], [f"last {days} days", f"{days} days before"], loc="lower right", frameon=False)
    return figure

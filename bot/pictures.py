"""What all pictures have in common: which files they can be written to, and how their letters stay letters."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knowledge.errors import SettingsProblem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")
DOTS_PER_INCH = 150


def refuse_what_cannot_be_drawn(file: Path, *, extra: str) -> None:
    """Raise SettingsProblem for a file name or a machine that no picture can be made with."""
    if file.suffix.lower() not in SUFFIXES:
        raise SettingsProblem(f"--plot {str(file)!r} is no picture; name a file that ends in .svg or .png")
    if not file.absolute().parent.is_dir():
        raise SettingsProblem(f"--plot {str(file)!r}: there is no such folder; make it first")
    try:
        import matplotlib as _  # noqa: F401 - asked for before the work
    except ImportError as exc:
        raise SettingsProblem(f'--plot needs {exc.name}: pip install "answerdesk[{extra}]"') from exc


def write_picture(file: Path, figure: Callable[[], "Figure"]) -> None:
    """Draw a figure and write it; the same figure is the same file."""
    import matplotlib

    # Letters stay letters in SVG: whoever looks at it has fonts for scripts that we have none for. And "$5 or $6" in a
    # heading is no formula.
    styles: Any = {"svg.fonttype": "none", "svg.hashsalt": "answerdesk", "text.parse_math": False}
    with matplotlib.rc_context(styles), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        metadata = {"Date": None} if file.suffix.lower() == ".svg" else None
        figure().savefig(file, dpi=DOTS_PER_INCH, metadata=metadata)

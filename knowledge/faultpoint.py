"""Named steps at which a test can kill this process, to see what holds afterwards."""

import os
import signal
from pathlib import Path

# Not among the settings, which begin with ANSWERDESK_.
VARIABLE = "FAULTPOINT"
FILE_MARK = "@"


def faultpoint(step: str, of: str = "") -> None:
    """Do nothing, unless the test environment names this step: then die as if the machine had lost its power.

    It may also name it together with what it is a step `of`, a space between.
    "@" and a path: the file there names it, or nothing, and a test may change that while the process runs.
    """
    named = os.environ.get(VARIABLE, "")
    if named.startswith(FILE_MARK):
        file = Path(named.removeprefix(FILE_MARK))
        named = file.read_text(encoding="utf-8") if file.exists() else ""
    if named in (step, f"{step} {of}"):
        os.kill(os.getpid(), signal.SIGKILL)

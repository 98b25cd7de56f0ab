"""`answerdesk run` as a process of its own, against a loopback platform; it may be killed and started again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from knowledge.faultpoint import FILE_MARK, VARIABLE

STOPPED_WITHIN_S = 20.0


@dataclass
class BotProcess:
    """Runs in a folder with an answerdesk.toml; what it says is in `log`."""

    folder: Path
    home: Path
    database_url: str
    secrets: Mapping[str, str]
    arguments: tuple[str, ...] = ()
    process: "subprocess.Popen[bytes] | None" = field(default=None, init=False)

    @property
    def log(self) -> Path:
        """What all its runs said."""
        return self.folder / "bot.log"

    @property
    def _deadly(self) -> Path:
        return self.folder / "killed_at"

    def dies_at(self, step: str) -> None:
        """Let it die at a faultpoint from now on, and each time that it is started; "" for at none."""
        self._deadly.write_text(step, encoding="utf-8")

    def start(self, *, killed_at: str = "") -> None:
        """Start it, perhaps to die at a faultpoint."""
        environment = {**self._environment, VARIABLE: killed_at or f"{FILE_MARK}{self._deadly}"}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bot", "run", *self.arguments],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def _environment(self) -> Mapping[str, str]:
        places = {"ANSWERDESK_HOME": str(self.home), "DATABASE_URL": self.database_url}
        return {**os.environ, **self.secrets, **places}

    def sync(self) -> None:
        """Bring the knowledge in step, vectors too."""
        subprocess.run([sys.executable, "-m", "bot", "sync"], cwd=self.folder, env=self._environment, check=True)

    @property
    def is_running(self) -> bool:
        """Whether it lives."""
        return self.process is not None and self.process.poll() is None

    def died(self, within_s: float) -> bool:
        """Wait for its death by the faultpoint; tell whether it came in time."""
        deadline_s = time.monotonic() + within_s
        while self.is_running and time.monotonic() < deadline_s:
            time.sleep(0.02)
        return not self.is_running

    def kill(self) -> None:
        """End it as if the machine had lost its power."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop, and return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        if self.is_running:
            self.process.send_signal(how)
        return self.process.wait(STOPPED_WITHIN_S)

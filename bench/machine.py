"""What every measurement needs: the machine's name, CPU clocks, quantiles and a table."""

import os
import platform
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import psutil

from knowledge.store.embedded import remove_cluster


def machine() -> str:
    """Return processor, count of CPUs and load: figures mean nothing without them."""
    return f"{processor()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}"


def processor() -> str:
    """Return the processor's name and whether it multiplies int8 in one step (VNNI)."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text("utf-8").splitlines() if described.exists() else []
    found = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    vnni = "with VNNI" if "vnni" in found.get("flags", "") else "without VNNI"
    return f"{found.get('model name', platform.machine())} {vnni}"


def cpu_ms_of(process_id: int) -> float:
    """Return the CPU time another process has used; by the nanosecond on Linux, by 10 ms ticks elsewhere."""
    exact = Path(f"/proc/{process_id}/schedstat")
    if exact.exists():
        return int(exact.read_text("ascii").split()[0]) / 1e6
    times = psutil.Process(process_id).cpu_times()
    return 1e3 * (times.user + times.system)


def resident_mb(process_id: int | None = None) -> float:
    """Return the resident memory of a process, by default this one."""
    return float(psutil.Process(process_id).memory_info().rss) / 1e6


def quantiles(values: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    return float(np.median(values)), float(np.percentile(values, 95))


def print_table(head: Sequence[str], rows: Sequence[Sequence[str | float]]) -> None:
    """Print rows under a head; the first column is the name of the row."""
    texts = [[cell if isinstance(cell, str) else f"{cell:,.2f}" for cell in row] for row in rows]
    first = max(len(row[0]) for row in [head, *texts])
    for row in [head, *texts]:
        print(f"{row[0]:{first}}" + "".join(f"{cell:>14}" for cell in row[1:]))
    print()


def verdict(promise: str, *, held: bool) -> bool:
    """Print whether a promise holds, and return it."""
    print(f"{'holds ' if held else 'BROKEN'}  {promise}")
    return held


def folder_config(folder: Path, *, path: str) -> Path:
    """Write a configuration with one source of files, named "bench", and return where it is."""
    config = folder / "answerdesk.toml"
    config.write_text(f'[[sources]]\nname = "bench"\nkind = "folder"\npath = "{path}"\n', encoding="utf-8")
    return config


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a folder whose `home` may hold an embedded database; both are removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="answerdesk-bench-", dir="/tmp") as folder:
        try:
            yield Path(folder)
        finally:
            remove_cluster(Path(folder) / "home")

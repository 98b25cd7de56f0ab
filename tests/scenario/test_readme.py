"""Every command of the README runs as it is written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
LINES = [line.split("#")[0].strip() for block in BLOCKS for line in block.splitlines() if line.strip()]


def test_the_readme_has_the_two_commands() -> None:
    assert LINES[:2] == ["make demo", "make test"]


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith("make ")])
def test_make_knows_the_target(line: str) -> None:
    done = subprocess.run([*line.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert ".venv" in done.stdout


def test_the_commands_for_your_own_documents_run_one_after_another(tmp_path: Path, embedded_home: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/pin.md").write_text("# PIN\n\nReset your PIN in the portal.\n", encoding="utf-8")
    configuration = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert configuration
    (tmp_path / "answerdesk.toml").write_text(configuration[1], encoding="utf-8")
    command = Path(sys.executable).with_name("answerdesk")
    environment = {
        **os.environ,
        "ANSWERDESK_HOME": str(embedded_home),
        "PATH": f"{command.parent}:{os.environ['PATH']}",
    }

    for line in (line for line in LINES if line.startswith("answerdesk")):
        if line == "answerdesk run":
            assert "running:" in begun(line, tmp_path, environment)
            continue
        done = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env=environment,
            input="",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

        assert (line, done.returncode) == (line, 0), done.stderr


def begun(line: str, folder: Path, environment: dict[str, str]) -> str:
    """Start what runs until it is stopped, and return what it said up to its saying that it runs."""
    with subprocess.Popen(line.split(), cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        said = ""
        while "running:" not in said and (more := process.stderr.readline()):
            said += more
        process.terminate()
        process.communicate(timeout=30)
    return said

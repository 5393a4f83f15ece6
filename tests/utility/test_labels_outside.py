"""A label that the hierarchy lacks is an error with its column and its record, whatever it looks like (A1-3)."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import HierarchyError


@pytest.mark.parametrize("label", ["30-39 years", "77"])
def test_a_label_that_the_hierarchy_lacks_is_an_error_with_its_column_and_record(tmp_path: Path, label: str) -> None:
    lines = [f"{age};{age // 10}0s;*" for age in range(30, 50)]
    (tmp_path / "age.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    original = pd.DataFrame({"age": [31, 32, 41, 42]})
    released = pd.DataFrame({"age": ["30s", "30s", "40s", label]})
    with pytest.raises(HierarchyError, match=r"'age': 1 different value of the release \(first in record 4, line 5"):
        sf.compare(original, released, by_position=True, hierarchies=tmp_path)
    right = sf.compare(original, released.replace(label, "40s"), by_position=True, hierarchies=tmp_path)
    assert right["loss"].total.value > 0

"""Two pandas frames are paired by their index, and never by an index that says nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import SchemaError

DRAW = np.random.default_rng(5)
PEOPLE = pd.DataFrame(
    {"age": DRAW.integers(20, 90, 200), "sex": DRAW.choice(["f", "m"], 200), "days": DRAW.integers(1, 99, 200)}
)
PEOPLE.loc[7, "age"] = 117  # who is left out
QUASI = ["age", "sex"]


@pytest.fixture(scope="module")
def result() -> sf.Anonymised:
    return sf.anonymise(PEOPLE, quasi=QUASI, non_sensitive="days", k=5, suppress=0.05, method="optimal")


def loss(compared: sf.Losses) -> float:
    return compared["loss"].total.normalised


def test_the_frame_of_a_release_is_paired_with_its_original_in_whatever_order(result: sf.Anonymised) -> None:
    left = len(PEOPLE) - len(result.rows)
    assert left > 0
    by_key = sf.compare(PEOPLE.reset_index(), result.to_frame().reset_index(), quasi=QUASI, key="index")
    for frame in (result.to_frame(), result.to_frame().sample(frac=1, random_state=1)):
        compared = sf.compare(PEOPLE, frame, quasi=QUASI)
        assert (compared.paired_by, compared.content().suppressed) == ("the index", left)
        assert loss(compared) == pytest.approx(loss(by_key))


def test_a_frame_that_was_made_of_the_original_is_paired_with_it() -> None:
    changed = PEOPLE.assign(age=PEOPLE["age"] // 10 * 10)
    assert sf.compare(PEOPLE, changed, quasi="age").content().suppressed == 0
    assert sf.compare(PEOPLE, changed.drop(index=[3, 5]), quasi="age").content().suppressed == 2
    levels = pd.MultiIndex.from_arrays([["a", "b"] * 100, range(200)])
    assert sf.compare(PEOPLE.set_axis(levels), changed.set_axis(levels)[::-1], quasi="age").paired_by == "the index"


def test_a_file_of_a_release_is_refused_also_when_rows_were_taken_out(result: sf.Anonymised, tmp_path: Path) -> None:
    """Its index counts the rows of the file, which has an order of its own."""
    result.write(tmp_path / "release")
    file = pd.read_csv(tmp_path / "release" / "released.csv")
    for frame in (file, file[file["sex"] == "f"], file.iloc[::-1]):
        with pytest.raises(SchemaError, match="which record of the release was which"):
            sf.compare(PEOPLE, frame, quasi=QUASI)


def test_labels_that_repeat_or_that_the_original_lacks_are_refused(result: sf.Anonymised) -> None:
    frame = result.to_frame()
    with pytest.raises(SchemaError, match=r"index of the release .* labels occurred before"):
        sf.compare(PEOPLE, frame.set_axis([1] * len(frame)), quasi=QUASI)
    with pytest.raises(SchemaError, match="index of the original"):
        sf.compare(PEOPLE.set_axis([1] * 200), frame, quasi=QUASI)
    with pytest.raises(SchemaError, match=r"are not in that of the original"):
        sf.compare(PEOPLE, frame.set_axis(range(1000, 1000 + len(frame))), quasi=QUASI)


def test_frames_without_an_index_are_refused_as_before(result: sf.Anonymised) -> None:
    with pytest.raises(SchemaError, match="--key"):
        sf.compare(PEOPLE, result.release, quasi=QUASI)


def test_risk_pairs_by_the_index_too(result: sf.Anonymised) -> None:
    exposure = sf.risk(PEOPLE, result.to_frame().sample(frac=1, random_state=2), quasi=QUASI, attempts=10)
    assert exposure.scenarios[0].after.k == result.assessment.sizes.smallest

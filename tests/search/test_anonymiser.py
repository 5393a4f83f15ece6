"""Levels that are found once and applied to new data, in the manner of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf


def people(count: int, seed: int = 1) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": draw.integers(18, 90, count),
            "sex": draw.choice(["m", "f"], count),
            "illness": draw.choice(["flu", "cold", "cancer"], count),
        }
    )


def test_new_data_go_to_the_levels_that_were_found_and_keep_to_the_policy() -> None:
    blur = sf.Anonymiser(quasi=["age", "sex"], sensitive="illness", k=5, l=2, suppress=0.05)
    first = blur.fit_transform(people(300))
    assert blur.levels_ == {"age": 1, "sex": 0}
    second = blur.transform(people(500, seed=2))
    assert set(second["age"]) <= {f"{low}-{low + 4}" for low in range(0, 120, 5)} | {"90+"}
    for release, count in ((first, 300), (second, 500)):
        assert 0.95 * count <= len(release) <= count
        assert sf.assess(release, quasi=["age", "sex"], sensitive="illness", k=5, l=2).met


def test_a_frame_comes_back_as_the_kind_it_came() -> None:
    blur = sf.Anonymiser(quasi=["age", "sex"], k=5, suppress=0.1).fit(people(400))
    assert isinstance(blur.transform(people(400)), pd.DataFrame)
    assert isinstance(blur.transform(pl.from_pandas(people(400))), pl.DataFrame)
    assert isinstance(blur.transform(pa.Table.from_pandas(people(400))), pa.Table)


@pytest.mark.parametrize("share", [0.0, 0.05])
def test_new_data_that_are_too_few_for_the_levels_are_refused(share: float) -> None:
    blur = sf.Anonymiser(quasi=["age", "sex"], k=5, suppress=share).fit(people(600))
    with pytest.raises(sf.SfumatoError, match="levels that were found"):
        blur.transform(people(40, seed=3))


def test_values_that_were_not_there_before_find_their_place() -> None:
    blur = sf.Anonymiser(quasi="age", k=2).fit(pa.table({"age": [21, 22, 31, 32]}))
    assert blur.levels_ == {"age": 1}
    assert blur.transform(pa.table({"age": [27, 28, 44, 41]}))["age"].to_pylist() == [
        "25-29",
        "25-29",
        "40-44",
        "40-44",
    ]


def test_nothing_is_transformed_before_something_was_fitted() -> None:
    with pytest.raises(sf.SfumatoError, match="call fit first"):
        sf.Anonymiser(quasi="age", k=2).transform(people(10))


def test_it_is_cloned_and_piped_as_other_estimators_are() -> None:
    base: Any = pytest.importorskip("sklearn.base")
    pipeline: Any = pytest.importorskip("sklearn.pipeline")
    blur = sf.Anonymiser(quasi=["age"], k=3)
    copy = base.clone(blur)
    assert copy.get_params() == blur.get_params()
    assert len(pipeline.make_pipeline(copy).fit_transform(people(100))) == 100
    assert blur.set_params(k=5).k == 5
    with pytest.raises(sf.SfumatoError, match="no parameter 'q'"):
        blur.set_params(q=1)

"""scikit-learn's own checks of an estimator, and an Anonymiser as a step of a pipeline."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted

import sfumato as sf

BLUR = sf.Anonymiser(quasi="x0", k=2, release_rest=True, suppress=0.0, method="optimal")
TEXTS = "compares what it gets as numbers, and a release has labels, which are texts"
DATA = "a fitted Anonymiser holds the data that it was fitted on, and no file should hold them by accident"
NOT_APPLICABLE = {
    "check_estimators_pickle": DATA,
    "check_methods_sample_order_invariance": TEXTS,
    "check_fit_idempotent": TEXTS,
    "check_methods_subset_invariance": "releases one record after the other, and one record is never safe",
    "check_fit2d_1sample": "one record is never safe; the error says so, in words of its own",
}


@parametrize_with_checks([BLUR], expected_failed_checks=lambda _: NOT_APPLICABLE)
def test_the_estimator_checks_of_scikit_learn_hold(estimator: Any, check: Any) -> None:
    check(estimator)


def people(count: int = 300, seed: int = 1) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    ages, wards = draw.integers(20, 90, count), pd.Categorical(draw.choice(["A", "B"], count))
    index = pd.Index([f"P{i}" for i in range(count)], name="patient")
    return pd.DataFrame({"age": ages, "ward": wards, "days": draw.integers(1, 9, count)}, index=index)


def blur(**more: Any) -> sf.Anonymiser:
    asked = {"quasi": ["age", "ward"], "non_sensitive": "days", "k": 5, "suppress": 0.05, "method": "optimal"}
    return sf.Anonymiser(**{**asked, **more})


def test_masked_rows_stay_where_they_were_and_tell_nothing() -> None:
    frame = people()
    dropped, masked = blur().fit_transform(frame), blur(left_out="mask").fit_transform(frame)
    gone = masked.isna().all(axis=1)
    assert 0 < gone.sum() <= 15
    assert list(masked.index) == list(frame.index)
    assert not masked[gone].notna().any(axis=None)  # whatever their role
    kept = masked[~gone]
    assert list(kept.index) == list(dropped.index)
    assert kept["age"].tolist() == dropped["age"].tolist()
    assert str(masked["days"].dtype) == "Int64"
    assert kept["days"].tolist() == frame.loc[kept.index, "days"].tolist()
    assert sf.assess(kept, quasi=["age", "ward"], k=5).met
    assert sf.compare(frame, masked, quasi=["age", "ward"]).content().suppressed == gone.sum()


def test_masked_rows_do_not_make_a_class_large_enough() -> None:
    """Forty people are too few for the levels, however many rows of missing values could stand beside them."""
    fitted = blur(left_out="mask").fit(people(600))
    with pytest.raises(sf.SfumatoError, match="levels that were found"):
        fitted.transform(people(40, seed=3))


def test_a_pipeline_with_a_target_has_as_many_rows_as_it() -> None:
    frame = people()
    y = (np.arange(300) % 2).astype(int)
    steps = [OneHotEncoder(handle_unknown="ignore", sparse_output=False), LogisticRegression(max_iter=200)]
    model = make_pipeline(blur(left_out="mask"), *steps).fit(frame, y)
    assert model.predict(frame).shape == y.shape
    with pytest.raises(sf.SfumatoError, match="left_out='mask'"):
        make_pipeline(blur(), *steps).fit(frame, y)
    assert model[:1].get_feature_names_out().tolist() == ["age", "ward", "days"]


def test_what_comes_out_can_be_chosen_and_a_clone_keeps_the_choice() -> None:
    frame = people()
    chosen = clone(blur().set_output(transform="polars"))
    assert isinstance(chosen.fit_transform(frame), pl.DataFrame)
    pipeline = Pipeline([("blur", blur())]).set_output(transform="pandas")
    assert isinstance(pipeline.fit_transform(pl.from_pandas(frame)), pd.DataFrame)
    array = sf.Anonymiser(quasi="x0", k=2, release_rest=True, suppress=0.0).fit_transform(np.array([[1, 5], [1, 6]]))
    assert array.tolist() == [[1, 5], [1, 6]]


def test_a_fitted_step_is_fitted_and_is_not_pickled() -> None:
    step = blur()
    assert pickle.loads(pickle.dumps(step)).get_params() == step.get_params()
    step.fit(people())
    check_is_fitted(step)
    with pytest.raises(sf.SfumatoError, match="holds the data"):
        pickle.dumps(step)
    assert step.feature_names_in_.tolist() == ["age", "ward", "days"]
    with pytest.raises(ValueError, match="feature names should match"):
        step.transform(people().rename(columns={"days": "nights"}))
    with pytest.raises(sf.SfumatoError, match="left_out is"):
        blur(left_out="hide").fit(people())


def test_scikit_learn_is_not_needed_and_not_loaded() -> None:
    code = (
        "import sys, pyarrow as pa, sfumato as sf\n"
        "sf.Anonymiser(quasi='a', k=2, left_out='mask').fit_transform(pa.table({'a': [1, 1, 2, 2]}))\n"
        "assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)

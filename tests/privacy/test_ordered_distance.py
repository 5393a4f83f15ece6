"""Distances between distributions of numbers: every kind of number, against SciPy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from scipy.stats import wasserstein_distance
from tests.engines.statements import WAYS

from sfumato.errors import WrongScale
from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.models.t_ordered import TOrdered
from sfumato.privacy.models.t_wasserstein import TWasserstein
from sfumato.privacy.models.t_wasserstein_normalised import TWassersteinNormalised
from sfumato.studies.printed_tables import rows
from sfumato.tables.engines.duckdb import DuckDB


@pytest.fixture(scope="module", params=WAYS, ids=["in memory", "by statements"])
def duckdb(request: pytest.FixtureRequest) -> DuckDB:
    engine: DuckDB = request.param(threads=1)
    return engine


def two_and_three(duckdb: DuckDB, values: Sequence[Any], kind: pa.DataType | None = None) -> EquivalenceClasses:
    """Five values, two of them in class a and three in class b."""
    table = pa.table({"q": ["a", "a", "b", "b", "b"], "s": pa.array(values, kind)})
    return Dataset.of(duckdb.load(table), {"q": "quasi", "s": "sensitive"}).classes()


def by_scipy(values: Sequence[float]) -> float:
    return max(float(wasserstein_distance(part, values)) for part in (values[:2], values[2:]))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([-128, 127, 0, 1, 2], pa.int8()),
        ([-32768, 32767, 0, 1, 2], pa.int16()),
        ([-(2**31), 2**31 - 1, 0, 1, 2], pa.int32()),
        ([-(2**63), 2**63 - 1, 0, 1, 2], pa.int64()),
        ([0, 2**64 - 1, 0, 1, 2], pa.uint64()),
        ([255, 0, 3, 3, 9], pa.uint8()),
        ([1e-300, 2e-300, 3e-300, 5e-300, 9e-300], pa.float64()),
        ([1e300, -1e300, 3e200, 1.0, 2.0], pa.float64()),
        ([0.0, -0.0, 1.0, -0.0, 0.0], pa.float64()),
    ],
    ids=["int8", "int16", "int32", "int64", "uint64", "uint8", "tiny", "huge", "negative zero"],
)
def test_numbers_of_every_width_are_as_far_apart_as_scipy_says(
    duckdb: DuckDB, values: list[float], kind: pa.DataType
) -> None:
    classes = two_and_three(duckdb, values, kind)
    assert TWasserstein("s").of(classes) == pytest.approx(by_scipy([float(v) for v in values]), rel=1e-12, abs=0)
    reach = float(max(values)) - float(min(values))
    normalised = TWassersteinNormalised("s").of(classes)
    assert normalised == pytest.approx(by_scipy([float(v) / reach for v in values]), rel=1e-12)


def test_single_precision_is_computed_with_in_double(duckdb: DuckDB) -> None:
    kept = pa.array([0.1, 0.2, 0.3, 0.1, 0.2], pa.float32())
    exact = by_scipy([float(v) for v in kept.cast(pa.float64()).to_pylist()])
    assert TWasserstein("s").of(two_and_three(duckdb, kept.to_pylist(), pa.float32())) == pytest.approx(
        exact, rel=1e-12
    )


def test_decimals_are_numbers(duckdb: DuckDB) -> None:
    values = [Decimal(text) for text in ("1.50", "2.25", "7.00", "7.00", "100.01")]
    expected = by_scipy([float(v) for v in values])
    assert TWasserstein("s").of(two_and_three(duckdb, values)) == pytest.approx(expected, rel=1e-12)


def test_not_a_number_is_a_missing_value(duckdb: DuckDB) -> None:
    """Class a is left with 1; everybody has 1, 2, 3, 4: on average 1.5 away."""
    assert TWasserstein("s").of(two_and_three(duckdb, [float("nan"), 1.0, 2.0, 3.0, 4.0])) == 1.5


def test_dates_have_an_order_and_no_unit(duckdb: DuckDB) -> None:
    """The first two of five days: (3/10 + 6/10 + 4/10 + 2/10) / 4 = 0.375."""
    classes = two_and_three(duckdb, [date(2020, 1, day) for day in (1, 2, 3, 4, 9)])
    assert TOrdered("s").of(classes) == pytest.approx(0.375, abs=1e-12)
    with pytest.raises(WrongScale):
        TWasserstein("s").of(classes)


def test_there_is_no_distance_to_infinity(duckdb: DuckDB) -> None:
    classes = two_and_three(duckdb, [float("inf"), 1.0, 2.0, 3.0, 4.0])
    with pytest.raises(WrongScale, match="infinite"):
        TWasserstein("s").of(classes)
    assert TCloseness("s").of(classes) == pytest.approx(0.6, abs=1e-12)


def test_a_constant_is_at_distance_zero_everywhere(duckdb: DuckDB) -> None:
    classes = two_and_three(duckdb, [5, 5, 5, 5, 5])
    for measure in (TCloseness("s"), TOrdered("s"), TWasserstein("s"), TWassersteinNormalised("s")):
        assert measure.of(classes) == 0


def test_nobody_with_a_value_leaves_nothing_to_read(duckdb: DuckDB) -> None:
    classes = two_and_three(duckdb, [None] * 5, pa.float64())
    for measure in (TCloseness("s"), TOrdered("s"), TWasserstein("s"), TWassersteinNormalised("s")):
        assert measure.of(classes) is None


def test_each_of_a_thousand_distinct_values_alone_is_as_far_as_scipy_says(duckdb: DuckDB) -> None:
    """Every class is one value: the distance of the value x from everybody is the mean of |x - y|."""
    values = [(i * 7919) % 1000 + (i % 7) / 8 for i in range(1000)]
    classes = rows(list(enumerate(values)), ["q", "s"], duckdb, q="quasi", s="sensitive").classes()
    found: dict[int, float] = dict(
        duckdb.fetch(f"""
        SELECT k1, reading FROM {classes.with_keys()} AS class
        JOIN {TWasserstein("s").readings(classes)} AS m ON m.class_id = class.class_id""")
    )
    for i in range(0, 1000, 97):
        assert found[i] == pytest.approx(sum(abs(values[i] - y) for y in values) / 1000, rel=1e-12)

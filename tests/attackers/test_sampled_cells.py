"""Cells that are drawn: right on average, and exact where everything is drawn."""

from statistics import fmean

import numpy as np
import pyarrow as pa
import pytest

from sfumato.attackers import sampled_cells
from sfumato.attackers.coded_records import CodedRecords, coded_records
from sfumato.attackers.column_order import alone_in_order
from sfumato.attackers.risk_drivers import FURTHER, drivers
from sfumato.attackers.sampled_cells import SampledCells
from sfumato.chance import Chance
from sfumato.privacy.dataset import Dataset
from sfumato.tables.load import load

VALUES = {"place": 30, "year": 20, "sex": 2, "size": 9, "kind": 5}
ORDER = (1, 0, 4, 2, 3)


def people(columns: dict[str, int] = VALUES, rows: int = 4000) -> Dataset:
    draw = np.random.default_rng(7)
    table = pa.table(
        {name: np.minimum(draw.exponential(n / 3, rows).astype(int), n - 1) for name, n in columns.items()}
    )
    return Dataset.of(load(table).table, dict.fromkeys(columns, "quasi"))


@pytest.fixture
def records(monkeypatch: pytest.MonkeyPatch) -> CodedRecords:
    monkeypatch.setattr(sampled_cells, "FROM", 100)
    monkeypatch.setattr(sampled_cells, "AIM", 400)
    monkeypatch.setattr(sampled_cells, "CELLS", 40)
    return coded_records(people())


def test_the_estimates_are_right_on_average(records: CodedRecords) -> None:
    """Many draws of a tenth of the cells: what is counted is exact, what is estimated is near it without a bias."""
    exact = alone_in_order(records, ORDER)
    cells = SampledCells.of(records, {}, Chance.of(1))
    assert cells is not None
    draws = [cells.alone(ORDER, exact[-1]) for _ in range(1500)]
    for known, alone in enumerate(exact):
        own = [draw[known] for draw in draws]
        error = float(np.std(own)) / len(own) ** 0.5
        assert fmean(own) == pytest.approx(alone, abs=max(4 * error, 1e-6))
    assert all(draw[-1] == pytest.approx(exact[-1]) for draw in draws)
    assert len({draw[3] for draw in draws}) > 100  # and they are estimates


def test_all_cells_drawn_say_what_one_sort_says(records: CodedRecords, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = SampledCells.of(records, {}, Chance.of(1))
    assert cells is not None
    rows = len(records.n) + int(records.crowded.sum())
    monkeypatch.setattr(sampled_cells, "AIM", rows * (1 - 2**-53))
    exact = alone_in_order(records, ORDER)
    assert cells.alone(ORDER, exact[-1]) == pytest.approx(exact)


def test_few_cells_or_too_many_to_count_are_no_sample(records: CodedRecords, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = [float(alone) for alone in alone_in_order(records, ORDER)]
    cells = SampledCells.of(records, {}, Chance.of(1))
    assert cells is not None
    monkeypatch.setattr(sampled_cells, "DENSE", 10)
    assert cells.alone(ORDER, 0) == exact
    monkeypatch.setattr(sampled_cells, "DENSE", 1 << 22)
    monkeypatch.setattr(sampled_cells, "CELLS", 10**9)
    assert cells.alone(ORDER, 0) == exact


def test_contributions_of_a_large_table_add_up_and_say_their_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those from some cells lie within their error of those from all records, and a seed gives the same again."""
    wide = people({f"c{i}": 3 + i % 4 for i in range(11)}, rows=3000)
    whole = drivers(wide, orders=400)
    monkeypatch.setattr(sampled_cells, "FROM", 100)
    monkeypatch.setattr(sampled_cells, "AIM", 300)
    monkeypatch.setattr(sampled_cells, "CELLS", 30)
    part = drivers(wide, orders=100, seed=3)
    assert part.orders == 100 * FURTHER
    assert part == drivers(wide, orders=100, seed=3)
    assert sum(each.contribution for each in part.columns) == pytest.approx(part.whole - part.nothing)
    exact = {each.column: each for each in whole.columns}
    for each in part.columns:
        other = exact[each.column]
        assert each.error > 0
        assert abs(each.contribution - other.contribution) < 4 * (each.error**2 + other.error**2) ** 0.5

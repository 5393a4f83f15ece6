"""A search whose different records stay in the engine: the same optimum and the same proof as in memory."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from sfumato.errors import InfeasiblePolicy, UnplacedValues
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.engine_table import TableInEngine, bytes_in_memory
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.anonymise import anonymise
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.entropy_loss import EntropyLoss
from sfumato.search.objectives.loss import Loss
from sfumato.search.time_after import IN_ENGINE

if TYPE_CHECKING:
    from sfumato.search.scoring.objective_interface import Objective
    from sfumato.tables.engine import Engine

COLUMNS = [f"q{j}" for j in range(15)]


def people(rows: int, seed: int = 3) -> pa.Table:
    """Fifteen columns on which nearly everybody is alone; some values are missing."""
    draw = np.random.Generator(np.random.PCG64(seed))
    columns = {}
    for j, name in enumerate(COLUMNS):
        values = np.minimum(draw.exponential(2 + j % 4, rows).astype(int), 7)
        texts = [f"{name} {value}" for value in values]
        columns[name] = [None if j == 4 and value == 7 else text for text, value in zip(texts, values, strict=True)]
    return pa.table(columns)


def hierarchy(name: str, *, levels: int) -> Hierarchy:
    """Eight values, in pairs where there are three levels, and all together at the top."""
    lines = [(f"{name} {i}", f"{name} {i // 4}+", "*") if levels > 2 else (f"{name} {i}", "*") for i in range(8)]
    return Hierarchy(tuple(lines), missing=(None, None, "*") if levels > 2 else (None, "*"))


def dataset(engine: Engine, rows: int) -> Dataset:
    table = engine.load(people(rows))
    read = Dataset.of(table).with_roles(dict.fromkeys(COLUMNS, "quasi"))
    placed = {name: hierarchy(name, levels=3 if j < 4 else 2) for j, name in enumerate(COLUMNS)}
    return Dataset(**{f.name: getattr(read, f.name) for f in fields(read) if f.init} | {"hierarchies": placed})


def found(data: Dataset, objective: Objective, k: int, share: float, *, limits: dict[str, tuple[int, int]]) -> LevelsFound:
    policy = Policy((Requirement(KAnonymity(), k),))
    search = OptimalSearch(policy, objective, share, limits)
    return search.among(condense(data, in_engine=True))


@pytest.mark.parametrize("objective", [Loss(), EntropyLoss()])
@pytest.mark.parametrize(("k", "share"), [(3, 0.0), (5, 0.02), (2, 0.1)])
def test_a_search_in_the_engine_has_the_optimum_and_the_proof_of_one_in_memory(
    engine: Engine, objective: Objective, k: int, share: float
) -> None:
    rows, limits = 400, {name: (1, 1) for name in COLUMNS[9:]}  # 2 ** 5 * 3 ** 4 nodes are left
    data = dataset(engine, rows)
    here = found(data, objective, k, share, limits=limits)
    engine.memory = bytes_in_memory(rows, len(COLUMNS)) // 10
    try:
        assert isinstance(condense(data, in_engine=True), TableInEngine)
        assert not isinstance(condense(data), TableInEngine)
        there = found(data, objective, k, share, limits=limits)
    finally:
        engine.memory = None
    assert there == here
    assert here.optimal

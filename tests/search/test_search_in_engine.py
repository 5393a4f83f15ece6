"""A search whose different records stay in the engine: the same optimum and the same proof as in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from sfumato.errors import InfeasiblePolicy, OutOfMemory, UnplacedValues
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
from sfumato.search.time_after import IN_ENGINE, TOO_LARGE_TO_COMPARE
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.losses import Losses

if TYPE_CHECKING:
    from sfumato.search.scoring.objective_interface import Objective
    from sfumato.tables.engine import Engine

COLUMNS = [f"q{j}" for j in range(15)]
ROWS = 300


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
    return replace(read, hierarchies=placed)


def found(data: Dataset, objective: Objective, k: int, share: float, free: int = 6) -> LevelsFound:
    """The levels of a search in which so many columns are free; of the others all values have one label."""
    policy, tops = Policy((Requirement(KAnonymity(), k),)), {name: data.hierarchies[name].height for name in COLUMNS}
    limits = {name: (tops[name], tops[name]) for name in COLUMNS[free:]}
    return OptimalSearch(policy, objective, share, limits).among(condense(data, in_engine=True))


def tightened(engine: Engine) -> Engine:
    """The same engine with a tenth of the memory that the different records of the tests would take."""
    engine.memory = bytes_in_memory(ROWS, len(COLUMNS)) // 10
    return engine


@pytest.mark.parametrize("objective", [Loss(), EntropyLoss()])
@pytest.mark.parametrize(("k", "share"), [(3, 0.0), (5, 0.02), (2, 0.1)])
def test_a_search_in_the_engine_has_the_optimum_and_the_proof_of_one_in_memory(
    objective: Objective, k: int, share: float
) -> None:
    engine = DuckDB()
    data = dataset(engine, ROWS)
    here = found(data, objective, k, share)
    assert condense(data).rows > 0.98 * ROWS  # nearly everybody is alone
    tightened(engine)
    assert isinstance(condense(data, in_engine=True), TableInEngine)
    assert found(data, objective, k, share) == here
    assert here.optimal


def test_both_engines_have_the_optimum_and_the_proof_of_a_search_in_memory(engine: Engine) -> None:
    here = found(dataset(DuckDB(), ROWS), Loss(), 5, 0.02, free=4)
    assert found(dataset(tightened(engine), ROWS), Loss(), 5, 0.02, free=4) == here


def test_who_can_only_search_in_memory_gets_all_records_whatever_the_limit() -> None:
    assert not isinstance(condense(dataset(tightened(DuckDB()), ROWS)), TableInEngine)


def test_a_policy_that_no_levels_keep_to_is_refused_in_the_engine_as_well() -> None:
    with pytest.raises(InfeasiblePolicy):
        found(dataset(tightened(DuckDB()), ROWS), Loss(), ROWS + 1, 0.0)


def test_values_that_a_hierarchy_lacks_are_counted_as_in_memory(engine: Engine) -> None:
    data = dataset(engine, ROWS)
    short = Hierarchy(data.hierarchies["q1"].lines[:3], missing=data.hierarchies["q1"].missing)
    data = replace(data, hierarchies={**data.hierarchies, "q1": short})
    with pytest.raises(UnplacedValues) as here:
        condense(data)
    tightened(engine)
    with pytest.raises(UnplacedValues) as there:
        condense(data, in_engine=True)
    assert str(there.value) == str(here.value)


def test_a_release_searched_in_the_engine_is_that_of_a_search_in_memory() -> None:
    rows = people(ROWS)
    asked: dict[str, Any] = {"quasi": COLUMNS[:5], "k": 4, "suppress": 0.05, "method": "optimal"}
    here, there = (anonymise(rows, **asked, engine=engine) for engine in (DuckDB(), tightened(DuckDB())))
    assert there.solution.levels_found == here.solution.levels_found
    assert there.to_frame().equals(here.to_frame())
    assert there.met
    assert IN_ENGINE in there.notes
    assert IN_ENGINE not in here.notes


def test_what_was_lost_is_the_same_where_pairs_are_joined_some_at_a_time() -> None:
    asked: dict[str, Any] = {"quasi": COLUMNS[:5], "k": 4, "suppress": 0.05, "method": "optimal"}
    here, there = (anonymise(people(ROWS), **asked, engine=engine) for engine in (DuckDB(), tightened(DuckDB())))
    assert here.losses is not None
    assert there.losses is not None
    assert there.losses.to_json() == here.losses.to_json()


def test_a_release_is_made_though_there_is_no_memory_to_compare_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise OutOfMemory("duckdb", MemoryError())

    monkeypatch.setattr(Losses, "of", no_room)
    asked: dict[str, Any] = {"quasi": COLUMNS[:5], "k": 4, "suppress": 0.05, "method": "optimal"}
    release = anonymise(people(ROWS), **asked, engine=tightened(DuckDB()))
    assert release.losses is None
    assert TOO_LARGE_TO_COMPARE in release.notes
    assert release.met
    with pytest.raises(OutOfMemory):
        anonymise(people(ROWS), **asked, engine=DuckDB())


def test_a_search_of_many_records_in_a_tenth_of_the_memory_has_the_optimum_of_one_in_memory() -> None:
    rows = 40_000
    here = found(dataset(DuckDB(), rows), Loss(), 5, 0.05)
    little = DuckDB(memory="24MB")
    little.memory = bytes_in_memory(rows, len(COLUMNS)) // 10  # DuckDB itself needs some whatever the rows
    assert isinstance(condense(dataset(little, rows), in_engine=True), TableInEngine)
    assert found(dataset(little, rows), Loss(), 5, 0.05) == here
    assert here.optimal


def test_fewer_threads_work_where_memory_has_no_room_for_more() -> None:
    def threads(memory: str | None) -> int:
        return int(DuckDB(memory=memory).fetch("SELECT current_setting('threads')")[0][0])

    assert threads("40MB") == 1
    assert threads("1TB") == threads(None)

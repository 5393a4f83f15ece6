"""Looks at the lowest nodes of boxes: where they are taken, and that they change no answer."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.search.best_node import best_of_all
from tests.search.test_halved_boxes import tall

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.table import CodedColumn, CodedTable
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.levels.reach import FIRST, IN_VAIN, LEAST, MOST, PARTS, Reach
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.scoring.objective_interface import Objective, level_between

OBJECTIVES = [ClassSize(), Discernibility(), Discernibility(ignore_suppression=True)]


def uneven(seed: int, people: int = 10_000) -> CodedTable:
    """Five columns of few and of many values, drawn so that some are rare."""
    draw, columns, codes = np.random.Generator(np.random.PCG64(seed)), [], []
    for name, sizes in zip("abcde", ((1, 4, 16, 64), (1, 2, 4), (1, 5, 25), (1, 3, 9, 27), (1, 10)), strict=True):
        codes.append(np.minimum(draw.geometric(3 / sizes[-1], people) - 1, sizes[-1] - 1))
        labels = tuple(np.arange(sizes[-1]) // size for size in sizes)
        columns.append(CodedColumn(name, labels, tuple(map(np.bincount, labels)), sizes[-1]))
    values, records = np.unique(np.stack(codes), axis=1, return_counts=True)
    return CodedTable(tuple(columns), np.ascontiguousarray(values), records, records, {}, one_record_each=True)


def search(objective: Objective, limit: float = 0.02) -> OptimalSearch:
    return OptimalSearch(Policy((Requirement(KAnonymity(), 4),)), objective, limit)


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
def test_the_best_of_all_nodes_is_found_whichever_lowest_nodes_are_looked_at(
    monkeypatch: pytest.MonkeyPatch, objective: Objective, taken: bool
) -> None:
    """All 125 nodes one by one, with a look at the lowest node of every box and of none."""
    monkeypatch.setenv("SFUMATO_FAST", "0")
    monkeypatch.setattr(Reach, "holds", lambda *_: taken)
    for seed, limit in product(range(3), (0.0, 0.02, 0.3, 1.0)):
        table, own = tall(seed), search(objective, limit)
        best, score = best_of_all(own, table, product(range(5), repeat=3))
        found = own.among(table)
        assert (tuple(found.levels.values()), found.score, found.optimal) == (best, score, True)


@pytest.mark.parametrize("objective", OBJECTIVES[:2], ids=str)
def test_looks_at_lowest_nodes_save_more_than_they_are(monkeypatch: pytest.MonkeyPatch, objective: Objective) -> None:
    monkeypatch.setenv("SFUMATO_FAST", "0")
    tables = [uneven(seed) for seed in range(4)]
    with_them = sum(search(objective).among(table).examined for table in tables)
    monkeypatch.setattr(Reach, "holds", lambda *_: False)
    assert with_them < sum(search(objective).among(table).examined for table in tables)


@pytest.mark.parametrize("objective", OBJECTIVES[:2], ids=str)
def test_the_compiled_loop_learns_the_same(monkeypatch: pytest.MonkeyPatch, objective: Objective) -> None:
    """As many looks from wherever it begins to learn: so the same lowest nodes were looked at."""
    pytest.importorskip("numba")
    for seed, first in product(range(4), (LEAST, FIRST, MOST)):
        monkeypatch.setattr("sfumato.search.levels.reach.FIRST", first)
        counts = []
        for fast in ("0", "1"):
            monkeypatch.setenv("SFUMATO_FAST", fast)
            found = search(objective).among(uneven(seed))
            counts.append((found.examined, found.levels, found.score, found.pruned, found.tied))
        assert counts[0] == counts[1]


def test_a_bound_reaches_as_far_as_labels_say_more() -> None:
    """Of two columns whose labels say 3 and 1 bits: at 12 of 16 parts, 4 bits more are worth a factor of 8."""
    reach = Reach([[3.0, 0.0], [1.0, 0.0]])
    assert reach.parts == FIRST == 12
    assert PARTS == 16
    assert reach.holds(8.0, 1.0, (0, 0), (1, 1))
    assert not reach.holds(7.99, 1.0, (0, 0), (1, 1))
    assert reach.holds(2.0, 1.0, (1, 0), (1, 1))


@given(st.lists(st.booleans(), max_size=60))
def test_looks_in_vain_are_taken_less_often(outcomes: list[bool]) -> None:
    reach, parts = Reach([[1.0, 0.0]]), FIRST
    for ruled_out in outcomes:
        reach.learn(ruled_out=ruled_out)
        parts = max(parts - 1, LEAST) if ruled_out else min(parts + IN_VAIN, MOST)
        assert reach.parts == parts


@given(bits=st.lists(st.floats(0, 20), min_size=2, max_size=7), data=st.data())
def test_a_box_is_cut_below_its_highest_level(bits: list[float], data: st.DataObject) -> None:
    high = data.draw(st.integers(1, len(bits) - 1))
    low = data.draw(st.integers(0, high - 1))
    middle = (bits[low] + bits[high]) / 2
    cut = level_between(bits, low, high)
    assert low <= cut < high
    assert all(abs(bits[cut] - middle) <= abs(bits[level] - middle) for level in range(low, high))


@pytest.mark.parametrize("loops", ["0", "1"])
@pytest.mark.parametrize("least", [1, 2, 5, 10_000])
def test_small_classes_and_others_are_all_that_there_are(
    monkeypatch: pytest.MonkeyPatch, loops: str, least: int
) -> None:
    if loops == "1":
        pytest.importorskip("numba")
    monkeypatch.setenv("SFUMATO_FAST", loops)
    table = tall(2)
    for node in product((0, 2, 4), repeat=3):
        classes: Any = CodedClasses.at(table, node)
        few = classes.smaller_than(least)
        np.testing.assert_array_equal(few.small, classes.records < least)
        assert few.records == classes.records[classes.records < least].sum()
        assert few.others == (classes.records >= least).sum()
        assert classes.smaller_than(least) is few

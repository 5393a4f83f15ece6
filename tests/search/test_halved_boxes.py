"""Boxes that are split in the middle of a column's levels: the same best node, with fewer looks."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.search.best_node import best_of_all

from sfumato.privacy.coded import kernels
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.table import CodedColumn, CodedTable
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels import optimality_proof
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.average_class_size import ClassSize, ClassSizeScorer
from sfumato.search.objectives.discernibility import Discernibility, DiscernibilityScorer
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.scoring.objective_interface import Objective, Scorer

OBJECTIVES = [ClassSize(), Discernibility(), Nue()]
SIZES = (1, 2, 4, 8, 16)


def tall(seed: int, people: int = 300) -> CodedTable:
    """Three columns of sixteen values with five levels each, drawn so that some are rare."""
    draw = np.random.Generator(np.random.PCG64(seed))
    values = np.minimum(draw.geometric(0.2, (3, people)) - 1, 15)
    codes, records = np.unique(values, axis=1, return_counts=True)
    labels = tuple(np.arange(16) // size for size in SIZES)
    leaves = tuple(np.full(16 // size, size) for size in SIZES)
    columns = tuple(CodedColumn(name, labels, leaves, 16) for name in "abc")
    return CodedTable(columns, np.ascontiguousarray(codes), records, records, {}, one_record_each=True)


@pytest.mark.parametrize("fast", ["0", "1"])
@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
def test_the_best_of_all_nodes_is_found_also_where_many_rows_go(
    monkeypatch: pytest.MonkeyPatch, objective: Objective, fast: str
) -> None:
    """All 125 nodes one by one; rows stay in their places, are left out or become one, as in large and small tables."""
    if fast == "1":
        pytest.importorskip("numba")
    monkeypatch.setenv("SFUMATO_FAST", fast)
    for seed, limit, large, rolled in product(range(3), (0.02, 0.3, 1.0), (0, 10**9), (2, 48)):
        monkeypatch.setattr(optimality_proof, "RAISED", large)
        monkeypatch.setattr(optimality_proof, "ROLLED", rolled)
        monkeypatch.setattr(optimality_proof, "ROLLED_BY_COLUMN", rolled)
        search, table = OptimalSearch(Policy((Requirement(KAnonymity(), 4),)), objective, limit), tall(seed)
        best, score = best_of_all(search, table, product(range(5), repeat=3))
        levels = search.among(table)
        assert (tuple(levels.levels.values()), levels.score, levels.optimal) == (best, score, True)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
def test_halving_saves_looks(monkeypatch: pytest.MonkeyPatch, objective: Objective) -> None:
    monkeypatch.setenv("SFUMATO_FAST", "0")
    search = OptimalSearch(Policy((Requirement(KAnonymity(), 4),)), objective, 0.02)
    halved = [search.among(tall(seed, 5_000)).examined for seed in range(4)]
    for scorer in (Scorer, ClassSizeScorer, DiscernibilityScorer):
        monkeypatch.setattr(scorer, "cut", lambda self, column, low, high: high - 1)
    assert sum(halved) < sum(search.among(tall(seed, 5_000)).examined for seed in range(4))


@given(cuts=st.lists(st.lists(st.booleans(), min_size=11, max_size=11), min_size=1, max_size=4), data=st.data())
def test_places_below_a_level_tell_labels_apart(cuts: list[list[bool]], data: st.DataObject) -> None:
    """Two values of one label above have the same place where they have the same label, and nowhere else."""
    labels, borders = [np.arange(12)], np.ones(11, dtype=np.bool_)
    for kept in cuts:  # each level has some of the borders of the one below
        borders = borders & np.array(kept)
        labels.append(np.append(0, np.cumsum(borders)))
    labels.append(np.zeros(12, dtype=np.int64))
    leaves = tuple(np.bincount(own) for own in labels)
    column = CodedColumn("a", tuple(labels), leaves, 12)
    level = data.draw(st.integers(0, column.height - 1))
    above = data.draw(st.integers(level + 1, column.height))
    places, count = column.parts_below(level, above)
    assert places.max() < count <= column.count(level)
    for one, other in product(range(12), repeat=2):
        if labels[above][one] == labels[above][other]:
            assert (places[one] == places[other]) == (labels[level][one] == labels[level][other])


@pytest.mark.parametrize("loops", ["0", "1"])
def test_classes_are_the_same_whatever_levels_lie_between(monkeypatch: pytest.MonkeyPatch, loops: str) -> None:
    if loops == "1":
        pytest.importorskip("numba")
    monkeypatch.setenv("SFUMATO_FAST", loops)
    table = tall(1)
    assert isinstance(kernels.kernels(table.rows), kernels.NumbaKernels) == (loops == "1")
    plain = CodedClasses.at(table, (0, 1, 2)).packed
    for way in ([(4, 4, 4)], [(4, 4, 4), (2, 3, 2)], [(3, 1, 4), (1, 1, 3), (1, 1, 2)]):
        classes = CodedClasses.at(table, way[0])
        for _, node in pairwise(way):
            classes = classes.refined(node)
        own = classes.refined((0, 1, 2)).packed
        assert len(set(zip(own.ids.tolist(), plain.ids.tolist(), strict=True))) == own.space == plain.space

"""What looks take less time with: the same numbers as the plain way, and the same looks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.test_halved_boxes import tall

from sfumato.privacy.coded import kernels
from sfumato.privacy.coded.kernels import NumpyKernels
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels import optimality_proof
from sfumato.search.levels.bounds_above import BoundsAbove
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.scoring.by_column import ColumnScorer


class Room(NamedTuple):
    parts: Any
    counts: Any
    used: Any


COLUMNS = [Loss(), Loss(aggregate="maximum"), Loss(aggregate="geometric"), Nue()]


@given(data=st.data(), rows=st.integers(0, 12), left_out=st.booleans())
def test_leaves_of_few_rows_and_of_many_add_up_to_the_same(data: Any, rows: int, left_out: bool) -> None:
    draw = np.random.Generator(np.random.PCG64(data.draw(st.integers(0, 2**32))))
    slots, weights = draw.integers(0, 20, (12, 3)), draw.integers(1, 4, 12).astype(float)
    some = np.arange(rows) if left_out else None
    with pytest.MonkeyPatch.context() as changed:
        sums = []
        for weighed in (0, 100):
            changed.setattr(kernels, "WEIGHED", weighed)
            sums.append(NumpyKernels().histogram(slots, weights, some, 25))
    plain = np.zeros(25)
    for row in range(rows if left_out else 12):
        plain[slots[row, 0]] += weights[row]
        plain[slots[row, 1]] += weights[row]
        plain[slots[row, 2]] += weights[row]
    for own in sums:
        np.testing.assert_array_equal(own, plain)
        assert own.dtype == plain.dtype


@pytest.mark.parametrize("objective", COLUMNS, ids=str)
@pytest.mark.parametrize("limit", [0.0, 0.1, 1.0])
def test_what_columns_cost_at_the_least_is_that_of_the_box_whichever_was_asked_for_before(
    monkeypatch: pytest.MonkeyPatch, objective: Any, limit: float
) -> None:
    """Only columns whose lowest level changed are asked again."""
    monkeypatch.setenv("SFUMATO_FAST", "0")
    least, asked = ColumnScorer._least, list[int]()

    def checked(scorer: ColumnScorer, state: Any, lows: Any) -> list[float]:
        own, parts = least(scorer, state, lows), scorer._parts(state)
        levels = enumerate(state.classes.levels)
        assert own == [min(parts[j][lows[j] : level + 1]) for j, level in levels]
        asked.append(1)
        return own

    monkeypatch.setattr(ColumnScorer, "_least", checked)
    OptimalSearch(Policy((Requirement(KAnonymity(), 4),)), objective, limit).among(tall(3))
    assert len(asked) > 10


@pytest.mark.parametrize("objective", COLUMNS, ids=str)
def test_highest_levels_go_where_they_are_hopeless_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, objective: Any
) -> None:
    monkeypatch.setenv("SFUMATO_FAST", "0")
    proof, lower = optimality_proof.OptimalityProof, list[int]()
    trimmed: Any = proof._trimmed

    def checked(self: Any, box: Any, state: Any) -> Any:
        left, tops, lows = trimmed(self, box, state), self.scorer.tops(state, box.lows), box.lows
        for j, (low, high) in enumerate(zip(lows, box.highs, strict=True)):
            hopeless = self.nodes.hopeless(tops[j], (*lows[:j], high, *lows[j + 1 :]))
            assert left[j] == high - (high > low and hopeless)
            lower.append(high - left[j])
        return left

    monkeypatch.setattr(proof, "_trimmed", checked)
    OptimalSearch(Policy((Requirement(KAnonymity(), 4),)), objective, 0.1).among(tall(3))
    assert 0 < sum(lower) < len(lower)


@given(
    lows=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    known=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([1.0, 3.0])), max_size=4),
)
def test_a_box_keeps_its_highest_levels_unless_a_node_below_bounds_it(
    lows: tuple[int, int], known: list[tuple[int, int, float]]
) -> None:
    """Nodes that are above the lowest one in one column at the most, and say something of the best score."""
    above = BoundsAbove(2)
    for x, y, bound in known:
        above.add((x, y), bound)
    left = above.trimmed(lows, (4, 4), promising=2.0, hopeless=lambda bound, _: bound >= 2.0)
    near = [(x, y) for x, y, bound in known if bound >= 2.0 and (x > lows[0]) + (y > lows[1]) <= 1]
    if any(x <= lows[0] and y <= lows[1] for x, y in near):
        assert left is None
    else:
        tops = [min([4, *(node[j] - 1 for node in near if node[j] > lows[j])]) for j in (0, 1)]
        assert left == tuple(tops)


@settings(max_examples=40, deadline=None)
@given(parts=st.lists(st.integers(0, 19), min_size=1, max_size=30))
def test_parts_are_numbered_as_they_first_occur_and_counts_are_left_at_nothing(parts: list[int]) -> None:
    pytest.importorskip("numba")
    from sfumato.search.levels import row_loops

    n = len(parts)
    room = Room(np.array(parts, dtype=np.uint32), np.zeros(20, dtype=np.int32), np.zeros(n + 1, dtype=np.uint32))
    different = row_loops.number_parts(room, n)
    first = list(dict.fromkeys(parts))
    assert different == len(first)
    assert room.parts.tolist() == [first.index(part) for part in parts]
    assert not room.counts.any()

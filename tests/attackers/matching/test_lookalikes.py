"""Lookalikes: the tuples that share some of the different values, gathered or looked for among all."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.attackers.matching import lookalikes as module
from sfumato.attackers.matching import tuple_distance
from sfumato.attackers.matching.lookalikes import Lookalikes
from sfumato.attackers.matching.tuple_distance import LabelDistance, TupleDistance
from sfumato.privacy.coded.distinct_rows import first_places


@pytest.mark.parametrize("spans", [0, 3, 1000])
@pytest.mark.parametrize("tuples", [0, 1, 60])
def test_tuples_of_some_parts_are_all_that_have_them(monkeypatch, spans, tuples):
    monkeypatch.setattr(module, "SPANS", spans)
    draw = np.random.default_rng(tuples)
    part = np.unique(draw.integers(0, 12, tuples), return_inverse=True)[1].astype(np.int64)
    near = Lookalikes(TupleDistance((), 1.0), part, first_places(part))
    for chosen in (draw.random(len(near.first)) < share for share in (0, 0.2, 0.5, 1)):
        expected = np.flatnonzero(chosen[part])
        assert sorted(near.tuples_of(chosen).tolist()) == expected.tolist()
        assert near.size(chosen) == len(expected)


@pytest.mark.parametrize("codes", [1, 2, 30])
def test_labels_cost_the_same_whether_their_pairs_are_written_down_or_looked_for(monkeypatch, codes):
    draw = np.random.default_rng(codes)
    left, right = (draw.integers(0, codes, 40).astype(np.int32) for _ in range(2))
    labelled = np.unique(draw.integers(0, codes**2, codes))
    written, looked_for = (LabelDistance(left, right, labelled, 2.5, codes) for _ in range(2))
    places = np.arange(40)
    costs = written.cost(places[:, None], places)
    monkeypatch.setattr(tuple_distance, "PAIRS", 0)
    assert looked_for.cost(places[:, None], places).tolist() == costs.tolist()

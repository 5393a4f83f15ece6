"""Lookalikes: the tuples that share some of the different values, gathered or looked for among all."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.attackers.matching import lookalikes as module
from sfumato.attackers.matching.lookalikes import Lookalikes
from sfumato.attackers.matching.tuple_distance import TupleDistance
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

"""Every linkage against what it is by definition: all pairs of records, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import log2, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato.attackers.matching.nearest_tuples
from sfumato.attackers.attack_interface import LinkageResult
from sfumato.attackers.attacks.distance_linkage import DistanceLinkage
from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.attackers.attacks.probabilistic_linkage import UNITS, ProbabilisticLinkage
from sfumato.attackers.matching.agreement_patterns import SURE, estimated_weights, pattern_counts
from sfumato.attackers.matching.coded_tuples import Tuples

NEAR = 1e-6
AGES = st.one_of(st.none(), st.integers(0, 6))
PLACES = st.sampled_from([None, "a", "b", "c"])


@st.composite
def person(draw):
    """Age, sex, place and dose; released with noise, swaps, gaps, or not at all."""
    age, dose = draw(AGES), draw(st.sampled_from([None, 0.5, 1.25, 7.0]))
    original = (age, draw(st.sampled_from("fm")), draw(PLACES), dose)
    if draw(st.integers(0, 5)) == 0:
        return original, None
    moved = None if age is None else age + draw(st.integers(-1, 1))
    released = (
        draw(st.sampled_from([moved, moved, None])),
        draw(st.sampled_from([original[1], original[1], "f"])),
        draw(st.sampled_from([original[2], original[2], None, "b"])),
        draw(st.sampled_from([dose, dose, 3.5])),
    )
    return original, released


KINDS = (int, str, str, float)
PEOPLE = st.lists(person(), min_size=1, max_size=14)


@pytest.fixture(scope="module", params=[512, 3], ids=["one block", "many blocks"])
def blocks(request):
    """Small tables are one block; blocks of three tuples make the search leave blocks out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sfumato.attackers.matching.nearest_tuples, "BLOCK", request.param)
        patch.setattr(sfumato.attackers.matching.nearest_tuples, "SLOTS", 2 if request.param == 3 else 1024)
        patch.setattr(sfumato.attackers.matching.nearest_tuples, "SEVERAL", 2 if request.param == 3 else 64)
        yield


def agree(found: LinkageResult, pairs: list, candidates: Callable[[int], list[int]]) -> None:
    """Compare a result with the candidates of every original."""
    named = [candidates(i) for i in range(len(pairs))]
    own = [i in c for i, c in enumerate(named)]
    assert found.matched == sum(bool(c) for c in named)
    assert found.own_named == sum(own)
    assert found.expected == pytest.approx(sum(1 / len(c) for i, c in enumerate(named) if own[i]))
    linkable = [i + 1 for i, c in enumerate(named) if c == [i]]
    assert found.linkable == len(linkable)
    assert sorted(row for (row,) in found.rows.engine.fetch(f"SELECT row FROM {found.rows}")) == linkable
    assert found.match_rate == pytest.approx(found.true_match_rate + found.false_match_rate)
    assert found.comparisons == len(pairs) * sum(released is not None for _, released in pairs)


def lowest(pairs: list, cost: Callable[[tuple, tuple], float]) -> Callable[[int], list[int]]:
    """The candidates that cost least."""

    def candidates(i: int) -> list[int]:
        costs = {j: cost(pairs[i][0], released) for j, (_, released) in enumerate(pairs) if released is not None}
        return [j for j, c in costs.items() if c <= min(costs.values()) + NEAR]

    return candidates


@given(PEOPLE)
@settings(max_examples=40)
def test_exact_linkage_names_the_records_that_are_equal(link, pairs):
    found = ExactLinkage().of(link(pairs, types=KINDS))
    agree(found, pairs, lambda i: [j for j, (_, released) in enumerate(pairs) if released == pairs[i][0]])


def scale(pairs: list, k: int) -> float:
    """The standard deviation of the originals; if they are all the same, the range of all."""
    known = [original[k] for original, _ in pairs if original[k] is not None]
    every = known + [released[k] for _, released in pairs if released is not None and released[k] is not None]
    if len(set(known)) > 1:
        mean = sum(known) / len(known)
        return sqrt(sum((v - mean) ** 2 for v in known) / len(known))
    return (max(every) - min(every) if every else 0) or 1.0


def far(x: Any, y: Any, scale: float) -> float:
    if x is None or y is None:
        return float(x is not y)
    return abs(x - y) / scale


@pytest.mark.usefixtures("blocks")
@given(PEOPLE)
@settings(max_examples=40)
def test_distance_linkage_names_the_nearest_records(link, pairs):
    scales = {k: scale(pairs, k) for k in (0, 3)}

    def cost(x: tuple, y: tuple) -> float:
        return far(x[0], y[0], scales[0]) + (x[1] != y[1]) + (x[2] != y[2]) + far(x[3], y[3], scales[3])

    linked = link(pairs, types=KINDS)
    agree(DistanceLinkage().of(linked), pairs, lowest(pairs, cost))

    def near(i: int) -> list[int]:
        return [j for j in lowest(pairs, cost)(i) if cost(pairs[i][0], pairs[j][1]) <= 1.5]

    agree(DistanceLinkage(farthest=1.5 + NEAR).of(linked), pairs, near)


@pytest.mark.usefixtures("blocks")
@given(PEOPLE, st.sampled_from([-1000.0, 0.0, 2.0]))
@settings(max_examples=40)
def test_probabilistic_linkage_names_the_records_that_weigh_most(link, pairs, threshold):
    found = ProbabilisticLinkage(threshold).of(link(pairs, types=KINDS))
    weights = found.details.get("weights", [])

    def units(bits: float) -> int:
        return round(bits * UNITS)

    def lost(x: tuple, y: tuple) -> int:
        worth = [units(w["agree"]) - units(w["differ"]) for w in weights]
        return sum(w for a, b, w in zip(x, y, worth, strict=True) if a != b)

    def candidates(i: int) -> list[int]:
        best = lowest(pairs, lost)(i)
        whole = sum(units(w["agree"]) for w in weights)
        return [j for j in best if whole - lost(pairs[i][0], pairs[j][1]) > units(threshold)]

    agree(found, pairs, candidates)
    for w in weights:
        assert w["agree"] == pytest.approx(log2(w["m"] / w["u"]))
        assert w["differ"] == pytest.approx(log2((1 - w["m"]) / (1 - w["u"])))


@given(PEOPLE)
@settings(max_examples=40)
def test_patterns_are_counted_as_if_every_pair_were_looked_at(link, pairs):
    tuples = Tuples.of(link(pairs, types=KINDS))
    counts = pattern_counts(tuples.columns, tuples.originals, tuples.releases)
    released = [r for _, r in pairs if r is not None]
    every = Counter(sum((a == b) << k for k, (a, b) in enumerate(zip(o, r, strict=True)))
                    for o, _ in pairs for r in released)  # fmt: skip
    assert counts.tolist() == [every[pattern] for pattern in range(16)]


@given(PEOPLE)
@settings(max_examples=40)
def test_m_is_estimated_as_fellegi_and_sunter_and_winkler_say(link, pairs):
    released = [r for _, r in pairs if r is not None]
    if not released:
        return
    tuples = Tuples.of(link(pairs, types=KINDS))
    found = estimated_weights(pattern_counts(tuples.columns, tuples.originals, tuples.releases), 4, 1 / len(pairs))
    every = [[a == b for a, b in zip(o, r, strict=True)] for o, _ in pairs for r in released]
    inside = lambda p: min(max(p, SURE), 1 - SURE)  # noqa: E731
    prior = 1 / len(pairs)
    overall = [sum(row[k] for row in every) / len(every) for k in range(4)]
    m = [inside(max(0.9, overall[k])) for k in range(4)]

    def others() -> list[float]:
        return [inside((overall[k] - prior * m[k]) / (1 - prior) if prior < 1 else overall[k]) for k in range(4)]

    for _ in range(1000):
        share, u = [], others()
        for row in every:
            same, other = prior, 1 - prior
            for k in range(4):
                same, other = same * (m[k] if row[k] else 1 - m[k]), other * (u[k] if row[k] else 1 - u[k])
            share.append(same / (same + other))
        step = [inside(max(sum(g for g, row in zip(share, every, strict=True) if row[k]) / sum(share), overall[k]))
                for k in range(4)]  # fmt: skip
        moved, m = max(abs(a - b) for a, b in zip(step, m, strict=True)), step
        if moved < 1e-10:
            break
    assert found.u == pytest.approx(others(), abs=1e-6)
    assert found.m == pytest.approx(m, abs=1e-6)

"""The search finds what looking at every combination finds, on small tables of any kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import by_hand

from sfumato.classes import Value
from sfumato.condensed import Condensed
from sfumato.condensing import condense
from sfumato.dataset import Dataset
from sfumato.engines.duckdb import DuckDB
from sfumato.errors import PolicyError
from sfumato.grouped import Grouped
from sfumato.hierarchy import Hierarchy
from sfumato.judging import Judges
from sfumato.objective import Objective
from sfumato.objectives.ambiguity import Ambiguity
from sfumato.objectives.arx_divergence import ArxDivergence
from sfumato.objectives.class_size import ClassSize
from sfumato.objectives.discernibility import Discernibility
from sfumato.objectives.divergence import Divergence
from sfumato.objectives.entropy_loss import EntropyLoss
from sfumato.objectives.height import Height
from sfumato.objectives.loss import Loss
from sfumato.objectives.nue import Nue
from sfumato.objectives.precision import Precision
from sfumato.policy import Policy, Requirement
from sfumato.privacy.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.basic_beta_likeness import BasicBetaLikeness
from sfumato.privacy.delta_disclosure import DeltaDisclosure
from sfumato.privacy.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.k_anonymity import KAnonymity
from sfumato.privacy.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.t_closeness import TCloseness
from sfumato.search.optimal import Optimal

ENGINE = DuckDB()
REQUIREMENTS: dict[str, Callable[[float], Requirement]] = {
    "k": lambda bound: Requirement(KAnonymity(), bound),
    "distinct": lambda bound: Requirement(DistinctLDiversity("s"), bound),
    "entropy": lambda bound: Requirement(EntropyLDiversity("s"), bound),
    "recursive": lambda bound: Requirement(RecursiveLDiversity("s"), bound),
    "t": lambda bound: Requirement(TCloseness("s"), bound),
    "beta": lambda bound: Requirement(BasicBetaLikeness("s"), bound),
    "delta": lambda bound: Requirement(DeltaDisclosure("s"), bound),
    "alpha": lambda bound: Requirement(AlphaKAnonymity("s"), bound),
}
BOUNDS = {"k": [1, 2, 3, 5], "distinct": [2, 3], "entropy": [1.5, 2.0, 2.7], "recursive": [1.0, 2.0, 3.0],
          "t": [0.1, 0.3, 0.5], "beta": [0.4, 1.0], "delta": [0.7, 1.2], "alpha": [0.4, 0.6, 0.9]}  # fmt: skip


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """A tree over a few values: at each level some labels become one."""
    values = ["a", "b", "c", "d", "e"][: draw(st.integers(1, 5))]
    lines, labels = [[value] for value in values], list(values)
    for level in range(draw(st.integers(0, 2))):
        parents = {label: f"{level}{draw(st.integers(0, 2))}" for label in dict.fromkeys(labels)}
        labels = [parents[label] for label in labels]
        for line, label in zip(lines, labels, strict=True):
            line.append(label)
    return Hierarchy(tuple((*line, "*") for line in lines))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Hierarchy], list[by_hand.Row], list[str | None]]:
    trees = draw(st.lists(hierarchies(), min_size=1, max_size=3))
    row = st.tuples(*(st.sampled_from([*tree.values, None]) for tree in trees))
    kinds = draw(st.lists(row, min_size=1, max_size=7))
    rows = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=26))
    secrets = draw(st.lists(st.sampled_from(["u", "v", "w", None]), min_size=len(rows), max_size=len(rows)))
    return trees, rows, secrets


@st.composite
def policies(draw: st.DrawFn) -> list[tuple[str, float]]:
    names = draw(st.lists(st.sampled_from(sorted(BOUNDS)), min_size=1, max_size=2, unique=True))
    return [(name, draw(st.sampled_from(BOUNDS[name]))) for name in names]


def condensed(trees: list[Hierarchy], rows: list[by_hand.Row], secrets: list[str | None]) -> Condensed:
    columns = {f"q{j}": pa.array([row[j] for row in rows], pa.string()) for j in range(len(trees))}
    table = ENGINE.load(pa.table(columns | {"s": pa.array(secrets, pa.string())}))
    dataset = Dataset.of(table, dict.fromkeys(columns, "quasi") | {"s": "sensitive"})
    return condense(replace(dataset, hierarchies=dict(zip(columns, trees, strict=True))), [Value("s")])


def columnwise(score: Callable[..., list[float]], make: Callable[..., Objective], gs: bool = True) -> Any:
    def both(how: str, balance: float, weights: list[float]) -> tuple[Objective, Callable[[by_hand.Release], float]]:
        each = {"balance": balance} if gs else {}
        named = {f"q{j}": weight for j, weight in enumerate(weights)}
        parameter = {"gs": balance} if gs else {}
        return (make(aggregate=how, weights=named, **each),
                lambda found: by_hand.aggregated(score(found, **parameter), how, weights))  # fmt: skip

    return both


def whole(score: Callable[..., float], make: Callable[..., Objective], gs: bool = False) -> Any:
    def both(how: str, balance: float, weights: list[float]) -> tuple[Objective, Callable[[by_hand.Release], float]]:
        if gs:
            return make(balance=balance), lambda found: score(found, gs=balance)
        return make(), score

    return both


OBJECTIVES = {
    "loss": columnwise(by_hand.loss, Loss),
    "nue": columnwise(by_hand.nue, Nue),
    "monotone nue": columnwise(lambda found, gs: by_hand.nue(found, gs, both=False),
                               lambda **p: Nue(ignore_suppression=True, **p)),
    "normalised nue": columnwise(by_hand.nue_shares, lambda **p: Nue(normalised=True, **p), gs=False),
    "precision": columnwise(by_hand.precision, Precision),
    "height": columnwise(lambda found: [float(level) for level in found.node], Height, gs=False),
    "class size": whole(by_hand.class_size, ClassSize, gs=True),
    "discernibility": whole(by_hand.discernibility, Discernibility),
    "discernibility star": whole(by_hand.discernibility_star, lambda: Discernibility(ignore_suppression=True)),
    "ambiguity": whole(by_hand.ambiguity, Ambiguity),
    "divergence": whole(by_hand.divergence, Divergence),
    "arx divergence": whole(lambda found: by_hand.divergence(found, arx=True), ArxDivergence),
    "entropy loss": whole(by_hand.entropy_loss, EntropyLoss, gs=True),
}  # fmt: skip


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=60)
@given(
    table=tables(),
    policy=policies(),
    limit=st.sampled_from([0.0, 0.1, 0.3, 1.0]),
    how=st.sampled_from(["sum", "arithmetic", "geometric", "maximum"]),
    balance=st.sampled_from([0.5, 0.5, 0.2, 0.8]),
    weights=st.lists(st.sampled_from([1.0, 1.0, 0.3]), min_size=3, max_size=3),
)
def test_the_search_finds_what_looking_everywhere_finds(
    name: str, table: Any, policy: list[tuple[str, float]], limit: float, how: str, balance: float, weights: list[float]
) -> None:
    trees, rows, secrets = table
    objective, score = OBJECTIVES[name](how, balance, weights[: len(trees)])
    expected = by_hand.best(rows, secrets, trees, policy, limit, score)
    search = Optimal(Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy)), objective, limit)
    if expected is None:
        with pytest.raises(PolicyError, match="No combination of levels"):
            search.among(condensed(trees, rows, secrets))
        return
    found = search.among(condensed(trees, rows, secrets))
    least, node = expected
    assert found.score == pytest.approx(least, rel=1e-9, abs=1e-9)
    assert tuple(found.levels.values()) == node
    there = by_hand.release(rows, secrets, trees, node, policy)
    assert (found.suppressed, found.classes) == (len(there.gone), len(there.kept))
    assert found.optimal
    assert found.examined + found.pruned == found.lattice


@settings(max_examples=150)
@given(table=tables(), policy=policies())
def test_what_a_node_says_of_all_below_it_holds_there(table: Any, policy: list[tuple[str, float]]) -> None:
    """Records of doomed classes are suppressed at every node below, and as many in all as was said at the least."""
    trees, rows, secrets = table
    small = condensed(trees, rows, secrets)
    judges = Judges.of(Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy)))
    nodes = list(product(*(range(tree.height + 1) for tree in trees)))
    seen = {}
    for node in nodes:
        grouped = Grouped.at(small, node).packed
        verdict = judges.judged(grouped, float("inf"))
        assert verdict is not None
        seen[node] = (verdict.doomed[grouped.ids], verdict.gone[grouped.ids], verdict.lost)
    for upper, lower in product(nodes, nodes):
        if all(a >= b for a, b in zip(upper, lower, strict=True)):
            doomed, _, lost = seen[upper]
            gone = seen[lower][1]
            assert not (doomed & ~gone).any()
            assert lost <= small.records[gone].sum()

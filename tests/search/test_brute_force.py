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
from tests.search.worlds import Row, World

from sfumato.errors import PolicyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.basic_beta_likeness import BasicBetaLikeness
from sfumato.privacy.models.delta_disclosure import DeltaDisclosure
from sfumato.privacy.models.delta_presence import DeltaPresence
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.k_map import KMap
from sfumato.privacy.models.least_presence import LeastPresence
from sfumato.privacy.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.policy import Policy, Requirement, Scenario
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.ambiguity import Ambiguity
from sfumato.search.objectives.arx_divergence import ArxDivergence
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.objectives.entropy_loss import EntropyLoss
from sfumato.search.objectives.height import Height
from sfumato.search.objectives.kullback_leibler_divergence import Divergence
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.objectives.precision import Precision
from sfumato.search.scoring.objective_interface import Objective
from sfumato.tables.engine import Table
from sfumato.tables.engines.duckdb import DuckDB

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
    "average risk": lambda bound: Requirement(AverageRisk(), bound),
    "k map": lambda bound: Requirement(KMap(), bound),
    "presence": lambda bound: Requirement(DeltaPresence(), bound),
    "least presence": lambda bound: Requirement(LeastPresence(), bound),
}
BOUNDS = {"k": [1, 2, 3, 5], "distinct": [2, 3], "entropy": [1.5, 2.0, 2.7], "recursive": [1.0, 2.0, 3.0],
          "t": [0.1, 0.3, 0.5], "beta": [0.4, 1.0], "delta": [0.7, 1.2], "alpha": [0.4, 0.6, 0.9],
          "average risk": [0.2, 0.4], "k map": [2, 4, 7], "presence": [0.3, 0.5, 0.8],
          "least presence": [0, 0.2, 0.4]}  # fmt: skip
USUAL = sorted(set(BOUNDS) - {"k map", "presence", "least presence"})


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
def tables(draw: st.DrawFn, fewest: int = 1) -> World:
    trees = draw(st.lists(hierarchies(), min_size=fewest, max_size=3))
    row = st.tuples(*(st.sampled_from([*tree.values, None]) for tree in trees))
    kinds = draw(st.lists(row, min_size=1, max_size=7))
    rows = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=26))
    secrets = draw(st.lists(st.sampled_from(["u", "v", "w", None]), min_size=len(rows), max_size=len(rows)))
    return World(rows, secrets, trees)


@st.composite
def policies(draw: st.DrawFn, *more: str) -> list[tuple[str, float]]:
    """One or two of the requirements, one of `more` among them where there are any."""
    names = draw(st.lists(st.sampled_from(sorted(USUAL)), min_size=not more, max_size=2, unique=True))
    names += [draw(st.sampled_from(more))] if more else []
    names = list(dict.fromkeys(names))
    return [(name, draw(st.sampled_from(BOUNDS[name]))) for name in names]


def dataset(world: World) -> Dataset:
    """The world as tables in an engine; persons are known in the population where they are in the sample."""

    def loaded(rows: list[Row], whose: list[int | None] | None, **more: pa.Array) -> Table:
        columns = {f"q{j}": pa.array([row[j] for row in rows], pa.string()) for j in range(len(world.hierarchies))}
        who = {} if whose is None else {"who": pa.array(whose, pa.int64())}
        return ENGINE.load(pa.table(columns | who | more))

    table = loaded(world.rows, world.persons, s=pa.array(world.secrets, pa.string()))
    names = [f"q{j}" for j in range(len(world.hierarchies))]
    described = Dataset.of(table, dict.fromkeys(names, "quasi") | {"s": "sensitive"})
    described = replace(described, hierarchies=dict(zip(names, world.hierarchies, strict=True)))
    if world.everybody is not None:
        rows, whose = [row for row, _ in world.everybody], [who for _, who in world.everybody]
        described = described.with_population(loaded(rows, whose if world.persons is not None else None))
    return described if world.persons is None else replace(described, subject="who")


def condensed(world: World) -> CodedTable:
    return condense(dataset(world), [Value("s")])


def coded(trees: list[Hierarchy], rows: list[Row], secrets: list[str | None]) -> CodedTable:
    return condensed(World(rows, secrets, trees))


def asked(policy: list[tuple[str, float]]) -> Policy:
    return Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy))


def known(world: World) -> list[Scenario]:
    return [Scenario(f"s{i}", [f"q{j}" for j in columns]) for i, columns in enumerate(world.scenarios or [])]


def columnwise(score: Callable[..., list[float]], make: Callable[..., Objective], gs: bool = True) -> Any:
    def both(how: str, balance: float, weights: list[float]) -> tuple[Objective, Callable[[by_hand.Release], float]]:
        each = {"balance": balance} if gs else {}
        named = {f"q{j}": weight for j, weight in enumerate(weights)}
        parameter = {"gs": balance} if gs else {}
        return (make(aggregate=how, weights=named, **each),
                lambda release: by_hand.aggregated(score(release, **parameter), how, weights))  # fmt: skip

    return both


def whole(score: Callable[..., float], make: Callable[..., Objective], gs: bool = False) -> Any:
    def both(how: str, balance: float, weights: list[float]) -> tuple[Objective, Callable[[by_hand.Release], float]]:
        if gs:
            return make(balance=balance), lambda release: score(release, gs=balance)
        return make(), score

    return both


OBJECTIVES = {
    "loss": columnwise(by_hand.loss, Loss),
    "nue": columnwise(by_hand.nue, Nue),
    "monotone nue": columnwise(lambda release, gs: by_hand.nue(release, gs, both=False),
                               lambda **p: Nue(ignore_suppression=True, **p)),
    "normalised nue": columnwise(by_hand.nue_shares, lambda **p: Nue(normalised=True, **p), gs=False),
    "precision": columnwise(by_hand.precision, Precision),
    "height": columnwise(lambda release: [float(level) for level in release.node], Height, gs=False),
    "class size": whole(by_hand.class_size, ClassSize, gs=True),
    "discernibility": whole(by_hand.discernibility, Discernibility),
    "discernibility star": whole(by_hand.discernibility_star, lambda: Discernibility(ignore_suppression=True)),
    "ambiguity": whole(by_hand.ambiguity, Ambiguity),
    "divergence": whole(by_hand.divergence, Divergence),
    "arx divergence": whole(lambda release: by_hand.divergence(release, arx=True), ArxDivergence),
    "entropy loss": whole(by_hand.entropy_loss, EntropyLoss, gs=True),
}  # fmt: skip


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "limit": draw(st.sampled_from([0.0, 0.1, 0.3, 1.0])),
        "how": draw(st.sampled_from(["sum", "arithmetic", "geometric", "maximum"])),
        "balance": draw(st.sampled_from([0.5, 0.5, 0.2, 0.8])),
        "weights": draw(st.lists(st.sampled_from([1.0, 1.0, 0.3]), min_size=3, max_size=3)),
    }


def searched(name: str, world: World, policy: list[tuple[str, float]], *, limit: float, how: str, balance: float,
             weights: list[float]) -> None:  # fmt: skip
    """Assert that the search finds what looking at every node finds."""
    objective, score = OBJECTIVES[name](how, balance, weights[: len(world.hierarchies)])
    expected = by_hand.best(world, policy, limit, score)
    search = OptimalSearch(asked(policy), objective, limit, scenarios=known(world))
    if expected is None:
        with pytest.raises(PolicyError, match="No combination of levels"):
            search.of(dataset(world))
        return
    solution = search.of(dataset(world))
    least, node = expected
    assert solution.score == pytest.approx(least, rel=1e-9, abs=1e-9)
    assert tuple(solution.levels.values()) == node
    there = by_hand.release(world, node, policy)
    assert (solution.suppressed, solution.classes) == (len(there.gone), len(there.kept))
    assert solution.optimal
    assert solution.examined + solution.pruned == solution.lattice


def holds_below(world: World, policy: list[tuple[str, float]]) -> None:
    """Assert that what every node says of its classes is so, and that what it says of all nodes below holds there.

    Records of hereditary classes are suppressed at every node below, and as many in all as was said at the least.
    """
    small, rules = condensed(world), PolicyRules.of(asked(policy), known(world))
    nodes, seen = list(product(*(range(tree.height + 1) for tree in world.hierarchies))), {}
    for node in nodes:
        classes = CodedClasses.at(small, node).packed
        suppression = rules.suppression(classes, float("inf"))
        assert suppression is not None
        there = by_hand.release(world, node, policy)
        assert classes.records[suppression.here].sum() == len(there.gone)
        assert (~suppression.here & (classes.records > 0)).sum() == len(there.kept)
        assert sorted(classes.records[~suppression.here & (classes.records > 0)]) == sorted(map(len, there.kept))
        some = small.records > 0
        seen[node] = (
            suppression.hereditary[classes.ids] & some,
            suppression.here[classes.ids] & some,
            suppression.fewest_records,
        )
    for upper, lower in product(nodes, nodes):
        if all(a >= b for a, b in zip(upper, lower, strict=True)):
            hereditary, _, fewest = seen[upper]
            here = seen[lower][1]
            assert not (hereditary & ~here).any()
            assert fewest <= small.records[here].sum()


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=60)
@given(world=tables(), policy=policies(), task=tasks())
def test_the_search_finds_what_looking_everywhere_finds(
    name: str, world: World, policy: list[tuple[str, float]], task: dict[str, Any]
) -> None:
    searched(name, world, policy, **task)


@settings(max_examples=150)
@given(world=tables(), policy=policies())
def test_what_a_node_says_of_all_below_it_holds_there(world: World, policy: list[tuple[str, float]]) -> None:
    holds_below(world, policy)

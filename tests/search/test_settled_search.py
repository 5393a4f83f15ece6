"""A release that is compared with itself: the search finds the best node under that reading too."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import floor
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InfeasiblePolicy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.policy_rules import PolicyRules, Suppression
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.objectives.precision import Precision
from sfumato.search.scoring.objective_interface import NodeState, Objective, OmittedRows, Task
from sfumato.tables.engines.duckdb import DuckDB

ENGINE = DuckDB()
LETTERS = Hierarchy(tuple((x, "early" if x < "c" else "late", "*") for x in "abcd"))
DIGITS = Hierarchy(tuple((x, "low" if x < "2" else "high", "*") for x in "0123"))
OBJECTIVES: list[Objective] = [Loss(), Nue(), Precision(), ClassSize(), Discernibility(), Loss(aggregate="geometric")]

Row = tuple[str | None, str | None, str]
rows = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", "d", None]), st.sampled_from("0123"), st.sampled_from("xyz")),
    min_size=3,
    max_size=24,
)


def condensed(people: list[Row]) -> CodedTable:
    columns = list(zip(*people, strict=True))
    table = pa.table({name: pa.array(c, pa.string()) for name, c in zip("pqs", columns, strict=True)})
    dataset = Dataset.of(ENGINE.load(table), {"p": "quasi", "q": "quasi", "s": "sensitive"})
    from dataclasses import replace

    policy = Policy((Requirement(TCloseness("s"), 0.3),))
    return condense(replace(dataset, hierarchies={"p": LETTERS, "q": DIGITS}), PolicyRules.of(policy).values)


def kept(people: list[Row], node: tuple[int, int], k: int, t: float) -> set[tuple[str | None, str | None]]:
    """The classes that stay: k members, and close to everybody in the original and among those who stay."""
    classes: dict[tuple[str | None, str | None], Counter[str]] = {}
    for p, q, s in people:
        key = (LETTERS.label(p, node[0]), DIGITS.label(q, node[1]))
        classes.setdefault(key, Counter())[s] += 1
    everybody = sum(classes.values(), Counter())
    left = set(classes)
    first = True
    while True:
        bad = {key for key in left if classes[key].total() < k or distance(classes[key], everybody) > t + 1e-9}
        if not bad and not first:
            return left
        left -= bad
        first = False
        everybody = sum((classes[key] for key in left), Counter())


def distance(own: Counter[str], everybody: Counter[str]) -> float:
    shares = [(own[s] / own.total(), everybody[s] / everybody.total()) for s in everybody | own]
    return sum(abs(q - p) for q, p in shares) / 2


def state_of(table: CodedTable, node: tuple[int, int], stay: set[tuple[str | None, str | None]]) -> NodeState:
    classes = CodedClasses.at(table, node).packed
    gone = np.ones(classes.space, dtype=np.bool_)
    for row, own in enumerate(classes.ids.tolist()):
        p, q = (int(table.codes[j][row]) for j in range(2))
        lines = (*LETTERS.lines, LETTERS.missing)[p], (*DIGITS.lines, DIGITS.missing)[q]
        gone[own] = (lines[0][node[0]], lines[1][node[1]]) not in stay
    nobody = np.zeros(classes.space, dtype=np.bool_)
    suppression = Suppression(here=gone, hereditary=nobody, all_hereditary=False, forced=0, further=0)
    return NodeState(classes, suppression, OmittedRows.none(table))


@settings(max_examples=120)
@given(
    people=rows,
    k=st.integers(1, 3),
    t=st.sampled_from([0.15, 0.3, 0.5]),
    share=st.sampled_from([0.2, 0.5, 1.0]),
    objective=st.sampled_from(OBJECTIVES),
)
def test_the_best_node_of_those_that_are_compared_with_themselves_is_found(
    people: list[Row], k: int, t: float, share: float, objective: Objective
) -> None:
    table = condensed(people)
    policy = Policy((Requirement(KAnonymity(), k), Requirement(TCloseness("s"), t)))
    task = Task(table, PolicyRules.of(policy), floor(share * len(people) + 1e-9))
    scorer: Any = objective.ready(task)
    states = [state_of(table, node, kept(people, node, k, t)) for node in product(range(3), range(3))]
    scores = [scorer.score(state) for state in states if state.suppressed <= task.limit]
    search = OptimalSearch(policy, objective, share, settled=True)
    if not scores:
        with pytest.raises(InfeasiblePolicy):
            search.among(table)
        return
    solution = search.among(table)
    assert solution.optimal
    assert solution.score == pytest.approx(min(scores), rel=1e-9, abs=1e-12)


def test_comparing_with_the_original_alone_may_release_what_breaks_its_own_bound() -> None:
    """ARX reads t against the original. Ages 1 and 2 are close to all three; without age 3 the second is not."""
    people: list[Row] = [("a", "0", s) for s in "x" * 18 + "y" * 6]
    people += [("b", "0", s) for s in "xyyyyy"] + [("c", "0", s) for s in "y" * 12]
    policy = Policy((Requirement(TCloseness("s"), 0.3),))
    limits = {"p": (0, 0), "q": (0, 0)}
    table = condensed(people)
    assert OptimalSearch(policy, Loss(), 1.0, limits).among(table).suppressed == 12
    assert OptimalSearch(policy, Loss(), 1.0, limits, settled=True).among(table).suppressed == 18

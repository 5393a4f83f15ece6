"""ARX 3.9.2's optimal combinations of levels under other privacy models, with the occupation as the sensitive value."""

from __future__ import annotations

from typing import Any

import pytest
from tests.oracles.test_arx import DELTA, EVEN, NAMES, SENSITIVE, policy
from tests.search.test_arx_optimal import THOROUGH, agrees, scored

from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.models.delta_disclosure import DeltaDisclosure
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.scoring.objective_interface import Objective

OBJECTIVES: dict[str, Objective] = {"loss, geometric mean": Loss(aggregate="geometric"), "non-uniform entropy": Nue()}


@pytest.mark.parametrize("name", NAMES)
def test_the_optimum_under_other_models_is_that_of_arx(
    census: dict[str, CodedTable], arx_privacy: list[dict[str, Any]], name: str
) -> None:
    """At suppression limits of 0, 2, 5 and 100 %, for two objectives.

    Where parts of a class that breaks a model may keep to it, a limit of 5 or 100 % leaves little to prune: these run
    with SFUMATO_THOROUGH=1 only.
    """
    table, entries = census["sensitive"], [entry for entry in arx_privacy if entry["model"] == name]
    assert len(entries) == 8
    for entry in entries:
        rules, objective = Policy(tuple(policy(name))), OBJECTIVES[entry["objective"]]
        score, state = scored(table, rules, objective, entry)
        assert score == pytest.approx(entry["score"], rel=1e-9)
        if entry["suppression_limit"] > 0.02 and "distinct" not in name and not THOROUGH:
            continue
        solution = OptimalSearch(rules, objective, entry["suppression_limit"]).among(table)
        agrees(solution, state, entry, table)


@pytest.mark.parametrize("name", EVEN)
def test_where_arx_suppresses_l_equally_frequent_values_ours_is_no_worse(
    census: dict[str, CodedTable], arx_privacy: list[dict[str, Any]], name: str
) -> None:
    """ARX loses classes whose entropy is exactly ln l to the last digit of a logarithm (see `tests/oracles`).

    We are right to keep them, so our optimum is never above ARX's, and the same wherever no such class matters.
    """
    same = 0
    for entry in (e for e in arx_privacy if e["model"] == name and e["suppression_limit"] <= 0.02):
        rules, objective = Policy(tuple(policy(name))), OBJECTIVES[entry["objective"]]
        solution = OptimalSearch(rules, objective, entry["suppression_limit"]).among(census["sensitive"])
        assert solution.optimal
        assert solution.score <= entry["score"] * (1 + 1e-9)
        same += solution.score == pytest.approx(entry["score"], rel=1e-9)
    assert same >= 2


@pytest.mark.parametrize("name", DELTA)
def test_delta_disclosure_over_all_values_costs_more_than_over_those_present(
    census: dict[str, CodedTable], arx_privacy: list[dict[str, Any]], name: str
) -> None:
    """ARX keeps a class in which a value of the table does not occur; by the definition its delta is infinite.

    We are right (see `tests/oracles`), and so our optimum is never below ARX's.
    """
    rules = [*([Requirement(KAnonymity(), 5)] if name.startswith("k5") else [])]
    rules += [Requirement(DeltaDisclosure(SENSITIVE, base=2), float(name.rsplit("-", 1)[1]))]
    for entry in (e for e in arx_privacy if e["model"] == name and e["suppression_limit"] <= 0.02):
        objective = OBJECTIVES[entry["objective"]]
        solution = OptimalSearch(Policy(tuple(rules)), objective, entry["suppression_limit"]).among(census["sensitive"])
        assert solution.optimal
        assert solution.score >= entry["score"] * (1 - 1e-9)

"""What an explanation says of a solution is what looking everywhere says of it."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from math import inf, log1p
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.search import by_hand
from tests.search.test_brute_force import OBJECTIVES, REQUIREMENTS, coded, condensed, policies, tables
from tests.search.worlds import Node, World

from sfumato.errors import PolicyError
from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.explain import explain_levels
from sfumato.search.explanation import Explanation
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.optimal import Budget, Optimal
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.objectives.loss import Loss
from sfumato.tables.engines.duckdb import DuckDB

FIVE = Policy((Requirement(KAnonymity(), 5),))
COLUMNWISE = {"loss": by_hand.loss, "nue": by_hand.nue, "precision": by_hand.precision}


def close(number: float) -> Any:
    return pytest.approx(number, rel=1e-9, abs=1e-9)


def solved(search: Optimal, table: CodedTable) -> LevelsFound:
    try:
        return search.among(table)
    except PolicyError:
        assume(False)
        raise


@pytest.mark.parametrize("name", ["loss", "nue", "precision", "height", "class size", "discernibility", "divergence"])
@settings(max_examples=20)
@given(
    table=tables(),
    policy=policies(),
    limit=st.sampled_from([0.0, 0.1, 0.3, 1.0]),
    how=st.sampled_from(["sum", "arithmetic", "geometric", "maximum"]),
    weights=st.lists(st.sampled_from([1.0, 1.0, 0.3]), min_size=3, max_size=3),
)
def test_neighbours_and_bounds_are_those_of_brute_force(
    name: str, table: Any, policy: list[tuple[str, float]], limit: float, how: str, weights: list[float]
) -> None:
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    objective, score = OBJECTIVES[name](how, 0.5, weights[: len(trees)])
    search = Optimal(Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy)), objective, limit)
    small = condensed(World(rows, secrets, trees))
    found = solved(search, small)
    why, node = explain_levels(search, small, found), tuple(found.levels.values())

    def there(levels: Node) -> tuple[float, int, int]:
        release = by_hand.release(World(rows, secrets, trees), levels, policy)
        return score(release), len(release.gone), min(map(len, release.kept), default=0)

    allowed = int(limit * len(rows) + 1e-9)
    for steps, up in ((why.better, -1), (why.safer, 1)):
        expected = {}
        for j, tree in enumerate(trees):
            if 0 <= node[j] + up <= tree.height:
                expected[f"q{j}"] = there((*node[:j], node[j] + up, *node[j + 1 :]))
        assert {step.column for step in steps} == set(expected)
        assert [step.score for step in steps] == sorted(step.score for step in steps)
        for step in steps:
            points, gone, smallest = expected[step.column]
            assert (step.score, step.suppressed, step.smallest) == (close(points), gone, smallest)
            assert step.excess == max(gone - allowed, 0)
    for j, column in enumerate(why.columns):
        points, gone, _ = there((*node[:j], 0, *node[j + 1 :]))
        assert (column.lowest_score, column.lowest_suppressed) == (close(points), gone)
        assert column.labels == len({trees[j].label(row[j], node[j]) for row in rows})
    for place, bound in enumerate(why.requirements):
        others = [rule for i, rule in enumerate(policy) if i != place]
        broken = set(by_hand.release(World(rows, secrets, trees), node, [policy[place]]).gone)
        rest = set(by_hand.release(World(rows, secrets, trees), node, others).gone)
        assert (bound.breaks, bound.alone) == (len(broken), len(broken - rest))
        best = by_hand.best(World(rows, secrets, trees), others, limit, score)
        assert best is not None
        assert bound.without.score == close(best[0])
        assert bound.without.binds is (best[0] < found.score - 1e-9)
    json.loads(why.to_json())
    assert "What each column costs" in str(why)


@settings(max_examples=40)
@given(table=tables(), policy=policies(), limit=st.sampled_from([0.0, 0.1, 0.3]))
def test_more_suppression_is_twice_as_much_and_one_record_more_at_least(
    table: Any, policy: list[tuple[str, float]], limit: float
) -> None:
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    search = Optimal(Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy)), Loss(), limit)
    small = condensed(World(rows, secrets, trees))
    why = explain_levels(search, small, solved(search, small))
    allowed = int(limit * len(rows) + 1e-9)
    assert why.more_limit == min(max(2 * allowed, allowed + 1), len(rows))
    best = by_hand.best(World(rows, secrets, trees), policy, why.more_limit / len(rows),
                        lambda found: sum(by_hand.loss(found)) / found.m)  # fmt: skip
    assert best is not None
    assert why.more is not None
    assert why.more.score == close(best[0])
    assert why.more.binds is (best[0] < why.levels_found.score - 1e-9)


@pytest.mark.parametrize("how", ["sum", "arithmetic", "geometric", "maximum"])
@pytest.mark.parametrize("name", COLUMNWISE)
@settings(max_examples=10)
@given(table=tables(), policy=policies(), limit=st.sampled_from([0.0, 0.3, 1.0]), light=st.sampled_from([1.0, 0.3]))
def test_costs_of_columns_and_of_suppression_add_up_to_the_score(
    name: str, how: str, table: Any, policy: list[tuple[str, float]], limit: float, light: float
) -> None:
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    weights = [1.0, light, 1.0][: len(trees)]
    objective, _ = OBJECTIVES[name](how, 0.5, weights)
    search = Optimal(Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy)), objective, limit)
    small = condensed(World(rows, secrets, trees))
    found = solved(search, small)
    why = explain_levels(search, small, found)
    free = by_hand.release(World(rows, secrets, trees), tuple(found.levels.values()), [])
    each = COLUMNWISE[name](free)
    whole = by_hand.aggregated(each, how, weights)
    weighted = [w / max(weights) * x for w, x in zip(weights, each, strict=True)]
    if how == "geometric":
        logs = [log1p(x) for x in weighted]
        weighted = [whole * x / sum(logs) if sum(logs) else 0.0 for x in logs]
    elif how == "arithmetic":
        weighted = [x / len(each) for x in weighted]
    assert [column.cost for column in why.columns] == [close(x) for x in weighted]
    assert why.suppression_cost == close(found.score - whole)
    assert why.adds_up is (how != "maximum")
    if why.adds_up:
        assert sum(column.cost for column in why.columns) + why.suppression_cost == close(found.score)


def test_without_columns_to_add_up_a_cost_is_what_the_lowest_level_would_save() -> None:
    """Four towns in two regions: by region each record looks like two, of all four by country."""
    towns = Hierarchy((("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*")))
    table = coded([towns], [("a",), ("b",), ("c",), ("d",)], ["u"] * 4)
    search = Optimal(Policy((Requirement(KAnonymity(), 2),)), Discernibility())
    why = explain_levels(search, table, search.among(table))
    assert (why.levels_found.score, why.columns[0].level, why.columns[0].cost) == (8, 1, 8 - 4)
    assert (why.columns[0].lowest_score, why.columns[0].lowest_suppressed) == (4 * 4, 4)
    assert (why.next_better, why.next_safer and why.next_safer.score) == (None, 16)
    assert not why.adds_up


def by_dictionaries(folder: Path, node: dict[str, int]) -> tuple[float, int, int]:
    """Loss, suppressed records and smallest class of the census at a node, k = 5, record by record."""
    with (folder / "adult.csv").open(encoding="utf-8", newline="") as file:
        header, *records = list(csv.reader(file, delimiter=";"))
    trees = {name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv") for name in header}
    labels = {name: {line[0]: line[node[name]] for line in tree.lines} for name, tree in trees.items()}
    leaves = {name: Counter(line[node[name]] for line in tree.lines) for name, tree in trees.items()}
    made = [tuple(labels[name][value] for name, value in zip(header, record, strict=True)) for record in records]
    sizes, lost = Counter(made), 0.0
    for release in made:
        if sizes[release] < 5:
            lost += 1
            continue
        for name, label in zip(header, release, strict=True):
            lost += (leaves[name][label] - 1) / (len(trees[name].lines) - 1) / len(header)
    gone = sum(n for n in sizes.values() if n < 5)
    return lost / len(records), gone, min(n for n in sizes.values() if n >= 5)


@pytest.fixture(scope="module")
def census_explained(census: dict[str, CodedTable]) -> Explanation:
    search = Optimal(FIVE, Loss(), 0.02)
    return explain_levels(search, census["nine"], search.among(census["nine"]))


def test_the_census_solution_is_explained_by_numbers_that_records_confirm(
    shared: Path, census_explained: Explanation
) -> None:
    why, folder = census_explained, shared / "data" / "adult"
    assert (why.levels_found.score, why.levels_found.suppressed, why.limit) == (close(0.35748248991015824), 506, 603)
    better, safer = why.next_better, why.next_safer
    assert better is not None
    assert safer is not None
    assert (better.column, better.level, better.suppressed, better.excess) == ("occupation", 1, 1165, 562)
    assert (safer.column, safer.level, safer.suppressed) == ("education", 3, 233)
    for step in (better, safer):
        node = {**why.levels_found.levels, step.column: step.level}
        assert (step.score, step.suppressed, step.smallest) == (
            close(by_dictionaries(folder, node)[0]), *by_dictionaries(folder, node)[1:],
        )  # fmt: skip
    assert sum(column.cost for column in why.columns) + why.suppression_cost == close(why.levels_found.score)
    assert {column.column: column.labels for column in why.columns if column.labels > 2} == {
        "age": 5, "race": 5, "education": 3, "native-country": 5, "workclass": 3,
    }  # fmt: skip


def test_of_the_census_solution_k_binds_and_so_does_suppression(shared: Path, census_explained: Explanation) -> None:
    why = census_explained
    bound, more = why.requirements[0], why.more
    assert (bound.breaks, bound.alone, bound.without.score, bound.without.binds) == (506, 506, close(0), True)
    assert more is not None
    assert (more.proven, more.binds, why.more_limit) == (True, True, 1206)
    assert more.score == close(by_dictionaries(shared / "data" / "adult", dict(more.levels))[0])


def test_only_t_binds_where_k_and_l_ask_for_less(census: dict[str, CodedTable]) -> None:
    measures = (KAnonymity(), 5), (DistinctLDiversity("occupation"), 3), (TCloseness("occupation"), 0.5)
    search = Optimal(Policy(tuple(Requirement(*each) for each in measures)), Loss(), 0.02)
    why = explain_levels(search, census["sensitive"], search.among(census["sensitive"]))
    assert [bound.without.binds for bound in why.requirements] == [False, False, True]
    assert "t_closeness(occupation)" in str(why)


def test_nobody_says_what_binds_when_the_search_ended_too_early(census: dict[str, CodedTable]) -> None:
    search = Optimal(FIVE, Loss(), 0.02, budget=Budget(nodes=5))
    why = explain_levels(search, census["nine"], search.among(census["nine"]))
    assert why.more is not None
    assert why.more.binds is None
    assert "not known" in str(why)
    assert "a better one may exist" in str(why)


def test_nothing_is_said_of_levels_beyond_their_limits(census: dict[str, CodedTable]) -> None:
    search = Optimal(FIVE, Loss(), 0.05, limits={"age": (3, 3), "sex": (0, 1)})
    why = explain_levels(search, census["nine"], search.among(census["nine"]))
    assert "age" not in {step.column for step in (*why.better, *why.safer)}
    assert next(column for column in why.columns if column.column == "age").lowest == 3


def test_an_infinite_score_is_no_number_in_the_document() -> None:
    """With a balance of 1 nothing but suppressed records counts, and a node without classes scores infinity."""
    towns = Hierarchy((("a", "*"), ("b", "*")))
    table = coded([towns], [("a",), ("b",)], ["u", "u"])
    objective, _ = OBJECTIVES["class size"]("sum", 1.0, [])
    search = Optimal(Policy((Requirement(KAnonymity(), 2),)), objective)
    why = explain_levels(search, table, search.among(table))
    assert why.columns[0].lowest_score == inf
    assert json.loads(why.to_json())["columns"][0]["lowest_score"] is None
    assert str(why)


def test_a_requirement_without_a_bound_binds_nothing() -> None:
    table = DuckDB().load(pa.table({"town": ["a", "a", "b"]}))
    dataset = replace(Dataset.of(table, {"town": "quasi"}), hierarchies={"town": Hierarchy((("a", "*"), ("b", "*")))})
    search = Optimal(Policy((Requirement(KAnonymity()), Requirement(KAnonymity(), 2))), Loss(), 0.5)
    small = condense(dataset)
    why = explain_levels(search, small, search.among(small))
    assert [(bound.bound, bound.breaks) for bound in why.requirements] == [(2, 1)]

"""Whom suppression hits, counted again record by record."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import by_hand
from tests.search.conftest import SENSITIVE, census_table
from tests.search.test_brute_force import REQUIREMENTS, coded, condensed, policies, tables
from tests.search.worlds import Row, World

from sfumato.errors import PolicyError
from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.schema import Schema
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.loss import Loss
from sfumato.search.suppression_bias import (
    MISSING,
    ColumnBias,
    Subgroup,
    SuppressionBias,
    bias_of,
    suppressed_rows,
    value_names,
)
from sfumato.tables.engine import Engine

SEXES = Hierarchy((("f", "*"), ("m", "*")))


def towns(counts: dict[str, tuple[int, int]]) -> SuppressionBias:
    """The bias of a table of towns, from the records of each and how many of them are suppressed."""
    tree = Hierarchy(tuple((name, "*") for name in counts))
    table = coded([tree], [(name,) for name, (n, _) in counts.items() for _ in range(n)],
                      ["u"] * sum(n for n, _ in counts.values()))  # fmt: skip
    lost = [counts[tree.values[leaf]][1] for leaf in table.codes[0]]
    return bias_of(table, np.array(lost), {"q0": tree})


def groups(found: SuppressionBias) -> dict[str, Subgroup]:
    return {group.label: group for group in found.columns[0].groups}


@settings(max_examples=40)
@given(table=tables(), policy=policies(), limit=st.sampled_from([0.3, 1.0]))
def test_the_rows_that_are_gone_are_those_of_brute_force(
    table: Any, policy: list[tuple[str, float]], limit: float
) -> None:
    trees, rows, secrets = table.hierarchies, table.rows, table.secrets
    search = OptimalSearch(Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy)), Loss(), limit)
    small = condensed(World(rows, secrets, trees))
    try:
        found = search.among(small)
    except PolicyError:
        return
    gone = suppressed_rows(search, small, found)
    assert small.records[gone].sum() == found.suppressed
    expected = by_hand.release(World(rows, secrets, trees), tuple(found.levels.values()), policy).gone
    lines = [[*tree.values, None] for tree in trees]
    seen = Counter(
        tuple(lines[j][code] for j, code in enumerate(codes)) for codes in np.repeat(small.codes[:, gone],
                                                                                    small.records[gone], axis=1).T
    )  # fmt: skip
    assert seen == Counter(rows[i] for i in expected)


@settings(max_examples=60)
@given(counts=st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1)), min_size=1, max_size=14))
def test_no_small_group_is_shown_or_can_be_told(counts: list[tuple[int, float]]) -> None:
    named = {f"t{i:02}": (n, round(n * share)) for i, (n, share) in enumerate(counts)}
    total = sum(n for n, _ in named.values())
    found = towns(named)
    assert (found.records, found.suppressed) == (total, sum(s for _, s in named.values()))
    if not found.columns:
        small = [n for n, _ in named.values() if n < 11]
        shown = len(named) - len(small)
        assert found.left_out == (("q0",) if len(named) > 1 else ())
        assert len(named) == 1 or len(named) > 12 or shown <= (2 if small else 1)
        return
    seen = found.columns[0].groups
    assert all(group.records >= 11 for group in seen)
    assert sum(group.records for group in seen) == total  # so nothing is left that could be told from the total
    assert sum(group.labels for group in seen) == len(named)
    assert all(group.labels == 1 for group in seen if group.label in named)
    assert [group.labels > 1 for group in seen if group.label not in named] in ([], [True])
    for group in seen:
        if group.label in named:
            assert (group.records, group.suppressed) == named[group.label]
        assert group.share == group.suppressed / group.records
        overall = found.suppressed / total
        assert group.ratio == (pytest.approx(group.share / overall) if overall else None)
    assert [group.share for group in seen] == sorted((group.share for group in seen), reverse=True)


def test_a_group_is_hit_from_a_quarter_more_often_and_five_records_on() -> None:
    """Of 80 + 20 records 20 are suppressed in all, one in five: 5 of 20 is exactly 1.25 times as often."""
    assert {label: group.hit for label, group in groups(towns({"a": (80, 15), "b": (20, 5)})).items()} == {
        "a": False, "b": True,
    }  # fmt: skip
    assert not any(group.hit for group in groups(towns({"a": (81, 16), "b": (20, 5)})).values())
    assert not any(group.hit for group in groups(towns({"a": (500, 2), "b": (20, 4)})).values())


def test_a_hit_is_said_in_a_sentence() -> None:
    found = towns({"a": (80, 5), "b": (20, 10)})
    assert found.notes == ("q0 b: 50.0% of its records are suppressed, 3.33 times as often as everybody's.",)
    assert found.notes[0] in str(found)
    assert "1 group hit clearly more often than everybody" in str(found)
    assert json.loads(found.to_json())["columns"][0]["groups"][0]["hit"] is True


def test_nobody_is_hit_where_nothing_is_suppressed() -> None:
    found = towns({"a": (80, 0), "b": (20, 0)})
    assert [group.ratio for group in found.columns[0].groups] == [None, None]
    assert not any(group.hit for group in found.columns[0].groups)
    assert found.notes == ()
    assert "No group hit" in str(found)


def test_one_rare_label_is_joined_with_the_next_smallest() -> None:
    """Alone it could be told from the total."""
    found = groups(towns({"a": (50, 0), "b": (30, 3), "c": (4, 4)}))
    assert {label: (group.records, group.suppressed) for label, group in found.items()} == {
        "a": (50, 0), "(2 rare labels together)": (34, 7),
    }  # fmt: skip


def test_the_level_is_the_lowest_with_few_labels() -> None:
    """Twenty ages in four tens below the top; the sexes have no level between, and a missing one is a group."""
    ages = Hierarchy(tuple((str(age), f"{age // 5 * 5}+", "*") for age in range(20, 40)))
    rows: list[Row] = [(str(20 + i % 20), (None, "f", "m")[i % 3]) for i in range(120)]
    table = coded([ages, SEXES], rows, ["u"] * 120)
    found = bias_of(table, np.zeros(table.rows, dtype=bool), {"q0": ages, "q1": SEXES})
    assert [(column.column, column.level, len(column.groups)) for column in found.columns] == [
        ("q0", 1, 4), ("q1", 0, 3),
    ]  # fmt: skip
    assert {group.label for group in found.columns[1].groups} == {"f", "m", MISSING}


def test_sensitive_values_are_named_in_the_order_of_the_condensed_table(engine: Engine) -> None:
    stages = ["III", "I", None, "II", "IV", "I"] * 20
    pressures = [120.0, 80.0, 95.5, None, 80.0, 200.0] * 20
    loaded = engine.load(pa.table({"sex": ["f", "m"] * 60, "stage": stages, "pressure": pressures}))
    dataset = Dataset.of(loaded, {"sex": "quasi", "stage": "sensitive", "pressure": "sensitive"})
    schema: Schema = dataset.schema.with_attribute("stage", order=("IV", "I", "II"))
    dataset = replace(dataset, schema=schema, hierarchies={"sex": SEXES})
    values = [Value("stage"), Value("stage", (), True), Value("pressure", (80, 100, 150))]
    table = condense(dataset, values)
    named = {value: value_names(dataset, value) for value in values}
    assert named[values[0]] == ("IV", "I", "II", "III")
    assert named[values[1]] == ("IV", "I", "II", "III", MISSING)
    assert named[values[2]] == ("80--100", "100--150", ">=150")
    lost = np.where(table.values[values[0]].codes == 0, table.records, 0)
    found = bias_of(table, lost, {"sex": SEXES}, named)
    stage, pressure = found.columns[1:]
    assert isinstance(stage, ColumnBias)
    assert {group.label: (group.records, group.suppressed) for group in stage.groups} == {
        "I": (40, 0), "II": (20, 0), "III": (20, 0), "IV": (20, 20), MISSING: (20, 0),
    }  # fmt: skip
    assert {group.label: group.suppressed for group in pressure.groups}["80--100"] == 20


def test_whom_suppression_of_the_census_hits_is_what_counting_records_says(
    shared: Path, census: dict[str, CodedTable]
) -> None:
    folder = shared / "data" / "adult"
    search = OptimalSearch(Policy((Requirement(KAnonymity(), 5),)), Loss(), 0.02)
    solution = search.among(census["nine"])
    with (folder / "adult.csv").open(encoding="utf-8", newline="") as file:
        header, *records = list(csv.reader(file, delimiter=";"))
    trees = {name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv") for name in header}
    found = bias_of(census["nine"], suppressed_rows(search, census["nine"], solution), trees)
    made = [tuple(trees[name].label(value, solution.levels[name]) for name, value in zip(header, record, strict=True))
            for record in records]  # fmt: skip
    sizes = Counter(made)
    assert (found.records, found.suppressed) == (30162, sum(n for n in sizes.values() if n < 5))
    levels = {column.column: column.level for column in found.columns}
    assert (levels["age"], levels["native-country"], levels["sex"]) == (2, 1, 0)
    for column in found.columns:
        j = header.index(column.column)
        assert column.level is not None
        labels = [trees[column.column].label(record[j], column.level) for record in records]
        everybody = Counter(labels)
        gone = Counter(label for label, release in zip(labels, made, strict=True) if sizes[release] < 5)
        assert {group.label: (group.records, group.suppressed) for group in column.groups} == {
            str(label): (n, gone[label]) for label, n in everybody.items()
        }
    women = next(group for column in found.columns for group in column.groups if group.label == "Female")
    assert (women.suppressed, women.records, women.hit) == (232, 9782, True)
    assert women.ratio == pytest.approx(232 / 9782 / (506 / 30162))


def test_occupations_of_the_census_are_too_many_to_compare(shared: Path, census: dict[str, CodedTable]) -> None:
    dataset = census_table(shared / "data" / "adult", {SENSITIVE: "sensitive"})
    names = {Value(SENSITIVE): value_names(dataset, Value(SENSITIVE))}
    table = census["sensitive"]
    assert len(names[Value(SENSITIVE)]) == 14
    found = bias_of(table, np.zeros(table.rows, dtype=bool), dataset.hierarchies, names)
    assert found.left_out == (SENSITIVE,)
    assert f"to compare: {SENSITIVE}." in str(found)

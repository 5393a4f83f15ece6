"""Associations of columns and the classification metric, against scipy, pandas and plain counting."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr
from scipy.stats.contingency import association

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.model_interface import Figure, NotApplicable
from sfumato.utility.models.associations import MOST, Associations
from sfumato.utility.models.classification_metric import ClassificationMetric
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing


def compared(before, after, names=None, *, engine=None, target=None, hierarchies=None):
    held = engine or DuckDB()
    tables = [held.load(table if isinstance(table, pa.Table) else pa.table(table)) for table in (before, after)]
    names = names or [name for name in before if name != target]
    return Comparison.of(Pairing.of(*tables, names, target=target, hierarchies=hierarchies))


def read(before, after, **options):
    return Associations().of(compared(before, after, **options))


def one_pair(before, after, **options):
    return read(before, after, **options).total.more["pairs"][0]


def categories(table):
    """Two columns of categories that have the given counts."""
    cells = [(f"r{r}", f"c{c}") for r, row in enumerate(table) for c, n in enumerate(row) for _ in range(n)]
    return {"row": [r for r, _ in cells], "column": [c for _, c in cells]}


def test_cramers_v_of_a_two_by_two_table_is_a_half_where_chi_squared_is_a_quarter_of_the_records():
    table = categories([[3, 1], [1, 3]])
    assert one_pair(table, table) == {
        "columns": ["row", "column"], "kind": "cramers_v", "before": 0.5, "after": 0.5,
        "records_before": 8, "records_after": 8,
    }  # fmt: skip


@pytest.mark.parametrize(
    "table", [[[5, 0, 2], [1, 4, 4]], [[1, 2], [3, 4], [9, 1]], [[2, 2], [2, 2]], [[7, 0], [0, 3]]]
)
def test_cramers_v_is_that_of_scipy(table):
    rows = categories(table)
    assert one_pair(rows, rows)["before"] == pytest.approx(association(np.array(table), method="cramer"), abs=1e-12)


def test_the_correlation_ratio_of_two_groups_of_two_is_the_root_of_four_fifths():
    rows = {"group": ["a", "a", "b", "b"], "number": [1, 2, 3, 4]}
    found = one_pair(rows, rows)
    assert found["kind"] == "eta"
    assert found["before"] == pytest.approx(math.sqrt(4 / 5), abs=1e-12)


def test_the_order_of_the_columns_does_not_matter():
    rows = {"number": [1, 2, 3, 9], "group": ["a", "a", "b", "b"], "other": [4.0, 2.0, 2.5, 1.0]}
    forth, back = (
        read(rows, rows, names=names) for names in (["number", "group", "other"], ["other", "group", "number"])
    )

    def by_pair(found):
        return {frozenset(pair["columns"]): (pair["kind"], pair["before"]) for pair in found.total.more["pairs"]}

    assert by_pair(forth) == by_pair(back)
    assert Counter(kind for kind, _ in by_pair(forth).values()) == {"eta": 2, "pearson": 1}


def test_the_correlation_of_two_numbers_is_that_of_scipy_even_far_from_zero():
    x = [1e9 + number for number in (1.0, 2.0, 4.0, 8.0, 3.0)]
    y = [-number for number in (1.0, 3.0, 2.0, 9.0, 1.0)]
    rows = {"x": x, "y": y}
    assert one_pair(rows, rows)["before"] == pytest.approx(pearsonr(x, y).statistic, abs=1e-9)


def test_a_label_of_a_number_is_the_middle_of_what_it_stands_for():
    before = {"age": [20, 22, 30, 38, 41], "income": [1.0, 2.0, 2.0, 5.0, 4.0]}
    after = {"age": ["20s", "20s", "30s", "30s", "40s"], "income": before["income"]}
    found = one_pair(before, after)
    assert found["after"] == pytest.approx(pearsonr([21, 21, 34, 34, 41], before["income"]).statistic, abs=1e-12)


def test_a_missing_value_of_a_column_with_a_hierarchy_is_no_number():
    ages = Hierarchy(tuple((str(age), f"{age // 10}0s", "*") for age in (20, 25, 30, 35, 90)))
    before = {"age": [20, 25, None, 30, 35], "income": [1.0, 2.0, 9.0, 3.0, 5.0]}
    found = one_pair(before, before, hierarchies={"age": ages})
    assert (found["records_before"], found["records_after"]) == (4, 4)
    assert found["before"] == found["after"] == pytest.approx(pearsonr([20, 25, 30, 35], [1, 2, 3, 5]).statistic)


def test_dates_are_numbers():
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-05", "2020-02-01"], dtype="datetime64[D]")
    rows = pa.table({"day": days, "number": [1, 2, 3, 9]})
    held = DuckDB()
    found = Associations().of(Comparison.of(Pairing.of(held.load(rows), held.load(rows), ["day", "number"])))
    pair = found.total.more["pairs"][0]
    assert pair["kind"] == "pearson"
    assert pair["before"] == pytest.approx(pearsonr([0, 1, 4, 31], [1, 2, 3, 9]).statistic, abs=1e-12)


SEXES = ["F", "M", "F", "M", "F", "M", "M", "F"]
MIXED = {
    "age": [20, 31, 45, 52, 67, 23, 38, 70],
    "sex": SEXES,
    "town": ["a", "b", "b", "c", "c", "a", "b", "c"],
    "score": [1.0, 2.5, 2.0, 4.0, 6.5, 1.5, 3.0, 5.0],
}


def test_an_untouched_release_reads_nothing():
    found = read(MIXED, MIXED)
    assert found.total.value == found.total.normalised == 0
    assert [figure.normalised for figure in found.columns.values()] == [0, 0, 0, 0]


def test_with_everything_suppressed_all_associations_are_gone():
    found = read(MIXED, {name: ["*"] * 8 for name in MIXED})
    assert {pair["after"] for pair in found.total.more["pairs"]} == {0.0}
    assert {pair["records_after"] for pair in found.total.more["pairs"]} == {0}
    assert found.total.value == found.total.removed > 0
    assert [figure.normalised for figure in found.columns.values()] == [1, 1, 1, 1]


def test_the_value_of_a_column_is_the_mean_over_its_pairs_and_of_the_table_over_all():
    after = MIXED | {"age": [f"{age // 30}" for age in MIXED["age"]], "town": ["a", "x", "x", "x", "x", "a", "x", "x"]}
    found = read(MIXED, after)
    pairs = found.total.more["pairs"]
    assert [tuple(pair["columns"]) for pair in pairs] == list(combinations(MIXED, 2))
    for name, figure in found.columns.items():
        changes = [abs(pair["after"] - pair["before"]) for pair in pairs if name in pair["columns"]]
        assert figure.value == pytest.approx(sum(changes) / 3, abs=1e-15)
    assert found.total.value == pytest.approx(sum(abs(p["after"] - p["before"]) for p in pairs) / 6, abs=1e-15)


def test_suppressing_more_of_those_who_carry_the_association_takes_more_of_it_away():
    """Of [[10, 2], [2, 10]] the diagonal is suppressed, record by record: V is (10 - s - 2) / (10 - s + 2)."""
    before = categories([[10, 2], [2, 10]])
    for gone in (0, 2, 5, 8):
        hidden = [*range(gone), *range(24 - gone, 24)]
        after = {name: ["*" if i in hidden else v for i, v in enumerate(column)] for name, column in before.items()}
        found = read(before, after).total
        assert found.value == pytest.approx(8 / 12 - (8 - gone) / (12 - gone), abs=1e-12)
        assert found.normalised == pytest.approx(found.value / (8 / 12), abs=1e-12)


def test_exchanging_more_values_takes_more_of_the_association_away():
    before = {"sex": ["F"] * 10 + ["M"] * 10, "town": ["a"] * 10 + ["b"] * 10}
    values = []
    for exchanged in range(6):
        sexes = ["M"] * exchanged + ["F"] * (10 - exchanged) + ["M"] * (10 - exchanged) + ["F"] * exchanged
        values.append(read(before, before | {"sex": sexes}).total.value)
    assert values == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], abs=1e-12)


def test_a_column_that_became_constant_is_associated_with_nothing():
    found = one_pair(MIXED, MIXED | {"sex": ["X"] * 8}, names=["sex", "town"])
    assert found["before"] > 0
    assert (found["after"], found["records_after"]) == (0.0, 8)


def test_a_column_that_was_constant_before_is_left_out_with_its_pairs():
    rows = MIXED | {"country": ["CH"] * 8}
    found = read(rows, rows)
    assert isinstance(found.columns["country"], NotApplicable)
    assert len(found.total.more["pairs"]) == 6
    assert all("country" not in pair["columns"] for pair in found.total.more["pairs"])


@pytest.mark.parametrize(("rows", "why"), [
    ({"sex": SEXES}, "needs two columns"),
    ({"sex": SEXES, "country": ["CH"] * 8}, "no two columns of which both vary"),
    ({"sex": SEXES, "empty": pa.array([None] * 8, pa.string())}, "no two columns of which both vary"),
    ({"sex": SEXES, "wild": [math.inf, 1.0] * 4}, "no two columns of which both vary"),
])  # fmt: skip
def test_where_there_is_no_association_it_says_why(rows, why):
    assert read(rows, rows).total == NotApplicable(why)


def test_columns_that_have_nothing_to_do_with_each_other_have_nothing_to_lose():
    rows = categories([[3, 3, 3], [5, 5, 5], [7, 7, 7]])
    found = read(rows, {name: ["*"] * 45 for name in rows}).total
    assert (found.value, found.removed, found.normalised) == (0.0, 0.0, 0.0)


def test_no_cell_value_is_in_what_is_read():
    found = str(read(MIXED | {"town": ["Entenhausen"] * 4 + ["Gansbach"] * 4}, MIXED))
    assert "Entenhausen" not in found
    assert "Gansbach" not in found


def test_the_order_of_the_records_does_not_matter():
    after = MIXED | {"age": ["*", "30s", "40s", "*", "60s", "*", "30s", "70s"]}
    order = [3, 1, 7, 0, 2, 6, 5, 4]
    turned = [{name: [values[i] for i in order] for name, values in rows.items()} for rows in (MIXED, after)]
    assert read(MIXED, after) == read(*turned) == read(MIXED, after)


def test_both_engines_read_the_same(engine):
    after = MIXED | {"age": ["*", "30s", "40s", "*", "60s", "*", "30s", "70s"], "town": [*"abbccab", None]}
    found, expected = (compared(MIXED, after, ["age", "town"], target="sex", engine=e) for e in (engine, None))
    pairs = [Associations().of(each).total.more["pairs"] for each in (found, expected)]
    for pair, other in zip(*pairs, strict=True):
        assert pair == other | {side: pytest.approx(other[side], abs=1e-12) for side in ("before", "after")}
    assert ClassificationMetric().of(found) == ClassificationMetric().of(expected)


records = st.lists(
    st.tuples(
        st.sampled_from([None, 1.0, 2.0, 5.0, 6.0, 50.0]),
        st.sampled_from([None, "a", "b", "c"]),
        st.sampled_from([None, "x", "y"]),
        st.sampled_from([None, 10.0, 10.5, 12.0]),
        st.sets(st.integers(0, 3)),  # columns that are suppressed in this record
    ),
    min_size=2,
    max_size=25,
)
KINDS = ["number", "category", "category", "number"]


def expected(pair, kinds):
    """An association of the records that have both, the plain way."""
    frame = pd.DataFrame(pair, columns=["u", "v"]).dropna()
    if frame["u"].nunique() < 2 or frame["v"].nunique() < 2:
        return len(frame), None
    if kinds == ["number", "number"]:
        return len(frame), pearsonr(frame["u"].astype(float), frame["v"].astype(float)).statistic
    if kinds == ["category", "category"]:
        return len(frame), association(pd.crosstab(frame["u"], frame["v"]).to_numpy(), method="cramer")
    category, number = ("u", "v") if kinds[0] == "category" else ("v", "u")
    numbers = frame[number].astype(float)
    means = numbers.groupby(frame[category]).transform("mean")
    return len(frame), math.sqrt(((means - numbers.mean()) ** 2).sum() / ((numbers - numbers.mean()) ** 2).sum())


@settings(max_examples=12, deadline=None)
@given(records)
def test_every_association_is_the_one_that_is_reckoned_record_by_record(rows):
    before = {
        f"c{i}": pa.array([row[i] for row in rows], pa.float64() if KINDS[i] == "number" else pa.string())
        for i in range(4)
    }
    labels = {"a": "ab", "b": "ab", "c": "c", None: None}
    gone = [row[4] if len(row[4]) < 4 else set(range(4)) for row in rows]
    seen = [
        [None if i in hidden else (labels[row[1]] if i == 1 else row[i]) for i in range(4)]
        for row, hidden in zip(rows, gone, strict=True)
    ]
    shown = [
        ["*" if i in hidden else None if one[i] is None else str(one[i]) for i in range(4)]
        for one, hidden in zip(seen, gone, strict=True)
    ]
    after = {f"c{i}": pa.array([one[i] for one in shown], pa.string()) for i in range(4)}
    found = read(before, after).total
    wanted = {}
    for i, j in combinations(range(4), 2):
        kinds = [KINDS[i], KINDS[j]]
        n, was = expected([(row[i], row[j]) for row in rows], kinds)
        m, became = expected([(one[i], one[j]) for one in seen], kinds)
        if was is not None:
            wanted[f"c{i}", f"c{j}"] = (n, m, was, became or 0.0)
    if not wanted:
        assert isinstance(found, NotApplicable)
        return
    pairs = {
        tuple(p["columns"]): (p["records_before"], p["records_after"], p["before"], p["after"])
        for p in found.more["pairs"]
    }
    assert pairs.keys() == wanted.keys()
    for names, numbers in wanted.items():
        assert pairs[names] == pytest.approx(numbers, abs=2e-6)


ILL = {"age": [21, 22, 23, 41, 42, 43], "ill": ["yes", "yes", "yes", "no", "no", "yes"]}


def metric(before, after, target="ill", **options):
    return ClassificationMetric().of(compared(before, after, target=target, **options)).total


def test_who_differs_from_the_majority_of_the_class_or_is_suppressed_counts():
    assert metric(ILL, {"age": ["20s"] * 3 + ["40s"] * 3}) == Figure(1 / 6, 0.0, 1.0, {"one_class": 1 / 3})
    assert metric(ILL, {"age": ["*"] + ["20s"] * 2 + ["40s"] * 3}).value == 2 / 6
    assert metric(ILL, {"age": ["*"] * 6}).normalised == 1
    assert metric(ILL, ILL).normalised == 0


def test_the_original_reads_what_its_own_classes_do():
    same = {"age": [20, 20, 20, 30], "ill": ["yes", "no", "yes", "no"]}
    assert metric(same, same) == Figure(0.25, 0.25, 1.0, {"one_class": 0.5})


def test_who_has_no_target_is_left_out():
    rows = ILL | {"ill": ["yes", "yes", "yes", "no", "no", None]}
    assert metric(rows, {"age": ["20s"] * 3 + ["40s"] * 3}).value == 0
    assert metric(rows, {"age": ["all but one"] * 5 + ["*"]}).value == 2 / 5


@pytest.mark.parametrize(("before", "target", "names", "why"), [
    (ILL, None, ["age"], "needs a target column: --target"),
    (ILL, "ill", ["ill"], "needs a column beside the target"),
    (ILL | {"ill": pa.array([None] * 6, pa.string())}, "ill", ["age"], "no record has a target"),
])  # fmt: skip
def test_where_there_is_no_target_it_says_so(before, target, names, why):
    assert metric(before, before, target, names=names) == NotApplicable(why)


def test_of_a_target_with_one_value_only_suppressed_records_are_not_told():
    rows = ILL | {"ill": ["yes"] * 6}
    assert metric(rows, {"age": ["*"] * 2 + ["40s"] * 4}) == Figure(2 / 6, 0.0, 1.0, {"one_class": 0.0})


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from("ab"), st.sampled_from(["x", "y", None]), st.booleans()),
                min_size=1, max_size=20))  # fmt: skip
def test_the_metric_is_what_counting_gives(rows):
    before = {"u": [u for u, *_ in rows], "v": [v for _, v, *_ in rows]}
    before["t"] = pa.array([t for *_, t, _ in rows], pa.string())
    after = {"u": ["*" if gone else str(u // 2) for u, *_, gone in rows], "v": ["*" if r[3] else r[1] for r in rows]}
    known = [(str(u // 2), v, t) for u, v, t, gone in rows if t is not None and not gone]
    classes = {}
    for u, v, t in known:
        classes.setdefault((u, v), Counter())[t] += 1
    asked = sum(t is not None for *_, t, _ in rows)
    found = metric(before, after, "t")
    if not asked:
        assert found == NotApplicable("no record has a target")
    else:
        assert found.value == (asked - sum(max(counts.values()) for counts in classes.values())) / asked


def test_of_more_columns_than_have_their_pairs_read_it_says_so():
    wide = {f"c{i}": [i, i + 1] for i in range(MOST + 1)}
    assert Associations().of(compared(wide, wide)).total == NotApplicable("reads every pair of columns, of 150 at most")


@pytest.mark.parametrize("name", ["paired.pair_codes.HELD", "models.associations.DENSE"])
def test_many_pairs_are_counted_where_they_are_with_the_same_digits(monkeypatch, name):
    generator = np.random.default_rng(7)
    sizes = {"age": 60, "town": 40, "income": 900}
    before = {column: generator.integers(0, size, 300).tolist() for column, size in sizes.items()}
    before["town"] = [None if town == 3 else f"town {town}" for town in before["town"]]
    after = {**before, "age": [f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age in before["age"]]}
    few = read(before, after)
    monkeypatch.setattr(f"sfumato.utility.{name}", 0)
    assert read(before, after) == few

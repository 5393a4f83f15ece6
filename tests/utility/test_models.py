"""Loss, precision, classes, distributions: recomputed record by record."""

from __future__ import annotations

import math
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.utility.recodings import Recoding, recodings, table

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility import exact_total
from sfumato.utility.catalogue import utility_models
from sfumato.utility.model_interface import Figure, NotApplicable, Outcome
from sfumato.utility.paired import pair_codes, record_join
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

HELD = DuckDB()


def total(name: str, compared: Comparison) -> Outcome:
    return utility_models()[name]().of(compared).total


def value(name: str, compared: Comparison) -> float:
    found = total(name, compared)
    assert isinstance(found, Figure), (name, found)
    assert found.value is not None
    return found.value


@given(recodings(missing=False))
@settings(max_examples=25)
def test_loss_granularity_and_precision_are_averages_over_the_records(recoding: Recoding) -> None:
    compared, height = recoding.compared(HELD), recoding.hierarchy.height
    levels = recoding.own_levels()
    n, leaves = len(levels), [recoding.leaves(v, level) for v, level in zip(recoding.values, levels, strict=True)]
    assert value("granularity", compared) == pytest.approx(sum(leaves) / n / 5)
    assert value("loss", compared) == pytest.approx(sum(w - 1 for w in leaves) / n / 4)
    assert value("precision", compared) == pytest.approx(1 - sum(levels) / n / height)
    penalty = sum(w / 5 for w in leaves if w > 1) / n
    assert value("normalised_certainty_penalty", compared) == pytest.approx(penalty)
    assert value("utility_loss", compared) == pytest.approx(sum(2**w - 1 for w in leaves) / n / (2**5 - 1))


def test_distances_of_records_are_the_same_in_arrays_and_in_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit; and so where the pairs are held with short texts."""
    ages = [None if i % 17 == 3 else 20 + i * 7 % 61 for i in range(300)]
    before = HELD.load(pa.table({"row": range(1, 301), "age": ages, "pay": [i * i % 977 / 8 for i in range(300)]}))
    labels = [None if age is None else f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age in ages]
    after = HELD.load(pa.table({"row": range(1, 291), "age": labels[:290], "pay": [i % 9 for i in range(290)]}))

    def figures() -> list[Outcome]:
        compared = Comparison.of(Pairing.of(before, after, ["age", "pay"], key="row", numbered=True))
        return [total(name, compared) for name in ("record_squared_error", "associations", "ambiguity")]

    in_arrays = figures()
    with monkeypatch.context() as changed:
        changed.setattr(pair_codes, "HELD", 0)
        assert figures() == in_arrays
    with monkeypatch.context() as changed:
        changed.setattr(exact_total, "LARGEST", 0)
        assert figures() == in_arrays
    monkeypatch.setattr(record_join, "MANY", 100)
    assert figures() == in_arrays


def test_a_label_over_half_of_ten_values_loses_31_of_1023_readings_and_one_over_nine_half_of_them() -> None:
    values = [str(digit) for digit in range(10)]
    for wide, lost in ((5, 5 * 31 + 5 * 1), (9, 9 * 511 + 1 * 1), (10, 10 * 1023)):
        labels = ["low" if int(v) < wide else v for v in values]
        tables = [HELD.load(pa.table({"x": column})) for column in (values, labels)]
        found = total("utility_loss", Comparison.of(Pairing.of(tables[0], tables[1], ["x"])))
        assert isinstance(found, Figure)
        assert found.value == pytest.approx(lost / 10 / 1023)
        assert found.untouched == pytest.approx(1 / 1023)
        assert found.normalised == pytest.approx((lost / 10 - 1) / 1022)


def test_the_readings_of_a_column_of_thousands_of_values_are_beyond_no_number() -> None:
    values = [f"v{i}" for i in range(5000)]
    for labels, lost in ((values, 0.0), (["low"] * 4999 + ["v4999"], 4999 / 5000 / 2), (["*"] * 5000, 1.0)):
        tables = [HELD.load(pa.table({"x": column})) for column in (values, labels)]
        assert value("utility_loss", Comparison.of(Pairing.of(tables[0], tables[1], ["x"]))) == pytest.approx(lost)


@given(recodings(missing=False))
@settings(max_examples=25)
def test_class_models_count_the_records_that_look_alike(recoding: Recoding) -> None:
    compared, top = recoding.compared(HELD), recoding.hierarchy.height
    n = len(recoding.values)
    kept = [label for label, level in zip(recoding.labels, recoding.own_levels(), strict=True) if level < top]
    gone, classes = n - len(kept), Counter(kept)
    assert value("discernibility", compared) == sum(c * c for c in classes.values()) + gone * n
    assert value("average_class_size", compared) == pytest.approx(len(kept) / len(classes) if kept else n)
    leaves = [recoding.leaves(v, level) for v, level in zip(recoding.values, recoding.own_levels(), strict=True)]
    assert value("ambiguity", compared) == pytest.approx(sum(leaves))


@given(recodings(full_domain=True, missing=False))
@settings(max_examples=25)
def test_divergence_is_that_of_an_even_spread_over_what_a_class_stands_for(recoding: Recoding) -> None:
    compared, n = recoding.compared(HELD), len(recoding.values)
    before, after = Counter(recoding.values), Counter(recoding.labels)
    expected = 0.0
    for v, count in before.items():
        level = recoding.levels[0]
        q = after[recoding.hierarchy.label(v, level)] / n / recoding.leaves(v, level)
        expected += count / n * math.log2(count / n / q)
    assert value("kullback_leibler_divergence", compared) == pytest.approx(expected, abs=1e-12)


@given(recodings(missing=False))
@settings(max_examples=25)
def test_distributions_spread_a_label_evenly_over_its_values(recoding: Recoding) -> None:
    compared, n = recoding.compared(HELD), len(recoding.values)
    p, q = (dict.fromkeys("abcde*", 0.0) for _ in range(2))
    for v, level in zip(recoding.values, recoding.own_levels(), strict=True):
        p[str(v)] += 1 / n
        if level == recoding.hierarchy.height:
            q["*"] += 1 / n
            continue
        covered = [line[0] for line in recoding.hierarchy.lines if line[level] == recoding.hierarchy.label(v, level)]
        for w in covered:
            q[w] += 1 / n / len(covered)
    assert value("total_variation", compared) == pytest.approx(sum(abs(p[v] - q[v]) for v in p) / 2, abs=1e-12)
    jsd = sum(a * math.log2(2 * a / (a + b)) for x, y in ((p, q), (q, p)) for v in p if (a := x[v]) > 0 for b in [y[v]])
    assert value("jensen_shannon", compared) == pytest.approx(jsd / 2, abs=1e-9)


@given(recodings(full_domain=True))
@settings(max_examples=25)
def test_nothing_changed_is_0_and_everything_gone_is_1_on_every_model_that_applies(recoding: Recoding) -> None:
    same = Recoding(recoding.values, recoding.hierarchy, (0,) * len(recoding.values))
    gone = Recoding(recoding.values, recoding.hierarchy, (recoding.hierarchy.height,) * len(recoding.values))
    first, last = same.compared(HELD), gone.compared(HELD)
    for name, cls in utility_models().items():
        if cls.thorough:
            continue
        before, after = total(name, first), total(name, last)
        if isinstance(before, Figure):
            assert before.normalised == pytest.approx(0, abs=1e-9), name
        if isinstance(after, Figure) and name != "sum_of_squares":
            nothing_to_lose = abs(after.removed - after.untouched) < 1e-9
            assert nothing_to_lose or after.normalised == pytest.approx(1, abs=1e-9), name


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-3, 3)), min_size=2, max_size=15),
)
@settings(max_examples=25)
def test_errors_of_moved_numbers_are_those_of_the_numbers(pairs: list[tuple[int, int]]) -> None:
    before, after = [x for x, _ in pairs], [x + move for x, move in pairs]
    tables = [HELD.load(pa.table({"x": pa.array(column, pa.int64())})) for column in (before, after)]
    compared = Comparison.of(Pairing.of(tables[0], tables[1], ["x"]))
    cells = compared.cells["x"]
    if cells.words not in ("perturbed", "unchanged"):
        return  # every number went to one that several share: that is a group, and its ends are those of the group
    n, low, high = len(before), min(before), max(before)
    errors = [(x - y) ** 2 for x, y in zip(before, after, strict=True)]
    assert value("mean_squared_error", compared) == pytest.approx(sum(errors) / n, abs=1e-9)
    most = [max((x - low) ** 2, (x - high) ** 2) for x in before]
    assert value("squared_error", compared) == pytest.approx(sum(map(min, errors, most)), abs=1e-9)
    mean = sum(before) / n
    deviation = math.sqrt(sum((x - mean) ** 2 for x in before) / n)
    if deviation:
        moved = sum(abs(x - y) for x, y in zip(before, after, strict=True)) / n
        assert value("il1s", compared) == pytest.approx(moved / deviation / math.sqrt(2), abs=1e-9)


def test_models_of_generalisation_say_why_they_do_not_apply_to_perturbed_values() -> None:
    tables = [HELD.load(pa.table({"x": values})) for values in (["a", "b", "a", "c"], ["b", "a", "a", "c"])]
    compared = Comparison.of(Pairing.of(tables[0], tables[1], ["x"]))
    assert compared.cells["x"].words == "perturbed"
    for name in ("loss", "precision", "ambiguity", "non_uniform_entropy", "kullback_leibler_divergence"):
        assert isinstance(total(name, compared), NotApplicable), name
    assert value("total_variation", compared) == 0
    assert value("discernibility", compared) == 6


def test_rounding_is_a_group_and_noise_is_a_move() -> None:
    def words(after: list[float]) -> str:
        tables = [HELD.load(pa.table({"x": column})) for column in ([31.0, 32.0, 37.0, 40.0], after)]
        return Comparison.of(Pairing.of(tables[0], tables[1], ["x"])).cells["x"].words

    assert words([30.0, 30.0, 40.0, 40.0]) == "generalised"
    assert words([31.4, 31.7, 37.2, 39.1]) == "perturbed"


def test_dropping_a_column_in_which_everybody_differs_loses_all_of_it() -> None:
    tables = [
        HELD.load(pa.table({"x": [1.0, 2.0, 5.0], "y": ["a", "b", "c"]})),
        HELD.load(pa.table({"y": ["a", "b", "c"]})),
    ]
    compared = Comparison.of(Pairing.of(tables[0], tables[1], ["x", "y"]))
    for name in ("total_variation", "jensen_shannon", "wasserstein", "loss", "generic_non_uniform_entropy"):
        found = utility_models()[name]().of(compared).columns["x"]
        assert isinstance(found, Figure)
        assert found.normalised == pytest.approx(1), name


def test_a_recode_into_a_category_that_exists_is_a_group_of_both() -> None:
    before, after = ["home", "nursing", "died", "home"], ["home", "home", "died", "home"]
    tables = [HELD.load(pa.table({"x": column})) for column in (before, after)]
    compared = Comparison.of(Pairing.of(tables[0], tables[1], ["x"]))
    assert compared.cells["x"].words == "generalised"
    assert value("loss", compared) == pytest.approx(3 * (1 / 2) / 4)
    expected = 2 * -math.log2(2 / 3) + -math.log2(1 / 3)
    assert value("non_uniform_entropy", compared) == pytest.approx(expected)
    assert value("generic_non_uniform_entropy", compared) == pytest.approx(expected)


@given(recodings(missing=False))
@settings(max_examples=25)
def test_without_a_hierarchy_a_column_of_one_label_each_is_its_own(recoding: Recoding) -> None:
    """Every value gets the label of one level; some records are suppressed besides."""
    level = {v: n for v, n in zip(recoding.values, recoding.levels, strict=True) if n < recoding.hierarchy.height}
    labels = [
        "*" if n == recoding.hierarchy.height else recoding.hierarchy.label(v, level[v])
        for v, n in zip(recoding.values, recoding.levels, strict=True)
    ]
    given_labels = {v: w for v, w in zip(recoding.values, labels, strict=True) if w != "*"}
    two = [(str(v), f"g {given_labels.get(v, v)}", "*") for v in dict.fromkeys(recoding.values)]
    expected = Recoding(recoding.values, Hierarchy(tuple(two)), tuple(2 if w == "*" else 1 for w in labels))
    tables = [HELD.load(table(column)) for column in (recoding.values, [w if w == "*" else f"g {w}" for w in labels])]
    compared = Comparison.of(Pairing.of(tables[0], tables[1], ["x"]))
    assert value("generic_non_uniform_entropy", compared) == pytest.approx(expected.generic(), abs=1e-9)


def test_blanking_a_column_loses_what_dropping_it_loses_also_where_values_were_missing_before() -> None:
    column = pa.array(["a", "b", None, "a"])
    for released in (pa.table({"x": pa.nulls(4, pa.string()), "y": [1, 2, 3, 4]}), pa.table({"y": [1, 2, 3, 4]})):
        tables = [HELD.load(pa.table({"x": column, "y": [1, 2, 3, 4]})), HELD.load(released)]
        compared = Comparison.of(Pairing.of(tables[0], tables[1], ["x", "y"]))
        for name in ("non_uniform_entropy", "generic_non_uniform_entropy", "loss"):
            found = utility_models()[name]().of(compared).columns["x"]
            assert isinstance(found, Figure)
            assert found.normalised == pytest.approx(1), name


@pytest.mark.parametrize(
    "column", [[math.inf, math.nan, 1.0, -0.0], [10**17 + i for i in range(4)], [-math.inf, math.inf, None, None]]
)
def test_numbers_that_nothing_can_be_reckoned_with_are_values_still(column: list[float | None]) -> None:
    tables = [HELD.load(pa.table({"x": column, "y": ["a", "b", "a", "b"]})) for _ in range(2)]
    compared = Comparison.of(Pairing.of(tables[0], tables[1], ["x", "y"]))
    for name, cls in utility_models().items():
        found = total(name, compared)
        assert cls.thorough or isinstance(found, NotApplicable) or found.normalised == pytest.approx(0, abs=1e-12), name

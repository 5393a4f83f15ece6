"""Comparisons that fit models or draw at random, and the codes and encodings that they are read off."""

import math
import sys
from collections import Counter
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import MissingExtra, PolicyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.model_interface import Figure, NotApplicable
from sfumato.utility.models.clustering_agreement import ClusteringAgreement
from sfumato.utility.models.model_performance import ModelPerformance
from sfumato.utility.models.propensity import Propensity
from sfumato.utility.models.query_error import QueryError, counted, drawn_query
from sfumato.utility.paired.column_codes import MISSING, ColumnCodes
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.model_features import Encoding, features, learning
from sfumato.utility.paired.pairing import Pairing
from sfumato.utility.paired.sample import Sample

FAMILY = [Propensity(), ModelPerformance(), ClusteringAgreement(k=3), QueryError(queries=40)]
NAMES = [comparison.name() for comparison in FAMILY]


def compared(before, after, names=None, *, engine=None, target=None, hierarchies=None, seed=0):
    held = engine or DuckDB()
    tables = [held.load(table if isinstance(table, pa.Table) else pa.table(table)) for table in (before, after)]
    names = names or [name for name in before if name != target]
    return Comparison.of(Pairing.of(*tables, names, target=target, hierarchies=hierarchies), seed)


def people(n=200):
    """Made-up people: the town goes with the age, and illness with both."""
    random = Random(7)
    ages = [20 + int(60 * random.random() ** 2) for _ in range(n)]
    towns = ["abc"[min(2, (age - 20) // 15)] if random.random() < 0.8 else "c" for age in ages]
    ill = ["yes" if age + 20 * (town == "c") > 55 else "no" for age, town in zip(ages, towns, strict=True)]
    return {"age": ages, "town": towns, "ill": ill}


AGES = Hierarchy(tuple((str(age), f"{age // 10}0s", f"{age // 30}", "*") for age in range(20, 80)))
PEOPLE = people()


def generalised(level, share=0.0):
    """The ages at a level of their hierarchy; a share of the records, from the first on, suppressed."""
    gone = int(share * len(PEOPLE["age"]))
    ages = ["*"] * gone + [AGES.label(str(age), level) for age in PEOPLE["age"][gone:]]
    return {"age": ages, "town": ["*"] * gone + PEOPLE["town"][gone:]}


@cache
def release(level, share=0.0, seed=0):
    return compared(PEOPLE, generalised(level, share), target="ill", hierarchies={"age": AGES}, seed=seed)


@pytest.mark.parametrize("comparison", FAMILY, ids=NAMES)
def test_an_untouched_release_loses_nothing(comparison):
    found = comparison.of(release(0)).total
    assert found.value == pytest.approx(found.untouched, abs=1e-9)
    assert found.normalised == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("comparison", FAMILY, ids=NAMES)
def test_with_everything_suppressed_all_is_lost(comparison):
    found = comparison.of(release(0, 1.0)).total
    assert found.value == found.removed != found.untouched
    assert found.normalised == 1


@pytest.mark.parametrize("comparison", FAMILY, ids=NAMES)
def test_the_more_records_are_suppressed_the_more_is_lost(comparison):
    lost = [comparison.of(release(0, share)).total.normalised for share in (0.0, 0.3, 0.5, 0.7, 0.9, 1.0)]
    assert lost == sorted(lost)
    assert lost[0] < 1e-6 < 0.01 < lost[4] < lost[5] == 1


@pytest.mark.parametrize("comparison", FAMILY, ids=NAMES)
def test_the_same_seed_gives_the_same_bytes_and_the_order_of_the_records_does_not_matter(comparison):
    order = Random(3).sample(range(200), 200)
    before, after = ({n: [v[i] for i in order] for n, v in rows.items()} for rows in (PEOPLE, generalised(2, 0.2)))
    turned = compared(before, after, target="ill", hierarchies={"age": AGES})
    assert repr(comparison.of(turned)) == repr(comparison.of(release(2, 0.2))) == repr(comparison.of(release(2, 0.2)))


@pytest.mark.parametrize("comparison", FAMILY, ids=NAMES)
def test_what_the_original_and_nothing_read_does_not_depend_on_the_release(comparison):
    one, other = (comparison.of(release(*which)).total for which in ((1, 0.0), (2, 0.2)))
    assert (one.untouched, one.removed) == (other.untouched, other.removed)


@pytest.mark.parametrize("comparison", [Propensity(), QueryError(queries=40)], ids=lambda c: c.name())
def test_another_seed_draws_otherwise(comparison):
    one, other = (comparison.of(release(2, 0.2, seed=seed)).total for seed in (0, 1))
    assert one.value != other.value
    assert one.normalised == pytest.approx(other.normalised, abs=0.35)


N = 40
TWO = ["a", "b"] * 20
ODD = {
    "one column": ({"x": list(range(N))}, {"x": [str(i // 10) for i in range(N)]}),
    "constant columns": ({"x": [1] * N, "y": ["a"] * N}, {"x": [1] * N, "y": ["*"] * N}),
    "a constant number moved": ({"x": [1] * N, "y": TWO}, {"x": list(range(N)), "y": TWO}),
    "numbers moved": ({"x": list(range(N)), "y": TWO}, {"x": [i * 1.1 + 3 for i in range(N)], "y": TWO}),
    "numbers moved far away": ({"x": [0.5 * i for i in range(N)]}, {"x": [1e200 * i for i in range(N)]}),
    "categories exchanged": ({"x": list("abcd" * 10)}, {"x": list("abdc" * 9 + "aacd")}),
    "missing values": ({"x": [None, 1, 2, 3] * 10, "y": [None, "a"] * 20},
                       {"x": [None, *"12*"] * 10, "y": [None, "*"] * 20}),
    "missing values filled in": ({"x": [None, 1, 2, 3] * 10}, {"x": [2, 1, 2, 3] * 10}),
    "only missing values": ({"x": pa.array([None] * N, pa.int64()), "y": TWO}, {"x": ["*"] * N, "y": TWO}),
    "infinite numbers": ({"x": [math.inf, -math.inf, math.nan, 1.0] * 10}, {"x": ["*", "-inf", "*", "1.0"] * 10}),
    "only infinite numbers": ({"x": [math.inf, -math.inf] * 20}, {"x": ["inf", "*"] * 20}),
    "many values": ({"x": [f"v{i}" for i in range(N)]}, {"x": [f"v{i // 2}*" for i in range(N)]}),
    "a column dropped": ({"x": list(range(N)), "y": TWO}, {"y": TWO}),
    "all suppressed": ({"x": list(range(N)), "y": TWO}, {"x": ["*"] * N, "y": ["*"] * N}),
    "few records": ({"x": [1, 2, 3]}, {"x": [1, 2, 3]}),
    "one record": ({"x": [1]}, {"x": ["*"]}),
}  # fmt: skip


@cache
def odd(which):
    before, after = ODD[which]
    n = len(next(iter(before.values())))
    targets = [None if i % 7 == 6 else "yes" if i % 3 else "no" for i in range(n)]
    return compared({**before, "t": targets}, after, target="t")


@pytest.mark.parametrize("comparison", FAMILY, ids=NAMES)
@pytest.mark.parametrize("which", ODD)
def test_whatever_the_table_there_is_a_number_or_a_reason(comparison, which):
    found = comparison.of(odd(which)).total
    if isinstance(found, Figure):
        assert 0 <= found.normalised <= 1
        assert all(math.isfinite(number) for number in (found.value, found.untouched, found.removed))
    else:
        assert found.why


@pytest.mark.parametrize("comparison", FAMILY, ids=NAMES)
def test_fewer_than_twenty_records_are_not_judged(comparison):
    few = {name: values[:19] for name, values in PEOPLE.items()}
    assert comparison.of(compared(few, few, target="ill")).total == NotApplicable("needs at least 20 records")


@pytest.mark.parametrize(("targets", "why"), [
    (None, "needs a target column: --target"),
    (["yes"] * 200, "needs from 2 to 50 different targets, each in 5 records or more"),
    ([str(i // 2) for i in range(200)], "needs at least 20 records with a target that 5 records have"),
    (["no"] * 196 + ["yes"] * 4, "needs from 2 to 50 different targets, each in 5 records or more"),
    ([None] * 190 + ["no", "yes"] * 5, "needs at least 20 records with a target that 5 records have"),
])  # fmt: skip
def test_a_target_that_cannot_be_learnt_is_no_target(targets, why):
    rows = {"age": PEOPLE["age"], "town": PEOPLE["town"]} | ({"t": targets} if targets else {})
    found = ModelPerformance().of(compared(rows, rows, ["age", "town"], target="t" if targets else None)).total
    assert found == NotApplicable(why)


def test_a_target_of_more_than_fifty_values_is_no_category():
    rows = {"x": list(range(300)), "t": [str(i % 60) for i in range(300)]}
    found = ModelPerformance().of(compared(rows, rows, target="t")).total
    assert found == NotApplicable("needs from 2 to 50 different targets, each in 5 records or more")


def test_columns_that_say_nothing_of_the_target_have_nothing_to_lose():
    rows = {"x": [1, 2] * 50, "t": ["no", "no", "yes", "yes"] * 25}
    found = ModelPerformance().of(compared(rows, rows, target="t")).total
    assert found == NotApplicable("the original does not predict the target better than its most frequent value does")


def test_the_target_is_not_predicted_from_itself():
    rows = {"x": [1, 2] * 50, "t": ["no", "no", "yes", "yes"] * 25}
    assert isinstance(ModelPerformance().of(compared(rows, rows, ["x", "t"], target="t")).total, NotApplicable)
    alone = ModelPerformance().of(compared(rows, rows, ["t"], target="t")).total
    assert alone == NotApplicable("needs a column beside the target")


def test_with_nothing_to_learn_from_the_most_frequent_target_is_predicted():
    found = ModelPerformance().of(release(0, 1.0)).total
    assert found.value == Counter(PEOPLE["ill"])["no"] / 200
    assert found.more["balanced_accuracy"]["release"] == 0.5


def test_a_model_learns_nothing_from_suppressed_records():
    """All who are ill are suppressed, so that a model knows healthy people only."""
    gone = [target == "yes" for target in PEOPLE["ill"]]
    after = {name: ["*" if g else str(v) for g, v in zip(gone, PEOPLE[name], strict=True)] for name in ("age", "town")}
    found = ModelPerformance().of(compared(PEOPLE, after, target="ill")).total
    assert found.value == Counter(PEOPLE["ill"])["no"] / 200


@pytest.mark.parametrize("model", ["logistic", "forest"])
def test_either_model_learns_what_the_columns_say(model):
    found = ModelPerformance(model=model).of(release(1)).total
    assert found.untouched > 0.9 > found.removed
    assert found.more["area_under_curve"]["original"] > 0.95


@pytest.mark.parametrize("wrong", [
    lambda: ModelPerformance(model="oracle"),
    lambda: ClusteringAgreement(k=1),
    lambda: ClusteringAgreement(k="5"),
    lambda: QueryError(queries=0),
    lambda: QueryError(sanity=0),
])  # fmt: skip
def test_a_parameter_that_cannot_be_is_refused(wrong):
    with pytest.raises(PolicyError):
        wrong()


def test_without_scikit_learn_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    for comparison in FAMILY[:3]:
        with pytest.raises(MissingExtra, match=r"sfumato\[stats\]"):
            comparison.of(release(1))
    assert QueryError(queries=5).of(release(1)).total.value >= 0


def test_what_learns_is_quiet_and_on_one_thread():
    from threadpoolctl import threadpool_info

    with learning("A test"):
        assert {library["num_threads"] for library in threadpool_info()} == {1}


def test_the_score_of_the_model_is_one_quarter_at_most_and_has_the_null_expectation_of_its_parameters():
    """Features of age, its square, towns (two of three are free) and the product: five parameters but the intercept."""
    found = Propensity().of(release(2)).total
    assert found.more["null_expectation"] == 5 * (1 / 8) / 400
    assert 0 < found.value < found.removed < 0.25
    assert found.more["ratio"] == found.value / found.more["null_expectation"]


def test_a_release_that_keeps_each_column_but_not_what_links_them_is_told_by_its_products():
    towns = sorted(PEOPLE["town"])
    rows = {"age": sorted(PEOPLE["age"]), "town": towns}
    shuffled = rows | {"town": Random(5).sample(towns, 200)}
    found = Propensity().of(compared(rows, shuffled)).total
    assert found.value > 8 * found.more["null_expectation"]


def test_values_spread_evenly_already_cannot_be_told_from_suppressed_ones():
    rows = {"x": list(range(400))}
    assert Propensity().of(compared(rows, rows)).total == NotApplicable(
        "not even an all-suppressed release could be told from the original"
    )


def test_clusters_are_the_same_where_labels_lie_within_them():
    ages = [*range(20, 40), *range(60, 80)]
    found = ClusteringAgreement(k=2).of(compared({"age": ages}, {"age": [f"{age // 20}" for age in ages]})).total
    assert (found.value, found.normalised) == (1.0, 0.0)


def test_the_agreement_is_the_adjusted_rand_index_of_the_two_partitions():
    """Two clusters of twenty; ten of the one became the other: (280 - E) / (430 - E) with E = 380 * 480 / 780."""
    found = (
        ClusteringAgreement(k=2).of(compared({"x": [0] * 20 + [9] * 20}, {"x": [9] * 10 + [0] * 10 + [9] * 20})).total
    )
    assert found.value == pytest.approx(4 / 17, abs=1e-12)
    assert found.more == {"clusters": 2}


def test_a_table_of_records_that_are_alike_has_no_clusters():
    rows = {"x": ["a"] * 40}
    assert ClusteringAgreement().of(compared(rows, {"x": ["*"] * 40})).total == NotApplicable("all records are alike")


THREES = Hierarchy(tuple((str(x), f"[{x // 3}]", "*") for x in range(1, 10)))  # 9 occurs in no record
LABELS = {"a": "ab", "b": "ab", "c": "c"}

rows_to_ask = st.lists(
    st.tuples(
        st.sampled_from([None, 1, 2, 3, 4, 5, 6, 7, 8]),
        st.sampled_from([None, "a", "b", "c"]),
        st.integers(0, 2),  # the level of x: of its own, of three, suppressed
        st.booleans(),  # whether y is suppressed
    ),
    min_size=1,
    max_size=30,
)


def stands_for(x, level):
    """The numbers that the label of x at a level stands for."""
    if level == 2:
        return list(range(1, 10))
    if x is None:
        return [None]
    return [x] if level == 0 else [other for other in range(1, 10) if other // 3 == x // 3]


@settings(max_examples=15, deadline=None)
@given(rows_to_ask, st.integers(1, 9), st.integers(0, 8), st.sets(st.sampled_from("abc")))
def test_the_answer_to_a_query_is_what_trying_out_all_that_labels_stand_for_gives(rows, low, width, letters):
    before = {"x": pa.array([r[0] for r in rows], pa.int64()), "y": pa.array([r[1] for r in rows], pa.string())}
    shown_x = ["*" if level == 2 else None if x is None else [str(x), f"[{x // 3}]"][level] for x, _, level, _ in rows]
    shown_y = ["*" if hidden else LABELS.get(y) for _, y, _, hidden in rows]
    both_gone = [x == "*" and y == "*" for x, y in zip(shown_x, shown_y, strict=True)]
    after = {"x": pa.array(shown_x, pa.string()), "y": pa.array(shown_y, pa.string())}
    sample = Sample.of(compared(before, after, hierarchies={"x": THREES}), 10**6)
    occurring = sorted({y for _, y, _, _ in rows if y is not None})
    labelled = {
        label: [y for y in occurring if any(r[1] == y and LABELS[y] == label and not r[3] for r in rows)]
        for label in ("ab", "c")
    }
    truth, answer = 0, 0.0
    for (x, y, level, hidden), gone in zip(rows, both_gone, strict=True):
        xs = stands_for(x, 2 if gone else level)
        ys = occurring if hidden or gone else [None] if y is None else labelled[LABELS[y]]
        pairs = list(product(xs, ys))
        hits = sum(a is not None and low <= a <= low + width and b in letters for a, b in pairs)
        answer += hits / len(pairs) if pairs else 0.0
        truth += x is not None and low <= x <= low + width and y in letters
    numbers, categories = sample.columns
    codes = {value: code for (value, _, _), (code, _) in categories.codes.items() if value is not None}
    query = {
        0: (numbers.x >= low) & (numbers.x <= low + width),
        1: np.isin(np.arange(len(categories.x)), [codes[letter] for letter in letters if letter in codes]),
    }
    assert counted(sample, sample.before, query) == truth
    assert counted(sample, sample.after, query) == pytest.approx(answer, abs=1e-9)


def test_queries_ask_for_five_to_ten_per_cent_of_independent_columns():
    values = [(x, y, z) for x in range(40) for y in range(40) for z in range(4)]
    rows = {"x": [x for x, _, _ in values], "y": [f"{y}" for _, y, _ in values], "z": [z * 1.0 for _, _, z in values]}
    sample, generator = Sample.of(compared(rows, rows), 10**6), np.random.default_rng(1)
    asked = [drawn_query(sample, [0, 1], generator) for _ in range(60)]
    shares = [counted(sample, sample.before, query) / 6400 for query in asked]
    assert 0.05 <= min(shares) < max(shares) <= 0.13
    assert {len(drawn_query(sample, [0, 1, 2], generator)) for _ in range(20)} == {2, 3}


def test_errors_on_rare_combinations_are_relative_to_the_sanity_bound():
    loose, strict = (QueryError(queries=40, sanity=s).of(release(2)).total for s in (1.0, 0.001))
    assert loose.value < strict.value
    assert loose.more["mean"] < 0.1


def codes_of(before, after, **options):
    return ColumnCodes.of(compared({"x": before}, {"x": after}, **options).cells["x"])


def test_labels_have_the_codes_of_values_or_stand_for_several():
    column = codes_of([1, 2, 30, 40, None], ["1", "2", "30-40", "30-40", None])
    assert column.x.tolist() == [1, 2, 30, 40]
    assert column.codes[("1", "1", False)] == (0, 0)
    assert column.codes[("40", "30-40", False)] == (3, 5)
    assert column.codes[(None, None, False)] == (MISSING, MISSING)
    assert column.middles.tolist() == [35]
    assert (column.gone, column.domain, column.missing) == (4, 4, 1)


def test_a_number_beyond_the_domain_is_a_point_of_its_own():
    column = codes_of([1, 2, 3, 4], ["1.5", "2.5", "3", "4.5"])
    assert column.domain == 4
    assert column.x.tolist() == [1, 2, 3, 4, 1.5, 2.5, 4.5]
    assert column.codes[("4", "4.5", False)] == (3, 6)
    assert column.records.tolist() == [1, 1, 1, 1, 0, 0, 0]


def test_a_label_of_another_branch_stands_for_the_values_of_that_branch():
    tree = Hierarchy((("a", "vowel", "*"), ("b", "consonant", "*"), ("c", "consonant", "*")))
    column = codes_of(["a", "b", "c"], ["consonant", "b", "c"], hierarchies={"x": tree})
    label = column.codes[("a", "consonant", False)][1]
    assert column.shares(np.array([False, True, False]))[label] == 0.5
    assert set(column.drawn(np.full(50, label), np.random.default_rng(1)).tolist()) == {1, 2}


def test_a_draw_is_evenly_one_of_the_values_that_a_label_stands_for():
    column = codes_of([1, 2, 2, 2, 30, 40, None], ["1-2"] * 4 + ["*", "40", None])
    label = column.codes[("2", "1-2", False)][1]
    codes = np.repeat([label, column.gone, 3, MISSING], 4000)
    drawn = column.drawn(codes, np.random.default_rng(1)).reshape(4, -1)
    assert Counter(drawn[0].tolist()).keys() == {0, 1}
    assert Counter(drawn[1].tolist()).keys() == {0, 1, 2, 3}
    assert np.mean(drawn[0]) == pytest.approx(0.5, abs=0.04)
    assert np.mean(drawn[1]) == pytest.approx(1.5, abs=0.06)
    assert set(drawn[2].tolist()) == {3}
    assert set(drawn[3].tolist()) == {MISSING}


def test_a_category_is_encoded_by_what_may_be_expected_of_its_label():
    found = features(codes_of(["a", "a", "a", "b", "c", None], ["ab", "ab", "ab", "ab", "*", None]))
    a, b, c, gone, label, missing = found.tolist()
    assert (a, b, c) == ([1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0])
    assert label == [0.75, 0.25, 0, 0, 0]
    assert gone == pytest.approx([3 / 6, 1 / 6, 1 / 6, 0, 1 / 6])
    assert missing == [0, 0, 0, 0, 1]


def test_a_number_is_encoded_in_deviations_and_its_label_by_the_middle():
    found = features(codes_of([0, 0, 10, 10, None, None], ["0", "0-10", "0-10", "0-10", "*", None]))
    assert found.tolist() == [[-1, 0], [1, 0], [0, pytest.approx(1 / 3)], [0, 0], [0, 1]]


def test_values_beyond_the_twenty_most_frequent_are_the_others():
    found = features(codes_of([f"v{i:02d}" for i in range(25)] * 2, ["*"] * 50))
    assert found.shape == (25 + 2, 20 + 2)
    assert found[:25].sum(axis=0).tolist() == [1.0] * 20 + [5.0, 0.0]


def test_original_and_released_records_are_rows_of_one_space_and_equal_where_nothing_changed():
    encoding = Encoding.of(release(0, 0.5))
    same = encoding.sample.kept
    assert encoding.before.shape == encoding.after.shape == (200, 7)
    assert (encoding.before[same] == encoding.after[same]).all()
    assert same.sum() == 100


def test_a_sample_has_as_many_records_as_asked_for_and_each_as_often_as_it_is_there():
    rows = {"x": [i % 10 for i in range(1000)] + [77] * 1000}
    sample = Sample.of(compared(rows, rows), 200)
    assert (sample.records, sample.one_by_one().records) == (200, 200)
    found = dict(zip(sample.columns[0].x[sample.before[:, 0]].tolist(), sample.n.tolist(), strict=True))
    assert found == {77.0: 100, **{float(i): 10 for i in range(10)}}


def test_of_a_table_without_more_records_all_are_taken():
    sample = Sample.of(release(2, 0.2), 1000)
    assert sample.records == 200
    assert sample.kept @ sample.n == 160
    assert Counter(sample.one_by_one().target) == Counter(PEOPLE["ill"])


def test_the_originals_in_a_sample_are_the_same_for_every_release():
    one, other = (Sample.of(release(*which), 50).one_by_one() for which in ((0, 0.0), (2, 0.3)))
    assert (one.before == other.before).all()
    assert one.target == other.target
    assert one.before.tolist() != Sample.of(release(0, 0.0, seed=1), 50).one_by_one().before.tolist()


def test_both_engines_take_the_same_sample(engine):
    before = {"x": ["it's", "b", None, "ü", "c"] * 6}
    after = {"x": ["it's", "bc", None, "*", "bc"] * 6}
    found, expected = (Sample.of(compared(before, after, engine=e), 10) for e in (engine, None))
    for part in ("before", "after", "kept", "n"):
        assert getattr(found, part).tolist() == getattr(expected, part).tolist()

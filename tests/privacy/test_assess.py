"""What an assessment got wrong once, as people used it, and must not again."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.errors import PolicyError, SchemaError, WrongScale

STAYS = pa.table({"stay": pa.array([dt.timedelta(days=30), dt.timedelta(days=30), dt.timedelta(days=1)])})
SCORES = pa.table({"score": pa.array([Decimal(0), Decimal(-1), Decimal(-1)], pa.decimal128(20, 0))})
LISTS = pa.table({"codes": pa.array([[], [None], None], pa.list_(pa.int64()))})


@pytest.mark.parametrize(("table", "classes"), [(STAYS, 2), (SCORES, 2), (LISTS, 3)], ids=["stays", "scores", "lists"])
def test_values_that_duckdb_hashes_alike_are_still_told_apart(table, classes):
    found = sf.assess(table, quasi=table.column_names, k=1)
    assert found.sizes.count == classes
    assert found.records == 3
    assert sum(size * number for size, number, _ in found.sizes.histogram) == len(found.flags) == 3


def test_records_keep_their_numbers_when_a_hierarchy_is_larger_than_the_table(tmp_path):
    file = tmp_path / "h.csv"
    file.write_text("".join(f"v{i},g{i % 2}\n" for i in range(2000)), encoding="utf-8")
    table = pa.table({"q": [f"v{(i * 7) % 2000}" for i in range(1000)], "id": [f"p{i}" for i in range(1000)]})
    found = sf.assess(table, quasi=["q"], subject="id", hierarchies={"q": f"{file}@1"}, k=2)
    assert found.flags["record"].to_pylist() == list(range(1, 1001))
    assert found.flags["id"].to_pylist() == table["id"].to_pylist()


def test_one_person_with_two_values_is_not_recursively_diverse():
    table = pa.table({"id": [1, 1, 2, 3], "q": list("aabb"), "d": list("uvuv")})
    found = sf.assess(
        table, quasi=["q"], sensitive=["d"], subject="id", requirements=["recursive_l_diversity(d, l=2) <= 3"]
    )
    assert found.readings[0].met is False
    assert found.readings[0].flagged == 2


@pytest.mark.parametrize(
    "requirement",
    [
        "delta_disclosure(d, base=0.5) <= 0.1",
        "delta_disclosure(d, base=0) <= 0.1",
        "recursive_l_diversity(d, l=0) <= 1",
        "recursive_l_diversity(d, l=2.9) <= 1",
        "alpha_k_anonymity(d, k=abc) <= 1",
        "t_closeness(d, bins=3) <= 1",
        "t_ordered(d, count_missing=true) <= 1",
        "k_anonymity >= 1e400",
    ],
)
def test_a_parameter_without_a_meaning_is_refused(requirement):
    table = pa.table({"q": list("aabb"), "d": list("uvuv")})
    with pytest.raises(PolicyError):
        sf.assess(table, quasi=["q"], sensitive=["d"], requirements=[requirement])


def test_the_average_risk_under_wildcards_is_the_mean_of_everybodys_risk():
    table = pa.table({"q": ["a", "a", "a", None, "b"]})
    found = sf.assess(table, quasi=["q"], missing_values="wildcard", requirements=["average_risk <= 0.28"])
    assert found.readings[0].value == pytest.approx((3 / 4 + 1 / 5 + 1 / 2) / 5)
    assert found.document()["classes"]["average_risk"] == pytest.approx(0.29)
    assert found.met is False


def test_numbers_with_an_order_have_no_distance_in_their_unit():
    table = pa.table({"q": list("aabb"), "x": [1, 2, 3, 10]})
    with pytest.raises(WrongScale, match="order"):
        sf.assess(table, quasi=["q"], sensitive=["x"], orders={"x": ["10", "1", "3", "2"]}, t=1, distance="wasserstein")


def test_a_class_like_the_whole_keeps_to_a_bound_of_zero():
    table = pa.table({"q": list("aaabbb"), "x": [0.1, 0.2, 0.7] * 2})
    found = sf.assess(table, quasi=["q"], sensitive=["x"], t=0, distance="wasserstein")
    assert found.met is True
    assert found.readings[0].value == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("edges", [[0, float("inf")], [0, float("nan")], [1, 1]])
def test_bins_need_finite_increasing_edges(edges):
    with pytest.raises(SchemaError, match="increasing"):
        sf.assess(pa.table({"x": [1, 2]}), quasi=["x"], bins={"x": edges}, k=1)


def test_columns_called_like_ours_hide_nothing(tmp_path):
    table = pa.table({"record": ["z", "y", "x"], "k1": ["a", "a", "b"], "r1": ["u", "u", "w"]})
    found = sf.assess(table, quasi=["k1", "r1"], subject="record", k=2)
    assert found.flags.column_names[:2] == ["record", "record (2)"]
    assert found.flags["record (2)"].to_pylist() == ["z", "y", "x"]
    (file,) = sf.write_flagged(found, tmp_path)
    assert file.read_text() == "record,k1,r1,k_count\nx,b,w,1\n"

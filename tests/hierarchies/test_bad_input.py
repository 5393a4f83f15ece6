"""What cannot be a hierarchy is a sentence, and never holds a value."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sfumato.errors import EmptyTable, HierarchyError, SchemaError, UnknownColumn, UnknownKind, UnplacedValues
from sfumato.hierarchies.build import hierarchy
from sfumato.hierarchies.catalogue import builder
from sfumato.hierarchies.hierarchy import Hierarchy

WRONG = [
    ("intervals", {}, "either a width"),
    ("intervals", {"width": 5, "edges": (0, 1)}, "not both"),
    ("intervals", {"edges": (18, 40, 40)}, "increasing order"),
    ("intervals", {"edges": (40, 18)}, "increasing order"),
    ("intervals", {"edges": (18,)}, "at least two edges"),
    ("intervals", {"cuts": ((1, 2), (3,))}, "overlap"),
    ("intervals", {"edges": (0.5, 1), "style": "integers"}, "whole numbers"),
    ("intervals", {"width": 0.5, "levels": 1, "style": "integers"}, "whole numbers"),
    ("intervals", {"width": 0}, "width above 0"),
    ("intervals", {"width": float("nan")}, "width above 0"),
    ("intervals", {"width": 5, "factor": 1}, "factor must be 2"),
    ("intervals", {"width": 5, "style": "bracket"}, "Did you mean 'brackets'"),
    ("intervals", {"width": "wide"}, "'width' cannot be read: expected a number"),
    ("intervals", {"edges": "0,young"}, "'edges' cannot be read: expected values with commas"),
    ("intervals", {"width": 5, "levels": 60}, "too many levels"),
    ("quantiles", {"groups": 1}, "two groups"),
    ("quantiles", {"groups": 2.5}, "expected a whole number"),
    ("density", {"at_least": 0}, "at least one record"),
    ("density", {"atleast": 3}, "Did you mean 'at_least'"),
    ("ages", {"widths": (5, 12)}, "multiple"),
    ("ages", {"top": 0}, "whole numbers of years"),
    ("masks", {"side": "middle"}, "'left' or 'right'"),
    ("masks", {"character": "**"}, "one character"),
    ("dates", {"levels": ("moth",)}, "Did you mean 'month'"),
    ("dates", {"levels": ("year", "month")}, "from fine to coarse"),
    ("dates", {"days": 0}, "1 to 366 days"),
    ("dates", {"origin": "2020-02-30"}, "is a day"),
    ("groups", {"order": ("a", "a")}, "each value once"),
    ("groups", {"size": 1}, "two neighbours"),
    ("tree", {}, "needs its mapping"),
    ("tree", {"mapping": {"a": "b", "b": "a"}}, "circle"),
    ("priority", {"factor": 1}, "factor of 2"),
    ("priority", {"kept": (("a",), ("b",))}, "kept at the level below"),
    ("from_file", {}, "needs the file"),
    ("atc", {"level": 1}, "They have none"),
]


@pytest.mark.parametrize(("kind", "parameters", "words"), WRONG, ids=[f"{k} {p}" for k, p, _ in WRONG])
def test_parameters_that_make_no_sense_are_an_error_that_says_what_does(kind, parameters, words):
    with pytest.raises(HierarchyError, match=words):
        builder(kind, parameters).formula({"1": 1, "2": 1})


def test_an_unknown_kind_is_an_error_with_the_nearest():
    with pytest.raises(UnknownKind, match="Did you mean 'intervals'"):
        builder("interval")


def test_an_unknown_column_is_an_error_with_the_nearest():
    with pytest.raises(UnknownColumn, match="Did you mean 'age'"):
        hierarchy(pa.table({"age": [1]}), "agee")


def test_a_table_without_records_has_no_hierarchy():
    with pytest.raises(EmptyTable):
        hierarchy(pa.table({"age": pa.array([], pa.int64())}), "age")


def test_a_column_without_values_has_a_hierarchy_for_the_missing_one():
    found = hierarchy(pa.table({"age": pa.array([None, None], pa.int64())}), "age")
    assert (found.lines, found.missing[0], found.missing[-1]) == ((), None, "*")


@pytest.mark.parametrize("kind", ["dates", "ages", "density", "quantiles", "icd10", "atc"])
def test_values_that_do_not_parse_are_counted_by_rows_and_not_told(kind):
    column = ["2020-03-01", "secret", None, "2020-02-30", "secret"] if kind == "dates" else ["secret", "3x", None]
    with pytest.raises(UnplacedValues) as error:
        hierarchy(pa.table({"c": column}), "c", kind)
    assert "Column 'c' has values that are no " in str(error.value)
    where = "in 3 records (rows 2, 4, 5)" if kind == "dates" else "in 2 records (rows 1, 2)"
    assert f": 2 different, {where}." in str(error.value)
    assert "secret" not in str(error.value)


def test_values_that_do_not_parse_go_to_the_top_on_request():
    found = hierarchy(pa.table({"c": ["2020-03-01", "soon"]}), "c", "dates", unknown="top")
    assert found.lines[1] == ("soon", "*", "*", "*", "*", "*")
    assert "1, in 1 records" in found.origin.notes[0]


def test_what_to_do_with_the_unknown_is_error_or_top():
    with pytest.raises(HierarchyError, match="'error' or 'top'"):
        builder("ages").build(["1"], unknown="drop")


def test_real_numbers_are_not_written_in_the_style_of_whole_ones():
    with pytest.raises(HierarchyError, match="1 different value is not whole"):
        builder("intervals", {"width": 5, "style": "integers"}).build(["1", "2.5"])


@pytest.mark.parametrize("kind", ["quantiles", "density", "masks", "dates", "priority", "groups"])
def test_a_builder_that_learns_from_the_data_gives_no_sql_before(kind):
    with pytest.raises(HierarchyError, match="has to see the data first"):
        builder(kind).sql("value", 1)


def test_a_builder_that_decides_by_itself_gives_its_sql_at_once():
    assert "'20-29'" in builder("ages").sql("age", 2)


def test_there_is_no_level_above_the_top():
    formula = builder("ages").formula({})
    for asked in (
        lambda: formula.sql("age", 5),
        lambda: formula.label("3", -1),
        lambda: formula.hierarchy({}).label(None, 5),
    ):
        with pytest.raises(SchemaError, match="levels 0 to 4"):
            asked()


def test_a_hierarchy_that_splits_a_label_or_has_no_top_is_none():
    with pytest.raises(HierarchyError, match="becomes more than one label"):
        Hierarchy((("a", "x", "*"), ("b", "x", "y")))
    with pytest.raises(HierarchyError, match="one and the same label"):
        Hierarchy((("a", "x"), ("b", "y")))

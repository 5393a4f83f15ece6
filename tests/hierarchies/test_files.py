"""Hierarchies in files: value;level 1;level 2;..."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import HierarchyError, OutputError, UnplacedValues, UnreadableFile
from sfumato.hierarchies.builders.from_file import hierarchies_in, hierarchy_text, read_hierarchy, write_hierarchy
from sfumato.hierarchies.catalogue import builder
from sfumato.hierarchies.hierarchy import Hierarchy

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=5)


@given(st.lists(TEXTS, min_size=1, max_size=6, unique=True))
def test_what_is_written_is_read_again(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("stored") / "h.csv"
    hierarchy = Hierarchy(tuple((value, "some", "*") for value in values), missing=(None, "unknown", "*"))
    write_hierarchy(hierarchy, path)
    assert read_hierarchy(path) == hierarchy


def test_an_empty_text_is_not_a_missing_value():
    assert hierarchy_text(Hierarchy((("", "a", "*"),))) == '"";a;*\n;;*\n'


def test_a_line_without_a_value_says_what_a_missing_value_becomes(tmp_path):
    (tmp_path / "h.csv").write_text("f;known;*\n;unknown;*\n", encoding="utf-8")
    found = read_hierarchy(tmp_path / "h.csv")
    assert found.values == ("f",)
    assert [found.label(None, level) for level in range(3)] == [None, "unknown", "*"]


def test_a_top_is_put_on_a_file_that_has_none(tmp_path):
    (tmp_path / "h.csv").write_text("a,x\nb,y\n", encoding="utf-8")
    assert read_hierarchy(tmp_path / "h.csv").lines == (("a", "x", "*"), ("b", "y", "*"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a;x;*\nb;x;y\n", "1 label of level 1"),
        ("a;x;*\na;x;*\n", "one line per value"),
        ("a;x;*\nb;*\n", "line 2: 3 levels were expected, 2 found"),
        ("", "at least one line"),
    ],
)
def test_a_file_that_is_no_hierarchy_is_an_error(tmp_path, text, words):
    (tmp_path / "h.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=words):
        read_hierarchy(tmp_path / "h.csv")


def test_a_folder_is_searched_by_the_names_of_its_files(tmp_path):
    for name in ("age.csv", "adult_hierarchy_native-country.csv", "notes.txt"):
        (tmp_path / name).write_text("a;*\n", encoding="utf-8")
    assert hierarchies_in(tmp_path) == {
        "age": tmp_path / "age.csv",
        "native-country": tmp_path / "adult_hierarchy_native-country.csv",
    }


def test_two_hierarchies_for_one_column_are_an_error(tmp_path):
    for name in ("age.csv", "adult_hierarchy_age.csv"):
        (tmp_path / name).write_text("a;*\n", encoding="utf-8")
    with pytest.raises(HierarchyError, match="two hierarchies for 'age'"):
        hierarchies_in(tmp_path)


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(UnreadableFile, match="no such folder"):
        hierarchies_in(tmp_path / "none")


def test_a_value_that_the_file_lacks_is_counted_and_not_told_or_goes_to_the_top(tmp_path):
    (tmp_path / "h.csv").write_text("a;x;*\n", encoding="utf-8")
    stored = builder("from_file", {"path": str(tmp_path / "h.csv")})
    with pytest.raises(UnplacedValues) as error:
        stored.build({"a": 3, "secret": 2, "other secret": 5})
    assert "values that are lacking in its hierarchy: 2 different, in 7 records" in str(error.value)
    assert "secret" not in str(error.value)
    assert stored.build(["a", "secret"], unknown="top").label("secret", 1) == "*"


def test_a_folder_is_not_written_over(tmp_path):
    with pytest.raises(OutputError, match="is a folder"):
        write_hierarchy(Hierarchy((("a", "*"),)), tmp_path)


def test_a_tree_is_read_from_a_file_of_child_and_parent(tmp_path):
    (tmp_path / "t.csv").write_text("child,parent\nflu,respiratory\nasthma,respiratory\n", encoding="utf-8")
    found = builder("tree", {"mapping": str(tmp_path / "t.csv")}).build(["flu", "asthma"])
    assert found.lines == (("asthma", "respiratory"), ("flu", "respiratory"))


@pytest.mark.parametrize(("text", "words"), [("a,b\na,c\n", "line 2"), ("a\n", "line 1"), ("a,b\nb,a\n", "circle")])
def test_a_mapping_that_is_no_tree_is_an_error(tmp_path, text, words):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises((UnreadableFile, HierarchyError), match=words):
        builder("tree", {"mapping": str(tmp_path / "t.csv")}).build(["a"])

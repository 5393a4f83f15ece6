"""`import sfumato as sf`: assessments of frames in memory, and what they give."""

import json
import subprocess
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf

SECRET = "Zaphod-7731"
COLUMNS = {
    "id": ["a", "b", "c", "d", "e", "f"],
    "age": [30, 30, 30, 40, 40, None],
    "diagnosis": ["flu", "flu", "cold", SECRET, "flu", None],
}
# Classes on age: {flu, flu, cold}, {SECRET, flu}, {no diagnosis}.
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table, "lazy polars": pl.LazyFrame}


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param](COLUMNS)


@pytest.fixture(scope="module")
def assessment():
    return sf.assess(pa.table(COLUMNS), quasi=["age"], sensitive=["diagnosis"], subject="id", k=2, l=2, t=0.4)


def test_a_frame_of_any_library_gives_the_same_readings(frame):
    found = sf.assess(frame, quasi=["age"], sensitive=["diagnosis"], k=2, l=2, t=0.4)
    assert [(r.measure.name(), r.sensitive, r.value, r.met, r.flagged) for r in found.readings] == [
        ("k_anonymity", None, 1, False, 1),
        ("distinct_l_diversity", "diagnosis", 0, False, 1),
        ("t_closeness", "diagnosis", pytest.approx(0.3), True, 0),
    ]
    assert (found.met, found.records, found.subjects) == (False, 6, None)


def test_the_frame_is_left_as_it_was():
    frame = pd.DataFrame(COLUMNS)
    before = frame.copy(deep=True)
    sf.assess(frame, quasi=["age"], sensitive=["diagnosis"], k=2, bins={"age": [0, 35, 50]})
    pd.testing.assert_frame_equal(frame, before)


def test_an_index_of_pandas_is_not_a_column_and_its_gaps_do_not_matter():
    frame = pd.DataFrame(COLUMNS).iloc[[4, 0, 3]]
    found = sf.assess(frame, quasi=["age"], k=2)
    assert found.flags["k_anonymity_flagged"].to_pylist() == [False, True, False]


def test_flags_are_an_arrow_table_with_one_row_per_record_in_the_order_of_the_source(assessment):
    flags = assessment.flags
    assert isinstance(flags, pa.Table)
    assert flags.to_pydict() == {
        "record": [1, 2, 3, 4, 5, 6],
        "id": list("abcdef"),
        "k_anonymity": [3, 3, 3, 2, 2, 1],
        "k_anonymity_flagged": [False] * 5 + [True],
        "distinct_l_diversity_diagnosis": [2, 2, 2, 2, 2, 0],
        "distinct_l_diversity_diagnosis_flagged": [False] * 5 + [True],
        "t_closeness_diagnosis": [pytest.approx(0.2)] * 3 + [pytest.approx(0.3)] * 2 + [None],
        "t_closeness_diagnosis_flagged": [False] * 6,
        "flagged": [False] * 5 + [True],
    }


def test_flags_keep_the_order_of_a_long_table():
    values = [(i * 7919) % 10007 for i in range(10007)]
    flags = sf.assess(pa.table({"q": values, "who": values}), quasi="q", subject="who", k=1).flags
    assert flags["who"].to_pylist() == values
    assert flags["record"].to_pylist() == list(range(1, 10008))


def test_to_json_is_the_document_and_holds_no_cell_value(assessment):
    document = json.loads(assessment.to_json())
    assert document == json.loads(json.dumps(assessment.document()))
    assert (document["records"], document["subjects"], document["classes"]["count"]) == (6, 6, 3)
    assert SECRET not in assessment.to_json()


def test_an_assessment_prints_its_readings_and_no_cell_value(assessment):
    assert "Not met: 2 of 3 requirements; 1 of 6 records at risk." in str(assessment)
    assert "distinct_l_diversity" in str(assessment)
    for text in (str(assessment), repr(assessment), assessment._repr_html_()):
        assert SECRET not in text
        assert "flu" not in text


def test_a_notebook_shows_tables_and_escapes_names():
    found = sf.assess(pa.table({"<b>age</b>": [1, 2]}), quasi="<b>age</b>", k=2)
    html = found._repr_html_()
    assert "&lt;b&gt;age&lt;/b&gt;" in html
    assert "<b>age" not in html
    assert "<th" in html


def test_a_name_alone_stands_for_a_list_of_one(assessment):
    found = sf.assess(pa.table(COLUMNS), quasi="age", sensitive="diagnosis", subject="id", k=2, l=2, t=0.4)
    assert found.to_json() == assessment.to_json()


def test_requirements_are_objects_or_texts():
    asked = [sf.Requirement(sf.measures()["k_anonymity"](), 2), "t_closeness(diagnosis) <= 0.25"]
    found = sf.assess(pa.table(COLUMNS), quasi="age", sensitive="diagnosis", requirements=asked)
    assert [r.met for r in found.readings] == [False, False]


def test_distances_are_by_column():
    table = pa.table({"q": ["a", "a", "b", "b"], "s": [1, 2, 5, 6], "u": [1, 2, 5, 6]})
    found = sf.assess(table, quasi="q", sensitive=["s", "u"], t=1, distance={"s": "wasserstein"})
    assert [(r.measure.name(), r.value) for r in found.readings] == [
        ("t_wasserstein", pytest.approx(2, abs=1e-12)),
        ("t_ordered", pytest.approx(1 / 3, abs=1e-12)),
    ]


@pytest.mark.parametrize("asked", ["t_closeness(diagnosis) <= 30", "maximum_risk <= 9", "average_risk <= 1.5"])
def test_a_bound_that_no_reading_can_break_is_warned_of(asked):
    (note,) = sf.assess(pa.table(COLUMNS), quasi="age", sensitive="diagnosis", requirements=[asked]).notes
    assert note.startswith(f"WARNING: {asked} holds whatever the data are: no reading is above 1.")


def test_values_that_an_order_lacks_are_counted_and_not_named():
    table = pa.table({"q": ["a", "a", "b", "b"], "s": ["low", "high", "hihg", None]})
    found = sf.assess(table, quasi="q", sensitive="s", t=0.9, orders={"s": ["low", "high"]})
    assert found.notes == (
        "WARNING: 1 record with a value of s that its order lacks: placed after all others, by alphabet. "
        "Complete the order.",
    )


def test_a_class_is_not_homogeneous_because_only_one_person_has_values():
    table = pa.table({"q": [1, 1, 1, 2, 2], "s": ["x", "y", None, "x", "x"], "who": ["a", "a", "b", "c", "d"]})
    assert sf.assess(table, quasi="q", sensitive="s", subject="who").homogeneous == {"s": 2}


def test_flagged_records_are_written_from_python(assessment, tmp_path):
    files = sf.write_flagged(assessment, tmp_path / "out")
    assert [file.name for file in files] == ["flagged_k_anonymity.csv", "flagged_distinct_l_diversity_diagnosis.csv"]
    assert files[0].read_text() == "id,age,k_count\nf,missing,1\n"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"quasi": ["aeg"]},
        {"quasi": ["age"], "l": 2},
        {"quasi": ["age"], "sensitive": ["age"], "k": 2},
        {"quasi": ["age"], "subject": "nobody"},
        {"quasi": ["age"], "sensitive": ["diagnosis"], "t": 0.2, "distance": "nearest"},
        {"quasi": ["age"], "sensitive": ["diagnosis"], "t": 0.2, "distance": "wasserstein"},
        {"quasi": ["age"], "bins": {"age": [3]}},
        {"quasi": ["age"], "bins": {"age": ["x", "y"]}},
        {"quasi": ["age"], "bins": {"diagnosis": [1, 2]}},
        {"quasi": ["age"], "requirements": ["k"]},
        {"quasi": ["age"], "missing_values": "any"},
    ],
    ids=str,
)
def test_a_question_that_makes_no_sense_raises_an_error_of_ours_without_a_cell_value(asked):
    with pytest.raises(sf.SfumatoError) as caught:
        sf.assess(pa.table(COLUMNS), **asked)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("data", [3, None, [1, 2], {"age": [1]}, "nowhere.csv", pd.Series([1, 2])], ids=str)
def test_data_that_are_no_table_raise_an_error_of_ours(data):
    with pytest.raises(sf.SfumatoError):
        sf.assess(data, quasi=["age"], k=2)


def test_importing_sfumato_imports_nothing_heavy():
    heavy = ("duckdb", "pyarrow", "pydantic", "yaml", "typer", "rich", "pandas", "polars", "pyspark", "numpy")
    code = f"import sys, sfumato; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

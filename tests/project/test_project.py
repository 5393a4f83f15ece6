"""The project file: what it says, what is wrong in it and on which line, and its first version."""

from __future__ import annotations

import json
import re
import traceback
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ProjectError
from sfumato.project.file import MeasureEntry, Project, RoleDecision, project_template
from sfumato.project.places import allowing
from sfumato.schema import Attribute, Missing, Role, Scale
from sfumato.tables.engine import Kind, Table
from sfumato.tables.source import Column, Extract, ReadOptions

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "project-file.md"

EXAMPLE = """\
# sfumato.yaml
data:
  source: patients.csv
  table: visits
  delimiter: ";"
  encoding: cp1252
  decimal: ","
  missing_tokens: ["", NA, N/A, NULL, "."]
engine: duckdb
subject: patient_id
missing_values: wildcard
columns:
  age:         {role: quasi, scale: numeric, bins: [0, 6, 12, 18]}
  postcode:    {role: quasi, type: text, hierarchy: postcode.csv, level: 2}
  grade:       {role: sensitive, scale: ordinal, order: [low, middle, high]}
  cholesterol: {role: sensitive}
  name:        {role: direct}
measures:
  - {measure: k_anonymity, at_least: 5}
  - {measure: distinct_l_diversity, sensitive: cholesterol, bins: [100, 150, 200, 250], at_least: 3}
  - measure: t_closeness
    sensitive: grade
    at_most: 0.3
"""
COLUMNS = ("patient_id", "name", "age", "postcode", "grade", "cholesterol", "visit")


def fault(text: str, path: str = "sfumato.yaml") -> ProjectError:
    with pytest.raises(ProjectError) as caught:
        Project.parse(text, path)
    return caught.value


def extract(*columns: Column, notes: tuple[str, ...] = ()) -> Extract:
    return Extract("patients", Table(None, "t"), columns, notes)  # type: ignore[arg-type]


# What a file says


def test_every_key_of_the_example_arrives_where_it_is_used() -> None:
    project = Project.parse(EXAMPLE, "study/sfumato.yaml")
    assert project.source == "study/patients.csv"
    assert (project.engine, project.subject, project.missing_values) == (
        "duckdb",
        "patient_id",
        Missing.WILDCARD,
    )
    assert project.read_options() == ReadOptions(
        delimiter=";",
        encoding="cp1252",
        decimal=",",
        missing=("", "NA", "N/A", "NULL", "."),
        kinds={"postcode": Kind.TEXT},
        table="visits",
    )


def test_the_schema_has_the_columns_of_the_data_in_their_order() -> None:
    assert Project.parse(EXAMPLE, "study/sfumato.yaml").schema(COLUMNS).attributes == (
        Attribute("patient_id"),
        Attribute("name", Role.DIRECT),
        Attribute("age", Role.QUASI, Scale.NUMERIC, bins=(0, 6, 12, 18)),
        Attribute("postcode", Role.QUASI, hierarchy="study/postcode.csv", level=2),
        Attribute("grade", Role.SENSITIVE, Scale.ORDINAL, order=("low", "middle", "high")),
        Attribute("cholesterol", Role.SENSITIVE),
        Attribute("visit"),
    )


def test_a_measure_keeps_its_bound_its_parameters_and_its_line() -> None:
    assert Project.parse(EXAMPLE).measures == (
        MeasureEntry("k_anonymity", at_least=5, line=19),
        MeasureEntry(
            "distinct_l_diversity",
            at_least=3,
            parameters={"sensitive": "cholesterol", "bins": (100, 150, 200, 250)},
            line=20,
        ),
        MeasureEntry("t_closeness", at_most=0.3, parameters={"sensitive": "grade"}, line=21),
    )


def test_the_line_of_a_key_is_known_and_else_the_line_of_what_is_around_it() -> None:
    project = Project.parse(EXAMPLE)
    assert project.line_of("columns", "postcode") == 14
    assert project.line_of("columns", "postcode", "level") == 14
    assert project.line_of("measures", 2, "at_most") == 23
    assert project.line_of("measures", 2, "distance") == 21
    assert project.line_of("nothing of the kind") == 1


def test_json_is_read_like_yaml_also_when_it_is_indented_with_tabs() -> None:
    value = yaml.safe_load(EXAMPLE) | {"subject": "patient \U0001f600"}
    value["data"]["missing_tokens"] = ["", "NA", "N/A", "NULL", "."]
    for text in (json.dumps(value), json.dumps(value, indent="\t")):
        project = Project.parse(text)
        assert project.subject == "patient \U0001f600"
        assert project.attributes == Project.parse(EXAMPLE).attributes
        assert project.read_options() == Project.parse(EXAMPLE).read_options()


def test_what_is_left_out_or_left_empty_has_its_default() -> None:
    project = Project.parse("data:\nsubject:\ncolumns:\nmeasures:\nmissing_values:\nengine:\n")
    assert project == Project("sfumato.yaml")
    assert (project.source, project.engine, project.missing_values) == (None, "duckdb", Missing.OWN_VALUE)
    assert project.read_options() == ReadOptions()
    assert Project.parse("measures: [{measure: k, at_least: 2, sensitive: }]").measures[0].parameters == {}
    assert Project.parse("data: {source: a.csv, missing_tokens: []}").read_options().missing == ()


def test_words_that_yaml_1_1_takes_for_booleans_numbers_and_nulls_stay_text() -> None:
    project = Project.parse(
        "subject: no\n"
        "data: {source: a.csv, missing_tokens: [NULL, ~, -9, 1e5, off]}\n"
        "columns:\n"
        "  no: {role: direct}\n"
        "  012: {role: quasi}\n"
        "  null: {role: quasi}\n"
        "  on: {role: sensitive, scale: ordinal, order: [007, 010, no, yes, true, NULL, 1.50, 2024-01-02]}\n"
        "measures:\n"
        "  - {measure: t_closeness, sensitive: on, at_most: 1e-1}\n"
    )
    assert project.subject == "no"
    assert project.read_options().missing == ("NULL", "~", "-9", "1e5", "off")
    assert [attribute.name for attribute in project.attributes] == ["no", "012", "null", "on"]
    assert project.attributes[3].order == ("007", "010", "no", "yes", "true", "NULL", "1.50", "2024-01-02")
    assert project.measures[0] == MeasureEntry("t_closeness", at_most=0.1, parameters={"sensitive": "on"}, line=9)


def test_bins_alone_make_a_column_numeric_and_a_silent_scale_is_told_from_a_given_one() -> None:
    project = Project.parse(
        "columns:\n  a: {role: quasi, bins: [0, 0.5]}\n  b: {role: quasi, scale: nominal}\n  c: {role: quasi}\n"
    )
    assert [a.scale for a in project.attributes] == [Scale.NUMERIC, Scale.NOMINAL, Scale.NOMINAL]
    assert project.scaled == {"a", "b"}


def test_who_decided_on_a_role_when_and_why_is_kept_as_it_is_written() -> None:
    project = Project.parse(
        "columns:\n"
        "  a: {role: quasi, decided_by: Zoë O'Hara, decided_on: 2026-05-31, reason: 'nurses, \"free\" text'}\n"
        "  b: {role: direct, decided_on: '2026-05-31T14:05:00+02:00'}\n"
        "  c: {role: sensitive, proposed: true, reason: the lab will tell}\n"
        "  d: {role: undecided, reason: the lab will tell}\n"
        "  e: {role: non-sensitive, proposed: false}\n"
    )
    assert project.decisions == {
        "a": RoleDecision(Role.QUASI, "Zoë O'Hara", "2026-05-31", 'nurses, "free" text'),
        "b": RoleDecision(Role.DIRECT, on="2026-05-31T14:05:00+02:00"),
        "e": RoleDecision(Role.NON_SENSITIVE),
    }
    assert project.decided() == {"a": Role.QUASI, "b": Role.DIRECT, "e": Role.NON_SENSITIVE}


def test_who_decided_does_not_change_how_a_preset_reads_a_column() -> None:
    text = "columns:\n  DM__AGE: {role: quasi%s}\npreset: bio_streams\n"
    plain, decided = (
        Project.parse(text % more) for more in ("", ", decided_by: Jo, decided_on: 2026-05-31, reason: x")
    )
    assert plain.attributes[0].bins == (0, 6, 12, 18)
    assert decided.attributes == plain.attributes


def test_urls_and_absolute_paths_that_are_allowed_are_not_taken_from_the_folder_of_the_file() -> None:
    for source in ("postgresql://reader@db.example.org/study", "/data/patients.csv"):
        with allowing("db.example.org", "/data"):
            assert Project.parse(f"data: {{source: '{source}'}}", "study/sfumato.yaml").source == source


def test_a_password_in_the_source_is_not_shown_when_a_project_is_printed() -> None:
    with allowing("db"):
        project = Project.parse("data: {source: 'postgresql://reader:hunter2@db/study'}")
    assert project.source == "postgresql://reader:hunter2@db/study"
    assert "hunter2" not in repr(project)


def test_a_file_with_a_byte_order_mark_and_windows_line_ends_keeps_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "sfumato.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").encode())
    assert Project.read(path).line_of("measures", 2) == 21
    assert Project.read(path).source == str(tmp_path / "patients.csv")


# What is wrong in a file: the line, the key, what was expected, the nearest name

WRONG = [
    # (text, line, words)
    ("engin: duckdb", 1, "the file: there is no key 'engin'. Did you mean 'engine'?"),
    ("engine: 5", 1, "engine: expected text. Put a number or a word such as true in quotes."),
    ("engine: ''", 1, "engine: expected text that is not empty."),
    ("subject: [a]", 1, "subject: expected text. Put a number or a word such as true in quotes."),
    ("- a", 1, "the file: expected keys and values, such as `columns: ...`."),
    (
        "engine: duckdb\nmissing_values: wildcart",
        2,
        "missing_values: expected own_value, wildcard or never_matches. Did you mean 'wildcard'?",
    ),
    ("data:\n  table: a", 1, "data: the key 'source' is missing."),
    ("data:\n  table: a\n  sorce: a.csv", 3, "data: there is no key 'sorce'. Did you mean 'source'?"),
    ("data: a.csv", 1, "data: expected keys and values, such as `{source: patients.csv}`."),
    ("data:\n  source: ''", 2, "source of data: expected text that is not empty."),
    (
        "data:\n  source: a\n  table: b\n  query: c",
        4,
        "query of data: expected a table or a query, not both.",
    ),
    (
        "data:\n  source: a\n  delimiter: '\\t'",
        3,
        'delimiter of data: expected one character. Write a tab as "\\t", in double quotes.',
    ),
    ("data:\n  source: a\n  decimal: ';'", 3, "decimal of data: expected . or ,."),
    (
        "data:\n  source: a\n  encoding: cp12522",
        3,
        "encoding of data: expected the name of a character encoding. Did you mean 'cp1252'?",
    ),
    (
        "data:\n  source: a\n  missing_tokens: NA",
        3,
        "missing_tokens of data: expected a list, such as [a, b].",
    ),
    (
        "data:\n  source: a\n  missing_tokens:\n  - NA\n  - [a]",
        5,
        "entry 2 of missing_tokens of data: expected text. Put a number or a word such as true in quotes.",
    ),
    (
        "columns: [age]",
        1,
        "columns: expected a name and what is meant by it on each line, such as `age: {role: quasi}`.",
    ),
    ("columns:\n  age: quasi", 2, "column 'age': expected keys and values, such as `{role: quasi}`."),
    ("columns:\n  age: {}", 2, "column 'age': the key 'role' is missing."),
    (
        "columns:\n  age:\n    rol: quasi",
        3,
        "column 'age': there is no key 'rol'. Did you mean 'role'?",
    ),
    (
        "columns:\n  age:\n    role: quasi\n    colour: red",
        4,
        "column 'age': there is no key 'colour'. Choose from "
        "'also_missing', 'bins', 'date_format', 'decided_by', 'decided_on', 'hierarchy', 'level', 'order', 'proposed', "
        "'reason', 'role', 'scale', ....",
    ),
    (
        "columns:\n  age:\n    role: quasi\n    decided_on: yesterday",
        4,
        "decided_on of column 'age': expected a day, such as 2026-05-31, or a moment, such as 2026-05-31T14:05.",
    ),
    (
        "columns:\n  age:\n    role: quasi\n    decided_on: '2026-02-31'",
        4,
        "decided_on of column 'age': there is no such day or time.",
    ),
    (
        "columns:\n  age:\n    role: quasi\n    proposed: true\n    decided_by: Jo",
        5,
        "decided_by of column 'age': nobody has decided, where a role is proposed or undecided. Delete one of the two.",
    ),
    (
        "columns:\n  age:\n    role: undecided\n    decided_on: '2026-05-31'",
        4,
        "decided_on of column 'age': nobody has decided, where a role is proposed or undecided. Delete one of the two.",
    ),
    (
        "columns:\n  age:\n    role: Quasy",
        3,
        "role of column 'age': expected direct, quasi, sensitive, non-sensitive or undecided. Did you mean 'quasi'?",
    ),
    (
        "columns:\n  a:\n    role:",
        3,
        "role of column 'a': expected direct, quasi, sensitive, non-sensitive or undecided.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    scale: numerical",
        4,
        "scale of column 'a': expected nominal, ordinal, numeric or date. Did you mean 'numeric'?",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    type: txt",
        4,
        "type of column 'a': expected text, integer, real, date, timestamp or boolean. Did you mean 'text'?",
    ),
    ("columns:\n  a:\n    role: quasi\n    bins: [1]", 4, "bins of column 'a': expected at least 2 entries."),
    (
        "columns:\n  a:\n    role: quasi\n    bins:\n    - 0\n    - 6\n    - 6",
        7,
        "entry 3 of bins of column 'a': expected a number larger than the one before it: edges increase.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    bins: [0, six]",
        4,
        "entry 2 of bins of column 'a': expected a number.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    bins: [0, 1e999]",
        4,
        "entry 2 of bins of column 'a': expected a number.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    bins: [false, true]",
        4,
        "entry 1 of bins of column 'a': expected a number. (1 more problem in this file.)",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    scale: ordinal\n    bins: [0, 1]",
        5,
        "bins of column 'a': bins need numbers. Expected `scale: numeric`, or no scale.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    type: text\n    bins: [0, 1]",
        5,
        "bins of column 'a': bins need numbers. Expected `type: integer` or `type: real`, or no type.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    bins: [0, 1]\n    hierarchy: a.csv",
        5,
        "hierarchy of column 'a': expected bins or a hierarchy, not both.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    level: 2",
        4,
        "level of column 'a': a level is a level of a hierarchy. Add `hierarchy: FILE`.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    hierarchy: a.csv\n    level: -1",
        5,
        "level of column 'a': expected a whole number, 0 or more.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    hierarchy: a.csv\n    level: 1.5",
        5,
        "level of column 'a': expected a whole number.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    order: [x, y]",
        4,
        "order of column 'a': only an ordinal column has an order. Expected `scale: ordinal`.",
    ),
    (
        "columns:\n  a:\n    role: quasi\n    scale: ordinal\n    order:\n    - x\n    - x",
        7,
        "entry 2 of order of column 'a': this value stands in the list already. Expected each value once.",
    ),
    ("measures:\n  k_anonymity: 5", 1, "measures: expected a list, such as [a, b]."),
    (
        "measures:\n- k_anonymity",
        2,
        "measure 1: expected keys and values, such as `{measure: k_anonymity, at_least: 5}`.",
    ),
    ("measures:\n- {measure: k_anonymity}", 2, "measure 1: expected a bound: at_least or at_most."),
    (
        "measures:\n- measure: k_anonymity\n  at_leest: 5",
        2,
        "measure 1: expected a bound: at_least or at_most. Did you mean 'at_least'?",
    ),
    (
        "measures:\n- {measure: a, at_least: 1}\n- measure: b\n  at_least: 1\n  at_most: 2",
        5,
        "at_most of measure 2: expected at_least or at_most, not both.",
    ),
    ("measures:\n- measure: a\n  at_least: five", 3, "at_least of measure 1: expected a number."),
    (
        "measures:\n- mesure: a\n  at_least: 5",
        2,
        "measure 1: the key 'measure' is missing. Is 'mesure' a misspelling of it?",
    ),
]


@pytest.mark.parametrize(("text", "line", "words"), WRONG, ids=[re.sub(r"\s+", " ", case[0]) for case in WRONG])
def test_an_error_names_the_line_the_key_what_was_expected_and_the_nearest_name(
    text: str, line: int, words: str
) -> None:
    error = fault(text, "study/sfumato.yaml")
    assert str(error) == f"study/sfumato.yaml, line {line}: {words}"
    assert error.line == line
    assert error.__suppress_context__


def test_of_several_problems_the_first_in_the_file_is_told_and_the_others_are_counted() -> None:
    text = "measures:\n- {measure: k}\ncolumns:\n  a: {role: x, bins: [0]}\n  a: {role: y}\nengin: z\n"
    assert str(fault(text)) == (
        "sfumato.yaml, line 2: measure 1: expected a bound: at_least or at_most. (4 more problems in this file.)"
    )


NOT_YAML = [
    ("columns:\n  a: {role: quasi}\n  a: {role: direct}", 3, "column 'a' is written twice, first on line 2."),
    ("{engine: duckdb, engine: spark}", 1, "engine is written twice, first on line 1."),
    (
        "columns:\n  '1': {role: quasi}\n  1: {role: direct}",
        3,
        "column '1' is written twice, first on line 2.",
    ),
    ("engine: duckdb\nsubject: *secret", 2, "a project file has no aliases (`*name`)."),
    ("engine: duckdb\nsubject: !secret x", 2, "subject: a project file has no `!` tags."),
    ("columns:\n  ? [secret]\n  : 1", 2, "columns: a key is a list or a mapping. Expected text."),
    ("columns:\n\tsecret: 1", 2, "a tab stands where YAML expects spaces. Indent with spaces."),
    ("engine: duckdb\n---\nengine: secret", 2, "a second document begins here (`---`)."),
    ("engine: duckdb\nsubject: 'secret\n", 3, "this is not valid YAML, in what begins on line 2."),
    ("engine: [secret\nsubject: a", 2, "this is not valid YAML, in what begins on line 1."),
    ("engine: duckdb\nsubject: secret: secret", 2, "this is not valid YAML. Check the indentation"),
    ("engine: duckdb\nsubject: secret\x01", 2, "a control character stands here."),
    ('engine: duckdb\nsubject: "secret\\ud83d"', 2, "half of a surrogate pair stands alone"),
    ("engine: !!int secret", 1, "engine: this is not the number that it is said to be."),
]


@pytest.mark.parametrize(("text", "line", "words"), NOT_YAML)
def test_what_is_not_plain_yaml_is_refused_with_its_line_and_without_its_content(
    text: str, line: int, words: str
) -> None:
    error = fault(text)
    assert str(error).startswith(f"sfumato.yaml, line {line}: {words}")
    assert "secret" not in "".join(traceback.format_exception(error))


def test_a_value_of_the_data_or_a_password_in_the_file_is_never_repeated_in_an_error() -> None:
    text = (
        "data: {source: 'postgresql://u:secret@h/d', delimiter: secret, decimal: secret}\n"
        "columns:\n  a: {role: secret, scale: secret, type: secret, order: [secret, secret]}\n"
    )
    while "secret" in text.split("\n", 1)[1]:
        assert "secret" not in str(fault(text))
        text = re.sub("secret(?!@)", "quasi" if "role: secret" in text else "x", text, count=1)


def test_deep_nesting_is_an_error_of_the_file_and_not_of_the_program() -> None:
    assert str(fault("[" * 20_000)) == "sfumato.yaml: the file is nested too deeply to be a project file."


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "null\n"])
def test_an_empty_file_is_refused(text: str) -> None:
    assert str(fault(text)) == "sfumato.yaml: the file is empty. `sfumato init DATA` writes a first version."


def test_a_file_that_cannot_be_read_is_an_error_of_the_project(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"none\.yaml: there is no such file\. `sfumato init DATA`"):
        Project.read(tmp_path / "none.yaml")
    with pytest.raises(ProjectError, match="this file cannot be read: it is no file"):
        Project.read(tmp_path)
    (tmp_path / "latin.yaml").write_bytes("engine: duckdb\nsubject: größe\n".encode("latin-1"))
    with pytest.raises(ProjectError, match=r"latin\.yaml, line 2: this is not UTF-8 text\. Save the file as UTF-8\."):
        Project.read(tmp_path / "latin.yaml")


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        ("patient_id", "sfumato.yaml, line 10: There is no column 'patient_id'."),
        ("name", "sfumato.yaml, line 17: There is no column 'name'."),
        ("postcode", "sfumato.yaml, line 14: There is no column 'postcode'."),
    ],
)
def test_a_column_that_the_data_lacks_is_told_with_its_line(gone: str, message: str) -> None:
    columns = [column for column in COLUMNS if column != gone]
    with pytest.raises(ProjectError, match=re.escape(message)):
        Project.parse(EXAMPLE).schema(columns)


def test_the_nearest_column_is_suggested_also_for_the_sensitive_column_of_a_measure() -> None:
    project = Project.parse(
        "measures:\n- {measure: t, sensitive: [grade, colesterol], at_most: 1}\n"
        "- {measure: l, sensitive: x, at_least: 1}\n"
    )
    with pytest.raises(ProjectError) as caught:
        project.schema(COLUMNS)
    assert str(caught.value) == (
        "sfumato.yaml, line 2: There is no column 'colesterol'. Did you mean 'cholesterol'? "
        "(1 more problem in this file.)"
    )


# The first version of a file


def test_the_first_version_decides_no_role_and_says_how_each_column_was_read() -> None:
    columns = (
        Column("patient id", Kind.TEXT, "a leading zero would be lost", 0),
        Column("age", Kind.INTEGER, "every value is a whole number", 12, label="Age at\nvisit"),
    )
    text = project_template(extract(*columns, notes=("delimiter ; was detected",)), "patients.csv")
    assert "  source: patients.csv\n  # note: delimiter ; was detected\n" in text
    assert (
        '  "patient id": {role: undecided, proposed: true}  # '
        "read as text (a leading zero would be lost); 0 missing\n"
        "  age: {role: undecided, proposed: true}  # "
        "read as integer (every value is a whole number); 12 missing; Age at visit\n"
    ) in text
    project = Project.parse(text)
    assert {attribute.role for attribute in project.attributes} == {Role.NON_SENSITIVE}
    assert project.decided() == {}
    assert [(m.measure, m.at_least, m.at_most) for m in project.measures] == [("k_anonymity", 5, None)]
    assert (project.source, project.subject, project.engine) == ("patients.csv", None, "duckdb")


def test_the_commented_examples_of_the_first_version_are_valid_when_they_are_uncommented() -> None:
    text = project_template(extract(Column("COLUMN", Kind.TEXT, "x")), "patients.csv")
    project = Project.parse(text.replace("  # - {", "  - {").replace("# subject:", "subject:"))
    assert project.schema(["COLUMN"]).columns == ("COLUMN",)
    assert [m.measure for m in project.measures] == ["k_anonymity", "distinct_l_diversity", "t_closeness"]
    assert project.subject == "COLUMN"


ODD_NAMES = (
    "", " ", "a b", "it's", 'say "x"', "two\nlines", "größe", "年齢", "no", "NULL", "~", "007", "1e5", "-",
    "- a", "? a", "a: b", "a #b", "#", "{a}", "[a", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">", "<<", "=",
    "---", "...", "\\", "\t",
    "\ufeff", "\x85", "\u2028", "\x00", "\x7f", "\U0001f600", "e\u0301", 'x"; DROP TABLE t; --', "size",
    "class_id", "columns", "y" * 3000, "\x01" * 3000,
)  # fmt: skip


@pytest.mark.parametrize("loader", [lambda text: list(yaml.safe_load(text)["columns"]), None], ids=["PyYAML", "own"])
def test_odd_column_names_survive_the_first_version(loader: Any) -> None:
    text = project_template(extract(*(Column(name, Kind.TEXT, "why") for name in ODD_NAMES)), "patients.csv")
    names = loader(text) if loader else [a.name for a in Project.parse(text).attributes]
    assert tuple(names) == ODD_NAMES


@given(names=st.lists(st.text(), unique=True), words=st.text(), source=st.text(min_size=1))
def test_any_column_name_survives_the_first_version(names: list[str], words: str, source: str) -> None:
    columns = (Column(name, Kind.REAL, words, 1, label=words) for name in names)
    found = extract(*columns, notes=(words,))
    text = project_template(found, source)
    project = Project.parse(project_template(found, "patients.csv"), "sfumato.yaml")
    assert project.schema(names).columns == tuple(names)
    assert yaml.safe_load(text)["data"]["source"] == source or "://" in source
    assert text == project_template(extract(*found.columns, notes=(words,)), source)


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("postgresql://reader:hunter2@db:5432/study", "postgresql://reader@db:5432/study"),
        ("postgresql://reader:hun/ter@2@db/study", "postgresql://reader@db/study"),
        ("postgresql://db/study?user=reader&password=hunter2", "postgresql://db/study?user=reader"),
        ("postgresql://db/study?password=hunter2&user=reader", "postgresql://db/study?user=reader"),
    ],
)
def test_a_password_is_not_written_into_the_first_version(source: str, kept: str) -> None:
    text = project_template(extract(), source)
    with allowing("db"):
        assert Project.parse(text).source == kept
    assert "# the password was left out: give it in PGPASSWORD" in text
    assert project_template(extract(), kept).count("PGPASSWORD") == 0


# The JSON Schema


def accepts(schema: dict[str, Any], value: Any, whole: dict[str, Any]) -> bool:
    """Whether a value is valid; knows the keywords that this one schema uses, and no others."""
    tests = {
        "$ref": lambda ref: accepts(whole["$defs"][ref.rsplit("/", 1)[1]], value, whole),
        "anyOf": lambda options: any(accepts(option, value, whole) for option in options),
        "oneOf": lambda options: sum(accepts(option, value, whole) for option in options) == 1,
        "not": lambda other: not accepts(other, value, whole),
        "type": lambda types: any(is_a(value, name) for name in ([types] if isinstance(types, str) else types)),
        "enum": lambda options: value in options,
        "const": lambda only: value == only,
        "required": lambda keys: all(key in value for key in keys),
        "properties": lambda keys: all(accepts(keys[key], value[key], whole) for key in keys if key in value),
        "additionalProperties": lambda rest: all(
            rest if isinstance(rest, bool) else accepts(rest, value[key], whole)
            for key in value
            if key not in schema.get("properties", {})
        ),
        "dependentRequired": lambda needs: all(set(needs[key]) <= set(value) for key in needs if key in value),
        "dependentSchemas": lambda needs: all(accepts(needs[key], value, whole) for key in needs if key in value),
        "items": lambda item: all(accepts(item, each, whole) for each in value),
        "minItems": lambda least: len(value) >= least,
        "minLength": lambda least: len(value) >= least,
        "maxLength": lambda most: len(value) <= most,
        "pattern": lambda pattern: re.search(pattern, value) is not None,
        "minimum": lambda least: value >= least,
        "maximum": lambda most: value <= most,
        "exclusiveMinimum": lambda least: value > least,
    }
    if "type" in schema and not tests["type"](schema["type"]):
        return False
    told = {"$schema", "$defs", "title", "description", "examples", "default"}
    return all(tests[keyword](rule) for keyword, rule in schema.items() if keyword not in told)


def is_a(value: Any, name: str) -> bool:
    if isinstance(value, bool) or name == "boolean":
        return isinstance(value, bool) and name == "boolean"
    types = {
        "object": dict,
        "array": list,
        "string": str,
        "number": (int, float),
        "integer": int,
        "null": type(None),
    }
    return isinstance(value, types[name])


def test_the_schema_accepts_the_example_and_every_example_of_a_key() -> None:
    schema = Project.json_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert accepts(schema, yaml.safe_load(EXAMPLE), schema)
    for part in (schema, *(schema["$defs"][name] for name in ("DataKeys", "ColumnKeys", "MeasureKeys"))):
        for key, rule in part["properties"].items():
            assert rule["description"], key
            assert rule["examples"], key
            assert all(accepts(rule, example, schema) for example in rule["examples"]), key


SEMANTIC = (
    "larger than the one before",
    "stands in the list already",
    "bins need numbers",
    "character encoding",
    "no such day",
)


@pytest.mark.parametrize(("text", "line", "words"), WRONG, ids=[re.sub(r"\s+", " ", case[0]) for case in WRONG])
def test_the_schema_refuses_what_the_reader_refuses_save_what_json_schema_cannot_say(
    text: str, line: int, words: str
) -> None:
    schema = Project.json_schema()
    beyond = any(part in words for part in SEMANTIC)
    assert accepts(schema, yaml.safe_load(text), schema) is beyond


def test_the_schema_closes_the_lists_of_roles_scales_types_and_missing_readings() -> None:
    definitions = Project.json_schema()["$defs"]
    assert definitions["ColumnKeys"]["properties"]["role"]["enum"] == [*Role, "undecided"]
    assert definitions["Scale"]["enum"] == ["nominal", "ordinal", "numeric", "date"]
    assert definitions["Missing"]["enum"] == ["own_value", "wildcard", "never_matches"]
    types = definitions["ColumnKeys"]["properties"]["type"]["anyOf"][0]["enum"]
    assert types == ["text", "integer", "real", "date", "timestamp", "boolean"]


def test_the_schema_is_plain_json_and_the_same_each_time() -> None:
    assert json.dumps(Project.json_schema()) == json.dumps(json.loads(json.dumps(Project.json_schema())))


# The documentation


def test_every_example_in_the_documentation_is_a_valid_project_file() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 5
    for block in blocks:
        with allowing("db.example.org"):
            Project.parse(block)


def test_every_key_and_every_choice_is_in_the_documentation() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    definitions = Project.json_schema()["$defs"]
    parts = (
        Project.json_schema(),
        *(definitions[name] for name in ("DataKeys", "ColumnKeys", "MeasureKeys")),
    )
    words = {key for part in parts for key in part["properties"]}
    words |= {choice for name in ("Scale", "Missing") for choice in definitions[name]["enum"]}
    words |= set(definitions["ColumnKeys"]["properties"]["role"]["enum"])
    assert {word for word in words if f"`{word}`" not in text} == set()

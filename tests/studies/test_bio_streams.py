"""The BIO-STREAMS study: pilot, configuration, combination, summary."""

import csv
import os
from dataclasses import replace
from pathlib import Path

import pytest

from sfumato.errors import OutputError, ProjectError, SchemaError, UnreadableFile, WrongScale
from sfumato.studies.bio_streams.configuration import PUBLISHED
from sfumato.studies.bio_streams.configuration_file import read_configuration_file
from sfumato.studies.bio_streams.pilot import pilot_files, write_pilot
from sfumato.studies.bio_streams.study import FileNames, Study
from sfumato.studies.bio_streams.summary import PilotFindings, SensitiveFindings, summary_text
from sfumato.studies.bio_streams.validation import validate_config
from sfumato.studies.sdtm.domain import Pivot, Rule
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.csv import CSV

CONFIG = "categorical_qis: [DM__SEX]\ncontinuous_qis: []\nsensitive_feature: LB__Chol\nK: 5\nL: 2\nT: 30\n"
DM = "USUBJID,SEX\nA,F\nB,M\n"
LB = "USUBJID,LBTESTCD,LBTEST,LBSTRESN\nA,CHOL,Chol,180\nB,CHOL,Chol,200\n"


def pilot_of(root, files, config=CONFIG, name="P"):
    folder = root / "pilot_report" / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    if config:
        (folder / "config.yaml").write_text(config, encoding="utf-8")
    return root


def combined(root, pilot="P", config=None):
    study, engine = Study.open(root, pilot, config), DuckDB()
    return study.combine(engine, lambda path: CSV().read(path, study.read_options(path), engine))


def rows(result):
    with result.path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def column(result, name):
    return [row[name] for row in rows(result)]


def config_error(tmp_path, text, suffix=".yaml"):
    path = tmp_path / f"config{suffix}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProjectError) as caught:
        validate_config(read_configuration_file(path))
    assert caught.value.path == str(path)
    return caught.value


# The pilot


def test_the_pilot_is_the_one_in_dotenv_and_changes_when_dotenv_does(tmp_path, monkeypatch):
    monkeypatch.delenv("BIOSTREAMS_PILOT", raising=False)
    for name in ("ONE", "TWO"):
        pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB}, name=name)
        (tmp_path / ".env").write_text(f"# who\nBIOSTREAMS_PILOT={name}\n")
        assert Study.open(tmp_path).pilot == name


def test_an_option_wins_over_the_environment_which_wins_over_dotenv(tmp_path, monkeypatch):
    for name in ("ONE", "TWO", "THREE"):
        pilot_of(tmp_path, {"DM.csv": DM}, name=name)
    (tmp_path / ".env").write_text("BIOSTREAMS_PILOT=ONE\n")
    monkeypatch.setenv("BIOSTREAMS_PILOT", "TWO")
    assert Study.open(tmp_path).pilot == "TWO"
    assert Study.open(tmp_path, "THREE").pilot == "THREE"
    assert Study.open(tmp_path, environment={}).pilot == "ONE"


def test_dotenv_written_by_a_windows_editor_is_read(tmp_path):
    pilot_of(tmp_path, {"DM.csv": DM}, name="ΠΕΝΤΕΛΗ 1")
    (tmp_path / ".env").write_text('BIOSTREAMS_PILOT="ΠΕΝΤΕΛΗ 1"\r\n', encoding="utf-8-sig")
    assert Study.open(tmp_path, environment={}).pilot == "ΠΕΝΤΕΛΗ 1"


def test_reading_dotenv_leaves_the_environment_alone(tmp_path, monkeypatch):
    monkeypatch.delenv("BIOSTREAMS_PILOT", raising=False)
    pilot_of(tmp_path, {"DM.csv": DM})
    (tmp_path / ".env").write_text("BIOSTREAMS_PILOT=P\n")
    Study.open(tmp_path)
    assert "BIOSTREAMS_PILOT" not in os.environ


def test_no_pilot_is_an_error_that_says_where_to_set_it_and_lists_the_folders(tmp_path):
    pilot_of(tmp_path, {}, name="ATHENS")
    pilot_of(tmp_path, {}, name="LISBON")
    with pytest.raises(ProjectError, match=r"--pilot, .*BIOSTREAMS_PILOT=NAME in .*\.env.*: ATHENS, LISBON\."):
        Study.open(tmp_path, environment={"BIOSTREAMS_PILOT": ""})


def test_an_unknown_pilot_is_an_error_that_names_the_nearest(tmp_path):
    pilot_of(tmp_path, {}, name="PENTELI")
    with pytest.raises(ProjectError, match=r"no pilot 'PENTELLI'\. Did you mean 'PENTELI'"):
        Study.open(tmp_path, "PENTELLI")


def test_a_pilot_outside_its_folder_is_refused(tmp_path):
    pilot_of(tmp_path, {}, name="P")
    with pytest.raises(ProjectError, match="no pilot"):
        Study.open(tmp_path, "../pilot_report/P")


def test_a_root_without_pilots_is_an_error(tmp_path):
    with pytest.raises(ProjectError, match="--root"):
        Study.open(tmp_path, "P")


def test_a_pilot_without_domain_files_is_an_error(tmp_path):
    with pytest.raises(UnreadableFile, match=r"no domain file \(such as DM.csv\)"):
        combined(pilot_of(tmp_path, {"notes.txt": "x", "._DM.csv": "junk"}))


# The configuration


def test_a_configuration_is_looked_for_with_the_pilot_first_and_then_at_the_root(tmp_path):
    pilot_of(tmp_path, {}, config=None)
    at_root = tmp_path / "bio_streams.json"
    at_root.write_text(
        '{"categorical_qis": ["a"], "continuous_qis": [], "sensitive_feature": "s", "K": 3, "L": 1, "T": 0}'
    )
    assert Study.open(tmp_path, "P").config.K == 3
    (tmp_path / "config.yml").write_text(CONFIG.replace("K: 5", "K: 4"))
    assert Study.open(tmp_path, "P").config.K == 4
    study = Study.open(pilot_of(tmp_path, {}), "P")
    assert study.config.K == 5
    assert study.notes == (
        "Configuration: pilot_report/P/config.yaml.",
        "Configuration: config.yml was ignored, since pilot_report/P/config.yaml was found first.",
        "Configuration: bio_streams.json was ignored, since pilot_report/P/config.yaml was found first.",
    )
    assert Study.open(tmp_path, "P", at_root).config.K == 3


def test_without_a_configuration_the_published_example_is_used_and_a_warning_says_so(tmp_path):
    study = Study.open(pilot_of(tmp_path, {}, config=None), "P")
    assert study.config is PUBLISHED
    assert study.notes[0].startswith("WARNING: no configuration file was found")
    assert "T = 30" in study.notes[0]


def test_a_missing_configuration_file_is_an_error(tmp_path):
    with pytest.raises(ProjectError, match="there is no such file"):
        Study.open(pilot_of(tmp_path, {}), "P", tmp_path / "none.yaml")


@pytest.mark.parametrize("key", ["categorical_qis", "continuous_qis", "sensitive_feature", "K", "L", "T"])
def test_every_required_key_is_required(tmp_path, key):
    kept = "".join(line + "\n" for line in CONFIG.splitlines() if not line.startswith(key + ":"))
    assert f"the key {key!r} is missing" in str(config_error(tmp_path, kept))


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        ("K: 5", "K: 0", 4, "K: expected a whole number of at least 1"),
        ("K: 5", "K: five", 4, "K: expected a whole number of at least 1"),
        ("K: 5", "K: true", 4, "K: expected a whole number of at least 1"),
        ("L: 2", "ℓ: 2.5", 5, "ℓ: expected a whole number of at least 1"),
        ("T: 30", "T: -1", 6, "T: expected a number of at least 0"),
        ("T: 30", "T: '30'", 6, "T: expected a number of at least 0"),
        ("T: 30", "T: 30\nt: 50", 7, "t: the same as 'T', which is given as well"),
        ("T: 30", "T: 30\nbining_config: {}", 7, "Did you mean 'binning_config'?"),
        ("continuous_qis: []", "continuous_qis: 3", 2, "expected a column name, or a list of column names"),
        ("continuous_qis: []", "continuous_qis: [DM__SEX]", 2, "'DM__SEX' is one"),
        ("[DM__SEX]", "[DM__SEX, DM__SEX]", 1, "expected each column once"),
        ("[DM__SEX]", "[]", 1, "expected at least one quasi-identifier"),
        ("LB__Chol", "[]", 3, "expected at least one column"),
        ("LB__Chol", "DM__SEX", 3, "'DM__SEX' is one"),
        ("T: 30", "T: 30\nstrict_bins: 1", 7, "strict_bins: expected true or false"),
        ("T: 30", "T: 30\ndrop_columns: [USUBJID]", 7, "other than USUBJID"),
        ("T: 30", "T: 30\nsensitive_binning_config_for_ℓ:\n  LB__Chol: [1]", 8, "at least two numbers"),
        ("T: 30", "T: 30\nsensitive_binning_config:\n  LB__Chol: [1, 1]", 8, "edges that increase"),
        ("T: 30", "T: 30\nsensitive_binning_config:\n  LB__Chool: [1, 2]", 8, "Did you mean 'LB__Chol'?"),
        ("T: 30", "T: 30\nbinning_config: [1, 2]", 7, "binning_config: expected a mapping"),
        ("T: 30", "T: 30\npivot:\n  LB:\n    rule: basline", 9, "Did you mean 'baseline'?"),
        ("T: 30", "T: 30\npivot:\n  LB:\n    rul: last", 9, "Did you mean 'rule'?"),
        ("T: 30", "T: 30\npivot:\n  LB: last", 8, "pivot / LB: expected a mapping with rule, name, value"),
        ("T: 30", "T: 30\nid_rule: {column: SUBJID}", 7, "expected a `pattern`"),
    ],
)
def test_an_error_in_the_configuration_names_the_line_the_key_and_what_was_expected(tmp_path, old, new, line, expected):
    error = config_error(tmp_path, CONFIG.replace(old, new))
    assert expected in str(error)
    assert error.line == line


@pytest.mark.parametrize("text", ["K: [5", "- 1\n- 2\n", "", "{"])
def test_a_file_that_is_no_mapping_is_an_error(tmp_path, text):
    config_error(tmp_path, text)


def test_json_indented_with_tabs_is_read(tmp_path):
    path = tmp_path / "config.json"
    lines = ['"categorical_qis": ["a"]', '"continuous_qis": []', '"sensitive_feature": ["s", "z"]']
    lines += ['"k": 5', '"l": 2', '"t": 0.3']
    path.write_text("{\n\t" + ",\n\t".join(lines) + "\n}\n")
    config = validate_config(read_configuration_file(path))
    assert (config.K, config.L, config.T, config.sensitive_features) == (5, 2, 0.3, ("s", "z"))


def test_a_column_that_the_combined_table_lacks_is_an_error_of_the_configuration(tmp_path):
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB}, CONFIG.replace("DM__SEX", "DM__SEXE"))
    with pytest.raises(
        ProjectError, match=r"categorical_qis: there is no column 'DM__SEXE'.*Did you mean 'DM__SEX'"
    ) as caught:
        combined(root)
    assert caught.value.line == 1
    assert not (root / "pilot_report/P/processed_for_anonym").exists()


def test_bins_for_a_column_of_words_are_an_error_of_the_configuration(tmp_path):
    config = CONFIG.replace("continuous_qis: []", "continuous_qis: [DM__AGE]\nbinning_config: {DM__AGE: [0, 6]}")
    root = pilot_of(tmp_path, {"DM.csv": "USUBJID,SEX,AGE\nA,F,five\n", "LB.csv": LB}, config)
    with pytest.raises(ProjectError, match="binning_config / DM__AGE: bins need numbers") as caught:
        combined(root)
    assert "five" not in str(caught.value)


# The combination


def test_columns_have_the_prefix_of_their_domain_and_rows_are_sorted_by_subject(tmp_path):
    files = {"dm.csv": "STUDYID,DOMAIN,USUBJID,DMSEQ,SEX\nS,DM,B,1,M\nS,DM,A,1,F\n", "LB.csv": LB}
    result = combined(pilot_of(tmp_path, files))
    assert result.path.read_bytes() == b"USUBJID,DM__SEX,LB__Chol\nA,F,180\nB,M,200\n"
    assert result.path == tmp_path / "pilot_report/P/processed_for_anonym/combined_dataset.csv"
    assert result.table.kinds == {"USUBJID": Kind.TEXT, "DM__SEX": Kind.TEXT, "LB__Chol": Kind.INTEGER}


def test_a_second_run_gives_the_same_bytes_and_leaves_no_other_file(tmp_path):
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB})
    first = combined(root).path.read_bytes()
    assert combined(root).path.read_bytes() == first
    assert [path.name for path in (root / "pilot_report/P/processed_for_anonym").iterdir()] == ["combined_dataset.csv"]


def test_a_subject_of_one_domain_only_is_kept_and_counted(tmp_path):
    files = {"DM.csv": DM, "LB.csv": LB + "C,CHOL,Chol,210\n", "VS.csv": "USUBJID,BMI\nA,17.5\n"}
    result = combined(pilot_of(tmp_path, files))
    assert column(result, "USUBJID") == ["A", "B", "C"]
    assert column(result, "DM__SEX") == ["F", "M", ""]
    assert column(result, "VS__BMI") == ["17.5", "", ""]
    assert "DM: 1 of 3 subjects have no row in this domain." in result.notes
    assert "VS: 2 of 3 subjects have no row in this domain." in result.notes
    assert not any(note.startswith("LB: ") and "no row" in note for note in result.notes)


def test_blanks_around_identifiers_do_not_make_two_subjects_of_one(tmp_path):
    files = {"DM.csv": 'USUBJID,SEX\n" A",F\nB\u00a0,M\n', "LB.csv": LB.replace("A,CHOL", "A  ,CHOL")}
    assert rows(combined(pilot_of(tmp_path, files))) == [
        {"USUBJID": "A", "DM__SEX": "F", "LB__Chol": "180"},
        {"USUBJID": "B", "DM__SEX": "M", "LB__Chol": "200"},
    ]


def test_identifiers_that_look_like_numbers_stay_apart(tmp_path):
    files = {"DM.csv": "USUBJID,SEX\n1.1,F\n1.10,M\n", "LB.csv": "USUBJID,Chol\n1.1,180\n1.10,200\n"}
    result = combined(pilot_of(tmp_path, files))
    assert column(result, "USUBJID") == ["1.1", "1.10"]
    assert column(result, "LB__Chol") == ["180", "200"]


def test_records_without_a_subject_are_refused_and_counted(tmp_path):
    files = {"DM.csv": DM, "LB.csv": LB + " ,CHOL,Chol,777\n,CHOL,Chol,888\n"}
    with pytest.raises(UnreadableFile, match=r"LB.csv: records without a USUBJID: 2. The first is record 3") as caught:
        combined(pilot_of(tmp_path, files))
    assert "777" not in str(caught.value)


def test_a_domain_without_the_subject_column_is_named(tmp_path):
    with pytest.raises(UnreadableFile, match=r"VS.csv: .*Did you mean 'USUBJD'\?"):
        combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB, "VS.csv": "USUBJD,BMI\nA,1\n"}))


def test_an_empty_domain_takes_nobody_away(tmp_path):
    result = combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB, "VS.csv": "USUBJID,BMI\n"}))
    assert column(result, "VS__BMI") == ["", ""]
    assert "VS: 2 of 2 subjects have no row in this domain." in result.notes


def test_two_files_of_one_domain_are_an_error(tmp_path):
    with pytest.raises(UnreadableFile, match=r"the domain DM is in DM.csv as well"):
        combined(pilot_of(tmp_path, {"DM.csv": DM, "dm.csv": DM, "LB.csv": LB}))


def test_several_rows_of_a_wide_domain_are_reduced_to_the_first_in_time_and_counted(tmp_path):
    vs = "USUBJID,VSDTC,BMI\nA,2021-05-01,22\nA,2020-05-01,20\nB,2020-01-01,18\nB,2020-01-01,19\n"
    result = combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB, "VS.csv": vs}))
    assert column(result, "VS__BMI") == ["20", "18"]
    assert "VS: 2 of 4 rows were left out: one row stands for each subject (rule: baseline)." in result.notes


def test_the_rule_last_takes_the_last_row_of_a_wide_domain(tmp_path):
    vs = "USUBJID,VSDTC,BMI\nA,2021-05-01,22\nA,2020-05-01,20\nA,,21\n"
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB, "VS.csv": vs}, CONFIG + "pivot: {vs: {rule: last}}\n")
    assert column(combined(root), "VS__BMI") == ["22", ""]


def test_the_mean_of_the_rows_of_a_wide_domain_is_refused(tmp_path):
    vs = "USUBJID,BMI\nA,22\nA,20\n"
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB, "VS.csv": vs}, CONFIG + "pivot: {VS: {rule: mean}}\n")
    with pytest.raises(WrongScale, match="under pivot / VS"):
        combined(root)


LONG = (
    "USUBJID,LBSEQ,LBTESTCD,LBTEST,LBSTRESN,LBBLFL,VISITNUM\n"
    "A,1,CHOL,Chol,150,,10\n"  # visit 10 comes after visit 9
    "A,2,CHOL,Chol,170,Y,9\n"
    "A,3,CHOL,Chol,190.5,,2\n"
    "B,1,CHOL,Chol,,Y,1\n"  # flagged, but not done
    "B,2,CHOL,Chol,200,,3\n"
    "B,3,CHOL,Chol,210,,2\n"
)


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("baseline", ["170", "210"]),
        ("first", ["190.5", "210.0"]),
        ("last", ["150", "200"]),
        ("mean", ["170.16666666666666", "205.0"]),
    ],
)
def test_a_rule_chooses_the_result_that_stands_for_a_subject(tmp_path, rule, values):
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LONG}, CONFIG + f"pivot: {{LB: {{rule: {rule}}}}}\n")
    assert column(combined(root), "LB__Chol") == values


def test_the_default_rule_is_baseline_and_the_results_left_out_are_counted(tmp_path):
    result = combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LONG}))
    assert column(result, "LB__Chol") == ["170", "210"]
    assert "LB: 1 columns, made from 6 results: one per subject and test, 2 in all (rule: baseline)." in result.notes


def test_results_of_one_visit_are_ordered_by_date_then_day_then_sequence_then_file(tmp_path):
    lb = "USUBJID,LBTEST,LBORRES,VISITNUM,LBDTC,LBDY,LBSEQ\n"
    pairs = ["1,2020-02,1,1|1,2020-01,2,2", "1,2020-01,5,1|1,2020-01,3,2", "1,,,10|1,,,9", "1,,,1|1,,,1"]
    for number, (late, early) in enumerate(pair.split("|") for pair in pairs):
        lb += f"S{number},Chol,100,{late}\nS{number},Chol,200,{early}\n"
    dm = "USUBJID,SEX\n" + "".join(f"S{number},F\n" for number in range(4))
    result = combined(pilot_of(tmp_path, {"DM.csv": dm, "LB.csv": lb}))
    assert column(result, "LB__Chol") == ["200", "200", "200", "100"]


def test_a_baseline_flag_of_the_newer_standard_counts(tmp_path):
    lb = "USUBJID,LBTEST,LBSTRESN,LBLOBXFL\nA,Chol,1,\nA,Chol,2,Y\nB,Chol,3,\n"
    assert column(combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": lb})), "LB__Chol") == ["2", "3"]


def test_a_test_takes_numbers_where_it_has_any_else_words_else_what_was_collected(tmp_path):
    lb = (
        "USUBJID,LBTEST,LBSTRESN,LBSTRESC,LBORRES\n"
        "A,Chol,180,180,4.6\nB,Chol,,<5,low\n"
        "A,Urine,,POSITIVE,+\nB,Urine,,,-\n"
        "A,Old,,,3\nB,Old,,,4.5\n"
        "A,Code,,,007\nB,Code,,,12\n"
    )
    result = combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": lb}))
    assert column(result, "LB__Chol") == ["180", ""]
    assert column(result, "LB__Urine") == ["POSITIVE", ""]
    assert column(result, "LB__Old") == ["3.0", "4.5"]
    assert column(result, "LB__Code") == ["007", "12"]
    assert result.table.kinds["LB__Old"] is Kind.REAL
    assert "LB: 1 results without a number were read as missing; their tests have numbers." in result.notes


def test_a_subject_whose_tests_were_not_done_is_in_the_domain_without_a_value(tmp_path):
    lb = LB.replace("200", "")
    result = combined(pilot_of(tmp_path, {"LB.csv": lb, "DM.csv": DM}))
    assert column(result, "LB__Chol") == ["180", ""]
    assert not any("no row" in note for note in result.notes)


def test_columns_are_named_by_code_on_request_and_where_there_is_no_name(tmp_path):
    sc = "USUBJID,SCTESTCD,SCSTRESC\nA,COUNTRY,Greece\n"
    vs = "USUBJID,VSTESTCD,VSTEST,VSORRES,VSOTHER\nA,BMI,Body Mass Index,20,21\n"
    config = CONFIG + "pivot: {VS: {name: testcd, value: VSOTHER}}\n"
    result = combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB, "SC.csv": sc, "VS.csv": vs}, config))
    assert rows(result)[0] == {
        "USUBJID": "A", "DM__SEX": "F", "LB__Chol": "180", "SC__COUNTRY": "Greece", "VS__BMI": "21",
    }  # fmt: skip


def test_the_mean_of_words_is_refused_without_quoting_one(tmp_path):
    lb = LB + "A,URIN,Urine,\n"
    lb = lb.replace("LBSTRESN", "LBORRES").replace("Urine,", "Urine,SECRETWORD")
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": lb}, CONFIG + "pivot: {default: {rule: mean}}\n")
    with pytest.raises(WrongScale, match="'LB__Urine' holds words") as caught:
        combined(root)
    assert "SECRETWORD" not in str(caught.value)


def test_a_test_that_nobody_did_is_no_test_of_words(tmp_path):
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB + "A,HDL,HDL,\n"}, CONFIG + "pivot: {LB: {rule: mean}}\n")
    result = combined(root)
    assert column(result, "LB__HDL") == ["", ""]
    assert column(result, "LB__Chol") == ["180", "200"]
    assert result.table.kinds["LB__HDL"] is Kind.REAL


@pytest.mark.parametrize(
    ("extra", "named"),
    [("A,UCHOL,Chol,3\n", "'CHOL' and 'UCHOL' are both called 'Chol'"), ("A,,CHOL,3\n", "'CHOL' and 'Chol'")],
)
def test_two_tests_that_would_share_a_column_are_an_error_that_names_both(tmp_path, extra, named):
    with pytest.raises(SchemaError, match=named):
        combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB + extra}))


def test_a_long_domain_without_results_is_an_error(tmp_path):
    with pytest.raises(UnreadableFile, match="no column --STRESN, --STRESC, --ORRES"):
        combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": "USUBJID,LBTEST\nA,Chol\n"}))


MIXED = "USUBJID,LBTEST,LBSPEC,LBORRES,LBORRESU,LBSTRESN,LBSTRESU\n"


@pytest.mark.parametrize(
    ("lines", "warned"),
    [
        ("A,Chol,BLOOD,5,mmol/L,,\nB,Chol,BLOOD,180,mg/dL,,\n", ["2 units"]),
        ("A,Chol,BLOOD,5,mmol/L,193,mg/dL\nB,Chol,BLOOD,180,mg/dL,180,mg/dl\n", []),
        ("A,Chol,URINE,5,mmol/L,5,mmol/L\nB,Chol,BLOOD,180,mg/dL,180,mg/dL\n", ["2 specimens", "2 units"]),
        ("A,Chol,BLOOD,5,mmol/L,193,\nB,Chol,BLOOD,180,mg/dL,180,\n", []),
    ],
)
def test_results_in_several_units_or_specimens_are_warned_of_unless_they_were_converted(tmp_path, lines, warned):
    notes = combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": MIXED + lines})).notes
    assert [note for note in notes if "WARNING" in note] == [
        f"WARNING: the results of LB__Chol come in {what}, which its column does not tell apart." for what in warned
    ]


def test_settings_of_a_domain_that_the_pilot_lacks_are_warned_of(tmp_path):
    config = CONFIG + "pivot: {lbb: {rule: last}, default: {rule: first}}\n"
    config += "id_rule: {DM: {pattern: x}, SV: {pattern: x}}\n"
    notes = combined(pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB}, config)).notes
    assert [note for note in notes if "WARNING" in note] == [
        "WARNING: pivot / LBB was not used: this pilot has no domain of that name.",
        "WARNING: id_rule / SV was not used: this pilot has no domain of that name.",
    ]


def test_accents_quotes_and_spaces_in_names_survive(tmp_path):
    lb = 'USUBJID,LBTEST,LBSTRESN\nÉ 1,"Cholestérol ""total"" (α), it\'s",5\n'
    config = CONFIG.replace("LB__Chol", "'LB__Cholestérol \"total\" (α), it''s'")
    result = combined(pilot_of(tmp_path, {"DM.csv": 'USUBJID,SEX,"a ""b"""\nÉ 1,F,x\n', "LB.csv": lb}, config))
    expected = {"USUBJID": "É 1", "DM__SEX": "F", 'DM__a "b"': "x", 'LB__Cholestérol "total" (α), it\'s': "5"}
    assert rows(result) == [expected]


def test_columns_called_like_ours_do_no_harm(tmp_path):
    files = {"DM.csv": "USUBJID,SEX,subject,number,c0\nA,F,x,y,z\n", "LB.csv": LB}
    first = rows(combined(pilot_of(tmp_path, files)))[0]
    assert (first["DM__subject"], first["DM__number"], first["DM__c0"]) == ("x", "y", "z")


def test_dropped_columns_are_configurable_by_own_name_full_name_and_variable(tmp_path):
    dm = "STUDYID,USUBJID,SEX,SITEID,DMDTC\nS,A,F,1,2020-01-01\n"
    config = CONFIG + "drop_columns: [SITEID, --DTC, LB__HDL]\n"
    lb = LB + "A,HDL,HDL,50\n"
    result = combined(pilot_of(tmp_path, {"DM.csv": dm, "LB.csv": lb}, config))
    assert list(rows(result)[0]) == ["USUBJID", "DM__STUDYID", "DM__SEX", "LB__Chol"]


def test_an_identifier_rule_makes_the_identifiers_of_one_domain_or_of_all(tmp_path):
    files = {"DM.csv": "USUBJID,SEX\nPEN-A-1,F\nPEN-B-1,M\n", "LB.csv": LB}
    config = CONFIG + "id_rule: {DM: {pattern: '^PEN-([A-Z])-[0-9]+$', replacement: '\\1'}}\n"
    assert column(combined(pilot_of(tmp_path, files, config)), "USUBJID") == ["A", "B"]
    files = {"DM.csv": "USUBJID,SEX\nA-,F\nB-,M\n", "LB.csv": LB.replace("A,", "-A,")}
    config = CONFIG + "id_rule: {pattern: '-'}\n"
    assert column(combined(pilot_of(tmp_path, files, config)), "USUBJID") == ["A", "B"]


def test_an_identifier_rule_that_makes_one_subject_of_two_says_so(tmp_path):
    files = {"DM.csv": "USUBJID,SEX\nA1,F\nA2,M\nB1,M\n", "LB.csv": LB}
    result = combined(pilot_of(tmp_path, files, CONFIG + "id_rule: {DM: {pattern: '[0-9]'}}\n"))
    assert "DM: the rule for identifiers left 1 subjects fewer than the file has." in result.notes


def test_a_pattern_that_is_no_regular_expression_is_an_error_of_the_configuration(tmp_path):
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB}, CONFIG + "id_rule: {pattern: '('}\n")
    with pytest.raises(ProjectError, match="id_rule: the pattern") as caught:
        combined(root)
    assert caught.value.line == 7


def test_missing_tokens_of_the_configuration_are_missing(tmp_path):
    files = {"DM.csv": DM, "LB.csv": LB.replace("200", "-9")}
    result = combined(pilot_of(tmp_path, files, CONFIG + "missing_tokens: ['-9']\n"))
    assert column(result, "LB__Chol") == ["180", ""]


def test_an_output_folder_that_cannot_be_made_is_an_error_and_leaves_nothing(tmp_path):
    root = pilot_of(tmp_path, {"DM.csv": DM, "LB.csv": LB, "processed_for_anonym": "a file is in the way"})
    with pytest.raises(OutputError, match=r"processed_for_anonym: cannot write here"):
        combined(root)


# Names and summary


def test_file_names_are_those_of_the_deliverable_and_fit_a_file_system():
    names = FileNames("PENTELI", PUBLISHED)
    assert names.risky_k == "risky_rows_k5_anonymity.csv"
    assert names.risky_l("LB__Cholesterol") == "risky_rows_l5_LB__Cholesterol.csv"
    assert names.risky_t("LB__Cholesterol") == "risky_rows_t30_LB__Cholesterol.csv"
    assert names.risky_t('LB__HDL/LDL: "é"?') == "risky_rows_t30_LB__HDL_LDL_ _é__.csv"
    assert names.summary == "PENTELI_privacy_summary.txt"


@pytest.mark.parametrize(("given", "shown"), [("30", "30"), ("30.0", "30"), ("0.3", "0.3"), ("0", "0")])
def test_the_threshold_t_is_written_without_needless_digits(tmp_path, given, shown):
    (tmp_path / "c.yaml").write_text(CONFIG.replace("T: 30", f"T: {given}"))
    config = validate_config(read_configuration_file(tmp_path / "c.yaml"))
    assert FileNames("P", config).risky_t("s") == f"risky_rows_t{shown}_s.csv"


def test_two_sensitive_columns_that_would_share_a_file_are_an_error(tmp_path):
    root = pilot_of(tmp_path, {}, CONFIG.replace("LB__Chol", "['LB__a/b', 'LB__a:b']"))
    with pytest.raises(ProjectError, match="two of these columns would be written to one file"):
        Study.open(root, "P")


def test_the_summary_lists_several_sensitive_columns_and_says_what_was_left_out():
    config = validate_config(
        {
            "categorical_qis": ["DM__SEX"], "continuous_qis": [], "sensitive_feature": ["LB__A", "LB__B|C"],
            "sensitive_binning_config": {"LB__A": [0, 1.5]}, "K": 3, "L": 2, "T": 0.25,
        }
    )  # fmt: skip
    findings = PilotFindings(
        "P", config, total=8, k_flagged=1,
        sensitive=(SensitiveFindings("LB__A", 2, 0, left_out=3), SensitiveFindings("LB__B|C", 8, 1)),
        smallest=2, missing={"DM__SEX": 1}, overlaps={"k only": 0, "l only": 7, "t only": 0, "any": 8},
        notes=("VS: nothing.",), extra=("the end",),
    )  # fmt: skip
    assert summary_text(findings) == (
        "# Privacy Report for PILOT: P\n=====\n## Quasi-Identifiers Used\n"
        "- Continuous QIs: none\n- Categorical QIs: DM__SEX\n\n"
        "## Binning Configuration of continuous QIs\n- none\n\n"
        "## Binning Configuration (Sensitive Feature)\n- none\n- LB__A (t-closeness): [0, 1.5]\n\n"
        "## K-Anonymity Summary\n| Pilot | Total | Risky (k<3) | % Risky |\n|-----|-----|-----|-----|\n"
        "| P | 8 | 1 | 12.5% |\n"
        "- Risky USUBJIDs: Please refer to the saved CSV for full details.\n\n"
        "## l-Diversity Summary\n| Pilot | Sensitive Attribute | Total | Risky (l<2) | % Risky |\n"
        "|-----|-----|-----|-----|-----|\n| P | LB__A | 8 | 2 | 25.0% |\n| P | LB__B\\|C | 8 | 8 | 100.0% |\n"
        "- Risky USUBJIDs: Please refer to the saved CSV for full details.\n\n"
        "## t-Closeness Summary\n| Pilot | Sensitive Attribute | Total | Risky (t>0.25) | % Risky |\n"
        "|-----|-----|-----|-----|-----|\n| P | LB__A | 8 | 0 | 0.0% |\n| P | LB__B\\|C | 8 | 1 | 12.5% |\n"
        "- Risky USUBJIDs: Please refer to the saved CSV for full details.\n\n"
        "## Notes\n"
        "- Maximum re-identification probability (1/k of the smallest class): 1/2 = 50.0%.\n"
        "- Risky records by measure: k only: 0, l only: 7, t only: 0, any: 8.\n"
        "- LB__A: 3 of 8 records have no value; they add no distinct value to l and were left out of t.\n"
        "- LB__B|C: 0 of 8 records have no value; they add no distinct value to l and were left out of t.\n"
        "- DM__SEX: 1 of 8 records have no value; missing is a class of its own.\n"
        "- VS: nothing.\nthe end\n"
    )


# The made-up pilot


def test_the_same_seed_gives_the_same_bytes_and_another_seed_gives_others():
    assert pilot_files("PENTELI", 50, 1) == pilot_files("PENTELI", 50, 1)
    assert pilot_files("PENTELI", 50, 1)["LB"] != pilot_files("PENTELI", 50, 2)["LB"]


def test_a_made_up_pilot_is_a_whole_study(tmp_path):
    folder = write_pilot(tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == [
        "DM.csv",
        "LB.csv",
        "SC.csv",
        "VS.csv",
        "config.yaml",
        "release.yaml",
    ]
    study = Study.open(tmp_path, environment={})
    assert study.pilot == "PENTELI"
    assert replace(study.config, combination=PUBLISHED.combination) == PUBLISHED
    assert study.config.combination.pivots == {"default": Pivot(Rule.BASELINE)}
    result = combined(tmp_path, "PENTELI")
    children = rows(result)
    assert len({child["USUBJID"] for child in children}) == len(children) == 633
    for name, kind in {
        "DM__AGE": Kind.INTEGER,
        "VS__BMI": Kind.REAL,
        "LB__Cholesterol": Kind.INTEGER,
    }.items():
        assert result.table.kinds[name] is kind


def test_the_made_up_children_are_plausible_and_some_values_are_missing_or_out_of_range(tmp_path):
    write_pilot(tmp_path)
    children = rows(combined(tmp_path, "PENTELI"))
    known = {name: [c for c in children if c[name]] for name in ("VS__BMI", "LB__Cholesterol")}
    cholesterol = [int(c["LB__Cholesterol"]) for c in known["LB__Cholesterol"]]
    district = "SC__District of Permanent Address"
    assert 0.01 < 1 - len(known["VS__BMI"]) / 633 < 0.04
    assert 0.01 < sum(not c[district] for c in children) / 633 < 0.04
    assert 0.07 < 1 - len(cholesterol) / 633 < 0.13
    assert {c[district] for c in children} == {"Urban", "Rural", ""}
    assert 0.44 < sum(c["DM__SEX"] == "F" for c in children) / 633 < 0.56
    assert {int(c["DM__AGE"]) for c in children} <= set(range(3, 18))
    assert min(cholesterol) == 24
    assert max(float(c["VS__BMI"]) for c in known["VS__BMI"]) > 40
    assert _correlation(known["VS__BMI"], "DM__AGE", "VS__BMI") > 0.3
    both = [c for c in known["VS__BMI"] if c["LB__Cholesterol"]]
    assert _correlation(both, "VS__BMI", "LB__Cholesterol") > 0.15


def test_a_made_up_pilot_never_replaces_other_data(tmp_path):
    folder = write_pilot(tmp_path, children=5)
    write_pilot(tmp_path, children=5)
    (folder / "DM.csv").write_text("USUBJID,SEX\n")
    with pytest.raises(OutputError, match=r"holds other data \(DM.csv\)"):
        write_pilot(tmp_path, children=5)
    assert (folder / "DM.csv").read_text() == "USUBJID,SEX\n"


def test_a_made_up_pilot_keeps_the_other_lines_of_dotenv(tmp_path):
    (tmp_path / ".env").write_text("OTHER=1\nBIOSTREAMS_PILOT=OLD\n")
    write_pilot(tmp_path, "NEW", children=3)
    assert Path(tmp_path / ".env").read_text() == "OTHER=1\nBIOSTREAMS_PILOT=NEW\n"


def _correlation(children, x, y):
    from statistics import correlation

    return correlation([float(c[x]) for c in children], [float(c[y]) for c in children])

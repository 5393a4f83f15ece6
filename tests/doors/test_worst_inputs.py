"""Worst inputs, each with its defined outcome; and no message shows what is in a cell."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.privacy.catalogue import measures
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure

SECRET = "Xyzzy-4711"
NAMES = ["two words", 'a "quoted" name', "it's", "two\nlines", "size", "class_id", "k1", "v1", "r1", "record",
         "person", "value", "n", "SELECT", "semi;colon", "Größe", " padded ", "percent%s", "flagged"]  # fmt: skip


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def refused(outcome, *words: str) -> None:
    """Exit code 2, one sentence on the error stream, nothing from the data."""
    assert outcome.code == 2, outcome.said
    assert outcome.out == ""
    assert outcome.err.startswith("sfumato: ")
    assert "unforeseen" not in outcome.err
    assert "Traceback" not in outcome.err
    for word in words:
        assert word in outcome.err
    assert SECRET not in outcome.said


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# Few rows, few columns, few values


@pytest.mark.parametrize("text", ["age,sex\n", "age,sex", "", "\n\n"], ids=["header", "no newline", "empty", "blank"])
def test_no_rows_is_refused(sfumato, tmp_path, text):
    refused(sfumato("assess", written(tmp_path / "none.csv", text), "--quasi", "age", "--k", "2"), "none.csv")


def test_no_rows_of_a_parquet_file_and_of_a_frame_are_refused(sfumato, tmp_path):
    empty = pa.table({"age": pa.array([], pa.int64())})
    pq.write_table(empty, tmp_path / "none.parquet")
    refused(sfumato("assess", tmp_path / "none.parquet", "--quasi", "age", "--k", "2"), "has no records")
    with pytest.raises(sf.SfumatoError, match="has no records"):
        sf.assess(empty, quasi="age", k=2)


def test_one_row_is_a_class_of_one_that_tells_nothing_about_the_whole(sfumato, tmp_path):
    data = written(tmp_path / "one.csv", "age,s\n40,flu\n")
    outcome = sfumato("assess", data, "--quasi", "age", "--sensitive", "s", "--json", "-")
    assert [reading["value"] for reading in outcome.document["readings"]] == [1, 1, 0]
    assert outcome.document["classes"]["singletons"] == 1


def test_no_quasi_identifier_is_refused_with_what_to_do(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", f"age,s\n40,{SECRET}\n")
    refused(sfumato("assess", data, "--k", "2"), "--quasi COLUMN")
    refused(sfumato("assess", data, "--quasi", "", "--k", "2"), "--quasi COLUMN")


def test_an_unknown_quasi_identifier_is_refused_with_the_nearest(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", f"postcode,s\n40,{SECRET}\n")
    refused(sfumato("assess", data, "--quasi", "post_code", "--k", "2"), "'post_code'", "Did you mean 'postcode'?")


def test_all_values_missing_is_one_class_with_nothing_to_disclose(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "age,s\nNA,\n.,NULL\n,N/A\n")
    asked = ("--k", "3", "--l", "2", "--t", "0.1", "--json", "-")
    outcome = sfumato("assess", data, "--quasi", "age", "--sensitive", "s", *asked)
    k, l, t = outcome.document["readings"]  # noqa: E741
    assert (k["value"], k["met"]) == (3, True)
    assert (l["value"], l["met"], l["flagged"], l["left_out"]) == (0, False, 3, 3)
    assert (t["value"], t["met"], t["flagged"]) == (None, True, 0)
    alone = sfumato("assess", data, "--quasi", "age", "--missing-values", "never_matches", "--json", "-")
    assert alone.document["readings"][0]["value"] == 1


def test_a_column_of_nothing_but_nulls_in_arrow_can_be_assessed():
    table = pa.table({"q": pa.nulls(4), "s": pa.nulls(4), "real": pa.array([float("nan")] * 4)})
    found = sf.assess(table, quasi=["q", "real"], sensitive="s", k=4)
    assert (found.met, found.sizes.count) == (True, 1)


@pytest.mark.parametrize("distance", ["wasserstein", "ordered", "total-variation"])
def test_a_constant_number_is_at_distance_0_by_every_distance(sfumato, tmp_path, distance):
    data = written(tmp_path / "d.csv", "q,s\n" + "a,7.5\nb,7.5\n" * 3)
    asked = ("--quasi", "q", "--sensitive", "s", "--l", "1", "--t", "0", "--distance", distance, "--json", "-")
    outcome = sfumato("assess", data, *asked)
    assert (outcome.code, [reading["value"] for reading in outcome.document["readings"]]) == (0, [1, 0])


def all_measures(column: str) -> list[sf.Requirement]:
    found = []
    for cls in measures().values():
        parameters = {"sensitive": column} if issubclass(cls, SensitiveMeasure) else {}
        found.append(sf.Requirement(cls(**parameters), 2 if cls.safer is Safer.HIGHER else 0.5))
    return found


def test_a_constant_number_has_a_reading_by_every_measure():
    table = pa.table({"q": ["a", "a", "b", "b"], "s": [7, 7, 7, 7]})
    found = sf.assess(table, quasi="q", sensitive="s", requirements=all_measures("s"))
    values = {reading.measure.name(): reading.value for reading in found.readings}
    assert values["k_anonymity"] == 2
    assert {values[name] for name in values if name.startswith("t_")} == {0}
    assert json.loads(found.to_json())["records"] == 4


# Many values, many columns


@pytest.fixture(scope="session")
def million():
    """A million records, no two alike, with a million different sensitive numbers."""
    numbers = range(1_000_000)
    return pa.table(
        {"q": pa.array(numbers), "s": pa.array(float(i) for i in numbers), "g": pa.array(i // 50 for i in numbers)}
    )


def test_a_million_different_values_are_read_by_every_measure(million):
    found = sf.assess(million, quasi="g", sensitive="s", requirements=all_measures("s"))
    values = {reading.measure.name(): reading.value for reading in found.readings}
    assert (values["k_anonymity"], values["distinct_l_diversity"]) == (50, 50)
    assert values["entropy_l_diversity"] == pytest.approx(50)
    assert values["t_closeness"] == pytest.approx(1 - 5e-5)
    # The first class holds 0 to 49, and everybody 0 to 999 999: as far apart as their means.
    assert values["t_wasserstein"] == pytest.approx(499_975, rel=1e-9)
    assert values["t_ordered"] == pytest.approx(499_975 / 999_999, rel=1e-9)
    assert found.sizes.count == 20_000


def test_a_million_people_who_are_all_alone_are_all_flagged(million, tmp_path):
    found = sf.assess(million.select(["q"]), quasi="q", k=2)
    assert (found.sizes.singletons, found.readings[0].flagged) == (1_000_000, 1_000_000)
    (file,) = sf.write_flagged(found, tmp_path)
    with file.open(encoding="utf-8") as lines:
        assert sum(1 for _ in lines) == 1_000_001


def test_two_hundred_columns_are_read_and_a_hundred_of_them_together(sfumato, tmp_path):
    names = [f"column {i}" for i in range(200)]
    rows = [[f"{(row * i) % 3}" for i in range(200)] for row in range(6)]
    lines = [",".join(line) for line in (names, *rows)]
    data = written(tmp_path / "wide.csv", "\n".join(lines) + "\n")
    asked = ("--quasi", ",".join(names[:100]), "--sensitive", ",".join(names[100:103]), "--k", "2", "--l", "2")
    outcome = sfumato("assess", data, *asked, "--json", "-", "--out", tmp_path / "out")
    assert len(outcome.document["quasi_identifiers"]) == 100
    assert [reading["value"] for reading in outcome.document["readings"]] == [2, 1, 1, 1]


# Names of columns


def in_quotes(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_column_may_have_any_name(sfumato, tmp_path, form):
    columns = {name: [f"{i} {row // 2}" for row in range(4)] for i, name in enumerate(NAMES)}
    path = tmp_path / f"named.{form}"
    if form == "parquet":
        pq.write_table(pa.table(columns), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([NAMES, *zip(*columns.values(), strict=True)])
        read = [column["name"] for column in sfumato("columns", path, "--json", "-").document["columns"]]
        assert [name.strip() for name in read] == [name.strip() for name in NAMES]
        columns = dict.fromkeys(read)
    quasi, sensitive = list(columns)[:-2], list(columns)[-2:]
    outcome = sfumato(
        "assess", path, "--quasi", ",".join(map(in_quotes, quasi)), "--sensitive", ",".join(map(in_quotes, sensitive)),
        "--k", "3", "--l", "2", "--t", "0.1", "--json", "-", "--out", tmp_path / "out",
    )  # fmt: skip
    assert outcome.code == 1, outcome.said
    assert outcome.document["quasi_identifiers"] == quasi
    assert [r["value"] for r in outcome.document["readings"]] == [2, 1, 1, 0.5, 0.5]
    with (tmp_path / "out" / "flagged_k_anonymity.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert len(rows) == 4
    assert header[1:-1] == [name if name != "record" else "record (2)" for name in quasi]
    assert len(list((tmp_path / "out").iterdir())) == 5


@pytest.mark.parametrize("text", ['"a\nb",c\r\n1,2\r\n3,4\r\n', '"a\r\nb",c\n1,2\n3,4\n'], ids=["lf", "crlf"])
def test_a_line_break_in_a_name_that_is_not_that_of_the_lines_loses_no_record(sfumato, tmp_path, text):
    document = sfumato("columns", written(tmp_path / "d.csv", text), "--json", "-").document
    assert (document["records"], [c["name"].split() for c in document["columns"]]) == (2, [["a", "b"], ["c"]])


@pytest.mark.parametrize("name", NAMES)
def test_a_subject_column_may_have_any_name(name):
    table = pa.table({name: ["a", "a", "b"], "q": [1, 1, 1]})
    found = sf.assess(table, quasi="q", subject=name, k=3)
    assert (found.subjects, found.readings[0].value) == (2, 2)
    assert found.flags.num_columns == 5
    assert found.flags.column(1).to_pylist() == ["a", "a", "b"]


def test_duplicate_column_names_are_told_apart_and_never_mixed_up(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", f"age,age,s\n1,2,{SECRET}\n1,3,x\n")
    document = sfumato("columns", data, "--json", "-").document
    assert [column["name"] for column in document["columns"]] == ["age (1)", "age (2)", "s"]
    assert document["notes"] == ["There are 2 columns called 'age'; they are read as 'age (1)' and 'age (2)'."]
    refused(sfumato("assess", data, "--quasi", "age", "--k", "2"), "Did you mean 'age (")
    for name, k in (("age (1)", 2), ("age (2)", 1)):
        (reading,) = sfumato("assess", data, "--quasi", name, "--json", "-").document["readings"]
        assert reading["value"] == k


def test_duplicate_column_names_of_a_frame_are_told_apart():
    table = pa.table([[1, 1], [2, 3]], names=["age", "age"])
    with pytest.raises(sf.SfumatoError, match="Did you mean 'age"):
        sf.assess(table, quasi="age", k=2)
    assert [sf.assess(table, quasi=f"age ({i})", k=2).readings[0].value for i in (1, 2)] == [2, 1]


# Broken files


@pytest.mark.parametrize(
    "line", [f"5,{SECRET},x\n", f"{SECRET}\n", f'5,"{SECRET}\n'], ids=["long", "short", "open quote"]
)
def test_a_ragged_line_is_named_by_file_and_number_and_not_quoted(sfumato, tmp_path, line):
    data = written(tmp_path / "ragged.csv", f"age,s\n1,flu\n2,flu\n{line}4,flu\n")
    refused(sfumato("assess", data, "--quasi", "age", "--k", "2"), "ragged.csv, line 4")


def test_a_file_of_two_encodings_is_refused_with_the_line_where_the_other_begins(sfumato, tmp_path):
    lines = (b"name,age\n", "Müller,1\n".encode(), f"{SECRET} Größe,2\n".encode("cp1252"))
    data = written(tmp_path / "mixed.csv", b"".join(lines))
    refused(sfumato("columns", data), "mixed.csv, line 3", "--encoding")
    refused(sfumato("assess", data, "--quasi", "age", "--encoding", "utf-8"), "mixed.csv")
    assert sfumato("columns", data, "--encoding", "cp1252", "--json", "-").document["records"] == 2


def test_a_truncated_parquet_file_is_refused(sfumato, tmp_path):
    path = tmp_path / "cut.parquet"
    pq.write_table(pa.table({"age": list(range(1000)), "s": [SECRET] * 1000}), path)
    whole = path.read_bytes()
    for length in (0, 3, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        refused(sfumato("assess", path, "--quasi", "age", "--k", "2"), "cut.parquet")


def test_a_parquet_file_that_is_damaged_inside_is_refused(sfumato, tmp_path):
    path = tmp_path / "hurt.parquet"
    pq.write_table(pa.table({"age": [f"{SECRET} {i}" for i in range(1000)]}), path, compression="snappy")
    broken = bytearray(path.read_bytes())
    broken[40:400] = b"\xff" * 360
    path.write_bytes(broken)
    refused(sfumato("assess", path, "--quasi", "age", "--k", "2"))


@pytest.mark.parametrize(
    "name", ["d.csv", "d.parquet", "d.xlsx", "d.xpt", "d.sav", "d.dta", "d.duckdb", "d.json", "d.arrow", "d.xyz"]
)
def test_a_file_of_rubbish_is_refused_whatever_it_is_called(sfumato, tmp_path, name):
    rubbish = bytes(range(256)) * 8 + SECRET.encode()
    refused(sfumato("assess", written(tmp_path / name, rubbish), "--quasi", "age", "--k", "2"), name)


@pytest.mark.parametrize("missing", ["nowhere.csv", "nowhere.parquet"])
def test_a_file_that_is_not_there_is_refused(sfumato, missing):
    refused(sfumato("assess", missing, "--quasi", "age"), missing, "no such file")


def test_a_folder_without_data_is_refused(sfumato, tmp_path):
    (tmp_path / "folder").mkdir()
    refused(sfumato("assess", tmp_path / "folder", "--quasi", "age"), "folder")


@pytest.mark.parametrize(
    "asked",
    [
        ("--quasi", "s", "--bins", "s=0,1"),
        ("--quasi", "age", "--type", "s=integer"),
        ("--quasi", "age", "--type", "s=date"),
        ("--quasi", "age", "--sensitive", "s", "--t", "1", "--distance", "wasserstein"),
        ("--quasi", "age", "--sensitive", "s", "--l", "2", "--sensitive-bins", "s=0,1"),
        ("--quasi", "s", "--hierarchy", "s=levels.csv@1"),
        ("--quasi", "nothing"),
    ],
    ids=" ".join,
)
def test_no_error_shows_a_cell(sfumato, tmp_path, asked):
    written(tmp_path / "levels.csv", "flu;*\n")
    data = written(tmp_path / "d.csv", f"age,s\n1,{SECRET}\n2,flu\n")
    refused(sfumato("assess", data, *asked, "--k", "2"))


def test_no_report_shows_a_cell(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", f"age,s\n1,{SECRET}\n2,{SECRET}\n")
    outcome = sfumato("assess", data, "--quasi", "age,s", "--k", "2", "--json", "j.json", "--out", "out")
    assert outcome.code == 1
    assert SECRET not in outcome.said + (tmp_path / "j.json").read_text()
    for command in (("columns", data), ("init", data)):
        assert SECRET not in sfumato(*command).said
    assert SECRET not in (tmp_path / "sfumato.yaml").read_text()


# Disks


@pytest.fixture(scope="session")
def big(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("big") / "big.csv"
    return written(path, "q,s\n" + "".join(f"{SECRET}-{i},{i % 2}\n" for i in range(4000)))


def test_a_disk_that_fills_leaves_the_files_of_the_earlier_run_and_no_other(program, big, tmp_path):
    out = tmp_path / "out"
    small = written(tmp_path / "small.csv", "q,s\na,1\n")
    asked = ("--quasi", "q", "--sensitive", "s", "--k", "2", "--l", "2", "--out", out)
    assert program("assess", small, *asked).code == 1
    before = contents(out)
    assert len(before) == 2
    outcome = program("assess", big, *asked, limit=32_768)
    assert outcome.code == 2, outcome.said
    assert "not written" in outcome.err
    assert SECRET not in outcome.said
    assert contents(out) == before
    assert sorted(path.name for path in out.iterdir()) == sorted(before)


def test_a_disk_that_fills_leaves_no_new_folder(program, big, tmp_path):
    asked = ("--quasi", "q", "--k", "2", "--out", tmp_path / "new" / "out")
    outcome = program("assess", big, *asked, limit=32_768)
    assert outcome.code == 2, outcome.said
    assert not (tmp_path / "new").exists()


def test_a_disk_that_fills_leaves_the_json_of_the_earlier_run(program, tmp_path):
    data = written(tmp_path / "d.csv", "q\na\nb\n")
    before = written(tmp_path / "out.json", "{}").read_bytes()
    outcome = program("assess", data, "--quasi", "q", "--json", tmp_path / "out.json", limit=512)
    assert outcome.code == 2, outcome.said
    assert "not written" in outcome.err
    assert contents(tmp_path) == {"d.csv": data.read_bytes(), "out.json": before}


def test_a_disk_that_fills_leaves_the_study_as_it_was(program, tmp_path):
    from sfumato.studies.bio_streams.pilot import write_pilot

    folder = write_pilot(tmp_path, "SMALL", children=120)
    assert program("study", "bio-streams").code == 1
    before = contents(folder)
    for limit in (8, 2000):
        outcome = program("study", "bio-streams", limit=limit)
        assert outcome.code == 2, outcome.said
        assert "written" in outcome.err
        assert contents(folder) == before


def test_an_output_folder_that_is_a_file_is_refused(sfumato, tmp_path):
    data, out = written(tmp_path / "d.csv", f"q\na\n{SECRET}\n"), written(tmp_path / "out", "mine")
    outcome = sfumato("assess", data, "--quasi", "q", "--k", "2", "--out", out)
    refused(outcome, "Choose another folder")
    assert out.read_text() == "mine"


def test_an_output_folder_that_cannot_be_written_is_refused(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", f"q\na\n{SECRET}\n")
    folder = Path("/proc/sfumato") if os.geteuid() == 0 else tmp_path / "locked"
    if os.geteuid() != 0:
        folder.mkdir(mode=0o500)
    refused(sfumato("assess", data, "--quasi", "q", "--k", "2", "--out", folder), str(folder))
    refused(sfumato("assess", data, "--quasi", "q", "--json", folder / "out.json"), str(folder))


def test_an_interrupted_run_leaves_nothing_and_does_not_pass_for_a_verdict(tmp_path):
    data = written(tmp_path / "d.csv", "q\n" + "a\n" * 10)
    script = (
        "import sys, time, sfumato.privacy.flagged_files as flagged\nfrom sfumato.cli import main\n"
        "write = flagged.write_reading\n"
        "def slow(*arguments, **options):\n"
        "    write(*arguments, **options)\n    print('writing', flush=True)\n    time.sleep(60)\n"
        "flagged.write_reading = slow\n"
        f"sys.argv = ['sfumato', 'assess', {str(data)!r}, '--quasi', 'q', '--k', '20', '--out', 'out']\nmain()\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stdout is not None
    assert running.stdout.readline() == b"writing\n"
    time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert running.returncode not in (0, 1)
    assert b"Traceback" not in said
    assert contents(tmp_path) == {"d.csv": data.read_bytes()}
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name != "posix", reason="links in a circle are made as POSIX has it")
def test_a_link_to_itself_is_no_file_wherever_it_is_given(sfumato, tmp_path):
    circle = tmp_path / "d.csv"
    circle.symlink_to(circle)
    refused(sfumato("init", circle, "--out", tmp_path / "sfumato.yaml"), "d.csv")
    refused(sfumato("hierarchy", circle, "q", "-o", tmp_path / "h.csv"), "d.csv")
    refused(sfumato("log", circle, "--json", tmp_path / "log.json"), "d.csv")
    assert os.listdir(tmp_path) == ["d.csv"]

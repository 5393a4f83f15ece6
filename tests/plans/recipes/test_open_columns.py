"""Safe Harbor calls a table clean only where every column is accounted for: recognised and treated, or decided."""

from __future__ import annotations

import csv as csv_module
import json
import random
import uuid
from collections import defaultdict
from pathlib import Path

import pytest

from sfumato.errors import PolicyError
from sfumato.plans.safe_harbor.apply import safe_harbor
from sfumato.tables.load import load

DRAW = random.Random(3)
SURNAMES = [f"{a}{b}" for a in ("Kow", "Zub", "Wroc", "Mend") for b in ("alska", "rzycka", "lawska", "elik", "oza")]


def write(folder: Path, **columns: list[object]) -> Path:
    path = folder / "table.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join(",".join(map(str, row)) for row in [columns, *rows]) + "\n", encoding="utf-8")
    return path


def lines(found):
    return {item.letter: item for item in found.items}


def n_times(values, n=200):
    return [DRAW.choice(values) for _ in range(n)]


SEX = n_times("FM")
NOTES = ["came late", "ok", "called her son", "fall at home", "no news", "asked for the doctor", "see letter", "tired"]
OPEN = {
    "maiden names under a name that says nothing": ("mdn", n_times(SURNAMES)),
    "encounter UUIDs, each in several rows": ("encounter", n_times([str(uuid.UUID(int=i * 7**30)) for i in range(60)])),
    "UUIDs under the name of an illness": ("condition", [str(uuid.UUID(int=i * 7**30)) for i in range(200)]),
    "numbers of persons who infected others": ("infector", n_times(range(1000, 1090))),
    "numbers of persons under a name that says nothing": ("v3", n_times(range(1000, 1090))),
    "person numbers as texts": ("infector", n_times([f"{i * 7919 % 16**6:06x}" for i in range(90)])),
    "a short note in every row": ("remark_nurse", n_times(NOTES)),
    "a number of the order": ("order_no", list(range(5000, 5200))),
    "a diagnosis in the words of each doctor": ("diagnosis", [f"pain {i} after a fall" for i in range(200)]),
    "long numbers with a decimal point": ("v7", [f"{i * 1.37 + 0.001:.3f}" for i in range(200)]),
}


@pytest.mark.parametrize("case", OPEN)
def test_what_may_identify_is_not_called_gone_and_does_not_leave(tmp_path: Path, case: str) -> None:
    name, values = OPEN[case]
    found = safe_harbor(write(tmp_path, sex=SEX, **{name: values}), tmp_path / "release.csv", year=2024)
    treated = {column for item in found.items for column, _ in item.done}
    open_columns = {column.name for item in found.items for column in item.open}
    assert name in treated | open_columns
    assert found.met is (name in treated)
    assert (tmp_path / "release.csv").read_text(encoding="utf-8").splitlines()[0] == "sex"


@pytest.mark.parametrize("case", ["numbers of persons under a name that says nothing", "a short note in every row"])
def test_an_open_column_is_decided_by_keeping_dropping_or_a_role(tmp_path: Path, case: str) -> None:
    name, values = OPEN[case]
    path = write(tmp_path, sex=SEX, **{name: values})
    assert lines(safe_harbor(path, tmp_path / "r.csv"))["R"].open[0].name == name
    dropped = safe_harbor(path, tmp_path / "r.csv", drop=[name])
    assert dropped.met
    assert lines(dropped)["R"].done == ((name, "dropped, as decided"),)
    assert load(tmp_path / "r.csv").table.columns == ("sex",)
    kept = safe_harbor(path, tmp_path / "r.csv", keep=[name])
    assert (kept.met, kept.kept) == (True, (name,))
    assert load(tmp_path / "r.csv").table.columns == ("sex", name)
    for role, proposed, met in (
        ("non-sensitive", False, True),
        ("non-sensitive", True, False),
        ("direct", False, True),
    ):
        entry = f"{{role: {role}{', proposed: true' if proposed else ''}}}"
        said = f"data: {{source: table.csv}}\ncolumns: {{{name}: {entry}}}\n"
        (tmp_path / "p.yaml").write_text(said, encoding="utf-8")
        found = safe_harbor(path, tmp_path / "r.csv", project=tmp_path / "p.yaml")
        assert found.met is met, (role, proposed)
        assert (name in load(tmp_path / "r.csv").table.columns) is (met and role != "direct")


@pytest.mark.parametrize(
    "name", ["county_code", "county", "fips", "county_fips", "municipality", "geoid", "census_tract"]
)
@pytest.mark.parametrize("text", [True, False])
def test_codes_of_counties_and_places_are_no_zip_codes_and_go(tmp_path: Path, name: str, text: bool) -> None:
    codes = n_times([f"0{i}" if text else f"{i}" for i in range(1001 if text else 48001, 1090 if text else 48090, 2)])
    found = safe_harbor(write(tmp_path, sex=SEX, **{name: codes}), tmp_path / "release.csv")
    assert load(tmp_path / "release.csv").table.columns == ("sex",)
    assert "first three digits" not in str(found)


@pytest.mark.parametrize("name", ["MAIDEN", "maiden_name", "geburtsname", "nom_jeune_fille", "apellido_de_soltera",
                                  "meisjesnaam", "nome_de_solteira"])  # fmt: skip
def test_maiden_names_in_every_language_do_not_leave(tmp_path: Path, name: str) -> None:
    safe_harbor(write(tmp_path, sex=SEX, **{name: n_times(SURNAMES)}), tmp_path / "release.csv")
    assert load(tmp_path / "release.csv").table.columns == ("sex",)


def test_what_is_said_and_common_needs_no_decision(tmp_path: Path) -> None:
    columns = {
        "sex": SEX, "diagnosis": n_times(["I10", "E11", "J45"]), "bmi": n_times(["21.5", "30.2", "27.1"]),
        "smoker": n_times(["yes", "no"]), "grade7": n_times(range(4)), "zip": n_times(["60614", "10001", "94110"]),
    }  # fmt: skip
    found = safe_harbor(write(tmp_path, **columns), tmp_path / "release.csv")
    assert found.met, str(found)
    assert load(tmp_path / "release.csv").table.columns == tuple(columns)
    assert lines(found)["B"].done[0][0] == "zip"


def test_a_column_cannot_be_kept_and_dropped(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="to be kept and to be dropped"):
        safe_harbor(write(tmp_path, sex=SEX), tmp_path / "release.csv", keep=["sex"], drop=["sex"])
    assert not (tmp_path / "release.csv").exists()


def test_the_command_says_which_columns_are_open_and_what_would_decide_them(tmp_path: Path, monkeypatch) -> None:
    from typer.testing import CliRunner

    from sfumato.cli import app

    monkeypatch.chdir(tmp_path)
    write(tmp_path, sex=SEX, v3=n_times(range(1000, 1090)))
    done = CliRunner().invoke(app, ["safe-harbor", "table.csv", "-o", "r.csv", "--json", "found.json"])
    assert done.exit_code == 1
    assert "Nobody decided what 1 column may hold: left out, v3." in done.output
    assert all(option in done.output for option in ("--keep", "--drop", "--project"))
    items = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["items"]
    assert items[-1]["open"] == [{"name": "v3", "why": "numbers that nothing is known of"}]
    assert items[-1]["passed"] is False
    assert CliRunner().invoke(app, ["safe-harbor", "table.csv", "-o", "r.csv", "--drop", "v3"]).exit_code == 0


def test_no_real_table_is_called_clean_with_a_direct_identifier_in_it(shared: Path, tmp_path: Path) -> None:
    """By the labels that people gave to the columns of 35 real tables; nor does one leave in the file."""
    foreign = shared / "data" / "foreign"
    if not foreign.exists():
        pytest.skip("there are no tables of others in ../shared")
    labels: dict[str, set[str]] = defaultdict(set)
    with (foreign / "labels.csv").open(encoding="utf-8") as file:
        for row in csv_module.DictReader(file):
            if row["role"] == "direct":
                labels[row["table"]].add(row["column"])
    left = {}
    tables = [path for path in sorted(foreign.iterdir()) if path.suffix in (".csv", ".xpt") and path.name in labels]
    assert len(tables) > 25
    for path in tables:
        safe_harbor(path, tmp_path / "release.parquet", year=2024)
        left[path.name] = labels[path.name] & {*load(tmp_path / "release.parquet").table.columns}
    assert {name: columns for name, columns in left.items() if columns} == {}

"""`sfumato study bio-streams`: what it writes equals what pandas and scipy find in the same files."""

import csv
import json
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import wasserstein_distance

from sfumato.studies.bio_streams.pilot import write_pilot

COMBINED = "combined_dataset.csv"


@dataclass(frozen=True)
class Asked:
    """A configuration, as the test understands it."""

    categorical: list
    continuous: list
    sensitive: list
    K: int
    L: int
    T: float
    bins: dict = field(default_factory=dict)
    bins_for_l: dict = field(default_factory=dict)
    separator: str = "--"

    @property
    def quasi(self):
        return self.categorical + self.continuous

    @property
    def keys(self):
        keys = {
            "categorical_qis": self.categorical, "continuous_qis": self.continuous, "binning_config": self.bins,
            "sensitive_feature": self.sensitive, "sensitive_binning_config_for_L": self.bins_for_l,
            "K": self.K, "L": self.L, "T": self.T,
        }  # fmt: skip
        return keys | ({"separator": self.separator} if self.separator != "--" else {})


PUBLISHED = Asked(
    ["DM__SEX", "SC__Country of Permanent Address", "SC__District of Permanent Address"],
    ["DM__AGE", "VS__BMI"], ["LB__Cholesterol"], 5, 5, 30,
    {"DM__AGE": [0, 6, 12, 18], "VS__BMI": [0, 20, 30, 40]}, {"LB__Cholesterol": [100, 150, 200, 250]},
)  # fmt: skip


# The recomputation


def binned(value, edges, separator="--"):
    """Left-closed intervals, the last one closed on both sides, and one bin beyond each end."""
    if pd.isna(value):
        return None
    if value < edges[0]:
        return f"<{edges[0]:g}"
    if value > edges[-1]:
        return f">={edges[-1]:g}"
    inside = max(i for i in range(len(edges) - 1) if value >= edges[i])
    return f"{edges[inside]:g}{separator}{edges[inside + 1]:g}"


def total_variation(values, everybody):
    q, p = values.value_counts(normalize=True), everybody.value_counts(normalize=True)
    return q.sub(p, fill_value=0).abs().sum() / 2


def recomputed(frame: pd.DataFrame, asked: Asked) -> pd.DataFrame:
    """One row per subject: quasi-identifiers as used, k, and l and t of each sensitive column."""
    used = frame[["USUBJID"]].copy()
    for column in asked.quasi:
        edges = asked.bins.get(column)
        shown = frame[column].map(lambda v, e=edges: binned(v, e, asked.separator)) if edges else frame[column]
        used[column] = shown.astype(object).where(shown.notna(), None)
    classes = used.groupby(asked.quasi, dropna=False, sort=False).indices
    for rows in classes.values():
        used.loc[rows, "k"] = len(rows)
        for name in asked.sensitive:
            values, everybody = frame[name].iloc[rows].dropna(), frame[name].dropna()
            edges = asked.bins_for_l.get(name)
            used.loc[rows, f"l {name}"] = (values.map(lambda v, e=edges: binned(v, e)) if edges else values).nunique()
            distance = wasserstein_distance if pd.api.types.is_numeric_dtype(everybody) else total_variation
            used.loc[rows, f"t {name}"] = distance(values, everybody) if len(values) else np.nan
    return used


def flagged(used: pd.DataFrame, frame: pd.DataFrame, asked: Asked) -> dict[str, pd.Series]:
    found = {"k": used["k"] < asked.K}
    for name in asked.sensitive:
        found[f"l {name}"] = used[f"l {name}"] < asked.L
        found[f"t {name}"] = (used[f"t {name}"] > asked.T + 1e-9) & frame[name].notna()
    return found


# The comparison


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def named(threshold: float) -> str:
    return f"{threshold:g}"


def files_of(asked: Asked) -> dict[str, str]:
    found = {"k": f"risky_rows_k{asked.K}_anonymity.csv"}
    for name in asked.sensitive:
        found[f"l {name}"] = f"risky_rows_l{asked.L}_{name}.csv"
        found[f"t {name}"] = f"risky_rows_t{named(asked.T)}_{name}.csv"
    return found


def as_text(value) -> str:
    return "missing" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def expected_rows(used, found, what, asked):
    """Worst first, then by quasi-identifiers (missing last), then by subject."""
    rows = used[found[what]].to_dict("records")
    sign = -1 if what[0] == "t" else 1

    def place(row):
        quasi = [(row[column] is None, str(row[column])) for column in asked.quasi]
        return round(sign * row[what], 9), quasi, row["USUBJID"]

    return sorted(rows, key=place)


def in_order(rows, wanted, what, asked):
    """Both by subject, once it is sure that the worst come first: classes equally far may come either way."""
    readings = {row["USUBJID"]: row[what] for row in wanted}
    found = [readings.get(row["USUBJID"], -1) for row in rows]
    assert all(worse >= better - 1e-9 for worse, better in pairwise(found))
    for one, next_one in pairwise(rows):
        alike = all(one[q] == next_one[q] for q in asked.quasi)
        assert not alike or one["USUBJID"] < next_one["USUBJID"]
    return [sorted(some, key=lambda row: row["USUBJID"]) for some in (rows, wanted)]


def compare_files(folder: Path, frame: pd.DataFrame, asked: Asked, pilot: str):
    """Every file of records against the recomputation; what was recomputed, and the flags."""
    used = recomputed(frame, asked)
    found = flagged(used, frame, asked)
    names = files_of(asked)
    summary = f"{pilot}_privacy_summary.txt"
    assert sorted(p.name for p in folder.iterdir()) == sorted([*names.values(), COMBINED, summary])
    for what, file in names.items():
        rows, wanted = table(folder / file), expected_rows(used, found, what, asked)
        column = {"k": "k_count", "l": "l_count", "t": "t_distance"}[what[0]]
        sensitive = [what[2:]] if what != "k" else []
        rows, wanted = in_order(rows, wanted, what, asked) if what[0] == "t" else (rows, wanted)
        assert [row["USUBJID"] for row in rows] == [row["USUBJID"] for row in wanted], file
        header = (folder / file).read_text(encoding="utf-8").split("\n", 1)[0]
        assert next(csv.reader([header])) == ["USUBJID", *asked.quasi, *sensitive, column]
        for row, right in zip(rows, wanted, strict=True):
            assert [row[q] for q in asked.quasi] == [as_text(right[q]) for q in asked.quasi]
            if what[0] == "t":
                assert re.fullmatch(r"\d+\.\d\d", row[column])
                assert abs(float(row[column]) - right[what]) <= 0.005 + 1e-9
            else:
                assert row[column] == f"{right[what]:.0f}"
    return used, found


def compare_summary(text: str, frame: pd.DataFrame, asked: Asked, pilot: str, used, found) -> None:
    total = len(frame)

    def row(what, *name):
        risky = int(found[what].sum())
        return "| " + " | ".join([pilot, *name, str(total), str(risky), f"{100 * risky / total:.1f}%"]) + " |"

    lines = text.splitlines()
    assert row("k") in lines
    for name in asked.sensitive:
        assert lines.count(row(f"l {name}", name)) >= 1
        assert lines.count(row(f"t {name}", name)) >= 1
        lacking = int(frame[name].isna().sum())
        lacks = f"- {name}: {lacking} of {total} records have no value"
        assert f"{lacks}; they add no distinct value to l and were left out of t." in lines
    k, l, t = (  # noqa: E741
        pd.concat([found[what] for what in found if what[0] == letter], axis=1).any(axis=1) for letter in "klt"
    )
    counts = {
        "k only": k & ~l & ~t, "l only": l & ~k & ~t, "t only": t & ~k & ~l,
        "several": (k.astype(int) + l + t) > 1, "any": k | l | t,
    }  # fmt: skip
    listed = ", ".join(f"{which}: {int(mask.sum())}" for which, mask in counts.items())
    assert f"- Risky records by measure: {listed}." in lines
    smallest = int(used["k"].min())
    assert f"(1/k of the smallest class): 1/{smallest} = {100 / smallest:.1f}%." in text


# Pilots drawn at random


def drawn(seed: int) -> tuple[dict[str, pd.DataFrame], Asked]:
    """A pilot of random size, columns, missing values and outliers, and what is asked of it."""
    random = np.random.default_rng(seed)
    n = int(random.integers(15, 160))
    subject = [f"S-{i:04d}" for i in random.permutation(n)]

    def gaps(values, share):
        return pd.Series(values, dtype=object).where(random.random(n) >= share, None)

    ages = random.integers(-1, 21, n)  # some outside the bins, some on their edges
    regions = random.choice(["North", "South, far", 'the "East"'], n)
    dm = pd.DataFrame({"USUBJID": subject, "SEX": gaps(random.choice(["F", "M"], n), 0.05),
                       "AGE": gaps(ages, 0.06), "REGION": gaps(regions, 0.1)})  # fmt: skip
    bmi = np.round(random.normal(25, 7, n), 1)
    vs = pd.DataFrame({"USUBJID": subject, "BMI": gaps(bmi, 0.08)})[random.random(n) > 0.05]
    lb = pd.DataFrame({"USUBJID": subject, "CHOL": gaps(random.integers(60, 320, n), 0.1),
                       "GLUC": gaps(np.round(random.normal(90, 12, n), 2), 0.25),
                       "GROUP": gaps(random.choice(["A", "B", "B", "C"], n), 0.15)})  # fmt: skip
    sensitive = [["LB__CHOL"], ["LB__GROUP"], ["LB__CHOL", "LB__GROUP"], ["LB__GLUC", "LB__GROUP", "LB__CHOL"]][
        seed % 4
    ]
    bins = {"DM__AGE": [0, 6, 12, 18], "VS__BMI": [0, 18.5, 25, 40]}
    continuous = ["DM__AGE", "VS__BMI"][: 1 + seed % 2]
    asked = Asked(
        ["DM__SEX", "DM__REGION"][: 1 + (seed // 2) % 2], continuous, sensitive,
        K=int(random.integers(2, 9)), L=int(random.integers(2, 5)), T=float(random.choice([0.2, 0.35, 8, 20.5])),
        bins={column: bins[column] for column in continuous},
        bins_for_l={"LB__CHOL": [100, 150, 200, 250]} if "LB__CHOL" in sensitive else {},
        separator="--" if seed % 3 else " to ",
    )  # fmt: skip
    return {"DM": dm, "VS": vs, "LB": lb}, asked


def written(root: Path, domains: dict[str, pd.DataFrame], asked: Asked, pilot: str = "P") -> Path:
    folder = root / "pilot_report" / pilot
    folder.mkdir(parents=True)
    for name, domain in domains.items():
        domain.to_csv(folder / f"{name}.csv", index=False)
    (folder / "config.yaml").write_text(yaml.safe_dump(asked.keys), encoding="utf-8")
    return folder / "processed_for_anonym"


def joined(domains: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The domains side by side, by subject, as numbers where they are numbers."""
    frame = None
    for name, domain in domains.items():
        prefixed = domain.rename(columns=lambda c, n=name: c if c == "USUBJID" else f"{n}__{c}")
        frame = prefixed if frame is None else frame.merge(prefixed, on="USUBJID", how="outer")
    frame = frame.sort_values("USUBJID", ignore_index=True)
    for column in ("DM__AGE", "VS__BMI", "LB__CHOL", "LB__GLUC"):
        frame[column] = pd.to_numeric(frame[column])
    return frame


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("seed", range(8))
def test_the_flags_of_every_record_equal_an_independent_recomputation(sfumato, tmp_path, seed):
    domains, asked = drawn(seed)
    output = written(tmp_path, domains, asked)
    outcome = sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P", "--json", "found.json")
    frame = joined(domains)
    used, found = compare_files(output, frame, asked, "P")
    summary = (output / "P_privacy_summary.txt").read_text(encoding="utf-8")
    compare_summary(summary, frame, asked, "P", used, found)
    assert outcome.out.startswith(summary)
    assert outcome.code == (1 if any(mask.any() for mask in found.values()) else 0)
    document = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert [r["flagged"] for r in document["readings"]] == [int(mask.sum()) for mask in found.values()]


# The made-up pilot


@pytest.fixture(scope="module")
def clinic(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("clinic")
    write_pilot(root)
    return root


def of_the_clinic(root: Path) -> pd.DataFrame:
    """The long domains by pandas: the result flagged as baseline, else the first there is."""
    folder = root / "pilot_report" / "PENTELI"
    read = {name: pd.read_csv(folder / f"{name}.csv", dtype={"USUBJID": str}, keep_default_na=False, na_values=[""])
            for name in ("DM", "SC", "VS", "LB")}  # fmt: skip
    frame = read["DM"][["USUBJID", "SEX", "AGE"]].rename(columns={"SEX": "DM__SEX", "AGE": "DM__AGE"})
    frame = frame.merge(read["VS"][["USUBJID", "BMI"]].rename(columns={"BMI": "VS__BMI"}), "outer")
    for test in ("Country of Permanent Address", "District of Permanent Address"):
        rows = read["SC"][read["SC"]["SCTEST"] == test]
        frame = frame.merge(rows[["USUBJID", "SCSTRESC"]].rename(columns={"SCSTRESC": f"SC__{test}"}), "outer")
    lb = read["LB"][(read["LB"]["LBTEST"] == "Cholesterol") & read["LB"]["LBSTRESN"].notna()].copy()
    lb["later"] = lb["LBBLFL"].ne("Y")
    chosen = lb.sort_values(["later", "VISITNUM"]).drop_duplicates("USUBJID")
    chosen = chosen[["USUBJID", "LBSTRESN"]].rename(columns={"LBSTRESN": "LB__Cholesterol"})
    return frame.merge(chosen, "outer").sort_values("USUBJID", ignore_index=True)


def test_the_made_up_pilot_gives_the_files_of_the_published_system_and_the_numbers_of_pandas(sfumato, clinic):
    outcome = sfumato("study", "bio-streams", "--root", clinic)
    frame = of_the_clinic(clinic)
    output = clinic / "pilot_report" / "PENTELI" / "processed_for_anonym"
    assert (outcome.code, len(frame)) == (1, 633)
    assert sorted(path.name for path in output.iterdir()) == [
        "PENTELI_privacy_summary.txt",
        "combined_dataset.csv",
        "risky_rows_k5_anonymity.csv",
        "risky_rows_l5_LB__Cholesterol.csv",
        "risky_rows_t30_LB__Cholesterol.csv",
    ]
    used, found = compare_files(output, frame, PUBLISHED, "PENTELI")
    summary = (output / "PENTELI_privacy_summary.txt").read_text(encoding="utf-8")
    compare_summary(summary, frame, PUBLISHED, "PENTELI", used, found)
    assert all(mask.any() for mask in found.values())
    assert len(table(output / COMBINED)) == 633


def test_a_second_run_writes_the_same_bytes(sfumato, tmp_path):
    domains, asked = drawn(3)
    output = written(tmp_path, domains, asked)
    runs = []
    for _ in range(2):
        sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P")
        runs.append(contents(output))
    assert len(runs[0]) == 9
    assert runs[0] == runs[1]


def test_the_files_written_are_named_on_the_terminal(sfumato, clinic):
    outcome = sfumato("study", "bio-streams", "--root", clinic)
    for path in (clinic / "pilot_report" / "PENTELI" / "processed_for_anonym").iterdir():
        assert f"Wrote {path}" in outcome.out


def test_json_on_the_terminal_is_json_and_nothing_else(sfumato, clinic):
    assert sfumato("study", "bio-streams", "--root", clinic, "--json", "-").document["records"] == 633


def test_the_program_studies_the_pilot_of_its_working_directory(program, clinic, tmp_path):
    write_pilot(tmp_path, "SMALL", children=40, seed=3)
    outcome = program("study", "bio-streams")
    assert outcome.code == 1, outcome.err
    assert "# Privacy Report for PILOT: SMALL" in outcome.out


# Where the pilot and the configuration come from

SMALL = {"DM": pd.DataFrame({"USUBJID": ["A", "B", "C", "D"], "SEX": list("FFMM"), "AGE": [3, 4, 3, 30]}),
         "LB": pd.DataFrame({"USUBJID": ["A", "B", "C", "D"], "CHOL": [120, 180, 130, 190]})}  # fmt: skip
TWOS = Asked(["DM__SEX"], [], ["LB__CHOL"], K=2, L=2, T=50)


@pytest.fixture
def two_pilots(tmp_path):
    for pilot in ("ONE", "TWO"):
        written(tmp_path, SMALL, TWOS, pilot)
    return tmp_path


@pytest.mark.parametrize("source", ["dotenv", "environment", "option"])
def test_the_pilot_comes_from_dotenv_or_before_it_the_environment_or_before_it_the_option(
    sfumato, two_pilots, monkeypatch, source
):
    written(two_pilots, SMALL, TWOS, "THREE")
    (two_pilots / ".env").write_text("BIOSTREAMS_PILOT=ONE\n")
    if source != "dotenv":
        monkeypatch.setenv("BIOSTREAMS_PILOT", "TWO")
    asked = ("--pilot", "THREE") if source == "option" else ()
    outcome = sfumato("study", "bio-streams", "--root", two_pilots, *asked)
    pilot = {"dotenv": "ONE", "environment": "TWO", "option": "THREE"}[source]
    assert outcome.code == 0
    assert f"PILOT: {pilot}\n" in outcome.out
    assert [p.parent.name for p in two_pilots.rglob("processed_for_anonym")] == [pilot]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_configuration_given_as_json_or_yaml_goes_before_that_of_the_pilot(sfumato, two_pilots, form):
    config = two_pilots / f"mine.{form}"
    keys = TWOS.keys | {"K": 3}
    keys["ℓ"] = keys.pop("L")
    config.write_text(
        json.dumps(keys) if form == "json" else yaml.safe_dump(keys, allow_unicode=True), encoding="utf-8"
    )
    outcome = sfumato("study", "bio-streams", "--root", two_pilots, "--pilot", "ONE", "--config", config)
    assert outcome.code == 1
    assert "| ONE | 4 | 4 | 100.0% |" in outcome.out
    assert len(table(two_pilots / "pilot_report/ONE/processed_for_anonym/risky_rows_k3_anonymity.csv")) == 4


def test_a_study_that_meets_its_bounds_exits_with_0_and_writes_files_without_records(sfumato, two_pilots):
    outcome = sfumato("study", "bio-streams", "--root", two_pilots, "--pilot", "ONE")
    assert outcome.code == 0
    output = two_pilots / "pilot_report" / "ONE" / "processed_for_anonym"
    assert (output / "risky_rows_k2_anonymity.csv").read_text() == "USUBJID,DM__SEX,k_count\n"


def aged(root, **settings):
    asked = Asked(["DM__SEX"], ["DM__AGE"], ["LB__CHOL"], K=2, L=1, T=500, bins={"DM__AGE": [0, 18]})
    output = written(root, SMALL, asked)
    (output.parent / "config.yaml").write_text(yaml.safe_dump(asked.keys | settings), encoding="utf-8")
    return output


def test_strict_bins_refuse_a_value_outside_and_write_no_verdict(sfumato, tmp_path):
    output = aged(tmp_path, strict_bins=True)
    outcome = sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P")
    assert outcome.code == 2
    assert "'DM__AGE' has 1 value" in outcome.err
    assert not list(output.glob("risky*"))


@pytest.mark.parametrize("key", ["sensitive_binning_config_for_L", "sensitive_binning_config"])
def test_strict_bins_are_strict_about_the_sensitive_column_too(sfumato, tmp_path, key):
    aged(tmp_path, strict_bins=True, binning_config={"DM__AGE": [0, 100]}, **{key: {"LB__CHOL": [0, 1]}})
    outcome = sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P")
    assert outcome.code == 2
    assert f"Widen the edges in {key}" in outcome.err


def test_a_t_in_the_unit_of_the_variable_is_warned_of_where_t_is_a_share(sfumato, tmp_path):
    aged(tmp_path, sensitive_binning_config={"LB__CHOL": [100, 150, 200]})
    outcome = sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P")
    assert "WARNING: t_closeness(LB__CHOL, bins=100 150 200) <= 500 holds whatever the data are" in outcome.out


def test_a_sensitive_column_that_nobody_has_is_given_no_distance(sfumato, tmp_path):
    undone = pd.DataFrame({"USUBJID": ["A", "B"], "LBTEST": ["CHOL", "CHOL"], "LBSTRESN": [None, None]})
    output = written(tmp_path, {"DM": SMALL["DM"], "LB": undone}, TWOS)
    assert sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P").code == 1
    summary = (output / "P_privacy_summary.txt").read_text(encoding="utf-8")
    assert "records have no value; they add no distinct value to l" in summary
    assert "t_ordered is" not in summary


def test_without_strict_bins_a_value_outside_has_a_bin_of_its_own(sfumato, tmp_path):
    output = aged(tmp_path, separator="..")
    assert sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P").code == 1
    assert [(row["USUBJID"], row["DM__AGE"]) for row in table(output / "risky_rows_k2_anonymity.csv")] == [
        ("C", "0..18"),
        ("D", ">=18"),
    ]


def test_t_over_bins_of_the_sensitive_column_is_the_share_to_be_moved(sfumato, tmp_path):
    output = written(tmp_path, SMALL, TWOS)
    keys = TWOS.keys | {
        "T": 0.4,
        "sensitive_binning_config": {"LB__CHOL": [100, 150, 200]},
        "categorical_qis": ["DM__AGE"],
    }
    (output.parent / "config.yaml").write_text(yaml.safe_dump(keys), encoding="utf-8")
    sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P")
    rows = table(output / "risky_rows_t0.4_LB__CHOL.csv")
    assert [(row["USUBJID"], row["t_distance"]) for row in rows] == [(who, "0.50") for who in "ACBD"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--pilot", "ONNE"), "Did you mean 'ONE'?"),
        ((), "no pilot is chosen"),
        (("--pilot", "ONE", "--config", "nowhere.yaml"), "there is no such file"),
        (("--root", "nowhere", "--pilot", "ONE"), "there is no such folder"),
    ],
)
def test_a_study_that_cannot_be_opened_exits_with_2_and_says_what_to_do(sfumato, two_pilots, asked, words):
    outcome = sfumato("study", "bio-streams", "--root", two_pilots, *asked)
    assert outcome.code == 2
    assert words in outcome.err


def test_a_column_that_the_domains_lack_is_named_with_the_nearest(sfumato, tmp_path):
    output = written(tmp_path, SMALL, Asked(["DM__SEXX"], [], ["LB__CHOL"], 2, 2, 50))
    outcome = sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P")
    assert (outcome.code, output.exists()) == (2, False)
    assert "Did you mean 'DM__SEX'?" in outcome.err


# Several pilots, and the log


def uses(path):
    """The lines of a log of use."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_all_pilots_are_run_logged_and_set_side_by_side(sfumato, tmp_path):
    for name in ("ONE", "TWO"):
        write_pilot(tmp_path, name, children=30)
    done = sfumato("study", "bio-streams", "--all", "--json", "both.json")
    assert done.code == 1
    assert "# Privacy Report for 2 PILOTS: ONE, TWO" in done.out
    assert set(json.loads((tmp_path / "both.json").read_text())) == {"ONE", "TWO"}
    begin, end = uses(tmp_path / "sfumato.log.jsonl")
    assert begin["command"] == {"name": "study", "options": ["--all", "--json"]}
    assert [one["name"] for one in begin["inputs"]] == ["config.yaml", "DM.csv", "LB.csv", "SC.csv", "VS.csv"] * 2
    assert all(one["sha256"] for one in begin["inputs"])
    assert end["outcome"]["exit"] == 1
    assert end["outcome"]["verdict"].startswith("ONE: ")
    assert end["outcome"]["counts"]["records"] == 60


def test_the_log_of_a_study_says_that_a_pilot_could_not_be_read(sfumato, tmp_path):
    folder = write_pilot(tmp_path, "ONE", children=5)
    (folder / "DM.csv").write_text("NAME\nx\n")
    done = sfumato("study", "bio-streams", "--pilot", "ONE")
    assert done.code == 2
    assert uses(tmp_path / "sfumato.log.jsonl")[1]["outcome"] == {"exit": 2, "verdict": "UnreadableFile"}


def test_all_and_a_named_pilot_are_not_asked_for_together(sfumato, tmp_path):
    write_pilot(tmp_path, "ONE", children=5)
    done = sfumato("study", "bio-streams", "--pilot", "ONE", "--all")
    assert (done.code, done.err) == (2, "sfumato: --all is every pilot: leave out --pilot.\n")


def test_a_study_is_released_by_the_project_of_its_pilot(sfumato, tmp_path):
    project = write_pilot(tmp_path, "ONE", children=200) / "release.yaml"
    release = ("study", "bio-streams", "-p", "release.yaml", "-o", "out", "--no-report")
    refused = sfumato(*release)
    assert refused.code == 1
    assert "ONE: No release keeps to the policy" in refused.out
    assert not (tmp_path / "out").exists()
    project.write_text(project.read_text().replace("suppress: 0.1", "suppress: 0.2"))
    done = sfumato(*release)
    assert done.code == 0, done.said
    assert "Wrote the package out/ONE, and its evidence out/ONE-evidence, which stays with you." in done.out
    assert (tmp_path / "out" / "ONE-evidence" / "ONE_privacy_summary.txt").is_file()
    end = uses(tmp_path / "sfumato.log.jsonl")[3]
    assert end["outcome"]["wrote"][0]["name"] == "ONE"


def test_the_summary_shows_t_as_a_share_of_the_range_beside_t_in_the_unit(sfumato, tmp_path):
    """A2-9, by hand: women have 100 and 150, men 200 and 300, so that everybody's range is 200.

    W(women, all) = |1/2 - 1/4| 50 + |1 - 1/2| 50 + |1 - 3/4| 100 = 62.5, and 62.5 / 200 = 0.3125; in steps between the
    four values it is (1/4 + 1/2 + 1/4) / 3.
    """
    values = dict(zip("ABCD", (100, 150, 200, 300), strict=True))
    folder = tmp_path / "pilot_report" / "P"
    folder.mkdir(parents=True)
    subjects = "USUBJID,SEX\n" + "".join(f"{who},{'F' if who in 'AB' else 'M'}\n" for who in values)
    results = "USUBJID,LBTESTCD,LBTEST,LBSTRESN\n" + "".join(f"{who},CHOL,Chol,{n}\n" for who, n in values.items())
    config = "categorical_qis: [DM__SEX]\ncontinuous_qis: []\nsensitive_feature: LB__Chol\nK: 2\nL: 2\nT: 30\n"
    for name, text in (("DM.csv", subjects), ("LB.csv", results), ("config.yaml", config)):
        (folder / name).write_text(text, encoding="utf-8")
    shown = sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "P")
    (summary,) = tmp_path.rglob("P_privacy_summary.txt")
    lines = summary.read_text(encoding="utf-8").splitlines()
    assert "| P | LB__Chol | 4 | 4 | 100.0% |" in lines  # 62.5 > 30 in the unit, for both sexes
    (normalised,) = [line for line in lines if "t_wasserstein_normalised" in line]
    assert normalised.startswith("- LB__Chol: t_wasserstein_normalised is 0.3125 (")
    assert any(line.startswith("- LB__Chol: t_ordered is 0.3333 (") for line in lines)
    assert normalised in shown.out

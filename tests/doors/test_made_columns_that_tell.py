"""What a plan makes may tell what it was made of: a birth, from the days since it and the day that they end on."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

import pytest
from tests.doors.conftest import Command

PROJECT = """\
data: {{source: stays.csv}}
columns:
  born: {{role: {born}}}
  admitted: {{role: quasi}}
  sex: {{role: quasi}}
  since birth: {{role: {made}}}
measures:
  - {{measure: k_anonymity, at_least: 2}}
plan:
  steps:
    - duration: {{start: born, end: admitted, into: since birth, unit: {unit}, drop: false}}
    - drop: {{columns: [born]}}
{more}"""
GENERALISED = "    - generalise: {column: since birth, level: 1, hierarchy: {kind: intervals, width: 9000}}\n"
NOTHING_IS_ABOVE = "    - top_code: {column: since birth, at: 9999999}\n"
TIMES = "    - truncate_dates: {columns: admitted, to: day}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    draw, lines = random.Random(4), ["born,admitted,sex"]
    for number in range(120):
        born = date(1940, 1, 1) + timedelta(draw.randint(0, 25000))
        lines.append(f"{born},{date(2020, 1, 1 + number % 2)} 08:00:00,{'FM'[number // 2 % 2]}")
    (tmp_path / "stays.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def released(sfumato: Command, folder: Path, *, born="direct", made="non-sensitive", unit="days", more=""):
    (folder / "p.yaml").write_text(PROJECT.format(born=born, made=made, unit=unit, more=more), encoding="utf-8")
    return sfumato("release", "-p", "p.yaml", "--out", "out", "--no-report", "--json", "-")


@pytest.mark.parametrize("made", ["non-sensitive", "quasi"])
@pytest.mark.parametrize("more", ["", TIMES, NOTHING_IS_ABOVE])
@pytest.mark.parametrize("unit", ["days", "hours"])
def test_a_release_that_gives_a_direct_identifier_back_is_refused(
    sfumato: Command, folder: Path, made: str, more: str, unit: str
) -> None:
    if made == "quasi":  # so that nothing else is wrong with it
        more += "anonymise: {method: optimal}\n"
        (folder / "stays.csv").write_text("born,admitted,sex\n" + "1940-01-01,2020-01-01 08:00:00,F\n" * 9)
    ran = released(sfumato, folder, made=made, unit=unit, more=more)
    assert ran.code == 2
    assert "'since birth' and 'admitted', which would both be released, give back 'born'" in ran.err
    assert "line 11" in ran.err
    assert not (folder / "out").exists()


@pytest.mark.parametrize(("unit", "more"), [("years", ""), ("days", GENERALISED)])
def test_coarser_durations_give_nothing_back(sfumato: Command, folder: Path, unit: str, more: str) -> None:
    ran = released(sfumato, folder, unit=unit, more=more)
    assert (ran.code, (folder / "out").exists()) == (0, True), ran.err


def test_apply_refuses_it_as_well(sfumato: Command, folder: Path) -> None:
    released(sfumato, folder)
    ran = sfumato("apply", "p.yaml", "stays.csv", "-o", "out.csv")
    assert (ran.code, "give back 'born'" in ran.err, (folder / "out.csv").exists()) == (2, True, False)


def test_what_is_made_of_a_quasi_identifier_and_called_harmless_is_an_open_question(
    sfumato: Command, folder: Path
) -> None:
    against = released(sfumato, folder, born="quasi").document["released_against_evidence"]
    assert [(each["column"], each["role"], each["proposed"]) for each in against] == [
        ("since birth", "non-sensitive", "quasi")
    ]
    folder.joinpath("out").rename(folder / "earlier")
    folder.joinpath("out-evidence").rename(folder / "earlier-evidence")
    told = released(sfumato, folder, born="quasi", more=GENERALISED).document
    assert told["released_against_evidence"] == []  # somebody decided about what a step changed


CHAIN = """\
data: {source: stays.csv}
columns:
  born: {role: direct}
  seen: {role: quasi}
  admitted: {role: quasi}
  before: {role: quasi}
  since: {role: quasi}
measures:
  - {measure: k_anonymity, at_least: 2}
plan:
  steps:
    - duration: {start: born, end: seen, into: before, drop: false}
    - duration: {start: seen, end: admitted, into: since, drop: false}
    - drop: {columns: [born, seen]}
"""


def test_two_durations_over_a_date_that_is_dropped_give_the_birth_back(sfumato: Command, folder: Path) -> None:
    (folder / "stays.csv").write_text("born,seen,admitted\n" + "1940-01-01,2019-05-06,2020-01-01\n" * 9)
    (folder / "p.yaml").write_text(CHAIN, encoding="utf-8")
    ran = sfumato("release", "-p", "p.yaml", "--out", "out", "--no-report")
    assert (ran.code, (folder / "out").exists()) == (2, False)
    assert "'before', 'since' and 'admitted', which would all be released, give back 'born'" in ran.said


def test_a_birth_is_not_given_back_where_each_record_lacks_one_of_the_numbers(sfumato: Command, folder: Path) -> None:
    lines = ["born,seen,admitted", *["1940-01-01,2019-05-06,"] * 9, *["1940-01-01,,2020-01-01"] * 9]
    (folder / "stays.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "p.yaml").write_text(CHAIN, encoding="utf-8")
    ran = sfumato("release", "-p", "p.yaml", "--out", "out", "--no-report")
    assert (ran.code, (folder / "out").exists()) == (0, True), ran.err


@pytest.mark.parametrize("more", ["", "    - truncate_dates: {columns: admitted, to: day, format: '%d.%m.%Y %H:%M'}\n"])
def test_a_day_that_is_written_otherwise_is_still_that_day(sfumato: Command, folder: Path, more: str) -> None:
    text = PROJECT.format(born="direct", made="quasi", unit="days", more=more)
    text = text.replace("drop: false", "drop: false, format: '%d.%m.%Y %H:%M'").replace(
        "{role: ", "{type: text, role: "
    )
    text = text.replace("since birth: {type: text, ", "since birth: {")
    (folder / "stays.csv").write_text("born,admitted,sex\n" + "01.02.1940 00:00,03.01.2020 08:15,F\n" * 9)
    (folder / "p.yaml").write_text(text, encoding="utf-8")
    ran = sfumato("release", "-p", "p.yaml", "--out", "out", "--no-report")
    assert (ran.code, "give back 'born'" in ran.said) == (2, True), ran.said


def test_one_record_with_its_own_number_among_others_that_were_changed_is_enough(
    sfumato: Command, folder: Path
) -> None:
    ran = released(sfumato, folder, more="    - bottom_code: {column: since birth, at: 25000, label: below}\n")
    assert (ran.code, "give back 'born'" in ran.said) == (2, True), ran.said


def test_what_is_made_of_a_birth_that_has_no_role_is_an_open_question(sfumato: Command, folder: Path) -> None:
    text = PROJECT.format(born="direct", made="non-sensitive", unit="years", more="")
    text = text.replace("  born: {role: direct}\n", "").replace(
        "admitted: {role: quasi}", "admitted: {role: non-sensitive}"
    )
    (folder / "p.yaml").write_text(text, encoding="utf-8")
    ran = sfumato("release", "-p", "p.yaml", "--out", "out", "--no-report", "--json", "-")
    assert "since birth" in [each["column"] for each in ran.document["released_against_evidence"]]


UNDECIDED = """\
data: {{source: stays.csv}}
columns:
  born: {{role: undecided}}
  admitted: {{role: undecided}}
  sex: {{role: quasi}}
  age: {{role: quasi, bins: [0, 40, 60, 80, 90]}}
measures:
  - {{measure: k_anonymity, at_least: 2}}
plan:
  steps:
    - age: {{birth: born, at: admitted{age}}}
    - {drop}
anonymise: {{method: optimal}}
"""


@pytest.mark.parametrize(
    "drop", ["drop: {columns: admitted}", "drop: {columns: [admitted]}", "remove: {columns: admitted}"]
)
def test_what_a_step_drops_needs_no_role_however_that_is_written(sfumato: Command, folder: Path, drop: str) -> None:
    (folder / "p.yaml").write_text(UNDECIDED.format(age="", drop=drop), encoding="utf-8")
    ran = sfumato("release", "-p", "p.yaml", "--out", "out", "--no-report")
    assert ran.code == 0, ran.err
    assert (folder / "out" / "released.csv").read_text(encoding="utf-8").startswith("sex,age\n")


@pytest.mark.parametrize(
    ("age", "drop", "undecided"),
    [(", drop: false", "drop: {columns: admitted}", "born"), ("", "drop: {columns: [sex]}", "admitted")],
)
def test_what_no_step_drops_needs_one(sfumato: Command, folder: Path, age: str, drop: str, undecided: str) -> None:
    (folder / "p.yaml").write_text(UNDECIDED.format(age=age, drop=drop), encoding="utf-8")
    ran = sfumato("release", "-p", "p.yaml", "--out", "out", "--no-report")
    assert (ran.code, f"1 column is undecided ({undecided})" in ran.said) == (2, True), ran.said


def test_assess_does_not_call_released_what_a_step_drops(sfumato: Command, folder: Path) -> None:
    text = UNDECIDED.format(age="", drop="drop: {columns: admitted}").replace("role: undecided", "role: quasi")
    (folder / "p.yaml").write_text(text, encoding="utf-8")
    document = sfumato("assess", "-p", "p.yaml", "--json", "-").document
    assert document["everything"]["columns"] == ["sex", "age"]

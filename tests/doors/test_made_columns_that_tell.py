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
@pytest.mark.parametrize("more", ["", TIMES])
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

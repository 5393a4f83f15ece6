"""Figure 3 of BIO-STREAMS D4.2 (2025), S2.21: the eleven children whom t flags, row by row as printed.

The cholesterol of the other children is not published. A line of 25 knots through their values is fitted until SciPy
finds the five printed distances. That there is one says that they fit together; the study must then write the figure.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.stats import norm, wasserstein_distance
from tests.doors.conftest import Command

FIGURE = [
    (("F", "Urban", "0--6", "0--20"), (202,), "52.15"),
    (("M", "Urban", "6--12", "0--20"), (168, 24, 158), "40.56"),
    (("M", "Rural", "6--12", "20--30"), (185,), "38.74"),
    (("M", "Urban", "12--18", "30--40"), (187, 173, 189, 173), "33.02"),
    (("M", "Rural", "12--18", "30--40"), (160, 200), "30.44"),
]
WITHIN = {"0--6": 3, "6--12": 9, "12--18": 15, "0--20": 17, "20--30": 25, "30--40": 34}  # a number of each interval
CHILDREN, BLANK = 633, 62  # of whom so many have no cholesterol; one of them with the child of the first class
KNOTS = np.linspace(0, 1, 25)


@pytest.fixture(scope="module")
def others() -> list[float]:
    """Values of the children who are not in the figure, under which its distances come out."""
    printed = [value for _, values, _ in FIGURE for value in values]
    places = (np.arange(CHILDREN - BLANK - len(printed)) + 0.5) / (CHILDREN - BLANK - len(printed))

    def along(knots: np.ndarray) -> np.ndarray:
        return np.interp(places, KNOTS, np.sort(knots))

    def misfit(knots: np.ndarray) -> list[float]:
        everybody = np.append(along(knots), printed)
        return [wasserstein_distance(values, everybody) - float(distance) for _, values, distance in FIGURE]

    usual = norm.ppf(np.clip(KNOTS, 0.01, 0.99), 150, 28)
    fitted = least_squares(misfit, usual, diff_step=1e-4, xtol=1e-12)
    assert np.abs(fitted.fun).max() < 0.001
    return [float(value) for value in along(fitted.x)]


def pilot(root: Path, others: list[float]) -> None:
    """The children of the figure, and all others in one class."""
    children = [(*keys, value) for keys, values, _ in FIGURE for value in values]
    children += [
        ("F", "Urban", "0--6", "0--20", "")
    ]  # A2-6: a child without a value is in the class and not in the file
    children += [("F", "Rural", "6--12", "0--20", value) for value in (*others, *[""] * (BLANK - 1))]
    domains = {"DM": ["SEX", "AGE"], "SC": ["Country of Permanent Address", "District of Permanent Address"]}
    domains |= {"VS": ["BMI"], "LB": ["Cholesterol"]}
    lines = {name: [",".join(["USUBJID", *columns])] for name, columns in domains.items()}
    for i, (sex, district, age, bmi, value) in enumerate(children, 1):
        cells = {"DM": [sex, WITHIN[age]], "SC": ["Greece", district], "VS": [WITHIN[bmi]], "LB": [value]}
        for name, found in cells.items():
            lines[name].append(",".join([f"C{i:03}", *map(str, found)]))
    folder = root / "pilot_report" / "PENTELI"
    folder.mkdir(parents=True)
    for name, text in lines.items():
        (folder / f"{name}.csv").write_text("\n".join(text) + "\n", encoding="utf-8")


def test_the_study_writes_the_rows_of_figure_3(sfumato: Command, others: list[float], tmp_path: Path) -> None:
    pilot(tmp_path, others)
    ran = sfumato("study", "bio-streams", "--root", tmp_path, "--pilot", "PENTELI")
    assert ran.code == 1, ran.said
    (file,) = tmp_path.rglob("risky_rows_t30_LB__Cholesterol.csv")
    with file.open(encoding="utf-8", newline="") as text:
        head, *written = csv.reader(text)
    assert head == [
        "USUBJID", "DM__SEX", "SC__Country of Permanent Address", "SC__District of Permanent Address", "DM__AGE",
        "VS__BMI", "LB__Cholesterol", "t_distance",
    ]  # fmt: skip
    printed = [
        (sex, "Greece", district, age, bmi, float(value), distance)
        for (sex, district, age, bmi), values, distance in FIGURE
        for value in values
    ]
    found = [(*row[1:6], float(row[6]), row[7]) for row in written]
    assert [row[-1] for row in found] == [row[-1] for row in printed]  # the furthest first
    assert sorted(found) == sorted(printed)
    (summary,) = tmp_path.rglob("PENTELI_privacy_summary.txt")
    assert "| PENTELI | LB__Cholesterol | 633 | 11 | 1.7% |" in summary.read_text(encoding="utf-8")

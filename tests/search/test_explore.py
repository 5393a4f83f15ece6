"""The curve of risk against loss: which releases are on it, and that each is a plan."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest

import sfumato as sf

random.seed(7)
ROWS = pa.table(
    {
        "age": [random.randint(18, 89) for _ in range(150)],
        "sex": [random.choice("mf") for _ in range(150)],
        "illness": [random.choice(["flu", "cold", "cancer"]) for _ in range(150)],
    }
)


@pytest.fixture(scope="module")
def curve() -> sf.Explored:
    return sf.explore(ROWS, quasi=["age", "sex"], sensitive="illness", k=(2, 3, 5, 200), l=(1, 2), suppress=(0, 0.1))


def test_every_combination_is_a_point_and_those_that_cannot_be_met_are_counted(curve: sf.Explored) -> None:
    assert len(curve.frontier.points) == 3 * 2 * 2
    assert curve.notes == ("4 of 16 combinations cannot be met.",)


def test_no_point_beats_one_of_the_front_and_each_other_is_beaten(curve: sf.Explored) -> None:
    places = [(point.risk, point.score) for point in curve.frontier.points]
    front = [(point.risk, point.score) for point in curve.frontier.front]
    for risk, score in front:
        assert not any(r <= risk and s <= score and (r, s) != (risk, score) for r, s in places)
    for risk, score in places:
        assert any(r <= risk and s <= score for r, s in front)
    assert curve.knee is not None
    assert curve.frontier.points[curve.knee - 1] in curve.frontier.front


def test_the_plan_of_each_point_gives_what_the_point_says(curve: sf.Explored, tmp_path: Path) -> None:
    files = curve.write(tmp_path)
    assert [path.name for path in files] == ["curve.json", *["plan.yaml"] * len(curve.frontier.front)]
    for path in files[1:]:
        number = int(path.parent.name.removeprefix("point-"))
        point = curve.frontier.points[number - 1]
        sf.apply_plan(path, ROWS, tmp_path / "released.csv")
        again = sf.assess(
            tmp_path / "released.csv", quasi=["age", "sex"], sensitive="illness", requirements=point.requirements
        )
        assert again.met
        assert 1 / again.sizes.smallest == pytest.approx(point.risk)
        assert again.records == 150 - point.suppressed
        assert curve.release(number).solution.normalised == point.score


def test_a_point_that_is_not_there_is_refused(curve: sf.Explored) -> None:
    with pytest.raises(sf.SfumatoError, match="points 1 to 12"):
        curve.release(13)


def test_a_curve_without_any_point_is_an_error() -> None:
    with pytest.raises(sf.SfumatoError, match="None of the combinations"):
        sf.explore(ROWS, quasi=["age"], k=(1000,))


def test_the_picture_marks_the_knee_in_words_too(curve: sf.Explored) -> None:
    pytest.importorskip("altair")
    chart = curve.chart()
    assert "knee" in chart.alternative
    assert chart.svg.startswith("<svg")

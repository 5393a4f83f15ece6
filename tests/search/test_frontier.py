"""Which releases are worth choosing, and which of them is the bargain."""

from __future__ import annotations

import json
from math import inf, nan, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.search.frontier import Frontier, Point


def point(risk: float, score: float, method: str = "optimal") -> Point:
    return Point(method, (f"risk {risk:g}",), 0.02, {"age": 1}, score, risk, 3, 9)


def curve(*places: tuple[float, float]) -> Frontier:
    return Frontier(tuple(point(*place) for place in places))


def places(points: tuple[Point, ...]) -> list[tuple[float, float]]:
    return [(found.risk, found.score) for found in points]


grid = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=15)


@given(grid)
def test_the_front_is_what_comparing_every_pair_leaves(pairs: list[tuple[int, int]]) -> None:
    expected = {
        (r, s) for r, s in pairs if not any(a <= r and b <= s and (a, b) != (r, s) for a, b in pairs)
    }  # fmt: skip
    found = places(curve(*pairs).front)
    assert set(found) == expected
    assert found == sorted(expected)


@given(grid)
def test_no_point_of_the_front_lies_farther_below_the_line_than_the_knee(pairs: list[tuple[int, int]]) -> None:
    found = curve(*pairs)
    knee = found.knee
    assert knee is not None
    assert knee in found.front
    (a, b), (c, d) = places(found.front)[0], places(found.front)[-1]

    def below(r: float, s: float) -> float:
        """The cross product: the distance from the line through both ends, scaled to the unit square."""
        return 0.0 if (a, b) == (c, d) else ((c - a) * (b - s) - (b - d) * (r - a)) / (c - a) / (b - d) / sqrt(2)

    far = [below(*place) for place in places(found.front)]
    assert found.distance(knee) == pytest.approx(max(far), abs=1e-9)
    assert below(knee.risk, knee.score) == pytest.approx(max(far), abs=1e-9)
    assert next(p.risk for p, d in zip(found.front, far, strict=True) if d > max(far) - 1e-9) == knee.risk


@given(grid, st.floats(0.1, 50), st.floats(-5, 5))
def test_distances_do_not_depend_on_the_unit(pairs: list[tuple[int, int]], scale: float, shift: float) -> None:
    found, moved = curve(*pairs), curve(*((r, s * scale + shift) for r, s in pairs))
    assert [each.risk for each in moved.front] == [each.risk for each in found.front]
    for one, other in zip(found.front, moved.front, strict=True):
        assert moved.distance(other) == pytest.approx(found.distance(one), abs=1e-9)


def test_the_knee_of_a_bent_curve_is_at_its_bend() -> None:
    found = curve((0.5, 0.1), (0.2, 0.15), (0.1, 0.4), (0.05, 0.9))
    assert found.knee == point(0.2, 0.15)
    assert found.distance(point(0.2, 0.15)) == pytest.approx((1 - 0.15 / 0.45 - 0.05 / 0.8) / sqrt(2), abs=1e-11)


def test_one_point_is_its_own_knee_and_no_point_has_none() -> None:
    assert curve((0.2, 0.3)).knee == point(0.2, 0.3)
    assert curve().knee is None
    assert curve().front == ()
    assert json.loads(curve().to_json())["knee"] is None
    assert "0 of 0 releases" in str(curve())


@pytest.mark.parametrize("pairs", [
    [(0.5, 0.1), (0.1, 0.5)],
    [(0.5, 0.1), (0.3, 0.3), (0.1, 0.5)],
    [(0.5, 0.1), (0.4, 0.4), (0.1, 0.5)],
])  # fmt: skip
def test_where_nothing_stands_out_the_safest_is_marked(pairs: list[tuple[float, float]]) -> None:
    """Two points, points on a line, and points above it."""
    found = curve(*pairs)
    assert found.knee == point(0.1, 0.5)
    assert found.document()["knee_distance"] == 0
    assert "No release stands out" in str(found)


def test_of_equals_the_first_counts() -> None:
    found = Frontier((point(0.2, 0.3, "local"), point(0.2, 0.3), point(0.2, 0.3 + 1e-16), point(0.2, 0.4)))
    assert [each.method for each in found.front] == ["local"]
    assert found.document()["front"] == [0]
    assert [each["on_front"] for each in found.document()["points"]] == [True, False, False, False]


def test_equal_risk_or_equal_loss_leaves_one_point() -> None:
    assert places(curve((0.2, 0.5), (0.2, 0.3), (0.2, 0.4)).front) == [(0.2, 0.3)]
    assert places(curve((0.5, 0.3), (0.1, 0.3), (0.2, 0.3)).front) == [(0.1, 0.3)]


def test_what_cannot_be_measured_is_never_chosen() -> None:
    found = curve((0.2, inf), (nan, 0.1), (0.4, 0.5))
    assert places(found.front) == [(0.4, 0.5)]
    document = json.loads(found.to_json())
    assert (document["points"][0]["score"], document["points"][1]["risk"]) == (None, None)
    assert document["knee"] == 2


def test_the_document_keeps_the_order_given_and_the_sheet_that_of_risk() -> None:
    found = Frontier((point(0.5, 0.1), point(0.05, 0.9), point(0.2, 0.15), point(0.3, 0.5, "mondrian")))
    document = found.document()
    assert [each["risk"] for each in document["points"]] == [0.5, 0.05, 0.2, 0.3]
    assert (document["front"], document["knee"]) == ([1, 2, 0], 2)
    front, others = found.sheet().sections
    assert [row[6] for row in front.rows] == ["0.05", "0.2", "0.5"]
    assert [row[0] for row in front.rows] == ["2", "3 *", "1"]
    assert [row[1] for row in others.rows] == ["mondrian"]
    assert "The knee: optimal, risk 0.2, with risk 0.2 and loss 0.15." in str(found)


def test_a_method_without_levels_says_so() -> None:
    found = Frontier((Point("mondrian", (), 0.0, None, 0.1, 0.2, 0, 7),))
    assert found.document()["points"][0]["levels"] is None
    assert found.sheet().sections[0].rows[0][8] == "-"
    assert "nothing required" in str(found)

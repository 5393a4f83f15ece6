"""Pictures of releases as SVG: coloured by classes of the style sheet alone, so that they follow the theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Any

from markupsafe import Markup, escape

from sfumato.workbench.catalogue import Catalogue

WIDE, HIGH, LEFT, RIGHT, TOP, FOOT = 480, 330, 44, 44, 24, 46  # of the curve, and the room at its sides
RISKIEST, SAFEST = 0.5, 0.02  # ends of the axis of risk, where no point lies beyond them
TICKS = (2, 5, 10, 20, 50, 100, 200, 500)
NAME_WIDE, NAME_HIGH = 44, 16  # units that the name of a line takes
APART = 64  # units between two ticks: their words are that wide


def bar(share: float, kind: str = "", mark: float | None = None) -> Markup:
    """A share of the whole as a bar, with a mark where there is a limit."""
    full = max(min(100 * share, 100), 0)
    line = "" if mark is None else f'<rect class="limit" x="{min(100 * mark, 99):.1f}" width="1" height="8"/>'
    return Markup(
        f'<svg class="bar {escape(kind)}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="trough" width="100" height="8"/><rect class="full" width="{full:.2f}" height="8"/>{line}</svg>'
    )


def level_steps(level: int, height: int, most: int) -> Markup:
    """A level among those that a column has, as filled and empty steps."""
    boxes = "".join(
        f'<rect class="{"full" if i < level else "trough"}" x="{9 * i}" width="7" height="8"/>' for i in range(height)
    )
    return Markup(f'<svg class="steps" width="{9 * most}" height="8" aria-hidden="true">{boxes}</svg>')


def dot(kind: str) -> Markup:
    """A mark of a picture, for its key."""
    square = f'<rect class="{kind}" x="1" y="1" width="10" height="10"/>'
    shape = square if kind in ("before", "after") else f'<circle class="{kind}" cx="6" cy="6" r="4.5"/>'
    return Markup(f'<svg class="dot" width="12" height="12" aria-hidden="true">{shape}</svg>')


@dataclass(frozen=True)
class CurvePoint:
    """A release on the curve: its risk and loss, where it is opened, and in words."""

    series: float  # the share that may be left out
    risk: float
    loss: float
    address: str
    words: str
    front: bool
    knee: bool
    first: bool = True  # whether no point before it is the same release: only that one is a link


@dataclass(frozen=True)
class CurveMark:
    """Something else on the curve: where one is, or what is pinned."""

    risk: float
    loss: float
    kind: str


def curve(t: Catalogue, points: Sequence[CurvePoint], here: CurveMark | None, pins: Mapping[str, CurveMark]) -> Markup:
    """Risk against loss; every point is a link that opens its release."""
    safest = min([SAFEST, *(point.risk for point in points if point.risk > 0)])
    losses = [point.loss for point in points] + [mark.loss for mark in (here, *pins.values()) if mark]
    top = max(ceil(10 * max(losses, default=0.1) - 1e-9) / 10, 0.1)

    def x(risk: float) -> float:
        at = log(max(min(risk, 1), safest) / safest) / log(RISKIEST / safest)
        return LEFT + min(at, 1) * (WIDE - LEFT - RIGHT)

    def y(loss: float) -> float:
        return TOP + (1 - loss / top) * (HIGH - TOP - FOOT)

    drawn = [*_axes(t, x, y, top, safest), *_ways(t, points, x, y)]
    for point in sorted((one for one in points if one.first), key=lambda one: one.risk):
        kind = "point" + (" front" if point.front else "") + (" knee" if point.knee else "")
        drawn.append(
            f'<a href="{escape(point.address)}" aria-label="{escape(point.words)}"><title>{escape(point.words)}</title>'
            f'<circle class="near" cx="{x(point.risk):.1f}" cy="{y(point.loss):.1f}" r="11"/>'
            f'<circle class="{kind}" cx="{x(point.risk):.1f}" cy="{y(point.loss):.1f}" r="4.5"/></a>'
        )
    if here is not None:
        at, down = f"{x(here.risk):.1f}", f"{y(here.loss):.1f}"
        drawn.append(
            f'<g class="now {here.kind}"><line x1="{LEFT}" x2="{at}" y1="{down}" y2="{down}"/>'
            f'<line x1="{at}" x2="{at}" y1="{down}" y2="{HIGH - FOOT}"/><circle cx="{at}" cy="{down}" r="9"/></g>'
        )
    for letter, mark in pins.items():
        at_pin = x(mark.risk) + (-12 if letter == "a" else 12)
        drawn.append(
            f'<g class="pin"><rect x="{at_pin - 9:.1f}" y="{y(mark.loss) - 32:.1f}" width="18" height="18" rx="4"/>'
            f'<text x="{at_pin:.1f}" y="{y(mark.loss) - 18.5:.1f}" text-anchor="middle">{letter.upper()}</text></g>'
        )
    name = escape(t("release.curve.name"))
    return Markup(
        f'<svg class="curve" viewBox="0 0 {WIDE} {HIGH}" role="group" aria-label="{name}">{"".join(drawn)}</svg>'
    )


def _axes(t: Catalogue, x: Any, y: Any, top: float, safest: float) -> list[str]:
    step = 0.2 if top > 0.5 else 0.1
    drawn = []
    for loss in (step * i for i in range(round(top / step) + 1) if step * i <= top + 1e-9):
        drawn.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y(loss):.1f}" y2="{y(loss):.1f}"/>'
            f'<text class="tick" x="{LEFT - 8}" y="{y(loss) + 4:.1f}" text-anchor="end">{t.share(loss, 0)}</text>'
        )
    known = [TICKS[0]]
    for size in TICKS[1:]:
        known += [size] if 1 / size >= safest and x(1 / known[-1]) - x(1 / size) > APART else []
    for place, size in enumerate(known):
        odd = " odd" if place % 2 else ""
        words = escape(t("release.curve.one_in", count=size))
        drawn.append(
            f'<text class="tick{odd}" x="{x(1 / size):.1f}" y="{HIGH - FOOT + 18}" text-anchor="middle">{words}</text>'
        )
    drawn.append(f'<text class="axis" x="{LEFT}" y="{HIGH - 6}">{escape(t("release.curve.risk"))}</text>')
    words = escape(t("release.curve.left_out"))
    drawn.append(f'<text class="axis" x="{WIDE}" y="{TOP - 10}" text-anchor="end">{words}</text>')
    return drawn


def _ways(t: Catalogue, points: Sequence[CurvePoint], x: Any, y: Any) -> list[str]:
    """A line for each share, with its name at its end."""
    lines = {
        series: sorted((p for p in points if p.series == series), key=lambda p: (p.risk, -p.loss))
        for series in dict.fromkeys(point.series for point in points)
    }
    ends = [(x(line[-1].risk), y(line[-1].loss)) for line in lines.values()]
    drawn: list[str] = []
    for number, ((series, line), (end, _), at) in enumerate(zip(lines.items(), ends, _apart(ends), strict=True)):
        path = " ".join(f"{x(p.risk):.1f},{y(p.loss):.1f}" for p in line)
        name = t.share(series, 0 if round(100 * series, 6).is_integer() else 1)
        drawn.append(
            f'<polyline class="way s{number % 4}" points="{path}"/>'
            f'<text class="name" x="{end + 13:.1f}" y="{at + 4:.1f}">{name}</text>'
        )
    return drawn


def _apart(ends: Sequence[tuple[float, float]]) -> list[float]:
    """How far down each name stands: at the end of its line, or as little above it as the names below leave room.

    From the foot upwards, so that names stand in the order of their lines, and none on those of the axis.
    """
    placed: dict[int, float] = {}
    for one in sorted(range(len(ends)), key=lambda place: (ends[place][1], place), reverse=True):
        across, down = ends[one]
        below = [at for other, at in placed.items() if abs(ends[other][0] - across) < NAME_WIDE]
        placed[one] = min([down, *(at - NAME_HIGH for at in below if at - NAME_HIGH < down)])
    return [placed[place] for place in range(len(ends))]

"""Transport: how far the members of a class must be moved to look like everybody.

For ordered values the earth mover's distance between the distribution of a class and that of the
whole table is the area between their cumulative distributions E and F:

    W(E, F) = integral of |E(x) - F(x)| dx = (mean of E - mean of F) + 2 * integral of max(E(x) - F(x), 0) dx

since F - E integrates to the difference of the means. E only rises at the values that occur in the class, its cells,
and is level between two of them, while F may rise. Where it lies above F from a cell on, it does so until F reaches its
height h, at the first value x* with F(x*) >= h, or until its own next rise, whatever comes first. Over such a stretch,
from x to y, the area is

    (h y - G(y)) - (h x - G(x)),

where G, the integral of F, is one running sum over the whole table. So each end of a stretch adds what is known there.
From the cell x_i on E has the height h_i, and h_{i-1} before:

    W = sum of q_i (x_i - mean of F) + 2 ( [E above F from x_i on]       (G(x_i) - h_i x_i)
                                         + [E above F just before x_i]   (h_{i-1} x_i - G(x_i))
                                         + [F meets E before x_{i+1}]    (h_i x*_i - G(x*_i)) )

The work grows with the cells and not with classes times values: a million distinct values are no obstacle.
Both scales are read in one go: positions 0, 1, ... m - 1 (ordered distance) and the values themselves
(Wasserstein), both divided by their range.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from sfumato.errors import WrongScale
from sfumato.privacy.classes import EquivalenceClasses, Value
from sfumato.tables.engine import Table, listed, literal, total

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Flags, Real, Whole

UP_TO_HERE = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
NAMES = {"1": "ordered", "2": "moved"}  # what a distance is called, by scale


@dataclass(frozen=True)
class Line:
    """The distribution of everybody along a line: columns value, place, before, c, x1, g1 and, for numbers, x2, g2.

    `place` is the position of the value from 1 on, c the count up to it and `before` that without it; x is where it
    lies and g is G(x). On scale 1 x is the place from 0 on, on scale 2 the value, between 0 and 1.
    """

    table: Table
    members: int
    values: int
    means: dict[str, float]  # by scale
    range: float | None  # None where there is no distance: no numbers, or infinite ones

    def length(self, scale: str) -> int:
        """Where the last value lies."""
        return max(self.values - 1, 1) if scale == "1" else 1


def transported(classes: EquivalenceClasses, value: Value) -> str:
    """The distribution, and what each cell adds to the distance of its class from the whole: a SELECT.

    Columns: class_id, n, size, q and p as in `EquivalenceClasses.distribution`, `ordered`, which counts
    in positions, and for numbers `moved`, in the unit of the variable; both as a share of the range.
    """
    line = whole_line(classes, value)
    if line.values and classes.engine.few and classes.overlap is None:  # overlapping classes have many more cells
        return f"{classes.borrowed(('moved', value), lambda: _in_memory(classes, value, line))}"
    added = listed(f"{_added(scale, line)} AS {NAMES[scale]}" for scale in line.means)
    steps, meetings = f"step_{line.table}", f"meeting_{line.table}"  # several lines may be in one statement
    return f"""(
        WITH {steps} AS ({_steps(classes, value, line)}), {meetings} AS ({_meetings(steps, line)})
        SELECT step.class_id, step.n, step.size, step.q, step.p, {added}
        FROM {steps} AS step LEFT JOIN {meetings} AS met ON met.level = step.level)"""


def _in_memory(classes: EquivalenceClasses, value: Value, line: Line) -> pa.Table:
    """The same of few cells, by the same operations in the same order: no bit of a number differs."""
    import numpy as np
    import pyarrow as pa

    whole = classes.engine.arrow(f"SELECT * FROM {line.table}")
    whole = whole.take(np.argsort(whole["place"].to_numpy()))
    cells = classes.engine.arrow(f"""
        SELECT placed.class_id, place - 1 AS place, n, size, mass, {_share(line)} AS p
        FROM {_placed(classes, value, line, ["place", "c", "before"])} AS placed
        JOIN {classes.known(value)} AS known ON known.class_id = placed.class_id""")
    order = np.lexsort((cells["place"].to_numpy(), cells["class_id"].to_numpy()))
    class_id, place, n, size, mass, p = (column.to_numpy()[order] for column in cells.columns)
    first = np.flatnonzero(np.append(True, class_id[1:] != class_id[:-1]))
    distributions = CumulativeDistributions(
        place=place, first=first, n=n, mass=mass, everybody=whole["c"].to_numpy() / line.members
    )
    columns = {"class_id": class_id, "n": n, "size": size, "q": distributions.q, "p": p}
    for scale in line.means:
        x, g = whole[f"x{scale}"].to_numpy(), whole[f"g{scale}"].to_numpy()
        columns[NAMES[scale]] = distributions.moved(x, g) / line.length(scale)
    return pa.table(columns)


def whole_line(classes: EquivalenceClasses, value: Value) -> Line:
    """Everybody's values along a line, for the transport of the classes onto it."""
    return classes.once(("line", value), lambda: _whole_line(classes, value))


def numeric_range(classes: EquivalenceClasses, value: Value) -> float:
    """The range of a sensitive number, 0 where nobody has one; `WrongScale` where there are no numbers."""
    if not _numeric(classes, value):
        raise WrongScale(
            f"The Wasserstein distance needs numbers without an order of their own, and {value.sensitive!r} does not "
            f"hold numbers, or has an order. "
            f"Use the total variation (t_closeness) or ordered distance (t_ordered) for it."
        )
    line = whole_line(classes, value)
    if line.range is None and line.values:
        raise WrongScale(f"Column {value.sensitive!r} has infinite values: there is no distance to them.")
    return line.range or 0.0


def _whole_line(classes: EquivalenceClasses, value: Value) -> Line:
    numeric = _numeric(classes, value)
    low, span = _ends(classes.own_cells(value)) if numeric else (0.0, None)
    x2 = _between(low, span) if numeric else None
    table = classes.held(("line", value), lambda: _line(classes, value, x2))
    scales = ("1", "2") if numeric else ("1",)
    means = [f"max(x{scale}) - max(g{scale})" for scale in scales]
    values, *numbers = classes.engine.fetch(f"SELECT {listed(['count(*)', *means])} FROM {table}")[0]
    mean = {scale: float(number or 0) for scale, number in zip(scales, numbers, strict=True)}
    return Line(table, classes.everyone(value), int(values), mean, span)


def _ends(cells: Table) -> tuple[float, float | None]:
    """The lowest number and the range; None where there is none."""
    low, high = cells.engine.fetch(f"SELECT CAST(min(value) AS DOUBLE), CAST(max(value) AS DOUBLE) FROM {cells}")[0]
    finite = low is not None and isfinite(high - low)
    return (low, high - low) if finite else (0.0, None)


def _between(low: float, span: float | None) -> str:
    return f"(CAST(value AS DOUBLE) - {literal(low)}) / {literal(span)}" if span else "CAST(0 AS DOUBLE)"


def _line(classes: EquivalenceClasses, value: Value, x2: str | None) -> str:
    """The running sums along the line, in two sorts: by value, and then by place.

    Up to the value before the j-th there are c_j - n_j of N members, so that over places, which lie one step apart,
    N G_i is the sum of c_j - n_j over j <= i. Over values, summed by parts, it is c_i x_i - sum over j <= i of n_j x_j.
    """
    members = classes.everyone(value)
    running = ["CAST(sum(n) OVER along AS BIGINT) AS c"]
    sums = [f"CAST(sum(c - n) OVER (ORDER BY place {UP_TO_HERE}) AS DOUBLE) / {members} AS g1"]
    if x2:
        running += [f"{x2} AS x2", f"{total(f'n * {x2}', over='along')} AS moment"]
        sums += ["x2", f"(c * x2 - moment) / {members} AS g2"]
    return f"""
        WITH placed AS (
            SELECT value, n, CAST(row_number() OVER along AS INTEGER) AS place, {listed(running)}
            FROM {classes.whole(value)} AS whole WINDOW along AS (ORDER BY {_position(classes, value)} {UP_TO_HERE}))
        SELECT value, place, c - n AS before, c, CAST(place - 1 AS DOUBLE) AS x1, {listed(sums)}
        FROM placed"""


def _steps(classes: EquivalenceClasses, value: Value, line: Line) -> str:
    """Each cell of a class: E before and from it on, whether that is above F, and the count where F meets it."""
    carried = [f"{name}{scale}" for scale in line.means for name in "xg"]
    return f"""
        SELECT running.class_id, n, size, CAST(n AS DOUBLE) / mass AS q, {_share(line)} AS p, {listed(carried)},
               CAST(e AS DOUBLE) / mass AS h, c * mass < e * {line.members} AS above,
               CAST(e - n AS DOUBLE) / mass AS h_before, before * mass < (e - n) * {line.members} AS above_before,
               CASE WHEN c * mass < e * {line.members} AND before_next * mass >= e * {line.members}
                    THEN (e * {line.members} + mass - 1) // mass END AS level
        FROM (
            SELECT *, CAST(sum(n) OVER along AS BIGINT) AS e, lead(before, 1, {line.members}) OVER along AS before_next
            FROM {_placed(classes, value, line, ["place", "c", "before", *carried])} AS placed
            WINDOW along AS (PARTITION BY class_id ORDER BY place)) AS running
        JOIN {classes.known(value)} AS known ON known.class_id = running.class_id"""


def _placed(classes: EquivalenceClasses, value: Value, line: Line, columns: list[str]) -> str:
    """The cells, and what is known of everybody at their places: a SELECT of class_id, n and columns of the line."""
    return f"""(
        SELECT cell.class_id, cell.n, {listed(f"line.{column}" for column in columns)}
        FROM {classes.cells(value)} AS cell JOIN {line.table} AS line ON line.value = cell.value)"""


def _share(line: Line) -> str:
    return f"CAST(c - before AS DOUBLE) / {line.members}"


def _meetings(steps: str, line: Line) -> str:
    """For each level, the first value where everybody's count reaches it."""
    return f"""
        SELECT meeting.level, {listed(f"line.x{scale}, line.g{scale}" for scale in line.means)}
        FROM (
            SELECT reach AS level, c, min(c) OVER (ORDER BY reach DESC
                RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS reached
            FROM (
                SELECT DISTINCT level AS reach, CAST(NULL AS BIGINT) AS c FROM {steps} WHERE level IS NOT NULL
                UNION ALL SELECT c AS reach, c FROM {line.table}) AS merged) AS meeting
        JOIN {line.table} AS line ON line.c = meeting.reached WHERE meeting.c IS NULL"""


def _added(scale: str, line: Line) -> str:
    x, g = f"step.x{scale}", f"step.g{scale}"
    starts = f"CASE WHEN step.above THEN {g} - step.h * {x} ELSE 0 END"
    ends = f"CASE WHEN step.above_before THEN step.h_before * {x} - {g} ELSE 0 END"
    met = f"coalesce(step.h * met.x{scale} - met.g{scale}, 0)"
    mean = literal(line.means[scale])
    return f"(step.q * ({x} - {mean}) + 2 * ({starts} + {ends} + {met})) / {line.length(scale)}"


def _numeric(classes: EquivalenceClasses, value: Value) -> bool:
    # Where an order is given, numbers are names of places, and their differences say nothing.
    ordered = value.bins or classes.orders.get(value.sensitive)
    return not ordered and classes.kind(value.sensitive).numeric


def _position(classes: EquivalenceClasses, value: Value) -> str:
    """The order of the values: as given for an ordinal column, of the bins, or their own."""
    given = classes.bins(value).labels if value.bins else classes.orders.get(value.sensitive, ())
    if not given:
        return "value"
    places = " ".join(f"WHEN {literal(text)} THEN {i}" for i, text in enumerate(given))
    return f"CASE CAST(value AS VARCHAR) {places} ELSE {len(given)} END, value"


@dataclass(frozen=True, eq=False)
class CumulativeDistributions:
    """E of every class in arrays, and F: the cells of the classes, by class and then by place, are where E rises.

    The same sum over cells that are in memory: those of few records, and those of a search (`coded/earth_mover`).
    """

    place: Whole  # of each cell, from 0 on
    first: Whole  # where the cells of each class begin
    n: NDArray[Any]  # members of each cell
    mass: NDArray[Any]  # and of its class
    everybody: Real  # F, by place

    @cached_property
    def q(self) -> Real:
        """The share of each cell within its class."""
        shares: Real = self.n / self.mass
        return shares

    def moved(self, x: Real, g: Real) -> Real:
        """What each cell adds to the distance of its class; x is where a place lies, and g is G(x)."""
        import numpy as np

        here, area, mean = x[self.place], g[self.place], x[-1] - g[-1]
        starts = np.where(self._above, area - self._height * here, 0)
        ends = np.where(self._above_before, self._height_before * here - area, 0)
        met = np.zeros(len(here))
        cells, places = self._meeting
        met[cells] = self._height[cells] * x[places] - g[places]
        added: Real = self.q * (here - mean) + 2 * (starts + ends + met)
        return added

    @cached_property
    def _height(self) -> Real:
        """E from each cell on."""
        height: Real = _risen(self.n, self.first) / self.mass
        return height

    @cached_property
    def _height_before(self) -> Real:
        import numpy as np

        height = np.roll(self._height, 1)
        height[self.first] = 0
        return height

    @cached_property
    def _above(self) -> Flags:
        """Whether E is above F from the cell on."""
        return self.everybody[self.place] < self._height

    @cached_property
    def _above_before(self) -> Flags:
        """Whether E is above F just before the cell."""
        import numpy as np

        return np.append(0.0, self.everybody)[self.place] < self._height_before

    @cached_property
    def _meeting(self) -> tuple[Whole, Whole]:
        """The cells after which F comes up to E before E rises again, and the places where it does."""
        import numpy as np

        above_next = np.roll(self._above_before, -1)  # before the first cell of the next class E is not above
        cells = np.flatnonzero(self._above & ~above_next)
        places = np.searchsorted(self.everybody, self._height[cells])
        return cells, np.minimum(places, len(self.everybody) - 1)  # a sum of shares may be a bit below 1


def _risen(n: NDArray[Any], first: Whole) -> NDArray[Any]:
    """The members of each class up to and with each of its cells.

    >>> import numpy as np
    >>> _risen(np.array([2, 1, 5, 1]), first=np.array([0, 2])).tolist()
    [2, 3, 5, 6]
    """
    import numpy as np

    running = np.cumsum(n)
    before = running[first] - n[first]
    risen: NDArray[Any] = running - np.repeat(before, np.diff(first, append=len(n)))
    return risen

"""Transport: how far the members of a class must be moved to look like everybody.

For ordered values the earth mover's distance between the distribution of a class and that of the
whole table is the area between their cumulative distributions E and F:

    W(E, F) = integral of |E(x) - F(x)| dx = (mean of E - mean of F) + 2 * integral of max(E(x) - F(x), 0) dx

since F - E integrates to the difference of the means. E only rises at the values that occur in the class. Had it
the height h from x on, it would lie above F until F reaches h, at the first value x* with F(x*) >= h, by the area

    H(h, x) = h (x* - x) - (G(x*) - G(x))  for x < x*, and 0 beyond,

where G(x), the integral of F up to x, is one running sum over the whole table. At a cell, a value x_i that n of
the `mass` members have, E rises from e - n to e members, and the area above F grows by what the new height holds
from there on, less what the old one did. So the distance is a sum over the cells of the class:

    W = sum of q_i (x_i - mean of F) + 2 (H(e / mass, x_i) - H((e - n) / mass, x_i))

and the work grows with the cells and not with classes times values: a million distinct values are no obstacle.
Both scales are read in one go: positions 0, 1, ... m - 1 (ordered distance) and the values themselves
(Wasserstein), both divided by their range.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from sfumato.areas import Steps, risen
from sfumato.classes import EquivalenceClasses, Value
from sfumato.engine import Table, listed, literal, total
from sfumato.errors import WrongScale

if TYPE_CHECKING:
    import pyarrow as pa

UP_TO_HERE = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
NAMES = {"1": "ordered", "2": "moved"}  # what a distance is called, by scale


@dataclass(frozen=True)
class Line:
    """The distribution of everybody along a line: columns value, p, place, c, x1, g1 and, for numbers, x2, g2.

    `place` is the position of the value from 1 on, p its share, c the count up to it; x is where it lies and
    g is G(x). On scale 1 x is the place from 0 on, on scale 2 the value, between 0 and 1.
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

    Columns: class_id, value, n, size, q and p as in `EquivalenceClasses.distribution`, `ordered`, which counts
    in positions, and for numbers `moved`, in the unit of the variable; both as a share of the range.
    """
    line = whole_line(classes, value)
    if line.values and classes.engine.few:
        return f"{classes.borrowed(('moved', value), lambda: _in_memory(classes, value, line))}"
    added = listed(f"{_added(scale, line)} AS {NAMES[scale]}" for scale in line.means)
    steps, crossings = f"step_{line.table}", f"crossing_{line.table}"  # several lines may be in one statement
    return f"""(
        WITH {steps} AS ({_steps(classes, value, line)}), {crossings} AS ({_crossings(steps, line)})
        SELECT step.class_id, here.value, step.n, step.size, step.q, here.p, {added}
        FROM {steps} AS step
        JOIN {line.table} AS here ON here.place = step.place
        LEFT JOIN {crossings} AS upper ON upper.level = step.level
        LEFT JOIN {crossings} AS lower ON lower.level = step.level_before)"""


def _in_memory(classes: EquivalenceClasses, value: Value, line: Line) -> pa.Table:
    """The same of few cells, by the same operations in the same order: no bit of a number differs."""
    import numpy as np
    import pyarrow as pa

    along = classes.engine.arrow(f"SELECT * FROM {line.table}")
    along = along.take(np.argsort(along["place"].to_numpy()))
    cells = classes.engine.arrow(f"""
        SELECT placed.class_id, place - 1 AS place, n, size, mass FROM {_placed(classes, value, line)} AS placed
        JOIN {classes.known(value)} AS known ON known.class_id = placed.class_id""")
    order = np.lexsort((cells["place"].to_numpy(), cells["class_id"].to_numpy()))
    class_id, place, n, size, mass = (column.to_numpy()[order] for column in cells.columns)
    first = np.flatnonzero(np.append(True, class_id[1:] != class_id[:-1]))
    e, q = risen(n, first), n / mass
    level = (e * line.members + mass - 1) // mass
    steps = Steps(place, first, q, e / mass, np.searchsorted(along["c"].to_numpy(), level))
    found = {"class_id": class_id, "value": along["value"].take(place), "n": n, "size": size, "q": q}
    found["p"] = along["p"].to_numpy()[place]
    for scale in line.means:
        x, g = along[f"x{scale}"].to_numpy(), along[f"g{scale}"].to_numpy()
        found[NAMES[scale]] = steps.moved(x, g) / line.length(scale)
    return pa.table(found)


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
    values, *found = classes.engine.fetch(f"SELECT {listed(['count(*)', *means])} FROM {table}")[0]
    mean = {scale: float(number or 0) for scale, number in zip(scales, found, strict=True)}
    return Line(table, classes.everyone(value), int(values), mean, span)


def _ends(cells: Table) -> tuple[float, float | None]:
    """The lowest number and the range; None where there is none."""
    low, high = cells.engine.fetch(f"SELECT CAST(min(value) AS DOUBLE), CAST(max(value) AS DOUBLE) FROM {cells}")[0]
    found = low is not None and isfinite(high - low)
    return (low, high - low) if found else (0.0, None)


def _between(low: float, span: float | None) -> str:
    return f"(CAST(value AS DOUBLE) - {literal(low)}) / {literal(span)}" if span else "CAST(0 AS DOUBLE)"


def _line(classes: EquivalenceClasses, value: Value, x2: str | None) -> str:
    """The running sums along the line, in two sorts: by value, and then by place.

    Up to the value before the j-th there are c_j - n_j of N members, so that over places, which lie one step apart,
    N G_i is the sum of c_j - n_j over j <= i. Over values, summed by parts, it is c_i x_i - sum over j <= i of n_j x_j.
    """
    members = classes.everyone(value)
    running = ["CAST(sum(n) OVER along AS BIGINT) AS c"]
    found = [f"CAST(sum(c - n) OVER (ORDER BY place {UP_TO_HERE}) AS DOUBLE) / {members} AS g1"]
    if x2:
        running += [f"{x2} AS x2", f"{total(f'n * {x2}', over='along')} AS moment"]
        found += ["x2", f"(c * x2 - moment) / {members} AS g2"]
    return f"""
        WITH placed AS (
            SELECT value, n, p, CAST(row_number() OVER along AS INTEGER) AS place, {listed(running)}
            FROM {classes.whole(value)} AS whole WINDOW along AS (ORDER BY {_position(classes, value)} {UP_TO_HERE}))
        SELECT value, p, place, c, CAST(place - 1 AS DOUBLE) AS x1, {listed(found)}
        FROM placed"""


def _steps(classes: EquivalenceClasses, value: Value, line: Line) -> str:
    """Each cell of a class: the heights that E has before and after it, and the counts where F reaches them."""
    return f"""
        SELECT running.class_id, place, n, size, CAST(n AS DOUBLE) / mass AS q,
               CAST(e AS DOUBLE) / mass AS h, {_level("e", line)} AS level,
               CAST(e - n AS DOUBLE) / mass AS h_before, {_level("(e - n)", line)} AS level_before
        FROM (
            SELECT *, CAST(sum(n) OVER (PARTITION BY class_id ORDER BY place {UP_TO_HERE}) AS BIGINT) AS e
            FROM {_placed(classes, value, line)} AS placed) AS running
        JOIN {classes.known(value)} AS known ON known.class_id = running.class_id"""


def _placed(classes: EquivalenceClasses, value: Value, line: Line) -> str:
    """The cells with their place, and the count of everybody up to there: a SELECT of class_id, place, c and n."""
    return f"""(
        SELECT cell.class_id, line.place, line.c, cell.n
        FROM {classes.cells(value)} AS cell JOIN {line.table} AS line ON line.value = cell.value)"""


def _level(e: str, line: Line) -> str:
    """The count at which everybody has the share e / mass, rounded up; null where they have it already."""
    return f"CASE WHEN c * mass < {e} * {line.members} THEN ({e} * {line.members} + mass - 1) // mass END"


def _crossings(steps: str, line: Line) -> str:
    """For each level, the first value where everybody's count reaches it."""
    return f"""
        SELECT found.level, {listed(f"line.x{scale}, line.g{scale}" for scale in line.means)}
        FROM (
            SELECT reach AS level, c, min(c) OVER (ORDER BY reach DESC
                RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS reached
            FROM (
                SELECT DISTINCT level AS reach, CAST(NULL AS BIGINT) AS c FROM {steps} WHERE level IS NOT NULL
                UNION ALL SELECT c AS reach, c FROM {line.table}) AS merged) AS found
        JOIN {line.table} AS line ON line.c = found.reached WHERE found.c IS NULL"""


def _added(scale: str, line: Line) -> str:
    x, g = f"x{scale}", f"g{scale}"

    def above(height: str, until: str) -> str:
        return f"coalesce(step.{height} * ({until}.{x} - here.{x}) - {until}.{g} + here.{g}, 0)"

    mean = literal(line.means[scale])
    area = f"step.q * (here.{x} - {mean}) + 2 * ({above('h', 'upper')} - {above('h_before', 'lower')})"
    return f"({area}) / {line.length(scale)}"


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

"""Transport: how far the members of a class must be moved to look like everybody.

For ordered values the earth mover's distance between the distribution of a class and that of the
whole table is the area between their cumulative distributions E and F:

    W(E, F) = integral of |E(x) - F(x)| dx

E only changes at the values that occur in the class. Between two of them, x and x', E is constant and F
rises, so they cross at most once, at the first value x* where F reaches E; on either side the area is a
difference of G(x), the integral of F up to x, which is one running sum over the whole table:

    F >= E throughout:  (G' - G) - E (x' - x)
    F <= E throughout:  E (x' - x) - (G' - G)
    crossing at x*:     E (x* - x) - (G* - G) + (G' - G*) - E (x' - x*)

So the work grows with the cells of the classes and not with classes times values: a million distinct
values are no obstacle. Both scales are read in one go: positions 0, 1, ... m - 1 (ordered distance) and the
values themselves (Wasserstein), both divided by their range.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from sfumato.classes import EquivalenceClasses, Value
from sfumato.engine import Table, listed, literal, total
from sfumato.errors import WrongScale

UP_TO_HERE = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"


@dataclass(frozen=True)
class Line:
    """The distribution of everybody along a line: columns place, n, c, x1, g1 and, for numbers, x2, g2.

    `place` is the position of the value from 1 on, n its count, c the count up to it; x is where it lies
    between 0 and 1, g the integral of c up to x; on scale 1 by position, on scale 2 by value.
    """

    table: Table
    members: int
    values: int
    range: float | None  # None where there is no distance: no numbers, or infinite ones
    scales: tuple[str, ...]


def transport(classes: EquivalenceClasses, value: Value) -> Table:
    """The distance of each class from the whole: columns class_id, ordered and, for numbers, moved.

    `ordered` counts in positions and `moved` in the unit of the variable, both as a share of the range.
    """
    line = whole_line(classes, value)
    found = classes.held(("transport", value), lambda: _areas(classes, value, line))
    classes.release(("steps", value), ("crossings", value))
    return found


def whole_line(classes: EquivalenceClasses, value: Value) -> Line:
    """Everybody's values along a line, for the transport of the classes onto it."""
    numeric = _numeric(classes, value)
    order = _position(classes, value)
    counted = classes.held(("whole", value), lambda: f"""
        SELECT value, CAST(sum(n) AS BIGINT) AS n FROM {classes.own_cells(value)} GROUP BY value""")  # fmt: skip
    low, high = ("min(value)", "max(value)") if numeric else ("NULL", "NULL")
    members, values, low, high = classes.engine.fetch(
        f"SELECT CAST(sum(n) AS BIGINT), count(*), {low}, {high} FROM {counted}"
    )[0]
    span = float(high) - float(low) if numeric and values else None
    span = span if span is not None and isfinite(span) else None
    scales = ("1", "2") if numeric else ("1",)
    table = classes.held(("line", value), lambda: _line(f"{counted}", order, values, low, span))
    return Line(table, int(members or 0), int(values), span, scales)


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


def _line(counted: str, order: str, values: int, low: float | None, span: float | None) -> str:
    """The running sums along the line, in two sorts: by value, and then by place.

    Up to the value before the j-th there are c_j - n_j members, so that over places, which lie one step apart,
    G_i is the sum of c_j - n_j over j <= i. Over values, summed by parts, G_i = c_i x_i - sum over j <= i of n_j x_j.
    """
    steps = max(values - 1, 1)
    x2 = f"(CAST(value AS DOUBLE) - {literal(float(low or 0))}) / {literal(span)}" if span else "CAST(0 AS DOUBLE)"
    return f"""
        WITH scaled AS (SELECT value, n, {x2} AS x2 FROM {counted}),
        placed AS (
            SELECT value, n, x2, CAST(row_number() OVER along AS INTEGER) AS place,
                   CAST(sum(n) OVER along AS BIGINT) AS c,
                   CAST(sum(CAST(n * x2 AS DECIMAL(38, 18))) OVER along AS DOUBLE) AS moment
            FROM scaled WINDOW along AS (ORDER BY {order} {UP_TO_HERE}))
        SELECT value, n, place, c,
               CAST(place - 1 AS DOUBLE) / {steps} AS x1,
               CAST(sum(c - n) OVER (ORDER BY place {UP_TO_HERE}) AS DOUBLE) / {steps} AS g1,
               x2, c * x2 - moment AS g2
        FROM placed"""


def _areas(classes: EquivalenceClasses, value: Value, line: Line) -> str:
    steps = classes.held(("steps", value), lambda: _steps(classes, value, line))
    crossings = classes.held(("crossings", value), lambda: _crossings(f"{steps}", line))
    names = {"1": "ordered", "2": "moved"}
    areas = listed(f"greatest({total(_area(scale, line.members))}, 0) AS {names[scale]}" for scale in line.scales)
    return f"""
        SELECT step.class_id, {areas}
        FROM {steps} AS step
        JOIN {line.table} AS here ON here.place = step.place
        JOIN {line.table} AS there ON there.place = step.next_place
        LEFT JOIN {crossings} AS crossing ON crossing.level = step.level
        GROUP BY step.class_id"""


def _steps(classes: EquivalenceClasses, value: Value, line: Line) -> str:
    """Each value of a class, how many members lie up to it (e), and the next value of the class.

    `level` is the count at which everybody has the same share as the class, e N / size rounded up: F reaches
    E at the first value with c >= level. It is null where the two do not cross before the next value.
    """
    return f"""
        WITH step AS (
            SELECT cell.class_id, line.place, line.c, cell.n, mass.size,
                   CAST(sum(cell.n) OVER (
                       PARTITION BY cell.class_id ORDER BY line.place {UP_TO_HERE}) AS BIGINT) AS e,
                   lead(line.place, 1, {line.values}) OVER (
                       PARTITION BY cell.class_id ORDER BY line.place) AS next_place
            FROM {classes.cells(value)} AS cell
            JOIN {line.table} AS line ON line.value = cell.value
            JOIN {classes.mass(value)} AS mass ON mass.class_id = cell.class_id)
        SELECT class_id, place, next_place, e, n, size,
               CASE WHEN c * size < e * {line.members} THEN (e * {line.members} + size - 1) // size END AS level
        FROM step"""


def _crossings(steps: str, line: Line) -> str:
    """For each level, the first value where everybody's count reaches it."""
    return f"""
        WITH levels AS (SELECT DISTINCT level FROM {steps} WHERE level IS NOT NULL),
        merged AS (
            SELECT level AS reach, CAST(NULL AS BIGINT) AS c FROM levels
            UNION ALL SELECT c AS reach, c FROM {line.table}),
        found AS (
            SELECT reach AS level, c, min(c) OVER (ORDER BY reach DESC
                RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS reached FROM merged)
        SELECT found.level, line.place, line.x1, line.g1, line.x2, line.g2
        FROM found JOIN {line.table} AS line ON line.c = found.reached WHERE found.c IS NULL"""


def _area(scale: str, members: int) -> str:
    x, g = f"x{scale}", f"g{scale}"
    share = "CAST(step.e AS DOUBLE) / step.size"

    def between(start: str, end: str) -> str:
        return f"(({end}.{g} - {start}.{g}) / {members} - {share} * ({end}.{x} - {start}.{x}))"

    before = f"CASE WHEN step.e = step.n THEN here.{g} / {members} ELSE 0 END"
    return f"""{before} + CASE
        WHEN step.level IS NULL THEN {between("here", "there")}
        WHEN crossing.place >= step.next_place THEN -{between("here", "there")}
        ELSE {between("crossing", "there")} - {between("here", "crossing")} END"""


def _numeric(classes: EquivalenceClasses, value: Value) -> bool:
    # Where an order is given, numbers are names of places, and their differences say nothing.
    ordered = value.bins or classes.orders.get(value.sensitive)
    return not ordered and classes.records.kinds[classes.column(value.sensitive)].numeric


def _position(classes: EquivalenceClasses, value: Value) -> str:
    """The order of the values: as given for an ordinal column, of the bins, or their own."""
    given = classes.bins(value).labels if value.bins else classes.orders.get(value.sensitive, ())
    if not given:
        return "value"
    places = " ".join(f"WHEN {literal(text)} THEN {i}" for i, text in enumerate(given))
    return f"CASE CAST(value AS VARCHAR) {places} ELSE {len(given)} END, value"

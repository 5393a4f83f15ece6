"""Influence: how many people each column tells apart, that no other column would.

The number of classes without a column is needed for every column. Regrouping the table for each would cost as many
passes as there are columns; here columns are halved again and again instead. A row that is alone on one half of the
columns is alone whichever column of the other half is left out, so it is counted once and for all and only the
others are looked at further: in a table of many columns next to none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sfumato.schema import Missing
from sfumato.tables.engine import Kind, Table, listed, one_value, quoted, unused

# Neither number changes a count, only how long it takes; both are chosen, not measured. To copy the rows that are left
# pays when a quarter of them drops out, since every copy is read once for each column that is still to be left out;
# and with fewer than four such columns, hashing all rows costs about as much as it could save.
WORTHWHILE = 0.25  # share of the rows that must drop out before the others are copied
MANY = 4  # columns to leave out, for which it is worth looking which rows drop out
FEW = 0.1  # share of the rows of which at most is looked at further; chosen
CODED_FROM = 100_000  # rows from which numbering the values first, to group by numbers, takes less time than it saves


@dataclass(frozen=True)
class ClassCount:
    """Into how many classes the records fall, and how many records are alone in theirs."""

    classes: int
    alone: int

    def __add__(self, other: ClassCount) -> ClassCount:
        return ClassCount(self.classes + other.classes, self.alone + other.alone)


@dataclass(frozen=True)
class Influences:
    """The classes of a table on some columns, and what is left of them without each column, or with it coarser."""

    records: int
    columns: tuple[str, ...]
    whole: ClassCount
    without: Mapping[str, ClassCount]
    coarser: Mapping[str, ClassCount] = field(default_factory=dict)

    @classmethod
    def of_no_columns(cls, records: int) -> Influences:
        """All records are one class; nothing has to be counted."""
        return cls(records, (), ClassCount(min(records, 1), int(records == 1)), {})

    def of(self, column: str) -> float:
        r"""The influence of a column on the classes of the table.

        .. math:: I(C_i) = 1 - \frac{N_E(T - C_i)}{N_E(T)}, \qquad 0 \le I(C_i) \le 1 - 1/d

        N_E is the number of classes. The upper bound holds for a column of d values, since a class without the
        column splits into at most d. And since the average risk of a record is classes / records, the influence is
        also the share of that risk which goes when the column is left out.

        References
        ----------
        Jung et al., A determination scheme for quasi-identifiers using uniqueness and influence (S4).
        """
        return 1 - self.without[column].classes / self.whole.classes if self.whole.classes else 0.0


def influences(
    table: Table,
    columns: Sequence[str],
    *,
    missing: Missing = Missing.OWN_VALUE,
    coarse: Mapping[str, str] | None = None,
) -> Influences:
    """Count the classes on all columns, and without each of them.

    `coarse` gives for some columns how they would be read more coarsely, as SQL over `value`. Fastest when the
    columns come by the number of their values.

    >>> from sfumato.studies.printed_tables import five_patients
    >>> counts = influences(five_patients().table, ["weight", "age", "gender", "zipcode"])
    >>> counts.whole.classes, {column: counts.of(column) for column in counts.columns}
    (4, {'weight': 0.0, 'age': 0.25, 'gender': 0.0, 'zipcode': 0.0})
    """
    distinct = distinct_rows(table, columns, missing)
    counts = influences_of(distinct, columns, coarse or {})
    table.engine.drop(distinct)
    return counts


def influences_of(distinct: Table, columns: Sequence[str], coarse: Mapping[str, str]) -> Influences:
    """The same from rows that are distinct already."""
    names = {f"q{i}": column for i, column in enumerate(columns, 1)}
    records, classes, alone = distinct.engine.fetch(
        f"SELECT coalesce(sum(n), 0), count(*), count(*) FILTER (WHERE n = 1) FROM {distinct}"
    )[0]
    whole = ClassCount(int(classes), int(alone))
    coarser = {q: sql for q, column in names.items() if (sql := coarse.get(column))}
    counts = _Search(coarser).left(distinct, tuple(names), (), ClassCount(0, 0)) if columns else {}
    return Influences(
        int(records), tuple(columns), whole,
        {column: counts[q][0] for q, column in names.items()},
        {column: counts[q][1] for q, column in names.items() if q in coarser},
    )  # fmt: skip


def distinct_rows(table: Table, columns: Sequence[str], missing: Missing, *, short: bool = False) -> Table:
    """The different rows under neutral names, q1, q2, ..., and how often each occurs, n; `short` texts spelt out."""
    kinds, source = table.kinds, table
    values = [f"CAST({quoted(c)} AS VARCHAR)" if kinds[c] is Kind.OTHER else one_value(quoted(c), kinds[c])
              for c in columns]  # fmt: skip
    if missing is Missing.NEVER_MATCHES:
        row = unused("row", table.columns.__contains__)
        source = table.engine.numbered(f"SELECT * FROM {table}", row, held=False)
        values = [f"CASE WHEN {v} IS NULL THEN concat('row ', {quoted(row)}) "
                  f"ELSE concat('value ', CAST({v} AS VARCHAR)) END" for v in values]  # fmt: skip
    named = [f"{value} AS q{i}" for i, value in enumerate(values, 1)]
    by = [f"q{i}" for i in range(1, len(columns) + 1)]
    counted = f"""
        SELECT {listed([*by, "count(*) AS n"])} FROM (SELECT {listed(named) or "1 AS q0"} FROM {source}) AS record
        GROUP BY {listed(by) or "q0"}"""  # fmt: skip
    spelt = [f"CAST({q} AS VARCHAR) AS {q}" if kinds[c] is Kind.TEXT else q for q, c in zip(by, columns, strict=True)]
    return table.engine.query(f"SELECT {listed([*spelt, 'n'])} FROM ({counted}) AS counted" if short else counted)


def numbered_values(distinct: Table, width: int) -> Table:
    """Distinct rows with a number for each value, and the value itself beside it: v1 beside q1, v2 beside q2.

    Many rows are then grouped by numbers, which takes half the time of texts and dates. Few rows stay as they are.
    """
    engine = distinct.engine
    if width == 0 or distinct.count() < CODED_FROM:
        return distinct
    columns = [f"q{i}" for i in range(1, width + 1)]
    number = "CAST(row_number() OVER (ORDER BY value) AS INTEGER) AS number"
    different = {q: f"(SELECT DISTINCT {q} AS value FROM {distinct}) AS v" for q in columns}
    lists = {q: engine.query(f"SELECT value, {number} FROM {values}") for q, values in different.items()}
    taken = listed([*(f"n_{q}.number AS {q}, n_{q}.value AS {_valued(q)}" for q in columns), "r.n"])
    joined = " ".join(f"JOIN {lists[q]} AS n_{q} ON r.{q} IS NOT DISTINCT FROM n_{q}.value" for q in columns)
    rows = engine.query(f"SELECT {taken} FROM {distinct} AS r {joined}")
    engine.drop(distinct, *lists.values())
    return rows


def mostly_alone(distinct: Table, width: int) -> bool:
    """Whether nearly all rows are alone on either half of the columns, those that influences begin with.

    Then next to none is looked at further, and to number the values of all would take far longer than it saves: of 1.2
    million rows by 50 columns that are all different, nine tenths of the time.
    """
    if width < MANY:
        return False
    columns = [f"q{i}" for i in range(1, width + 1)]
    for half in (columns[::2], columns[1::2]):
        shared, rows = distinct.engine.fetch(f"""
            SELECT coalesce(sum(CASE WHEN copies > 1 THEN copies END), 0), coalesce(sum(copies), 0)
            FROM (SELECT count(*) AS copies FROM {distinct} GROUP BY hash({listed(half)})) AS hashes""")[0]
        if shared > FEW * rows:
            return False
    return True


def _valued(column: str) -> str:
    """Where the values stand of which a column has the numbers."""
    return f"v{column[1:]}"


@dataclass(frozen=True)
class _Left:
    """The rows that have to be looked at further (None: there are none), and the count of those that need not."""

    rows: Table | None
    alone: ClassCount = ClassCount(0, 0)
    copied: bool = False  # into a table of their own, which is dropped in the end


@dataclass(frozen=True)
class _Search:
    """Leaves out one column after the other, on fewer and fewer rows."""

    coarser: Mapping[str, str]

    def left(
        self, rows: Table, leave: Sequence[str], keep: Sequence[str], sure: ClassCount
    ) -> dict[str, tuple[ClassCount, ClassCount]]:
        """For each column of `leave`, the classes on all other columns, and on all with the column coarser.

        `sure` counts the rows that are alone on the columns of `keep`; `rows` are the others.
        """
        left = self._not_alone(rows, keep) if keep and len(leave) >= MANY else _Left(rows)
        fewer, sure = left.rows, sure + left.alone
        if fewer is None:
            return dict.fromkeys(leave, (sure, sure))
        if len(leave) == 1:
            counts = {leave[0]: self._counted(fewer, leave[0], keep, sure)}
        else:
            # Every other column, since they come by the number of their values: both halves tell much apart.
            halves = leave[::2], leave[1::2]
            counts = self.left(fewer, halves[0], [*keep, *halves[1]], sure)
            counts |= self.left(fewer, halves[1], [*keep, *halves[0]], sure)
        if left.copied:
            fewer.engine.drop(fewer)
        return counts

    def _not_alone(self, rows: Table, keep: Sequence[str]) -> _Left:
        """The rows that share a hash of these columns with another one, and the count of the others.

        Rows that are equal share their hash; some may share it by accident, and are then looked at further.
        """
        engine = rows.engine
        hashed = engine.view(f"SELECT *, hash({listed(keep)}) AS h FROM {rows}")
        hashes = engine.query(f"SELECT h, count(*) AS copies, min(n) AS n FROM {hashed} GROUP BY h")
        total, alone, single = engine.fetch(f"""
            SELECT coalesce(sum(copies), 0), count(*) FILTER (WHERE copies = 1),
                   count(*) FILTER (WHERE copies = 1 AND n = 1) FROM {hashes}""")[0]
        left = _Left(rows if total else None)
        if alone and alone >= WORTHWHILE * total:
            shared = f"SELECT h FROM {hashes} WHERE copies > 1"
            chosen = f"SELECT {listed(rows.columns)} FROM {hashed} WHERE h IN ({shared})"
            some = total > alone
            left = _Left(engine.query(chosen) if some else None, ClassCount(int(alone), int(single)), copied=some)
        engine.drop(hashed, hashes)
        return left

    def _counted(
        self, rows: Table, column: str, keep: Sequence[str], sure: ClassCount
    ) -> tuple[ClassCount, ClassCount]:
        without = self._crowd(rows, keep, f"{rows}") + sure
        if column not in self.coarser:
            return without, without
        value = _valued(column) if _valued(column) in rows.columns else column
        valued = f"(SELECT *, {value} AS value FROM {rows}) AS valued"
        coarse = f"(SELECT {listed([*keep, 'n'])}, {self.coarser[column]} AS coarse FROM {valued})"
        return without, self._crowd(rows, [*keep, "coarse"], coarse) + sure

    def _crowd(self, rows: Table, by: Sequence[str], source: str) -> ClassCount:
        grouped = f"GROUP BY {listed(by)}" if by else "HAVING count(*) > 0"
        classes, alone = rows.engine.fetch(f"""
            SELECT count(*), count(*) FILTER (WHERE n = 1)
            FROM (SELECT sum(n) AS n FROM {source} AS kept {grouped}) AS class""")[0]
        return ClassCount(int(classes), int(alone))

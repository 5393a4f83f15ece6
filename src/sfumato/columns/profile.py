"""The profile of a table: the counts and the sample of values that every kind of evidence reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb, fsum

from sfumato.errors import UnknownColumn
from sfumato.progress import Tell, quiet
from sfumato.schema import Missing
from sfumato.tables.engine import Engine, Kind, Table, one_value, quoted

# Different values of a column that recognisers look at. Of 500 values the share that matches is known to within 0.04
# (two standard deviations, 2 * sqrt(0.25 / 500)), which is finer than the shares that recognisers ask for were set.
SAMPLE = 500


@dataclass(frozen=True)
class ColumnProfile:
    """One column in numbers. A missing value is a value of its own: missing matches missing.

    `sample` holds different values as text, missing ones left out. It is read by recognisers and never shown.
    """

    name: str
    kind: Kind
    records: int
    missing: int  # records without a value
    distinct: int  # different values
    once: int  # values that occur exactly once
    rarity: float  # the sum over the different values of 1 / (how often it occurs)
    pairs: int  # pairs of records with the same value
    sample: tuple[str, ...] = field(default=(), repr=False)
    label: str | None = None  # what the source, or a data dictionary, calls the column in words
    value_labels: tuple[str, ...] = ()  # what the source calls the codes of the column, in words
    identifier: bool | None = None  # what a data dictionary says: an identifier or not; None: it says nothing
    influence: float | None = None  # share of the classes that are told apart by this column alone

    @property
    def present(self) -> int:
        """Records with a value."""
        return self.records - self.missing

    @property
    def missing_share(self) -> float:
        """Records without a value, as a share of all."""
        return self.missing / self.records if self.records else 0.0

    @property
    def uniqueness(self) -> float:
        """Values that occur exactly once, per record (S4.3)."""
        return self.once / self.records if self.records else 0.0

    @property
    def score(self) -> float | None:
        """Uniqueness and influence together (S4.5); None for a column that is no primary quasi-identifier."""
        return None if self.influence is None else self.uniqueness + self.influence

    @property
    def known(self) -> int:
        """Different values, missing not counted."""
        return self.distinct - (1 if self.missing else 0)


@dataclass(frozen=True)
class Profile:
    """Every column in numbers, in the order of the table."""

    records: int
    columns: tuple[ColumnProfile, ...]

    def __iter__(self) -> Iterator[ColumnProfile]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> ColumnProfile:
        for column in self.columns:
            if column.name == name:
                return column
        raise UnknownColumn(name, [column.name for column in self.columns])

    @classmethod
    def of(cls, table: Table, *, missing: Missing = Missing.OWN_VALUE, tell: Tell = quiet) -> Profile:
        """Count the values of every column, one pass for each."""
        kinds = table.kinds
        columns = []
        for number, (name, kind) in enumerate(kinds.items(), 1):
            tell(f"Counting the values of column {number} of {len(kinds)}", number, len(kinds))
            columns.append(_column(table, name, kind, missing))
        return cls(columns[0].records if columns else table.count(), tuple(columns))


def _column(table: Table, name: str, kind: Kind, missing: Missing) -> ColumnProfile:
    engine = table.engine
    counted = engine.query(f"SELECT value, count(*) AS n FROM {_values(table, name, kind)} GROUP BY value")
    rows = engine.fetch(f"SELECT n, count(*), count(*) - count(value) FROM {counted} GROUP BY n ORDER BY n")
    histogram = [(int(n), int(values)) for n, values, _ in rows]
    lacking = next((int(n) for n, _, null in rows if null), 0)
    sample = _sample(engine, str(counted), SAMPLE)
    engine.drop(counted)
    return _profile(name, kind, _matched(histogram, lacking, missing), lacking, sample)


def values_of_key(table: Table, column: ColumnProfile, most: int) -> tuple[str, ...]:
    """The values of a column that has each once, as text: at most so many, the beginning of which is the sample."""
    return _sample(table.engine, _values(table, column.name, column.kind), most)


def _values(table: Table, name: str, kind: Kind) -> str:
    """The values of a column, equal ones the same."""
    value = f"CAST({quoted(name)} AS VARCHAR)" if kind is Kind.OTHER else one_value(quoted(name), kind)
    return f"(SELECT {value} AS value FROM {table}) AS v"


def _sample(engine: Engine, values: str, most: int) -> tuple[str, ...]:
    """Some of the different values: those with the smallest hash, so the same ones each time."""
    return tuple(str(text) for (text,) in engine.fetch(f"""
        SELECT CAST(value AS VARCHAR) FROM {values} WHERE value IS NOT NULL
        ORDER BY hash(value), 1 LIMIT {most}"""))  # fmt: skip


def _matched(histogram: Sequence[tuple[int, int]], lacking: int, missing: Missing) -> list[tuple[int, int]]:
    """How many values occur how often, when a missing value is one value, or each a value of its own."""
    if missing is Missing.OWN_VALUE or not lacking:
        return list(histogram)
    others = [(n, values - (n == lacking)) for n, values in histogram]
    return [(1, lacking), *((n, values) for n, values in others if values)]


def _profile(
    name: str, kind: Kind, histogram: Sequence[tuple[int, int]], lacking: int, sample: tuple[str, ...]
) -> ColumnProfile:
    return ColumnProfile(
        name=name,
        kind=kind,
        records=sum(n * values for n, values in histogram),
        missing=lacking,
        distinct=sum(values for _, values in histogram),
        once=sum(values for n, values in histogram if n == 1),
        rarity=fsum(values / n for n, values in histogram),
        pairs=sum(values * comb(n, 2) for n, values in histogram),
        sample=sample,
    )

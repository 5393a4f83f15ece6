"""The profile of a table: the counts and the sample of values that every kind of evidence reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb, fsum

from sfumato.columns.column_shapes import Shape, shape_of_texts, shapes_of_counts
from sfumato.errors import UnknownColumn
from sfumato.progress import Tell, quiet
from sfumato.schema import Missing
from sfumato.tables.engine import Engine, Kind, Table, listed, one_value, quoted

# Different values of a column that recognisers look at. Of 500 values the share that matches is known to within 0.04
# (two standard deviations, 2 * sqrt(0.25 / 500)), which is finer than the shares that recognisers ask for were set.
SAMPLE = 500
CELLS = 1_000_000  # that are counted in one statement. Chosen: a column of a large table by itself, many of a small one
AT_ONCE = 200  # columns of one statement
TOGETHER = 30  # columns that are grouped each by itself in one statement: a bit for each, in a number of 32 on Spark


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
    shape: Shape = ()  # how often values occur, without the values
    why: str | None = None  # why the source was read as values of this kind
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
    def values_seen_once(self) -> float:
        """Values that occur exactly once, per record (S4.3): what the paper calls the uniqueness of a column."""
        return self.once / self.records if self.records else 0.0

    @property
    def score(self) -> float | None:
        """Values seen once, per record, and influence together (S4.5); None where influence is not counted."""
        return None if self.influence is None else self.values_seen_once + self.influence

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
    def of(
        cls,
        table: Table,
        *,
        missing: Missing = Missing.OWN_VALUE,
        tell: Tell = quiet,
        records: int | None = None,
    ) -> Profile:
        """Count the values of every column: of many columns at once where there are few records.

        How many records there are may be known already.
        """
        records, done, columns = table.count() if records is None else records, 0, dict[str, ColumnProfile]()
        if records <= SAMPLE and table.engine.stacks:
            return cls(records, _of_few_records(table, records, missing))
        most = max(1, CELLS // max(1, records)) if table.engine.stacks else 1
        for kind, names in _parts(table, most):
            tell(f"Counting the values of column {done + 1} of {len(table.kinds)}", done + 1, len(table.kinds))
            columns |= _counted(table, names, kind, records, missing)
            done += len(names)
        return cls(records, tuple(columns[name] for name in table.kinds))


def _parts(table: Table, most: int) -> Iterator[tuple[Kind, list[str]]]:
    """The columns by kind, in parts of so many at most."""
    for kind in dict.fromkeys(table.kinds.values()):
        names = [name for name, own in table.kinds.items() if own is kind]
        size = min(most, AT_ONCE)
        for start in range(0, len(names), size):
            yield kind, names[start : start + size]


def counted_columns(table: Table, names: Sequence[str]) -> dict[str, Table]:
    """The different values of each column with how many records hold them, `value` and `n`; one statement for many."""
    counted: dict[str, Table] = {}
    for start in range(0, len(names), TOGETHER):
        part = names[start : start + TOGETHER]
        places = [f"c{i}" for i in range(len(part))]
        read = (f"{_value(name, table.kinds[name])} AS {place}" for name, place in zip(part, places, strict=True))
        alone = f"GROUPING SETS ({listed(f'({place})' for place in places)})"
        together = table.engine.near(f"""
            SELECT grouping_id({listed(places)}) AS which, {listed(places)}, count(*) AS n
            FROM (SELECT {listed(read)} FROM {table}) AS v GROUP BY {alone}""")
        for i, (name, place) in enumerate(zip(part, places, strict=True)):
            own = 2 ** len(part) - 1 - 2 ** (len(part) - 1 - i)  # a bit for each column that is not grouped by
            counted[name] = together.engine.view(
                f"SELECT 0 AS i, {place} AS value, n FROM {together} WHERE which = {own}"
            )
    return counted


def profile_of_counts(counted: Table, name: str, kind: Kind, records: int) -> ColumnProfile:
    """The profile of a column whose different values were counted: `i`, which is 0, `value` and `n`."""
    return _profiles(counted, [name], kind, records, Missing.OWN_VALUE)[name]


def _counted(
    table: Table, names: Sequence[str], kind: Kind, records: int, missing: Missing
) -> dict[str, ColumnProfile]:
    """The profiles of columns of one kind, which are counted as one: each value with the place of its column."""
    engine = table.engine
    read = [_value(name, kind) for name in names]
    stacked = (
        f"SELECT 0 AS i, {read[0]} AS value FROM {table}"
        if len(names) == 1
        else f"SELECT unnest(range({len(names)})) AS i, unnest([{listed(read)}]) AS value FROM {table}"
    )
    counted = engine.query(f"SELECT i, value, count(*) AS n FROM ({stacked}) AS v GROUP BY i, value")
    profiles = _profiles(counted, names, kind, records, missing)
    engine.drop(counted)
    return profiles


def _profiles(
    counted: Table, names: Sequence[str], kind: Kind, records: int, missing: Missing
) -> dict[str, ColumnProfile]:
    """The profiles of columns of one kind whose values were counted: the place of the column, `value` and `n`."""
    engine = counted.engine
    histograms: dict[int, list[tuple[int, int]]] = {i: [] for i in range(len(names))}
    lacking = dict.fromkeys(histograms, 0)
    # Sorted here: to sort few rows on Spark takes two more jobs.
    for i, n, values, null in sorted(engine.fetch(f"""
            SELECT i, n, count(*), count(*) - count(value) FROM {counted} GROUP BY i, n""")):  # fmt: skip
        histograms[i].append((int(n), int(values)))
        lacking[i] = int(n) if null else lacking[i]
    samples, shapes = _samples(engine, counted, len(names)), shapes_of_counts(engine, counted, kind, len(names))
    return {
        name: _profile(
            name,
            kind,
            records,
            _matched(histograms[i], lacking[i], missing),
            lacking=lacking[i],
            sample=samples[i],
            shape=shapes[i],
        )
        for i, name in enumerate(names)
    }


def _of_few_records(table: Table, records: int, missing: Missing) -> tuple[ColumnProfile, ...]:
    """The profiles of a table with no more records than a sample has: every value is in it, and one statement does.

    Of thousands of small tables, statements are what costs. The values stand in the order in which `_samples` has them.
    """
    columns: list[ColumnProfile] = []
    items = [(name, kind, _value(name, kind)) for name, kind in table.kinds.items()]
    for start in range(0, len(items), AT_ONCE):
        part = items[start : start + AT_ONCE]
        counts: list[list[tuple[str | None, int]]] = [[] for _ in part]
        texts, hashes = (
            listed(sql.format(value) for _, _, value in part) for sql in ("CAST({} AS VARCHAR)", "hash({})")
        )
        for i, value, n in table.engine.fetch(f"""
                SELECT i, value, count(*)
                FROM (SELECT unnest(range({len(part)})) AS i, unnest([{texts}]) AS value, unnest([{hashes}]) AS place
                      FROM {table}) AS v
                GROUP BY i, value, place
                ORDER BY i, place, value"""):  # fmt: skip
            counts[i].append((value, int(n)))
        for (name, kind, _), counted in zip(part, counts, strict=True):
            lacking = next((n for value, n in counted if value is None), 0)
            histogram = sorted(Counter(n for _, n in counted).items())
            sample = tuple(value for value, _ in counted if value is not None)
            matched = _matched(histogram, lacking, missing)
            shape = shape_of_texts([(value, n) for value, n in counted if value is not None], kind)
            columns.append(_profile(name, kind, records, matched, lacking=lacking, sample=sample, shape=shape))
    return tuple(columns)


def _samples(engine: Engine, counted: Table, width: int) -> list[tuple[str, ...]]:
    """Some of the different values of each column: those with the smallest hash, so the same ones each time."""
    samples: list[list[str]] = [[] for _ in range(width)]
    ranked = f"""SELECT i, value, row_number() OVER (PARTITION BY i ORDER BY hash(value), value) AS place
                 FROM {counted} WHERE value IS NOT NULL"""
    if width == 1:  # as many rows as there are values: the smallest are kept while they are read
        ranked = f"""SELECT i, value, 1 AS place FROM {counted} WHERE value IS NOT NULL
                     ORDER BY hash(value), value LIMIT {SAMPLE}"""
    chosen = f"SELECT i, CAST(value AS VARCHAR) FROM ({ranked}) AS r WHERE place <= {SAMPLE}"
    for i, text in engine.fetch(f"{chosen} ORDER BY i, hash(value), value"):
        samples[i].append(str(text))
    return [tuple(sample) for sample in samples]


def values_of_key(table: Table, column: ColumnProfile, most: int) -> tuple[str, ...]:
    """The values of a column that has each once, as text: at most so many, the beginning of which is the sample."""
    values = f"(SELECT {_value(column.name, column.kind)} AS value FROM {table}) AS v"
    return tuple(str(text) for (text,) in table.engine.fetch(f"""
        SELECT CAST(value AS VARCHAR) FROM {values} WHERE value IS NOT NULL
        ORDER BY hash(value), value LIMIT {most}"""))  # fmt: skip


def _value(name: str, kind: Kind) -> str:
    """SQL: the value of a column, equal ones the same."""
    return f"CAST({quoted(name)} AS VARCHAR)" if kind is Kind.OTHER else one_value(quoted(name), kind)


def _matched(histogram: Sequence[tuple[int, int]], lacking: int, missing: Missing) -> list[tuple[int, int]]:
    """How many values occur how often, when a missing value is one value, or each a value of its own."""
    if missing is Missing.OWN_VALUE or not lacking:
        return list(histogram)
    others = [(n, values - (n == lacking)) for n, values in histogram]
    return [(1, lacking), *((n, values) for n, values in others if values)]


def _profile(
    name: str, kind: Kind, records: int, histogram: Sequence[tuple[int, int]], *, lacking: int,
    sample: tuple[str, ...], shape: Shape,
) -> ColumnProfile:  # fmt: skip
    return ColumnProfile(
        name=name,
        kind=kind,
        records=records,
        missing=lacking,
        distinct=sum(values for _, values in histogram),
        once=sum(values for n, values in histogram if n == 1),
        rarity=fsum(values / n for n, values in histogram),
        pairs=sum(values * comb(n, 2) for n, values in histogram),
        sample=sample,
        shape=shape,
    )

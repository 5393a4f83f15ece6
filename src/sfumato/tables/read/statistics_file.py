"""Files of statistics packages (SAS, SPSS, Stata): what they have in common, read with pyreadstat."""

from __future__ import annotations

import datetime as dt
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import UnreadableFile
from sfumato.tables.engine import Kind
from sfumato.tables.read.columns import distinct_names
from sfumato.tables.read.isolation import IsolatedFormat, StagedRows
from sfumato.tables.read.staged_table import Variable, existing
from sfumato.tables.source import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

# What is read at once: 16 MB of doubles, and of a table that is very wide some rows all the same. Chosen, not measured.
CELLS_AT_ONCE = 2_000_000
LEAST_ROWS = 1_000
DAY, SECOND, MILLISECOND = 86_400_000_000, 1_000_000, 1_000  # in microseconds
EARLY = 10_000_000  # days before 1970 that no file reaches
WHOLE = "a number in the file, and every value is a whole number"


@dataclass(frozen=True)
class TimeFormat:
    """What a display format makes of a number: a date, a timestamp or (as text) a time of day."""

    kind: Kind
    unit: int  # microseconds that one step of the number stands for


@dataclass(frozen=True)
class StatisticsPackage:
    """How a statistics package keeps time, and the function of pyreadstat that reads its files."""

    reader: str
    epoch: dt.date  # the day that is zero
    time_format: Callable[[str], TimeFormat | None]  # by the name of a display format


@dataclass(frozen=True)
class _Field:
    """One variable: its name in the file, its Arrow type, and what its numbers mean."""

    name: str
    original: str
    time_format: TimeFormat | None
    text: bool
    variable: Variable

    @property
    def type(self) -> pa.DataType:
        import pyarrow as pa

        if self.text or (self.time_format and self.time_format.kind is Kind.TEXT):
            return pa.string()
        types = {Kind.DATE: pa.date32(), Kind.TIMESTAMP: pa.timestamp("us")}
        return types[self.time_format.kind] if self.time_format else pa.float64()


class StatisticsFormat(IsolatedFormat):
    """A format of a statistics package: pyreadstat reads it, which is written in C."""

    library: ClassVar[str] = "pyreadstat"
    needs: ClassVar[tuple[str, str]] = ("Reading files of statistics packages", "statistics-files")

    @abstractmethod
    def package(self, source: str) -> StatisticsPackage:
        """How the package keeps time, and what reads the file."""

    def staged(self, source: str, options: ReadOptions) -> StagedRows:
        file = StatisticsFile(source, self.package(source), options.encoding)
        options.bounds.require_names(source, file.names)
        return file.staged()


@dataclass(frozen=True)
class StatisticsFile:
    """One file of a package, read in batches of rows so that it need not fit in memory."""

    source: str
    package: StatisticsPackage
    encoding: str | None = None

    def staged(self) -> StagedRows:
        """The rows of the file: labels kept, empty text and special missing values as null."""
        path = existing(self.source)
        fields, notes = self._fields()
        import pyarrow as pa

        schema = pa.schema([(field.name, field.type) for field in fields])
        variables = tuple(field.variable for field in fields)
        return StagedRows(
            name=path.name, schema=schema, batches=self._batches(fields, schema), variables=variables, missing=("",),
            notes=notes,
        )  # fmt: skip

    @cached_property
    def metadata(self) -> Any:
        """What the file says of itself."""
        return self._read(metadataonly=True)[1]

    @property
    def names(self) -> list[str]:
        """The names of the variables."""
        return list(self.metadata.column_names)

    def _fields(self) -> tuple[list[_Field], tuple[str, ...]]:
        metadata = self.metadata
        if not metadata.column_names:
            raise UnreadableFile(self.source, "it has no variables.")
        names, notes = distinct_names(metadata.column_names)
        pairs = zip(names, metadata.column_names, strict=True)
        return [_field(name, original, metadata, self.package) for name, original in pairs], notes

    def _batches(self, fields: list[_Field], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        step, offset = max(LEAST_ROWS, CELLS_AT_ONCE // len(fields)), 0
        while True:
            values, metadata = self._read(row_limit=step, row_offset=offset)
            rows = len(values[fields[0].original])
            arrays = [self._array(field, values[field.original]) for field in fields]
            if rows:
                yield pa.record_batch(arrays, schema=schema)
            offset += rows
            if rows < step:
                return self._check_whole(offset, metadata.number_rows)

    def _array(self, field: _Field, values: Any) -> pa.Array:
        import pyarrow as pa

        try:
            if field.time_format is None:
                return pa.array(values, type=field.type, from_pandas=True)
            steps = pa.array(values, type=pa.float64(), from_pandas=True)
            return _moments(steps, field.time_format, self.package.epoch)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            problem = f"the column {field.original!r} holds values out of range."
            raise UnreadableFile(self.source, problem) from None

    def _check_whole(self, read: int, declared: int | None) -> None:
        """Files that say how many rows they have must have them."""
        if declared is not None and 0 <= read < declared:
            raise UnreadableFile(
                self.source, f"it ends after {read} of its {declared} rows.", hint="Copy or export it again."
            )

    def _read(self, **how: Any) -> tuple[Mapping[str, Any], Any]:
        import pyreadstat

        how |= {"encoding": self.encoding} if self.encoding else {}
        try:
            reader = getattr(pyreadstat, self.package.reader)
            values, metadata = reader(self.source, output_format="dict", disable_datetime_conversion=True, **how)
            return values, metadata
        except Exception as error:  # its messages may quote a label or a cell
            raise UnreadableFile(self.source, _reason(error)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeError) or "encoding" in str(error):
        return "its text is not in the encoding that it declares. Name the right one with --encoding."
    return "this is not a whole file of its kind; it may be truncated or damaged. Copy or export it again."


def _field(name: str, original: str, metadata: Any, package: StatisticsPackage) -> _Field:
    shown = metadata.original_variable_types.get(original) or ""
    text = metadata.readstat_variable_types[original] == "string"
    time_format = None if text else package.time_format(shown)
    variable = Variable(
        name,
        why=f"its format is {shown}" if time_format else "text in the file" if text else "a number in the file",
        label=metadata.column_names_to_labels.get(original) or None,
        value_labels=metadata.variable_value_labels.get(original, {}),
    )
    if not text and not time_format:
        variable = replace(variable, becomes=Kind.INTEGER, because=WHOLE)
    return _Field(name=name, original=original, time_format=time_format, text=text, variable=variable)


def _moments(values: pa.Array, time_format: TimeFormat, epoch: dt.date) -> pa.Array:
    """Counted steps as dates, timestamps or times of day.

    Whole steps and fractions are scaled apart: microseconds since 1582 need more digits than a double has.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = pc.floor(values)
    fraction = pc.round(pc.multiply(pc.subtract(values, whole), float(time_format.unit))).cast(pa.int64())
    steps = pc.add_checked(pc.multiply_checked(whole.cast(pa.int64()), time_format.unit), fraction)
    if time_format.kind is Kind.TEXT:
        return pa.array([None if step is None else _clock(step) for step in steps.to_pylist()], pa.string())
    since_1970 = pc.add_checked(steps, (epoch - dt.date(1970, 1, 1)).days * DAY)
    if time_format.kind is Kind.DATE:
        days = pc.divide(pc.add_checked(since_1970, EARLY * DAY), DAY)  # positive: division cuts towards zero
        return pc.subtract(days, EARLY).cast(pa.int32()).cast(pa.date32())
    return since_1970.cast(pa.timestamp("us"))


def _clock(microseconds: int) -> str:
    """A time of day, or a duration, as text.

    >>> _clock(3_723_000_000), _clock(108_000_500_000)
    ('01:02:03', '30:00:00.500000')
    """
    sign, size = ("-", -microseconds) if microseconds < 0 else ("", microseconds)
    seconds, part = divmod(size, SECOND)
    clock = f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{clock}.{part:06}" if part else clock

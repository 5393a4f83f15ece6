"""R: one object (rds), or a workspace of several (RData, rda)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import UnreadableFile, did_you_mean
from sfumato.tables.engine import Kind
from sfumato.tables.read.columns import distinct_names
from sfumato.tables.read.isolation import IsolatedFormat, StagedRows
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.packed_file import check_unpacked
from sfumato.tables.read.staged_table import Variable, existing
from sfumato.tables.source import ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

SECOND = 1_000_000  # microseconds
NO_INTEGER = -(2**63)  # how package bit64 writes that a whole number lacks
MAKE_FRAME = "Make a data.frame of it in R, and save that: saveRDS(as.data.frame(x), 'x.rds')."


@dataclass(frozen=True)
class RData(IsolatedFormat):
    """A data frame of an R file: factors as their labels, dates and times as such, NA as missing."""

    suffixes: ClassVar[tuple[str, ...]] = (".rds", ".rda", ".rdata")
    selects: ClassVar[tuple[str, ...]] = ("table",)
    library: ClassVar[str] = "rdata"
    needs: ClassVar[tuple[str, str]] = ("Reading R files", "r-files")

    def check(self, source: str, limits: Limits) -> None:
        check_unpacked(source, limits, "R")

    def held(self, source: str) -> tuple[str, ...]:
        objects = _objects(source, None)
        return tuple(name for name, value in objects.items() if name and isinstance(value, _Frame))

    def staged(self, source: str, options: ReadOptions) -> StagedRows:
        path = existing(source)
        name, frame = _chosen(source, _objects(source, options.encoding), options.table)
        import pyarrow as pa

        options.bounds.require_names(source, [str(column) for column in frame.columns])
        names, renamed = distinct_names([str(column) for column in frame.columns])
        columns = [_column(source, column, value) for column, value in frame.columns.items()]
        arrays = [_array(source, names[place], column) for place, column in enumerate(columns)]
        schema = pa.schema([(name, array.type) for name, array in zip(names, arrays, strict=True)])
        variables = tuple(column.variable(name) for name, column in zip(names, columns, strict=True))
        called = f"{path.name} (object {name!r})" if name else path.name
        return StagedRows(
            name=called, schema=schema, batches=[pa.record_batch(arrays, schema=schema)], variables=variables,
            missing=("",), notes=(*renamed, *frame.notes()),
        )  # fmt: skip


@dataclass(frozen=True)
class _Frame:
    """A data.frame: its columns by name, and whether its rows have names of their own."""

    columns: Mapping[str, Any]
    row_names: bool

    def notes(self) -> tuple[str, ...]:
        words = "The names of the rows are no column, and are not read. If they matter, make them one in R."
        return (words,) if self.row_names else ()


@dataclass(frozen=True)
class _Vector:
    """The values of a column, and what its class in R says that they are."""

    values: Sequence[Any]
    kind: Kind | None = None  # None: as the values are
    why: str = ""
    label: str | None = None
    value_labels: Mapping[str | float, str] = field(default_factory=dict)

    def variable(self, name: str) -> Variable:
        # R makes every number that somebody types a double.
        whole = self.kind is Kind.REAL
        return Variable(
            name, why=self.why, label=self.label, value_labels=self.value_labels,
            becomes=Kind.INTEGER if whole else None, because=f"{self.why}, and every value is a whole number",
        )  # fmt: skip


def _objects(source: str, encoding: str | None) -> dict[str, Any]:
    """The objects of a file by name; the only one of an rds file has none."""
    path = existing(source)
    with _failing(source) as rdata:
        held = rdata.conversion.convert(
            rdata.parser.parse_file(path), CONSTRUCTORS, default_encoding=encoding or "utf-8"
        )  # fmt: skip
    workspace = path.suffix.lower() != ".rds" and isinstance(held, dict)
    return {str(name): value for name, value in held.items()} if workspace else {"": held}


def _chosen(source: str, held: Mapping[str, Any], table: str | None) -> tuple[str, _Frame]:
    """The data frame that was named, or the only one; `UnreadableFile` lists them when unclear."""
    frames = {name: value for name, value in held.items() if isinstance(value, _Frame)}
    if not frames:
        what = "it is a list, a vector or a model" if "" in held else "none of its objects is one"
        raise UnreadableFile(source, f"there is no data.frame in this R file: {what}.", hint=MAKE_FRAME)
    if table is not None and "" not in frames:
        if table not in frames:
            raise UnreadableFile(source, f"there is no data.frame {table!r}.{did_you_mean(table, frames)}")
        return table, frames[table]
    if len(frames) > 1:
        named = ", ".join(f"{name!r} ({len(frame.columns)} columns)" for name, frame in frames.items())
        raise UnreadableFile(source, f"the file holds several data.frames: {named}.", hint="Name one with --table.")
    return next(iter(frames.items()))


@contextmanager
def _failing(source: str) -> Iterator[Any]:
    """Hand out the library, and say what is wrong with a file that it cannot read."""
    import rdata

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they may quote a cell; what matters of them is checked here
            yield rdata
    except UnreadableFile:
        raise
    except Exception:  # its messages may quote a cell
        problem = "this is not a whole R file, or it holds what only R can read."
        raise UnreadableFile(source, problem, hint=MAKE_FRAME) from None


def _frame(columns: Any, attributes: Mapping[str, Any]) -> _Frame | None:
    """A data.frame; None for one whose columns share a name, of which only one would be left."""
    names = attributes.get("names")
    if names is None or len(set(map(str, names))) != len(names):
        return None
    rows = attributes.get("row.names", ())
    return _Frame(dict(columns), row_names=any(isinstance(name, str) for name in rows))


def _factor(codes: Any, attributes: Mapping[str, Any]) -> _Vector:
    levels = [str(level) for level in attributes["levels"]]
    values = [None if code is None or code < 1 else levels[int(code) - 1] for code in _plain(codes)]
    return _Vector(values, Kind.TEXT, "a factor of R")


def _ordered(codes: Any, attributes: Mapping[str, Any]) -> _Vector:
    return replace(_factor(codes, attributes), why="an ordered factor of R")


def _date(days: Any, attributes: Mapping[str, Any]) -> _Vector:
    import datetime as dt

    first = dt.date(1970, 1, 1)
    values = [None if _lacks(day) else first + dt.timedelta(days=int(day // 1)) for day in _plain(days)]
    return _Vector(values, Kind.DATE, "a Date of R")


def _moment(seconds: Any, attributes: Mapping[str, Any]) -> _Vector:
    """Moments by the clock of their time zone, as R shows them: in another zone midnight would be another day."""
    import datetime as dt
    from zoneinfo import ZoneInfo

    zone: dt.tzinfo = dt.UTC
    named = next((str(name) for name in attributes.get("tzone", ()) if name), "UTC")
    try:
        zone = ZoneInfo(named)
    except (OSError, ValueError, KeyError):  # no table of zones on this machine
        named = "UTC"
    epoch = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    moments = [
        None if _lacks(second) else epoch + dt.timedelta(microseconds=round(second * SECOND))
        for second in _plain(seconds)
    ]
    values = [None if moment is None else moment.astimezone(zone).replace(tzinfo=None) for moment in moments]
    return _Vector(values, Kind.TIMESTAMP, f"a POSIXct of R, by the clock of {named}")


def _labelled(values: Any, attributes: Mapping[str, Any]) -> _Vector:
    """Values with labels, as haven and Hmisc write them."""
    codes, label = attributes.get("labels"), next(iter(attributes.get("label", ())), None)
    names = getattr(codes, "coords", {}).get("dim_0") if codes is not None else None
    pairs = zip(_plain(codes), names.values, strict=True) if names is not None else ()
    plain = _plain(values)
    kind = Kind.TEXT if any(isinstance(value, str) for value in plain) else Kind.REAL
    texts = {code: str(name) for code, name in pairs}
    return _Vector(plain, kind, "labelled values of R", None if label is None else str(label), texts)


def _interval(values: Any, attributes: Mapping[str, Any]) -> _Vector:
    unit = next(iter(attributes.get("units", ())), "an unknown unit")
    return _Vector(
        [None if _lacks(value) else value for value in _plain(values)], Kind.REAL, f"a difftime of R, in {unit}"
    )


def _wide_integers(values: Any, attributes: Mapping[str, Any]) -> _Vector:
    import numpy as np

    whole = np.ascontiguousarray(np.asarray(values, dtype=np.float64)).view(np.int64).tolist()
    return _Vector([None if value == NO_INTEGER else value for value in whole], Kind.INTEGER, "an integer64 of R")


CONSTRUCTORS: dict[str, Any] = {
    "data.frame": _frame, "factor": _factor, "ordered": _ordered, "Date": _date, "POSIXct": _moment,
    "difftime": _interval, "haven_labelled": _labelled, "labelled": _labelled, "integer64": _wide_integers,
}  # fmt: skip


def _plain(values: Any) -> list[Any]:
    """The values of an array of numpy as those of Python; null where they are masked."""
    held = values.values if hasattr(values, "dims") else values
    return list(held.tolist()) if hasattr(held, "tolist") else list(held)


def _lacks(value: Any) -> bool:
    return value is None or isnan(value)  # not a number is no value


def _column(source: str, name: str, value: Any) -> _Vector:
    """A column of a data.frame; `UnreadableFile` for one of lists or of tables, which is no column of a table."""
    if isinstance(value, _Vector):
        return value
    kinds = {
        "i": (Kind.INTEGER, "an integer of R"),
        "f": (Kind.REAL, "a number of R"),
        "b": (Kind.BOOLEAN, "a logical of R"),
    }
    sort = getattr(getattr(value, "dtype", None), "kind", "")
    plain = _plain(value) if getattr(value, "ndim", 0) == 1 else []
    if sort in kinds:
        kind, why = kinds[sort]
        return _Vector([None if _lacks(item) else item for item in plain], kind, why)
    if sort in ("U", "O") and all(item is None or isinstance(item, str) for item in plain):
        return _Vector(plain, Kind.TEXT, "text of R")
    problem = f"the column {str(name)!r} holds lists, tables, or text in an encoding that it does not say."
    raise UnreadableFile(source, problem, hint="Leave it out in R, or name the encoding with --encoding.")


def _array(source: str, name: str, column: _Vector) -> pa.Array:
    import pyarrow as pa

    types = {
        Kind.TEXT: pa.string(), Kind.INTEGER: pa.int64(), Kind.REAL: pa.float64(), Kind.BOOLEAN: pa.bool_(),
        Kind.DATE: pa.date32(), Kind.TIMESTAMP: pa.timestamp("us"),
    }  # fmt: skip
    try:
        return pa.array(column.values, types[column.kind or Kind.TEXT], from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        raise UnreadableFile(source, f"the column {name!r} holds values out of range.") from None

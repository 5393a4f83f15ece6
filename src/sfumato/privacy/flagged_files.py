"""Flagged records as files: who is at risk, why, and how much, worst first."""

from __future__ import annotations

from pathlib import Path

from sfumato.errors import OutputError
from sfumato.outputs import file_name, whole
from sfumato.privacy.assessment import Assessment, Reading
from sfumato.privacy.classes import Value
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure
from sfumato.tables.engine import Kind, aliased, literal, unused

PREFIX = "flagged_"  # of the name of each file
FORMATS = ("csv", "parquet")  # that every engine writes by itself, so that no record comes here


def write_flagged(assessment: Assessment, folder: str | Path, *, file_format: str = "csv") -> tuple[Path, ...]:
    """One file per requirement that is not met, CSV or Parquet; what an earlier run wrote of a requirement goes."""
    if file_format not in FORMATS:
        raise OutputError(f"Flagged records are written as {' or '.join(FORMATS)}, not as {file_format!r}.")
    named = tuple(zip(assessment.readings, _names(assessment), strict=True))
    failed = {name: reading for reading, name in named if reading.met is False}
    with whole(folder, private=True) as draft:
        for name, reading in failed.items():
            write_reading(assessment, reading, draft / f"{name}.{file_format}")
    files = tuple(Path(folder) / f"{name}.{file_format}" for name in failed)
    read = (name for reading, name in named if reading.met is not None)
    for earlier in (Path(folder) / f"{name}.{each}" for name in read for each in FORMATS):
        if earlier not in files:
            earlier.unlink(missing_ok=True)
    return files


def _names(assessment: Assessment) -> list[str]:
    """The file of each requirement, without its ending: `flagged_k_anonymity`, `flagged_t_closeness_diagnosis`."""
    # Columns such as a/b and a:b, or S and s, would share a file on some file system.
    names: list[str] = []
    for label in assessment.verdicts.labels:
        names.append(unused(f"{PREFIX}{file_name(label)}", lambda n: n.casefold() in map(str.casefold, names)))
    return names


def write_reading(assessment: Assessment, reading: Reading, path: Path, *, decimals: int | None = None) -> int:
    """The records that one requirement flags: subject, quasi-identifiers as used, sensitive value, reading."""
    number = assessment.readings.index(reading) + 1
    columns = _columns(assessment, reading, number, decimals)
    order = "ASC" if reading.measure.safer is Safer.HIGHER else "DESC"
    sql = assessment.verdicts.flagged(number, columns, order, whole=reading.measure.counts)
    return assessment.classes.engine.write(sql, path)


def _columns(assessment: Assessment, reading: Reading, number: int, decimals: int | None) -> list[str]:
    dataset = assessment.dataset
    who = ("person", dataset.subject) if dataset.subject else ("record", "record")
    columns = [who]
    kinds, lacking = assessment.classes.records.kinds, assessment.classes.totals.incomplete > 0
    for key, name in ((f"k{i}", name) for i, name in enumerate(dataset.quasi_identifiers, 1)):
        columns.append((_shown(key, kinds[key], lacking=lacking), name))
    if isinstance(reading.measure, SensitiveMeasure):
        columns.append((_sensitive(assessment, reading.measure), reading.measure.sensitive))
    columns.append((_rounded(assessment.verdicts.column(number), reading, decimals), reading.measure.column))
    return aliased(columns)


def _shown(key: str, kind: Kind, *, lacking: bool) -> str:
    """A quasi-identifier as used; a missing one is shown as such, so that nobody takes it for an empty text."""
    if kind in (Kind.TEXT, Kind.INTEGER) and not lacking:
        return key  # reads the same as its text, and is sorted by already: a text beside it would be moved as well
    text = f"CAST({key} AS VARCHAR)"
    return f"coalesce({text}, {literal('missing')})" if lacking else text


def _sensitive(assessment: Assessment, measure: SensitiveMeasure) -> str:
    return assessment.classes.read(Value(measure.sensitive, measure.bins))


def _rounded(column: str, reading: Reading, decimals: int | None) -> str:
    if reading.measure.counts:
        return f"CAST({column} AS BIGINT)"
    if decimals is not None:
        return f"CAST(round({column}, {decimals}) AS DECIMAL(28, {decimals}))"
    return f"round({column}, 9)"

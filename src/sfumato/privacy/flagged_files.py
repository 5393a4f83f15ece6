"""Flagged records as files: who is at risk, why, and how much, worst first."""

from __future__ import annotations

from pathlib import Path

from sfumato.outputs import file_name, whole
from sfumato.privacy.assessment import Assessment, Reading
from sfumato.privacy.classes import Value
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure
from sfumato.tables.engine import aliased, literal, unused

PREFIX = "flagged_"  # of the name of each file


def write_flagged(assessment: Assessment, folder: str | Path) -> tuple[Path, ...]:
    """One CSV file per requirement that is not met; a file of an earlier run for one that is met now is removed."""
    named = tuple(zip(assessment.readings, _names(assessment), strict=True))
    failed = [(reading, name) for reading, name in named if reading.met is False]
    with whole(folder, private=True) as draft:
        for reading, name in failed:
            write_reading(assessment, reading, draft / name)
    for reading, name in named:
        if reading.met is True:
            (Path(folder) / name).unlink(missing_ok=True)
    return tuple(Path(folder) / name for _, name in failed)


def _names(assessment: Assessment) -> list[str]:
    """The file of each requirement: `flagged_k_anonymity.csv`, `flagged_t_closeness_diagnosis.csv`."""
    # Columns such as a/b and a:b, or S and s, would share a file on some file system.
    names: list[str] = []
    for label in assessment.verdicts.labels:
        names.append(unused(f"{PREFIX}{file_name(label)}", lambda n: n.casefold() in map(str.casefold, names)))
    return [f"{name}.csv" for name in names]


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
    for i, name in enumerate(dataset.quasi_identifiers, 1):
        columns.append((_shown(f"k{i}", lacking=assessment.classes.totals.incomplete > 0), name))
    if isinstance(reading.measure, SensitiveMeasure):
        columns.append((_sensitive(assessment, reading.measure), reading.measure.sensitive))
    columns.append((_rounded(assessment.verdicts.column(number), reading, decimals), reading.measure.column))
    return aliased(columns)


def _shown(key: str, *, lacking: bool) -> str:
    """A quasi-identifier as used; a missing one is shown as such, so that nobody takes it for an empty text."""
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

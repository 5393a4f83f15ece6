"""Flagged records as files: who is at risk, why, and how much, worst first."""

from __future__ import annotations

from pathlib import Path

from sfumato.assessment import Assessment, Reading
from sfumato.classes import Value
from sfumato.engine import aliased, literal, unused
from sfumato.measure import Safer, SensitiveMeasure
from sfumato.outputs import file_name, whole


def write_flagged(assessment: Assessment, folder: str | Path) -> tuple[Path, ...]:
    """One CSV file per requirement that is not met; a file of an earlier run for one that is met now is removed."""
    failed = [r for r in assessment.readings if r.met is False]
    with whole(folder) as draft:
        for reading in failed:
            write_reading(assessment, reading, draft / name_of(assessment, reading))
    for reading in assessment.readings:
        if reading.met is True:
            (Path(folder) / name_of(assessment, reading)).unlink(missing_ok=True)
    return tuple(Path(folder) / name_of(assessment, reading) for reading in failed)


def name_of(assessment: Assessment, reading: Reading) -> str:
    """The file of a requirement: `flagged_k_anonymity.csv`, `flagged_t_closeness_diagnosis.csv`."""
    # Columns such as a/b and a:b, or S and s, would share a file on some file system.
    names: list[str] = []
    for label in assessment.verdicts.labels:
        names.append(unused(f"flagged_{file_name(label)}", lambda n: n.casefold() in map(str.casefold, names)))
    return f"{names[assessment.readings.index(reading)]}.csv"


def write_reading(assessment: Assessment, reading: Reading, path: Path, *, decimals: int | None = None) -> int:
    """The records that one requirement flags: subject, quasi-identifiers as used, sensitive value, reading."""
    number = assessment.readings.index(reading) + 1
    order = "ASC" if reading.measure.safer is Safer.HIGHER else "DESC"
    sql = assessment.verdicts.flagged(number, _columns(assessment, reading, number, decimals), order)
    return assessment.classes.engine.write(sql, path)


def _columns(assessment: Assessment, reading: Reading, number: int, decimals: int | None) -> list[str]:
    dataset = assessment.dataset
    who = ("person", dataset.subject) if dataset.subject else ("record", "record")
    found = [who]
    for i, name in enumerate(dataset.quasi_identifiers, 1):
        found.append((_shown(f"k{i}"), name))
    if isinstance(reading.measure, SensitiveMeasure):
        found.append((_sensitive(assessment, reading.measure), reading.measure.sensitive))
    found.append((_rounded(assessment.verdicts.column(number), reading, decimals), reading.measure.column))
    return aliased(found)


def _shown(key: str) -> str:
    """A quasi-identifier as used; a missing one is shown as such, so that nobody takes it for an empty text."""
    return f"coalesce(CAST({key} AS VARCHAR), {literal('missing')})"


def _sensitive(assessment: Assessment, measure: SensitiveMeasure) -> str:
    return assessment.classes.read(Value(measure.sensitive, measure.bins))


def _rounded(column: str, reading: Reading, decimals: int | None) -> str:
    if reading.measure.column in ("k_count", "l_count"):
        return f"CAST({column} AS BIGINT)"
    if decimals is not None:
        return f"CAST(round({column}, {decimals}) AS DECIMAL(28, {decimals}))"
    return f"round({column}, 9)"

"""The privacy summary of a pilot: what was found, as the text that BIO-STREAMS writes.

Reference: BIO-STREAMS deliverable D4.2 (2025), figure 4. Its sections, tables and number formats are kept;
its pictograms are not, and its script l is written as the letter. What it does not say stands under Notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sfumato.studies.bio_streams.configuration import Configuration

REFERENCE = "- Risky USUBJIDs: Please refer to the saved CSV for full details."


@dataclass(frozen=True)
class SensitiveFindings:
    """How many records are at risk through one sensitive attribute."""

    name: str
    l_flagged: int
    t_flagged: int
    left_out: int = 0  # records without a value: no distinct value for l, and no part in t


@dataclass(frozen=True)
class PilotFindings:
    """How many records of a pilot are at risk, and why."""

    pilot: str
    config: Configuration
    total: int
    k_flagged: int
    sensitive: tuple[SensitiveFindings, ...]
    smallest: int | None = None  # size of the smallest class
    missing: Mapping[str, int] = field(default_factory=dict)  # records without a value, by quasi-identifier
    overlaps: Mapping[str, int] = field(default_factory=dict)  # "k only", "l only", "t only", "any"
    notes: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()  # whole lines, put at the end as they are


def plain(number: float) -> str:
    """A threshold as people write it.

    >>> plain(30.0), plain(30), plain(0.3)
    ('30', '30', '0.3')
    """
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def summary_text(findings: PilotFindings) -> str:
    """The text of `<PILOT>_privacy_summary.txt`."""
    blocks = [
        [
            f"# Privacy Report for PILOT: {cell(findings.pilot)}",
            "=====",
            *_quasi_identifiers(findings.config),
        ],
        ["## Binning Configuration of continuous QIs", *_bins(findings.config.binning_config)],
        ["## Binning Configuration (Sensitive Feature)", *_sensitive_bins(findings.config)],
        ["## K-Anonymity Summary", *_k_table(findings), REFERENCE],
        ["## l-Diversity Summary", *_l_table(findings), REFERENCE],
        ["## t-Closeness Summary", *_t_table(findings), REFERENCE],
        ["## Notes", *(f"- {one_line(note)}" for note in _notes(findings)), *findings.extra],
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _quasi_identifiers(config: Configuration) -> list[str]:
    return [
        "## Quasi-Identifiers Used",
        f"- Continuous QIs: {_listed(config.continuous_qis)}",
        f"- Categorical QIs: {_listed(config.categorical_qis)}",
    ]


def _bins(bins: Mapping[str, tuple[float, ...]], of: str = "") -> list[str]:
    edges = {column: ", ".join(map(plain, values)) for column, values in bins.items()}
    return [f"- {one_line(column)}{of}: [{listed}]" for column, listed in edges.items()] or ["- none"]


def _sensitive_bins(config: Configuration) -> list[str]:
    for_t = config.sensitive_binning_config
    return _bins(config.sensitive_binning_config_for_L) + (_bins(for_t, " (t-closeness)") if for_t else [])


def _k_table(findings: PilotFindings) -> list[str]:
    row = (findings.pilot, findings.total, *share(findings.k_flagged, findings.total))
    return table_lines(("Pilot", "Total", f"Risky (k<{findings.config.K})", "% Risky"), [row])


def _l_table(findings: PilotFindings) -> list[str]:
    flagged = {one.name: one.l_flagged for one in findings.sensitive}
    return _sensitive_table(findings, f"Risky (l<{findings.config.L})", flagged)


def _t_table(findings: PilotFindings) -> list[str]:
    flagged = {one.name: one.t_flagged for one in findings.sensitive}
    return _sensitive_table(findings, f"Risky (t>{plain(findings.config.T)})", flagged)


def _sensitive_table(findings: PilotFindings, risky: str, flagged: Mapping[str, int]) -> list[str]:
    total = findings.total
    rows = [(findings.pilot, name, total, *share(count, total)) for name, count in flagged.items()]
    return table_lines(("Pilot", "Sensitive Attribute", "Total", risky, "% Risky"), rows)


def table_lines(header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    """A table of the report, line by line."""
    return [_row(header), "|" + "-----|" * len(header), *map(_row, rows)]


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(cell(str(one)) for one in cells)} |"


def share(flagged: int, total: int) -> tuple[int, str]:
    """A count and its share in per cent, as the report writes it."""
    return flagged, f"{100 * flagged / total if total else 0:.1f}%"


def _notes(findings: PilotFindings) -> Iterable[str]:
    if findings.smallest:
        share = f"1/{findings.smallest} = {100 / findings.smallest:.1f}%"
        yield f"Maximum re-identification probability (1/k of the smallest class): {share}."
    if findings.overlaps:
        counted = ", ".join(f"{which}: {count}" for which, count in findings.overlaps.items())
        yield f"Risky records by measure: {counted}."
    for one in findings.sensitive:
        without = f"{one.left_out} of {findings.total} records have no value"
        yield f"{one.name}: {without}; they add no distinct value to l and were left out of t."
    for column, count in findings.missing.items():
        yield f"{column}: {count} of {findings.total} records have no value; missing is a class of its own."
    yield from findings.notes


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(one_line, names)) or "none"


def one_line(text: str) -> str:
    """A text without line ends."""
    return " ".join(text.split("\n")).replace("\r", "")


def cell(text: str) -> str:
    """A text as it may stand in a table."""
    return one_line(text).replace("|", r"\|")

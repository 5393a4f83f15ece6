"""The privacy summary of several pilots, side by side: a row for each, in the sections of the summary of one.

Reference: BIO-STREAMS deliverable D4.2 (2025), section 3.1: a standardised interpretation across pilots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.studies.bio_streams.configuration import Configuration
from sfumato.studies.bio_streams.configuration_file import ConfigurationFile
from sfumato.studies.bio_streams.summary import (
    PilotFindings,
    SensitiveFindings,
    cell,
    one_line,
    plain,
    share,
    table_lines,
)
from sfumato.studies.sdtm.combination import CombinationRules

ALL = "All pilots"
APART = "Each pilot is read by itself: children of two pilots are never in one class. The last rows are sums."
WARNING = "WARNING"


def joint_summary_text(pilots: Sequence[PilotFindings]) -> str:
    """The text of the joint summary."""
    names = ", ".join(cell(one.pilot) for one in pilots)
    blocks = [
        [f"# Privacy Report for {len(pilots)} PILOTS: {names}", "====="],
        ["## Quasi-Identifiers Used", *_quasi_identifiers(pilots)],
        ["## Binning Configuration", *_bins(pilots)],
        ["## K-Anonymity Summary", *_k_table(pilots)],
        ["## l-Diversity Summary", *_l_table(pilots)],
        ["## t-Closeness Summary", *_t_table(pilots)],
        ["## At Risk by Any Measure", *_any_table(pilots)],
        ["## Notes", *(f"- {one_line(note)}" for note in _notes(pilots))],
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _quasi_identifiers(pilots: Sequence[PilotFindings]) -> list[str]:
    rows = (
        (one.pilot, ", ".join(one.config.continuous_qis) or "none", ", ".join(one.config.categorical_qis) or "none")
        for one in pilots
    )
    return table_lines(("Pilot", "Continuous QIs", "Categorical QIs"), rows)


def _bins(pilots: Sequence[PilotFindings]) -> list[str]:
    rows = [
        (one.pilot, column, f"[{', '.join(map(plain, edges))}]", used)
        for one in pilots
        for used, bins in (
            ("classes", one.config.binning_config),
            ("l-diversity", one.config.sensitive_binning_config_for_L),
            ("t-closeness", one.config.sensitive_binning_config),
        )
        for column, edges in bins.items()
    ]
    return table_lines(("Pilot", "Column", "Edges", "Used for"), rows)


def _k_table(pilots: Sequence[PilotFindings]) -> list[str]:
    rows: list[tuple[object, ...]] = [
        (one.pilot, one.total, one.config.K, *share(one.k_flagged, one.total), one.smallest or "-") for one in pilots
    ]
    everybody = _total(pilots)
    rows.append((ALL, everybody, "-", *share(sum(one.k_flagged for one in pilots), everybody), "-"))
    return table_lines(("Pilot", "Total", "K", "Risky (k<K)", "% Risky", "Smallest Class"), rows)


def _l_table(pilots: Sequence[PilotFindings]) -> list[str]:
    rows = [
        (one.pilot, sensitive.name, one.total, one.config.L, *share(sensitive.l_flagged, one.total))
        for one, sensitive in _each_sensitive(pilots)
    ]
    return table_lines(("Pilot", "Sensitive Attribute", "Total", "L", "Risky (l<L)", "% Risky"), rows)


def _t_table(pilots: Sequence[PilotFindings]) -> list[str]:
    rows = [
        (one.pilot, sensitive.name, one.total, plain(one.config.T), *share(sensitive.t_flagged, one.total))
        for one, sensitive in _each_sensitive(pilots)
    ]
    return table_lines(("Pilot", "Sensitive Attribute", "Total", "T", "Risky (t>T)", "% Risky"), rows)


def _any_table(pilots: Sequence[PilotFindings]) -> list[str]:
    rows: list[tuple[object, ...]] = [
        (one.pilot, one.total, *share(one.overlaps.get("any", 0), one.total)) for one in pilots
    ]
    everybody = _total(pilots)
    rows.append((ALL, everybody, *share(sum(one.overlaps.get("any", 0) for one in pilots), everybody)))
    return table_lines(("Pilot", "Total", "Risky", "% Risky"), rows)


def _each_sensitive(pilots: Sequence[PilotFindings]) -> Iterator[tuple[PilotFindings, SensitiveFindings]]:
    return ((one, sensitive) for one in pilots for sensitive in one.sensitive)


def _total(pilots: Sequence[PilotFindings]) -> int:
    return sum(one.total for one in pilots)


def _notes(pilots: Sequence[PilotFindings]) -> Iterator[str]:
    yield APART
    first, *others = (_asked(one.config) for one in pilots)
    if any(other != first for other in others):
        yield (
            f"{WARNING}: the pilots were not asked the same. Quasi-identifiers, bins or bounds differ, so that the "
            "shares of two pilots cannot be compared."
        )
    for one in pilots:
        yield from (f"{one.pilot}: {note}" for note in one.notes if note.startswith(WARNING))


def _asked(config: Configuration) -> Configuration:
    """What makes two pilots comparable: all of a configuration but how its files became one table."""
    return replace(config, combination=CombinationRules(), missing_tokens=None, document=ConfigurationFile({}))

"""The benchmark as a document: ratios first, seconds only for orientation."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MEMORY_TARGET = 4.0  # GB, at 12 million rows
START_TARGET = 0.3  # seconds


def document(
    found: Sequence[Any], start: Mapping[str, Any], machine: Mapping[str, Any], targets: Mapping[str, float | None]
) -> str:
    """The whole report, in Markdown."""
    by = {(m.sample, m.part, m.contender): m for m in found}
    parts = [
        "# Results of `make bench`",
        ", ".join(f"{name} {value}" for name, value in machine.items()) + ".",
        "## `assess` against one bare DuckDB GROUP BY over the same columns\n\n" + _table(*_ratios(by, targets)),
        _growth(by),
        "## Peers\n\n" + _table(*_peers(by)),
        "## Agreement\n\n" + _agreement(by),
        f"## Start-up\n\n`sfumato --help`: {start['seconds']:.2f} s (target {START_TARGET} s: "
        f"{_verdict(start['seconds'], START_TARGET)}); heavy modules imported: {start['heavy']}",
    ]
    return "\n\n".join(parts) + "\n"


def _ratios(
    by: Mapping[tuple[str, str, str], Any], targets: Mapping[str, float | None]
) -> tuple[list[str], list[list[str]]]:
    head = ["table", "part", "wall ratio", "CPU ratio", "target", "verdict", "CPU ratio without cost", "peak GB",
            "µs CPU per row", "flagged"]  # fmt: skip
    rows = []
    for (sample, part, contender), ours in by.items():
        bare, narrow = by[sample, part, "GROUP BY"], by[sample, "classes", "GROUP BY"]
        if contender != "sfumato" or ours.wall is None or bare.wall is None:
            continue
        wall, cpu = ours.wall / bare.wall, ours.cpu / bare.cpu
        share = ours.found.get("flagged", 0) / ours.rows
        rows.append([
            sample, part, f"{wall:.1f}", f"{cpu:.1f}", *_against(targets[part], max(wall, cpu)),
            f"{ours.cpu / narrow.cpu:.1f}",
            f"{ours.peak_gb:.2f}" + (f" ({_verdict(ours.peak_gb, MEMORY_TARGET)})" if ours.rows > 2e6 else ""),
            f"{ours.cpu / ours.rows * 1e6:.2f}", "" if part == "classes" else f"{share:.1%}",
        ])  # fmt: skip
    return head, rows


def _peers(by: Mapping[tuple[str, str, str], Any]) -> tuple[list[str], list[list[str]]]:
    head = ["table", "part", "contender", "wall s", "CPU s", "CPU against sfumato", "peak GB"]
    rows = []
    for (sample, part, contender), one in by.items():
        ours = by[sample, part, "sfumato"]
        if one.wall is None:
            rows.append([sample, part, contender, one.note, "", "", ""])
            continue
        against = f"{one.cpu / ours.cpu:.2f}" if ours.cpu else ""
        rows.append([sample, part, contender, f"{one.wall:.2f}", f"{one.cpu:.2f}", against, f"{one.peak_gb:.2f}"])
    return head, rows


def _growth(by: Mapping[tuple[str, str, str], Any]) -> str:
    """How the time per row changes from 1.2 to 12 million rows; at most 1 is the target."""
    found = []
    for part in ("classes", "full"):
        small, large = (by.get((f"plain {size}", part, "sfumato")) for size in ("1.2M", "12M"))
        if small and large and small.cpu and large.cpu:
            wall, cpu = (getattr(large, c) / large.rows / (getattr(small, c) / small.rows) for c in ("wall", "cpu"))
            found.append(f"{part} {cpu:.2f} times of CPU, {wall:.2f} times of wall")
    return "Time per row, from 1.2 to 12 million rows: " + ("; ".join(found) or "not measured") + "."


def _agreement(by: Mapping[tuple[str, str, str], Any]) -> str:
    """Every number that a peer found otherwise than Sfumato, and how many were compared."""
    compared, lines = 0, []
    for (sample, part, contender), one in by.items():
        ours = by[sample, part, "sfumato"].found
        for label in sorted(ours.keys() & one.found.keys() if contender != "sfumato" else ()):
            compared += 1
            if not math.isclose(ours[label], one.found[label], rel_tol=1e-9, abs_tol=1e-9):
                about = f"{sample}, {part}, {label}"
                lines.append(f"- **MISMATCH** {about}: sfumato {ours[label]}, {contender} {one.found[label]}")
    return "\n".join([f"{compared} numbers compared, {len(lines)} differ.", *lines])


def _against(target: float | None, value: float) -> tuple[str, str]:
    """A bound and whether it is kept; nothing where there is none."""
    return ("", "") if target is None else (f"{target:g}", _verdict(value, target))


def _verdict(value: float, target: float) -> str:
    return "met" if value <= target else "NOT MET"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rows = list(rows)
    widths = [max(len(line[i]) for line in [head, *rows]) for i in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |" for line in lines
    )

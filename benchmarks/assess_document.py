"""The page of `assess`: ratios first, seconds only for orientation."""

from collections.abc import Mapping, Sequence
from typing import Any

from report import Bound, Comparison, Page, table, times
from running import TURNS

MEMORY_TARGET = 4.0  # GB, at 12 million rows
START_TARGET = 0.3  # seconds
PEERS = ("pandas", "pyCANON")
LARGE = 2_000_000  # rows: the bound on memory is about 12 million

By = Mapping[tuple[str, str, str], Any]


def page(found: Sequence[Any], start: Mapping[str, Any], targets: Mapping[str, float | None]) -> Page:
    by = {(m.sample, m.part, m.contender): m for m in found}
    heavy = Bound("heavy modules at the start", "modules", 0, float(len(start["heavy"])))
    quick = Bound("`sfumato --help`", "seconds", START_TARGET, start["seconds"])
    peers = [who for who in PEERS if any(contender == who for *_, contender in by)]
    return Page(
        name="assess",
        title="assess",
        bounds=(*_bounds(by, targets), *_growth(by), quick, heavy),
        comparisons=tuple(_agreement(by, peer) for peer in peers),
        body=document(by),
    )


def document(by: By) -> str:
    parts = [
        f"Medians of {TURNS} turns, peers in one. A bound on time is one on both ratios, of wall and of CPU.\n"
        "*classes* is the assessment as a Python program gets it; what the terminal shows besides, the reading of all\n"
        "columns together, is in *classes, everything*. Among the peers: " + _present(by) + ".",
        "## `assess` against one bare DuckDB GROUP BY over the same columns\n\n" + table(*_ratios(by)),
        "## Peers\n\n" + table(*_peers(by)),
    ]
    return "\n\n".join(parts)


def _present(by: By) -> str:
    """Who was there: a peer that could not be installed is named, since nothing is compared with it."""
    there = {contender for *_, contender in by}
    return ", ".join(who if who in there else f"{who} left out" for who in PEERS)


def _bounds(by: By, targets: Mapping[str, float | None]) -> list[Bound]:
    """One for each part with a target, and one on memory where the table is large; what did not end is not met."""
    bounds = []
    for (sample, part, contender), ours in by.items():
        target, what = targets.get(part), f"{sample}, {part}"
        if contender != "sfumato" or target is None:
            continue
        bare = by[sample, part, "GROUP BY"]
        ended = ours.wall is not None and bare.wall is not None
        ratio, which = times(vars(ours), vars(bare)) if ended else (None, "not measured")
        bounds.append(Bound(what, f"times one GROUP BY, {which}", target, ratio))
        if ours.rows > LARGE:
            bounds.append(Bound(what, "peak GB", MEMORY_TARGET, ours.peak_gb))
    return bounds


def _growth(by: By) -> list[Bound]:
    """How the time per row changes from 1.2 to 12 million rows: it falls or stays level."""
    bounds = []
    for part in ("classes", "full"):
        small, large = (by.get((f"plain {size}", part, "sfumato")) for size in ("1.2M", "12M"))
        if small and large:
            per_row = [None if one.cpu is None else one.cpu / one.rows for one in (small, large)]
            ratio = per_row[1] / per_row[0] if None not in per_row else None
            bounds.append(Bound(f"plain, {part}, 12 M against 1.2 M", "times the CPU per row", 1, ratio))
    return bounds


def _agreement(by: By, peer: str) -> Comparison:
    """Every number that a peer and Sfumato have of the same table and part."""
    ours, theirs = (
        {
            f"{sample}, {part}, {label}": value
            for (sample, part, contender), one in by.items()
            if contender == who
            for label, value in one.found.items()
        }
        for who in ("sfumato", peer)
    )
    return Comparison.of(f"readings, with {peer}", ours, theirs)


def _ratios(by: By) -> tuple[list[str], list[list[str]]]:
    head = ["table", "part", "wall ratio", "CPU ratio", "CPU ratio without cost", "peak GB", "µs CPU per row",
            "flagged"]  # fmt: skip
    rows = []
    for (sample, part, contender), ours in by.items():
        bare, narrow = by[sample, part, "GROUP BY"], by[sample, "classes", "GROUP BY"]
        if contender != "sfumato" or None in (ours.wall, bare.wall, narrow.wall):
            continue
        share = ours.found.get("flagged", 0) / ours.rows
        rows.append([
            sample, part, f"{ours.wall / bare.wall:.1f}", f"{ours.cpu / bare.cpu:.1f}", f"{ours.cpu / narrow.cpu:.1f}",
            f"{ours.peak_gb:.2f}", f"{ours.cpu / ours.rows * 1e6:.2f}", f"{share:.1%}" if share else "",
        ])  # fmt: skip
    return head, rows


def _peers(by: By) -> tuple[list[str], list[list[str]]]:
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

"""Tables of statistics that are published together, and what stays with the steward."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

from sfumato.errors import OutputError
from sfumato.outputs import whole
from sfumato.progress import Tell, quiet
from sfumato.show.documents.tabulation import CellDocument, LeftOpenDocument, RulesDocument, TabulationDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.tabulation import tabulation_sheet
from sfumato.statistics.attack import required
from sfumato.statistics.count_cells import CountedCells, Parts, unmistakable
from sfumato.statistics.disclosure_rules import DisclosureRules
from sfumato.statistics.protect import CellIntervals, CellProtection
from sfumato.tables.engine import unused

DIGITS = 5  # of a mean: more would tell how many persons it is of, and nobody reads them
AUDIT = "-audit"  # after the name of the table: what stays with the steward


@dataclass(frozen=True, repr=False)
class Tabulation(Presented):
    """Counts, sums and means by columns. What it shows, writes and gives as JSON names nothing of a hidden cell."""

    cells: CountedCells
    tables: tuple[tuple[str, ...], ...]
    rules: DisclosureRules
    protection: CellProtection
    intervals: tuple[CellIntervals, ...]  # of each ledger
    source: str = "table"
    open: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def hidden(self) -> int:
        """How many cells are hidden."""
        return int(self.protection.hidden.sum())

    @property
    def fewest(self) -> bool:
        """Whether it is proved that no fewer would do."""
        return self.protection.fewest

    @cached_property
    def total_label(self) -> str:
        """What stands for a total: a word that is no value of any column."""
        return unmistakable("total", [label for labels in self.cells.labels for label in labels])

    def content(self) -> TabulationDocument:
        """Everything that is published, as plain values."""
        rules = self.rules
        published = list(self.published())
        return TabulationDocument(
            source=self.source,
            counted=self.cells.counted,
            tables=self.tables,
            columns=self.cells.columns,
            rules=RulesDocument(
                threshold=rules.threshold, round=rules.base, zeros=rules.zeros, p=rules.p, largest=rules.largest,
                share=rules.share, source=rules.source,
            ),
            total_label=self.total_label,
            cells=published,
            shown=len(published) - self.hidden,
            hidden=self.hidden,
            fewest=self.fewest,
            left_open=[self._left_open(number) for number in range(len(self.intervals))] if self.hidden else [],
            open=self.open,
            notes=self.notes,
        )  # fmt: skip

    def sheet(self) -> Sheet:
        """The tables for people."""
        return tabulation_sheet(self.content())

    def published(self) -> Iterator[CellDocument]:
        """The cells of all tables in order, each once."""
        for cell in self.places():
            hidden = bool(self.protection.hidden[cell])
            count = None if hidden else int(self.rules.rounded(int(self.cells.counts[cell])))
            yield CellDocument(
                values=self._values(cell),
                hidden=hidden,
                count=count,
                statistics={
                    parts.statistic.name: None if hidden else self._figure(parts, cell) for parts in self.cells.parts
                },
            )

    def places(self) -> list[int]:
        """Where the cells of the tables stand among all."""
        import numpy as np

        places: list[int] = np.flatnonzero(~self.protection.problem.latent).tolist()
        return places

    def _values(self, cell: int) -> dict[str, str]:
        import numpy as np

        at = np.unravel_index(cell, self.cells.lattice.shape)
        labels = ((*labels, self.total_label)[int(i)] for i, labels in zip(at, self.cells.labels, strict=True))
        return dict(zip(self.cells.columns, labels, strict=True))

    def _figure(self, parts: Parts, cell: int) -> float | None:
        """A sum or mean as it is published; where counts are rounded, a sum is the mean of the rounded count."""
        persons = int(parts.persons[cell])
        if not persons:
            return 0.0 if parts.statistic.kind == "sum" and not self.cells.counts[cell] else None
        mean = float(f"{parts.sums[cell] / persons:.{DIGITS}g}")
        if parts.statistic.kind == "mean":
            return mean
        if self.rules.base > 1:
            return float(f"{mean * self.rules.rounded(persons):.{DIGITS}g}")
        return float(f"{parts.sums[cell]:.12g}")

    def _left_open(self, number: int) -> LeftOpenDocument:
        intervals, problem = self.intervals[number], self.protection.problem
        width = (intervals.high - intervals.low)[problem.primary & self.protection.hidden]
        narrowest = float(width.min()) if width.size else float("inf")
        return LeftOpenDocument(
            number=problem.ledgers[number].name,
            narrowest=float(f"{narrowest:.6g}") if isfinite(narrowest) else None,
            exact=intervals.exact,
        )

    def table_csv(self) -> bytes:
        """What is published, as CSV: a hidden cell has no numbers, and says that it is hidden."""
        names = self._names("count", *(parts.statistic.name for parts in self.cells.parts), "cell")
        rows: list[Sequence[Any]] = [[*self.cells.columns, *names]]
        for cell in self.published():
            figures = [cell.count, *cell.statistics.values()]
            state = "hidden" if cell.hidden else "shown"
            rows.append([*cell.values.values(), *map(_written, figures), state])
        return _csv(rows)

    def audit_csv(self) -> bytes:
        """What stays with the steward: each hidden cell with its true number, and what can be worked out of it."""
        problem = self.protection.problem
        names = self._names("number", "true", "why", "least", "most", "must reach from", "must reach to", "exact")
        rows: list[Sequence[Any]] = [[*self.cells.columns, *names]]
        for cell in (place for place in self.places() if self.protection.hidden[place]):
            for ledger, intervals in zip(problem.ledgers, self.intervals, strict=True):
                primary = bool(problem.primary[cell])
                must = required(ledger, cell) if primary else (None, None)
                why = "says too much" if primary else "would tell of others"
                exact = "yes" if intervals.exact else "at least"
                left = float(intervals.low[cell]), float(intervals.high[cell])
                true = _written(float(ledger.values[cell]))
                rows.append([
                    *self._values(cell).values(), ledger.name, true, why, *map(_written, (*left, *must)), exact,
                ])  # fmt: skip
        return _csv(rows)

    def write(self, path: str | Path, *, overwrite: bool = True) -> tuple[Path, Path]:
        """Write the table, and beside it the audit, which only its owner can read."""
        path = Path(path)
        if path.suffix.lower() != ".csv":
            raise OutputError(f"{path}: a table of statistics is written as CSV. Choose a name that ends in .csv.")
        audit = audit_path(path)
        with whole(path.parent, overwrite=overwrite, private=True, handed_on={path.name}) as draft:
            (draft / path.name).write_bytes(self.table_csv())
            (draft / audit.name).write_bytes(self.audit_csv())
        return path, audit

    def _names(self, *names: str) -> list[str]:
        """Names of further columns, none of which is that of another."""
        taken = {name.casefold() for name in self.cells.columns}
        free = []
        for name in names:
            free.append(unused(name, lambda each: each.casefold() in taken))
            taken.add(free[-1].casefold())
        return free


def audit_path(path: str | Path) -> Path:
    """Where the audit of a table is written: beside it."""
    return Path(path).with_name(f"{Path(path).stem}{AUDIT}.csv")


def _written(figure: float | None) -> str:
    """A number as it is written: whole numbers whole."""
    if figure is None or not isfinite(figure):
        return "" if figure is None else "unbounded"
    return str(int(figure)) if float(figure).is_integer() and abs(figure) < 1e15 else f"{figure:.12g}"


def _csv(rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def audited(protection: CellProtection, tell: Tell = quiet) -> tuple[CellIntervals, ...]:
    """What can be worked out of each ledger."""
    return tuple(protection.intervals(number, tell) for number in range(len(protection.problem.ledgers)))

"""Sensitive cells: which of them say too much of few persons, and how far off an attacker must stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.statistics.attack import MarginAttack
from sfumato.statistics.count_cells import CountedCells, Parts
from sfumato.statistics.disclosure_rules import DisclosureRules
from sfumato.statistics.lattice import with_totals
from sfumato.statistics.ledger import Ledger, Problem

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Real

COUNT = "count"  # the name of the first ledger


def sensitive_cells(cells: CountedCells, tables: Sequence[Sequence[str]], rules: DisclosureRules) -> Problem:
    """What to hide of some tables over the columns of the cells, and what must stay possible."""
    import numpy as np

    latent = ~_in_tables(cells, tables)
    shown_zero = cells.counts == 0 if rules.zeros == "shown" else np.zeros_like(latent)
    few = (cells.counts < rules.threshold) & ~shown_zero
    primary = few.copy()
    for parts in cells.parts:
        primary |= _few_parts(parts, cells, rules) | _dominated(parts, rules) | parts.alike
    primary &= ~latent
    fixed = shown_zero & ~latent
    ledgers = [_counts(cells, rules, primary, latent)]
    ledgers += [_sums(parts, rules, fixed) for parts in cells.parts]
    ledgers += [_with_part(parts, rules) for parts in _doubly_published(cells)]
    problem = Problem(cells.lattice, tuple(ledgers), primary, fixed, latent, _costs(cells))
    return _above_the_least(problem, cells, tables) if rules.zeros == "shown" else problem


def _in_tables(cells: CountedCells, tables: Sequence[Sequence[str]]) -> Flags:
    """Whether a cell is in one of the tables, or among their totals: it is a total over all columns of none."""
    import numpy as np

    totals = dict(zip(cells.columns, cells.lattice.is_total, strict=True))
    inside: Flags = np.zeros(cells.lattice.cells, dtype=bool)
    for table in tables:
        inside |= np.logical_and.reduce([totals[c] for c in cells.columns if c not in table] or [~inside | True])
    return inside


def _few_parts(parts: Parts, cells: CountedCells, rules: DisclosureRules) -> Flags:
    """Whether few persons have a part, or, where that can be worked out, few have none."""
    few: Flags = (parts.persons < rules.threshold) & (cells.counts > 0)
    if rules.zeros == "shown":
        few &= parts.persons > 0
    if parts in _doubly_published(cells):
        without = cells.counts - parts.persons
        few |= (without > 0) & (without < rules.threshold)
    return few


def _doubly_published(cells: CountedCells) -> list[Parts]:
    """The sums whose means are published as well: divided by these they tell how many persons have a value."""
    columns = [parts.statistic.column for parts in cells.parts]
    both = [parts for parts in cells.parts if columns.count(parts.statistic.column) > 1]
    return [parts for parts in both if parts.statistic.kind == "sum" and (parts.persons != cells.counts).any()]


def _dominated(parts: Parts, rules: DisclosureRules) -> Flags:
    """Whether the largest parts make nearly all of a sum, or the second largest could work out the largest."""
    rest = parts.absolute - parts.largest[:, :2].sum(axis=1)
    p_percent = rest < rules.p / 100 * parts.largest[:, 0] * (1 - 1e-12)
    largest = parts.largest[:, : rules.largest].sum(axis=1)
    dominated: Flags = p_percent | (largest > rules.share / 100 * parts.absolute * (1 + 1e-12))
    return dominated


def _counts(cells: CountedCells, rules: DisclosureRules, primary: Flags, latent: Flags) -> Ledger:
    """How many persons a cell has. It must seem possible that a small one has none, and that it is not small."""
    import numpy as np

    counts = cells.counts.astype(float)
    published, (below, above) = rules.rounded(cells.counts), rules.rounding
    # Beside a mean, rounding hides nothing: of the few counts that a rounded one stands for, often only the true one
    # times the mean of whole numbers, such as years, is a whole number again.
    as_it_is = (counts < rules.threshold) | bool(cells.parts)
    low = np.where(as_it_is, counts, np.maximum(published - below, rules.threshold)).astype(float)
    high = np.where(as_it_is, counts, published + above).astype(float)
    some = rules.zeros == "shown"  # then whoever sees that a cell is hidden knows that it is not empty
    floor = np.where((counts > 0) & ~latent, 1.0, 0.0) if some else np.zeros_like(counts)
    few = counts < rules.threshold
    up = np.where(few, rules.threshold - counts, np.where(primary, 1.0, 0.0))
    return Ledger(COUNT, counts, low, high, floor, up, np.where(few, counts, 0.0), whole=True)


def _above_the_least(problem: Problem, cells: CountedCells, tables: Sequence[Sequence[str]]) -> Problem:
    """The problem where no cell need seem to have fewer persons than the cells that are shown as empty leave it.

    Of one table that is one for each cell of it that is not empty. Of several tables each tells of the others as well.
    """
    import numpy as np

    counts = problem.ledgers[0]
    if len(tables) == 1:
        least = _not_empty(cells)
    else:
        attack, least = MarginAttack(problem, 0, ~problem.fixed & ~problem.latent), counts.values.copy()
        for cell in np.flatnonzero(problem.primary & (counts.down > 0)).tolist():
            least[cell] = attack.interval(cell)[0]
    down = np.where(counts.down > 0, np.maximum(counts.values - least, 0.0), 0.0)
    return replace(problem, ledgers=(replace(counts, down=down), *problem.ledgers[1:]))


def _not_empty(cells: CountedCells) -> Real:
    """How many of the cells that a cell is the total of are not empty."""
    inner = cells.counts.reshape(cells.lattice.shape)[(slice(0, -1),) * len(cells.columns)] > 0
    least: Real = with_totals(inner.astype(float)).ravel()
    return least


def _sums(parts: Parts, rules: DisclosureRules, fixed: Flags) -> Ledger:
    """What the parts add up to: a mean with a count gives it. It must stay unknown by a share of the largest part."""
    import numpy as np

    sums = parts.sums
    floor = np.full_like(sums, -np.inf if parts.negative else 0.0)
    floor[fixed] = 0.0
    need = rules.p / 100 * np.maximum(parts.largest[:, 0], parts.usual)
    largest = parts.largest[:, : rules.largest].sum(axis=1)
    need = np.maximum(need, 100 / rules.share * largest - parts.absolute)
    need = np.where(parts.persons > 0, need, 0.0)
    return Ledger(
        parts.statistic.name,
        sums,
        sums,
        sums,
        floor,
        need,
        np.clip(np.minimum(need, sums - floor), 0, None),
        whole=False,
    )


def _with_part(parts: Parts, rules: DisclosureRules) -> Ledger:
    """How many persons have a value at all."""
    import numpy as np

    persons = parts.persons.astype(float)
    few = persons < rules.threshold
    up = np.where(few, rules.threshold - persons, 1.0)
    return Ledger(
        f"persons with {parts.statistic.column}", persons, persons, persons, np.zeros_like(persons), up,
        np.where(few, persons, 0.0), whole=True,
    )  # fmt: skip


def _costs(cells: CountedCells) -> Real:
    """One for each cell, and a little more for totals, and less still for many persons: all together below one cell."""
    import numpy as np

    number, axes = cells.lattice.cells, len(cells.columns)
    totals = np.sum(cells.lattice.is_total, axis=0) / axes
    persons = cells.counts / max(int(cells.counts[-1]), 1)
    costs: Real = 1.0 + 0.4 / number * (totals + persons / (axes * number))
    return costs

"""What drives the risk: single columns, sets of columns, and the fewest that single somebody out."""

from __future__ import annotations

from sfumato.attackers.exposure import Exposure
from sfumato.attackers.risk_drivers import Driver
from sfumato.attackers.several_records import Patterns
from sfumato.attackers.special_uniques import SpecialUniques
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.charts.chart import Chart
from sfumato.show.charts.heat_map import heat_map
from sfumato.show.sheet import Section, counted, number

MOST = 10  # sets that are shown


def driver_blocks(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool) -> tuple[Block, ...]:
    """Contributions of columns, sets of columns, special uniques, several records of a person."""
    exposure = evidence.exposure
    return (
        _drivers(exposure, mask),
        _sets(exposure, mask, draw=draw),
        _uniques(exposure, mask),
        _patterns(exposure, mask),
    )


def _drivers(exposure: Exposure, mask: SmallNumberMask) -> Block:
    drivers, title = exposure.drivers, "What drives the risk"
    if drivers is None:
        return Block(Section(title))
    whole, computed = exposure.scenarios[0].before.singled_out, "sampled" if drivers.orders else "exact"
    rows = tuple(
        (
            each.column,
            *(mask.share(s, exposure.records, whole) for s in (each.by_itself, each.without, each.contribution)),
            computed,
        )
        for each in drivers.columns
    )
    head = ("column", "alone", "all but it", "contribution", "computed")
    remark = (
        "Records that are singled out by the column alone, by all others without it, and its fair share of what all "
        "columns do together. The column at the top is the one to generalise first."
    )
    told = explained("contribution (Shapley)", Driver, bounds="the contributions add up to all that are singled out")
    return Block(Section(title, head, rows, (remark,), (1, 2, 3)), explained=(told,))


def _sets(exposure: Exposure, mask: SmallNumberMask, *, draw: bool) -> Block:
    sets, title = exposure.sets, "Sets of columns that single out most"
    if sets is None:
        return Block(Section(title))
    whole = exposure.scenarios[0].before.singled_out
    rows = tuple(
        (" + ".join(each.columns), mask.count(each.singled_out, exposure.records, whole),
         mask.share(each.singled_out / exposure.records, exposure.records, whole))
        for each in sets.sets[:MOST]
    )  # fmt: skip
    remark = (
        f"{number(sets.examined)} of {number(sets.possible)} sets of up to {sets.largest} columns were looked at; "
        f"{number(sets.implied)} more follow from them, {number(sets.left)} were left."
    )
    charts = tuple(_pairs(exposure, mask)) if draw else ()
    return Block(Section(title, ("columns", "singled out", "share"), rows, (remark,), (1, 2)), charts)


def _pairs(exposure: Exposure, mask: SmallNumberMask) -> list[Chart]:
    """Pairs of columns by the records that they single out, the columns themselves on the diagonal."""
    known = {frozenset(each.columns): each.singled_out for each in (exposure.sets.sets if exposure.sets else ())}
    names = [name for name in exposure.quasi_identifiers if frozenset([name]) in known]
    if len(names) < 2:
        return []
    grid = [[_cell(known.get(frozenset([one, other])), exposure, mask) for other in names] for one in names]
    note = f"A dash: not looked at, or 1 to {mask.least - 1} records."
    return [heat_map("Records singled out by pairs of columns (%)", names, names, grid, note=note)]


def _cell(n: int | None, exposure: Exposure, mask: SmallNumberMask) -> float | None:
    whole = exposure.scenarios[0].before.singled_out
    if n is None or mask.hides(n, whole) or mask.hides(n, exposure.records):
        return None
    return round(100 * n / exposure.records, 1)


def _uniques(exposure: Exposure, mask: SmallNumberMask) -> Block:
    uniques, title = exposure.uniques, "Special uniques: the fewest columns that single out"
    if uniques is None:
        return Block(Section(title))
    ranked = uniques.ranked()[:MOST]
    rows = tuple((" + ".join(names), mask.count(n, exposure.records, uniques.uniques)) for names, n in ranked)
    total = mask.count(uniques.uniques, exposure.records, exposure.scenarios[0].before.singled_out)
    remark = f"{total} of {counted(exposure.records, 'record')} are singled out by {uniques.largest} columns or fewer."
    told = explained("special uniques", SpecialUniques, bounds="0 to all records")
    return Block(Section(title, ("columns that suffice", "records"), rows, (remark,), (1,)), explained=(told,))


def _patterns(exposure: Exposure, mask: SmallNumberMask) -> Block:
    patterns, title = exposure.patterns, "Several records of a person"
    if patterns is None or patterns.persons == exposure.records:
        return Block(Section(title))
    counts = {"one record": patterns.one, "two records": patterns.two, "all records": patterns.whole}
    rows = tuple(
        (known, mask.count(n, patterns.persons), mask.share(n / patterns.persons, patterns.persons))
        for known, n in counts.items()
    )
    head = ("what is known of a person", "persons singled out", "share")
    told = explained("patterns", Patterns, bounds="0 to all persons")
    return Block(Section(title, head, rows, (f"{counted(patterns.persons, 'person')}.",), (1, 2)), explained=(told,))

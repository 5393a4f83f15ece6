"""What drives the risk: single columns, sets of columns, and the fewest that single somebody out."""

from __future__ import annotations

from sfumato.attackers.exposure import Exposure
from sfumato.attackers.risk_drivers import Driver
from sfumato.attackers.several_records import Patterns
from sfumato.attackers.special_uniques import SpecialUniques
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block
from sfumato.proof.report.dossier import Dossier
from sfumato.proof.report.small_numbers import Mask
from sfumato.show.charts.chart import Chart
from sfumato.show.charts.heat_map import heat_map
from sfumato.show.sheet import Section, counted, number

MOST = 10  # sets that are shown


def driver_blocks(dossier: Dossier, mask: Mask, *, draw: bool) -> tuple[Block, ...]:
    """Contributions of columns, sets of columns, special uniques, several records of a person."""
    found = dossier.exposure
    return (_drivers(found, mask), _sets(found, mask, draw=draw), _uniques(found, mask), _patterns(found, mask))


def _drivers(found: Exposure, mask: Mask) -> Block:
    drivers, title = found.drivers, "What drives the risk"
    if drivers is None:
        return Block(Section(title))
    whole = found.scenarios[0].before.singled_out
    rows = tuple(
        (each.column, mask.share(each.by_itself, found.records, whole), mask.share(each.without, found.records, whole),
         mask.share(each.contribution, found.records, whole), "sampled" if drivers.orders else "exact")
        for each in drivers.columns
    )  # fmt: skip
    head = ("column", "alone", "all but it", "contribution", "computed")
    remark = (
        "Records that are singled out by the column alone, by all others without it, and its fair share of what all "
        "columns do together. The column at the top is the one to generalise first."
    )
    told = explained("contribution (Shapley)", Driver, bounds="the contributions add up to all that are singled out")
    return Block(Section(title, head, rows, (remark,), (1, 2, 3)), explained=(told,))


def _sets(found: Exposure, mask: Mask, *, draw: bool) -> Block:
    sets, title = found.sets, "Sets of columns that single out most"
    if sets is None:
        return Block(Section(title))
    whole = found.scenarios[0].before.singled_out
    rows = tuple(
        (" + ".join(each.columns), mask.count(each.singled_out, found.records, whole),
         mask.share(each.singled_out / found.records, found.records, whole))
        for each in sets.sets[:MOST]
    )  # fmt: skip
    remark = (
        f"{number(sets.examined)} of {number(sets.possible)} sets of up to {sets.largest} columns were looked at; "
        f"{number(sets.implied)} more follow from them, {number(sets.left)} were left."
    )
    charts = tuple(_pairs(found, mask)) if draw else ()
    return Block(Section(title, ("columns", "singled out", "share"), rows, (remark,), (1, 2)), charts)


def _pairs(found: Exposure, mask: Mask) -> list[Chart]:
    """Pairs of columns by the records that they single out, the columns themselves on the diagonal."""
    known = {frozenset(each.columns): each.singled_out for each in (found.sets.sets if found.sets else ())}
    names = [name for name in found.quasi_identifiers if frozenset([name]) in known]
    if len(names) < 2:
        return []
    grid = [[_cell(known.get(frozenset([one, other])), found, mask) for other in names] for one in names]
    note = f"A dash: not looked at, or 1 to {mask.least - 1} records."
    return [heat_map("Records singled out by pairs of columns (%)", names, names, grid, note=note)]


def _cell(n: int | None, found: Exposure, mask: Mask) -> float | None:
    whole = found.scenarios[0].before.singled_out
    if n is None or mask.hides(n, whole) or mask.hides(n, found.records):
        return None
    return round(100 * n / found.records, 1)


def _uniques(found: Exposure, mask: Mask) -> Block:
    uniques, title = found.uniques, "Special uniques: the fewest columns that single out"
    if uniques is None:
        return Block(Section(title))
    ranked = uniques.ranked()[:MOST]
    rows = tuple((" + ".join(names), mask.count(n, found.records, uniques.uniques)) for names, n in ranked)
    total = mask.count(uniques.uniques, found.records, found.scenarios[0].before.singled_out)
    remark = f"{total} of {counted(found.records, 'record')} are singled out by {uniques.largest} columns or fewer."
    told = explained("special uniques", SpecialUniques, bounds="0 to all records")
    return Block(Section(title, ("columns that suffice", "records"), rows, (remark,), (1,)), explained=(told,))


def _patterns(found: Exposure, mask: Mask) -> Block:
    patterns, title = found.patterns, "Several records of a person"
    if patterns is None or patterns.persons == found.records:
        return Block(Section(title))
    counts = {"one record": patterns.one, "two records": patterns.two, "all records": patterns.whole}
    rows = tuple(
        (known, mask.count(n, patterns.persons), mask.share(n / patterns.persons, patterns.persons))
        for known, n in counts.items()
    )
    head = ("what is known of a person", "persons singled out", "share")
    told = explained("patterns", Patterns, bounds="0 to all persons")
    return Block(Section(title, head, rows, (f"{counted(patterns.persons, 'person')}.",), (1, 2)), explained=(told,))

"""The exposure as a sheet: who could be found, by whom, and because of what."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.documents.exposure import (
    AttackDocument,
    AttackerDocument,
    ColumnSetsDocument,
    DisSudaDocument,
    DriversDocument,
    ExposureDocument,
    LinkagesDocument,
    PatternsDocument,
    PopulationDocument,
    ScenarioAfterDocument,
    ScenarioDocument,
    UniquesDocument,
)
from sfumato.show.sheet import Section, Sheet, counted, number, percent

AFTER = ("after: n", "singled out", "%", "k", "linked: n", "rightly", "%")
LINKED = (
    "Linked rightly: originals whose own released record an attacker picks, at random among those that are equal on "
    "what is known; their share of the n originals. * A column was perturbed: being alone in the release says nothing "
    "there, and the share that is linked is the risk."
)
LINKED_PERSONS = (
    "Linked rightly: persons of whom an attacker picks a released record, at random among the persons whose records "
    "equal the one of theirs that tells most, on what is known; their share of the n persons. * A column was "
    "perturbed: being alone in the release says nothing there, and the share that is linked is the risk."
)
MOST = 15  # combinations that are shown: about what fits on a screen beside the rest


def exposure_sheet(document: ExposureDocument) -> Sheet:
    """Scenarios, attackers, population, uniques, drivers and attacks, from the document of an exposure."""
    sections = (
        _what(document),
        _scenarios("Scenarios: what an attacker may know", document.scenarios),
        _scenarios("Subsets: what an attacker is certain of", document.subsets),
        _attackers("Attackers", document.attackers or ()),
        _attackers("Attackers, after the release", document.attackers_after or ()),
        _population(document.population),
        _uniques(document.uniques, document.dis_suda),
        _drivers(document.drivers),
        _sets(document.sets),
        _patterns(document.patterns),
        _linkage(document.linkage),
        _questions(document.questions),
        Section("Notes", remarks=(*document.notes, document.reminder)),
    )
    return Sheet(
        title=f"Risk of {document.source} as an attacker sees it",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(document: ExposureDocument) -> str:
    worst = max(document.scenarios, key=lambda scenario: scenario.percent)
    share = f"{number(worst.singled_out)} of {counted(worst.records, 'record')}"
    before = f"{share} singled out ({worst.percent:.2f} %) by {', '.join(worst.quasi_identifiers)}"
    after = [scenario.after.percent for scenario in document.scenarios if scenario.after]
    return f"{before}; after the release {max(after):.2f} % at most." if after else f"{before}."


def _what(document: ExposureDocument) -> Section:
    people = f", {counted(document.persons, 'person')}" if document.persons is not None else ""
    released = (f"Release: {document.released}.",) if document.released else ()
    remarks = (
        f"{counted(document.records, 'record')}{people}.",
        f"Quasi-identifiers: {', '.join(document.quasi_identifiers)}.",
        *released,
    )
    return Section("What was looked at", remarks=remarks)


def _scenarios(title: str, scenarios: Sequence[ScenarioDocument]) -> Section:
    after = any(scenario.after for scenario in scenarios)
    rows = tuple((*_before(scenario), *(_after(scenario.after) if after else ())) for scenario in scenarios)
    read = ("scenario", "known", "n", "singled out", "%", "k", "average", "<3", "<5", "<11", "<20")
    columns = (*read, *AFTER) if after else read
    persons = any(s.after and s.after.linkage and s.after.linkage.unit == "persons" for s in scenarios)
    linked = LINKED_PERSONS if persons else LINKED
    remarks = ("Singled out: records in classes of one, and their share of the n records.", *((linked,) * after))
    numbers = tuple(range(2, len(columns)))
    return Section(title, columns, rows, remarks if rows else (), numbers=numbers)


def _before(scenario: ScenarioDocument) -> tuple[str, ...]:
    known = " + ".join(scenario.quasi_identifiers)
    if scenario.condition is not None:
        known += f" | {scenario.condition}" if scenario.mode == "subset" else f" + whether {scenario.condition}"
    below = (number(scenario.below[size]) for size in ("3", "5", "11", "20"))
    return (scenario.name, known, number(scenario.records), number(scenario.singled_out), f"{scenario.percent:.2f}",
            number(scenario.k), number(scenario.average_risk), *below)  # fmt: skip


def _after(after: ScenarioAfterDocument | None) -> tuple[str, ...]:
    if after is None:
        return ("-",) * len(AFTER)
    perturbed, linkage = "*" if after.perturbed else "", after.linkage
    share = 100 * after.singled_out / after.records
    classes = (number(after.singled_out) + perturbed, f"{share:.2f}{perturbed}", number(after.k))
    if linkage is None:
        return number(after.records), *classes, "-", "-", "-"
    n = linkage.records if linkage.persons is None else linkage.persons
    linked = (number(n), number(round(linkage.true_matches, 1)), f"{linkage.true_match_rate * 100:.2f}")
    return number(after.records), *classes, *linked


def _attackers(title: str, attackers: Sequence[AttackerDocument]) -> Section:
    rows = tuple(
        (a.name, a.knows, number(a.highest), number(a.average), *(percent(step.share) for step in a.at_risk))
        for a in attackers
    )
    wide = max((len(row) for row in rows), default=4)
    rows = tuple((*row, *["-"] * (wide - len(row))) for row in rows)
    steps = tuple(f"above {step.risk}" for step in (attackers[0].at_risk if attackers else ()))
    caveats = tuple(dict.fromkeys(a.caveat for a in attackers if a.caveat))
    columns = ("attacker", "knows", "highest", "average", *steps)
    return Section(title, columns, rows, caveats, numbers=tuple(range(2, len(columns))))


def _population(population: PopulationDocument | None) -> Section:
    if not population:
        return Section("Population")
    rows = tuple(
        (name, number(estimate.value), number(estimate.lowest), number(estimate.highest), estimate.caveat)
        for name, estimate in population.uniques.items()
    )
    whence = f" ({population.source})" if population.source else ""
    remark = f"A population of {number(population.size)}{whence}; the rule of Dankar takes {population.chosen}."
    columns = ("model", "population uniques", "at least", "at most", "caveat")
    return Section("Population: how many are unique in it (estimates)", columns, rows, (remark,), numbers=(1, 2, 3))


def _uniques(uniques: UniquesDocument | None, dis_suda: DisSudaDocument | None) -> Section:
    if not uniques:
        return Section("Special uniques")
    rows = tuple((" + ".join(c.columns), number(c.records)) for c in uniques.combinations[:MOST])
    sizes = ", ".join(f"{number(n)} by {counted(int(size), 'column')}" for size, n in uniques.smallest.items())
    remark = f"{counted(uniques.uniques, 'record')} singled out by {uniques.largest} columns or fewer: {sizes}."
    columns = ("columns that suffice", "records")
    remarks = (remark, *((_probability(dis_suda),) if dis_suda and uniques.uniques else ()))
    return Section("Special uniques: the fewest columns that single out", columns, rows, remarks, numbers=(1,))


def _probability(dis_suda: DisSudaDocument) -> str:
    """What the scores say as probabilities."""
    fraction = f"{'an assumed' if dis_suda.assumed else 'a'} sampling fraction of {number(dis_suda.fraction)}"
    return (
        f"DIS-SUDA, for {fraction}: a unique match with one of them is right with a probability of "
        f"{number(dis_suda.average)} on average and of {number(dis_suda.highest)} at most; for the file, DIS says "
        f"{number(dis_suda.dis)}."
    )


def _drivers(drivers: DriversDocument | None) -> Section:
    if not drivers:
        return Section("What drives the risk")
    rows = tuple(
        (d.column, percent(d.alone), percent(d.without), percent(d.contribution),
         _interval(d.interval) if drivers.orders else "exact")
        for d in drivers.columns
    )  # fmt: skip
    whole = f"All columns single out {percent(drivers.whole)} of the records; contributions (Shapley) add up to it."
    columns = ("column", "alone", "without it", "contribution", "95 % interval")
    return Section("What drives the risk", columns, rows, (whole, *_sampled(drivers)), numbers=(1, 2, 3, 4))


def _sampled(drivers: DriversDocument) -> tuple[str, ...]:
    """How contributions that are not exact were sampled, and how far off they are."""
    if not drivers.orders:
        return ()
    error = max(d.standard_error for d in drivers.columns)
    return (
        f"Contributions are the means over {drivers.orders} sampled orders of the columns, on all records; "
        f"the standard error is {percent(error)} at most.",
    )


def _interval(interval: Sequence[float]) -> str:
    """The ends in per cent."""
    return f"{interval[0] * 100:.1f} to {interval[1] * 100:.1f}"


def _sets(sets: ColumnSetsDocument | None) -> Section:
    if not sets:
        return Section("Sets of columns")
    rows = tuple((" + ".join(s.columns), number(s.singled_out), f"{s.percent:.2f}") for s in sets.found[:MOST])
    remark = (
        f"{number(sets.examined)} of {number(sets.possible)} sets were looked at; {number(sets.implied)} more "
        f"follow from them, {number(sets.left)} were left."
    )
    return Section(
        "Sets of columns that single out most", ("columns", "singled out", "%"), rows, (remark,), numbers=(1, 2)
    )


def _patterns(patterns: PatternsDocument | None) -> Section:
    if not patterns:
        return Section("Several records of a person")
    rows = tuple((known, number(n), f"{patterns.percent[known]:.2f}") for known, n in patterns.singled_out.items())
    remark = f"{counted(patterns.persons, 'person')}. Known: one, two, or all records of a person."
    title = "Several records of a person"
    return Section(title, ("records known", "persons singled out", "%"), rows, (remark,), numbers=(1, 2))


def _linkage(linkage: LinkagesDocument | None) -> Section:
    rows = tuple(
        (m.method, *(f"{rate * 100:.2f} %" for rate in (m.match_rate, m.true_match_rate, m.false_match_rate)),
         number(m.linkable))
        for m in (linkage.methods if linkage else ())
    )  # fmt: skip
    unit = linkage.unit if linkage else "records"
    columns = ("method", "matches", "true", "false", f"linkable {unit}")
    return Section("Record linkage between original and release", columns, rows, _linkable(linkage), (1, 2, 3, 4))


def _linkable(linkage: LinkagesDocument | None) -> tuple[str, ...]:
    if linkage is None:
        return ()
    if linkage.persons is None:
        n = counted(linkage.records, "record")
        return (f"Rates are of the {n}. Linkable: exactly one released record fits best, and it is the right one.",)
    return (
        f"Rates are of the {counted(linkage.persons, 'person')}, each by the record that tells most. Linkable: only "
        "released records of the person fit best.",
    )


def _questions(questions: Sequence[AttackDocument]) -> Section:
    rows = tuple(
        (q.method + (f" ({q.details['sensitive']})" if "sensitive" in q.details else ""), percent(q.attack.rate),
         percent(q.control.rate), percent(q.risk), _interval(q.interval))
        for q in questions
    )  # fmt: skip
    columns = ("question", "attack", "control", "risk", "95 % interval")
    remark = "Risk: what the release adds to the control, (attack - control) / (1 - control)."
    if any(q.unit == "persons" for q in questions):
        remark += " Attempts are on persons, each with one of their records, any of them alike."
    return Section(
        "The three questions of WP216, by trying", columns, rows, (remark,) if rows else (), numbers=(1, 2, 3, 4)
    )

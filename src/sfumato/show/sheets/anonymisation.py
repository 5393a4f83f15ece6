"""What a search found, as a sheet: the levels, what they cost, and what the release reads."""

from __future__ import annotations

from sfumato.show.documents.anonymisation import PLAN_ONLY, AnonymisationDocument
from sfumato.show.sheet import Section, Sheet, State, but_open, counted, number, open_section, over, percent
from sfumato.show.sheets.decided_columns import against_evidence_words, left_out_words
from sfumato.show.sheets.everything_released import everything_section
from sfumato.show.sheets.explanation import explanation_sheet


def anonymisation_sheet(document: AnonymisationDocument) -> Sheet:
    """The search and its release, from the document."""
    sections = (
        open_section(document.open), _outcome(document), _alternatives(document), _rare(document), _columns(document),
        _readings(document),
        everything_section(document.everything), *_why(document), *_bias(document), _steps(document), _notes(document),
    )  # fmt: skip
    return Sheet(
        title=f"Anonymised: {document.source}",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
        state=State(document.verdict) if document.verdict else None,
    )


def _verdict(document: AnonymisationDocument) -> str:
    met = f"The release keeps to every requirement{but_open(document.open)}"
    kept = met if document.met else "The release does NOT keep to its policy"
    suppressed = document.suppressed
    out = f"{counted(suppressed, 'record')} left out" if suppressed else "no record left out"
    columns = (left_out_words(document.left_out_columns), against_evidence_words(document.released_against_evidence))
    return " ".join((f"{kept}; {_lost(document)}, {out}.", *filter(None, columns)))


def _lost(document: AnonymisationDocument) -> str:
    """What was lost, by its name and over which columns: the loss, or where nothing was compared, what was searched."""
    loss = (document.lost.total or {}).get("loss")
    if loss is None or document.lost.over is None:
        return f"{percent(document.score.normalised)} lost ({document.objective} {over(document.quasi_identifiers)})"
    return f"{percent(loss)} lost (loss {over(document.lost.over)})"


def _outcome(document: AnonymisationDocument) -> Section:
    classes, records, suppressed = document.classes, document.records, document.suppressed
    share, allowed = percent(suppressed / max(records, 1)), percent(document.suppression_limit)
    lines = (
        f"Required: {', '.join(document.required)}.",
        f"{counted(records, 'record')}, {counted(document.condensed, 'different one')}; "
        f"left out: {number(suppressed)} ({share}, allowed {allowed}).",
        f"Classes: {number(classes.count)}, of {number(classes.smallest)} to {number(classes.largest)} "
        f"records, {number(classes.average)} on average.",
        f"Score ({document.objective}): {number(document.score.value)}. {_proof(document)}",
    )
    return Section("What was found", remarks=lines)


def _alternatives(document: AnonymisationDocument) -> Section:
    """Every way that was compared: what it loses, whom it leaves out, and how to get it."""
    rows = tuple(
        (
            f"{way.method}{' *' if way.chosen else ''}", percent(way.suppression_limit),
            "-" if way.lost is None else percent(way.lost), number(way.suppressed), number(way.cells),
            way.why_not or way.hits or "nobody clearly more", way.options,
        )
        for way in document.alternatives
    )  # fmt: skip
    columns = ("way", "may leave out", "lost", "records out", "cells out", "whom that hits most", "options")
    if not rows:
        return Section("Ways to a release", ())
    remarks = (
        f"* was taken: it loses least ({document.objective}). Cells out: of records that stay, cells of which nothing "
        f"is left. Hit: the group of which the largest share loses its record or a cell that others keep.",
    )
    return Section("Ways to a release", columns, rows, remarks, numbers=(1, 2, 3, 4))


def _rare(document: AnonymisationDocument) -> Section:
    """A few records that take everybody to higher levels."""
    rare = document.rare_values
    if rare is None:
        return Section("Rare values force everybody up", ())
    columns = ", ".join(
        f"{c.column} ({counted(c.values, 'value')} of {counted(c.records, 'record')})" for c in rare.columns
    )
    return Section(
        "Rare values force everybody up",
        remarks=(
            f"Too few people share some values of {columns}: with one level for each column and nobody left out, they "
            f"take everybody to a higher level.",
            f"If {counted(rare.records, 'record')} may be left out, that loses {percent(rare.normalised_without)} "
            f"instead of {percent(rare.normalised)}: --method optimal --suppress {rare.share:g}.",
        ),
    )


def _proof(document: AnonymisationDocument) -> str:
    looked, lattice = document.examined, document.lattice
    if document.method == PLAN_ONLY:
        return "Made by the plan of the project, without a search."
    if looked is None or lattice is None:
        return "This method looks for a good recoding; it does not prove that there is none better."
    ruled_out = percent((document.pruned or 0) / lattice)
    share = f"{_big(looked)} of {_big(lattice)} combinations of levels were looked at, {ruled_out} ruled out"
    if document.optimal:
        return f"Proved to be the best: {share} because they cannot be better or break the policy."
    return f"The best that was found: {share}; none can be better by more than {percent(document.gap or 0)}."


def _big(n: int) -> str:
    return number(n) if n < 10**12 else f"{n:.2e}"


def _columns(document: AnonymisationDocument) -> Section:
    levels, why = document.levels, document.explanation
    losses = {name: models.get("loss") for name, models in (document.lost.columns or {}).items()}
    costs = {column.column: column.cost for column in why.columns} if why else {}
    if document.method == PLAN_ONLY:
        known = tuple((name, percent(loss)) for name, loss in losses.items() if loss is not None)
        return Section("What became of the columns", ("column", "lost"), known, numbers=(1,))
    rows = []
    for name, hierarchy in document.hierarchies.items():
        level = levels[name] if levels else None
        of = f"{level} of {hierarchy.height}" if level is not None else "its own for each class"
        labels = number(hierarchy.labels[level]) if level is not None else "-"
        loss = losses.get(name)
        lost = "-" if loss is None else percent(loss)
        rows.append((name, of, labels, lost, number(costs.get(name)), hierarchy.kind, hierarchy.why))
    columns = ("column", "level", "labels", "lost", "costs", "hierarchy", "why")
    return Section("What becomes of the columns", columns, tuple(rows), _costs(document), numbers=(2, 3, 4))


def _costs(document: AnonymisationDocument) -> tuple[str, ...]:
    explanation = document.explanation
    if explanation is None:
        return ()
    rest = f"the records that are left out, {number(explanation.suppression_cost)}"
    if explanation.adds_up:
        return (f"The costs of the columns and of {rest}, are the score.",)
    return (f"The costs of the columns and of {rest}, do not add up to the score: columns are lost together.",)


def _readings(document: AnonymisationDocument) -> Section:
    attackers = any(reading.scenario is not None for reading in document.readings)
    rows = tuple(
        (
            *([reading.scenario or ""] if attackers else []), reading.measure, reading.sensitive or "-",
            number(reading.value), number(reading.bound), "yes" if reading.met else "NO",
        )
        for reading in document.readings
    )  # fmt: skip
    columns = (*(["scenario"] if attackers else []), "measure", "sensitive", "reading", "bound", "met")
    return Section("The release, read anew", columns, rows, numbers=(2 + attackers, 3 + attackers))


def _why(document: AnonymisationDocument) -> tuple[Section, ...]:
    """Why these levels; what each column costs stands above already."""
    return explanation_sheet(document.explanation).sections[1:] if document.explanation else ()


def _bias(document: AnonymisationDocument) -> tuple[Section, ...]:
    """Whom suppression hits: only the groups that are hit clearly more often, all of them are in the JSON."""
    if document.bias is None:
        return ()
    rows = tuple(
        (column.column, group.label, number(group.records), number(group.suppressed),
         percent(group.share), f"{group.ratio:.2f}")
        for column in document.bias.columns for group in column.groups if group.hit
    )  # fmt: skip
    remark = "Groups of which clearly more are left out than of everybody." if rows else "No group is hit clearly more."
    columns = ("column", "group", "records", "left out", "share", "times everybody's")
    return (Section("Whom suppression hits", columns if rows else (), rows, (remark,), numbers=(2, 3, 4, 5)),)


def _steps(document: AnonymisationDocument) -> Section:
    return Section("What is done, step by step", remarks=tuple(document.steps))


def _notes(document: AnonymisationDocument) -> Section:
    return Section("Notes", remarks=tuple(document.notes))

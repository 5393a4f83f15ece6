"""What a search found, as a sheet: the levels, what they cost, and what the release reads."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted, number, percent
from sfumato.show.sheets.explanation import explanation_sheet

Document = dict[str, Any]
PLAN_ONLY = "plan"  # the method of a release that was not searched


def anonymised_sheet(document: Document) -> Sheet:
    """The search and its release, from the document."""
    sections = (
        _found(document), _columns(document), _readings(document), *_why(document), *_bias(document),
        _steps(document), _notes(document),
    )  # fmt: skip
    return Sheet(
        title=f"Anonymised: {document['source']}",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(document: Document) -> str:
    kept = "The release keeps to every requirement" if document["met"] else "The release does NOT keep to its policy"
    lost = percent(document["score"]["normalised"])
    suppressed = document["suppressed"]
    out = f"{counted(suppressed, 'record')} left out" if suppressed else "no record left out"
    return f"{kept}; {lost} lost ({document['objective']}), {out}."


def _found(document: Document) -> Section:
    classes, records, suppressed = document["classes"], document["records"], document["suppressed"]
    share, allowed = percent(suppressed / max(records, 1)), percent(document["suppression_limit"])
    lines = (
        f"Required: {', '.join(document['required'])}.",
        f"{counted(records, 'record')}, {counted(document['condensed'], 'different one')}; "
        f"left out: {number(suppressed)} ({share}, allowed {allowed}).",
        f"Classes: {number(classes['count'])}, of {number(classes['smallest'])} to {number(classes['largest'])} "
        f"records, {number(classes['average'])} on average.",
        f"Score ({document['objective']}): {number(document['score']['value'])}. {_proof(document)}",
    )
    return Section("What was found", remarks=lines)


def _proof(document: Document) -> str:
    looked, lattice = document["examined"], document["lattice"]
    if document["method"] == PLAN_ONLY:
        return "Made by the plan of the project, without a search."
    if looked is None:
        return "This method looks for a good recoding; it does not prove that there is none better."
    ruled_out = percent((document["pruned"] or 0) / lattice)
    share = f"{_big(looked)} of {_big(lattice)} combinations of levels were looked at, {ruled_out} ruled out"
    if document["optimal"]:
        return f"Proved to be the best: {share} because they cannot be better or break the policy."
    return f"The best that was found: {share}; none can be better by more than {percent(document['gap'] or 0)}."


def _big(n: int) -> str:
    return number(n) if n < 10**12 else f"{n:.2e}"


def _columns(document: Document) -> Section:
    levels, lost, why = document["levels"], document["lost"].get("columns", {}), document["explanation"]
    costs = {found["column"]: found["cost"] for found in why["columns"]} if why else {}
    if document["method"] == PLAN_ONLY:
        known = tuple((name, percent(found["loss"])) for name, found in lost.items() if found.get("loss") is not None)
        return Section("What became of the columns", ("column", "lost"), known, numbers=(1,))
    rows = []
    for name, found in document["hierarchies"].items():
        level = levels[name] if levels else None
        of = f"{level} of {found['height']}" if level is not None else "its own for each class"
        labels = number(found["labels"][level]) if level is not None else "-"
        loss = lost.get(name, {}).get("loss")
        lost_here = "-" if loss is None else percent(loss)
        rows.append((name, of, labels, lost_here, number(costs.get(name)), found["kind"], found["why"]))
    columns = ("column", "level", "labels", "lost", "costs", "hierarchy", "why")
    return Section("What becomes of the columns", columns, tuple(rows), _costs(document), numbers=(2, 3, 4))


def _costs(document: Document) -> tuple[str, ...]:
    found = document["explanation"]
    if not found:
        return ()
    rest = f"the records that are left out, {number(found['suppression_cost'])}"
    if found["adds_up"]:
        return (f"The costs of the columns and of {rest}, are the score.",)
    return (f"The costs of the columns and of {rest}, do not add up to the score: columns are lost together.",)


def _readings(document: Document) -> Section:
    attackers = any("scenario" in reading for reading in document["readings"])
    rows = tuple(
        (
            *([reading["scenario"]] if attackers else []), reading["measure"], reading["sensitive"] or "-",
            number(reading["value"]), number(reading["bound"]), "yes" if reading["met"] else "NO",
        )
        for reading in document["readings"]
    )  # fmt: skip
    columns = (*(["scenario"] if attackers else []), "measure", "sensitive", "reading", "bound", "met")
    return Section("The release, read anew", columns, rows, numbers=(2 + attackers, 3 + attackers))


def _why(document: Document) -> tuple[Section, ...]:
    """Why these levels; what each column costs stands above already."""
    found = document["explanation"]
    return explanation_sheet(found).sections[1:] if found else ()


def _bias(document: Document) -> tuple[Section, ...]:
    """Whom suppression hits: only the groups that are hit clearly more often, all of them are in the JSON."""
    found = document["bias"]
    if not found:
        return ()
    rows = tuple(
        (column["column"], group["label"], number(group["records"]), number(group["suppressed"]),
         percent(group["share"]), f"{group['ratio']:.2f}")
        for column in found["columns"] for group in column["groups"] if group["hit"]
    )  # fmt: skip
    remark = "Groups of which clearly more are left out than of everybody." if rows else "No group is hit clearly more."
    columns = ("column", "group", "records", "left out", "share", "times everybody's")
    return (Section("Whom suppression hits", columns if rows else (), rows, (remark,), numbers=(2, 3, 4, 5)),)


def _steps(document: Document) -> Section:
    return Section("What is done, step by step", remarks=tuple(document["steps"]))


def _notes(document: Document) -> Section:
    return Section("Notes", remarks=tuple(document["notes"]))

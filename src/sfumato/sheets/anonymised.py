"""What a search found, as a sheet: the levels, what they cost, and what the release reads."""

from __future__ import annotations

from typing import Any

from sfumato.sheets.assessment import percent
from sfumato.sheets.sheet import Section, Sheet, counted, number

Document = dict[str, Any]


def anonymised_sheet(document: Document) -> Sheet:
    """The search and its release, from the document."""
    sections = (_found(document), _columns(document), _readings(document), _steps(document), _notes(document))
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
        f"Required: {', '.join(map(str, document['requirements']))}.",
        f"{counted(records, 'record')}, {counted(document['condensed'], 'different one')}; "
        f"left out: {number(suppressed)} ({share}, allowed {allowed}).",
        f"Classes: {number(classes['count'])}, of {number(classes['smallest'])} to {number(classes['largest'])} "
        f"records, {number(classes['average'])} on average.",
        f"Score ({document['objective']}): {number(document['score']['value'])}. {_proof(document)}",
    )
    return Section("What was found", remarks=lines)


def _proof(document: Document) -> str:
    looked, lattice = document["examined"], document["lattice"]
    if looked is None:
        return "This method looks for a good recoding; it does not prove that there is none better."
    share = f"{_big(looked)} of {_big(lattice)} combinations of levels were looked at"
    if document["optimal"]:
        return f"Proved to be the best: {share}, the others cannot be better or break the policy."
    return f"The best that was found: {share}; none can be better by more than {percent(document['gap'] or 0)}."


def _big(n: int) -> str:
    return number(n) if n < 10**12 else f"{n:.2e}"


def _columns(document: Document) -> Section:
    levels, lost = document["levels"], document["lost"].get("columns", {})
    rows = []
    for name, found in document["hierarchies"].items():
        level = levels[name] if levels else None
        of = f"{level} of {found['height']}" if level is not None else "its own for each class"
        labels = number(found["labels"][level]) if level is not None else "-"
        loss = lost.get(name, {}).get("loss")
        rows.append((name, of, labels, "-" if loss is None else percent(loss), found["kind"], found["why"]))
    columns = ("column", "level", "labels", "lost", "hierarchy", "why")
    return Section("What becomes of the columns", columns, tuple(rows), numbers=(2, 3))


def _readings(document: Document) -> Section:
    rows = tuple(
        (
            reading["measure"], reading["sensitive"] or "-", number(reading["value"]), number(reading["bound"]),
            "yes" if reading["met"] else "NO",
        )
        for reading in document["readings"]
    )  # fmt: skip
    return Section("The release, read anew", ("measure", "sensitive", "reading", "bound", "met"), rows, numbers=(2, 3))


def _steps(document: Document) -> Section:
    return Section("What is done, step by step", remarks=tuple(document["steps"]))


def _notes(document: Document) -> Section:
    return Section("Notes", remarks=tuple(document["notes"]))

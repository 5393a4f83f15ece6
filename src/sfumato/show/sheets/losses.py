"""What was lost, as a sheet: the total on every model, then column by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sfumato.show.sheet import Section, Sheet, counted, number

Document = dict[str, Any]
SHOWN = {  # of each column, beside what became of it
    "loss": "loss",
    "total_variation": "distribution",
    "missing_share": "missing",
}


def losses_sheet(document: Document) -> Sheet:
    """The comparison of a release with its original, from its document."""
    sections = (_what(document), _columns(document), _total(document), _not_applied(document), _notes(document))
    return Sheet(
        title=f"{document['released']} compared with {document['original']}",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def whole_sheet(document: Document) -> Sheet:
    """The same with every model of every column, for a page that has room."""
    sheet = losses_sheet(document)
    *first, last = sheet.sections
    return replace(sheet, sections=(*first, _every_model(document), last))


def _every_model(document: Document) -> Section:
    names = document["quasi_identifiers"]
    rows = tuple(
        (model, *(lost(document["columns"][name].get(model)) for name in names))
        for model in document["total"]
        if any(model in document["columns"][name] for name in names)
    )
    numbers = tuple(range(1, len(names) + 1))
    return Section("Every model by column, lost", ("model", *names), rows, numbers=numbers)


def lost(found: Mapping[str, Any] | None) -> str:
    """A normalised value in per cent."""
    share = (found or {}).get("normalised")
    return "-" if share is None else f"{share * 100:.1f} %"


def entropy_of(found: Mapping[str, Any]) -> str:
    """The entropy to quote: the generic one, unless it says less of the columns than the conventional one."""
    generic, conventional = (found.get(name) or {} for name in ("generic_non_uniform_entropy", "non_uniform_entropy"))
    fewer = generic.get("columns", 1) < conventional.get("columns", 1)
    return "non_uniform_entropy" if generic.get("value") is None or fewer else "generic_non_uniform_entropy"


def _verdict(document: Document) -> str:
    parts = [_said(document, name, words) for name, words in _quoted(document)]
    said = f"Lost: {' and '.join(part for part in parts if part)}. " if any(parts) else ""
    suppressed, records = document["suppressed"], document["records"]
    return (
        f"{said}{number(suppressed)} of {counted(records, 'record')} suppressed ({suppressed / records * 100:.1f} %)."
    )


def _quoted(document: Document) -> tuple[tuple[str, str], ...]:
    return (entropy_of(document["total"]), "information (entropy"), ("loss", "detail (loss")


def _said(document: Document, model: str, words: str) -> str:
    found = document["total"].get(model)
    if lost(found) == "-":
        return ""
    part, whole = found["columns"], len(document["quasi_identifiers"])
    return f"{lost(found)} of the {words}{f' of {part} of {whole} columns' if part < whole else ''})"


def _what(document: Document) -> Section:
    pairs = "by position" if document["paired_by"] == "position" else f"by {document['paired_by']}"
    classes = document["classes"]
    return Section(
        "What was compared",
        remarks=(
            f"{counted(document['records'], 'record')}, paired {pairs}.",
            f"{number(classes['original'])} different records before, {number(classes['released'])} after.",
        ),
    )


def _columns(document: Document) -> Section:
    rows = []
    for name, found in document["columns"].items():
        shown = (lost(found.get(model)) for model in SHOWN)
        rows.append((name, document["changes"][name]["words"], lost(found.get(entropy_of(found))), *shown))
    columns = ("column", "what became of it", "entropy", *SHOWN.values())
    remark = "Per cent of all that could be lost: 0 is the original itself, 100 is all information removed."
    return Section("Column by column", columns, tuple(rows), (remark,), numbers=tuple(range(2, len(columns))))


def _total(document: Document) -> Section:
    whole = len(document["quasi_identifiers"])
    rows = tuple(
        (
            name,
            number(found["value"]),
            lost(found),
            f"{found['columns']} of {whole}" if "columns" in found else "all",
            document["models"][name]["better"],
            document["models"][name]["means"],
        )
        for name, found in document["total"].items()
        if found["value"] is not None
    )
    columns = ("model", "value", "lost", "of columns", "better", "what it says")
    return Section("The table as a whole", columns, rows, numbers=(1, 2))


def _not_applied(document: Document) -> Section:
    """Which models say nothing, where, and why."""
    whys: dict[tuple[str, str], list[str]] = {}
    for name, found in document["columns"].items():
        for model, figure in found.items():
            if "why_not" in figure:
                whys.setdefault((model, figure["why_not"]), []).append(name)
    rows = [(model, ", ".join(names), why) for (model, why), names in whys.items()]
    named = {model for model, _ in whys}
    rows += [
        (model, "the table", figure["why_not"])
        for model, figure in document["total"].items()
        if "why_not" in figure and model not in named
    ]
    return Section("Not applicable", ("model", "where", "why"), tuple(rows))


def _notes(document: Document) -> Section:
    return Section("Notes", remarks=tuple(document["notes"]))

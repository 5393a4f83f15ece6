"""What was lost, as a sheet: the total on every model, then column by column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfumato.sheets.sheet import Section, Sheet, counted, number

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


def lost(found: Mapping[str, Any] | None) -> str:
    """A normalised value in per cent."""
    share = (found or {}).get("normalised")
    return "-" if share is None else f"{share * 100:.1f} %"


def entropy_of(total: Mapping[str, Any]) -> str:
    """The entropy to quote: the generic one where it is known."""
    generic = total.get("generic_non_uniform_entropy") or {}
    return "generic_non_uniform_entropy" if generic.get("value") is not None else "non_uniform_entropy"


def _verdict(document: Document) -> str:
    total = document["total"]
    parts = []
    if lost(total.get(entropy_of(total))) != "-":
        parts.append(f"{lost(total[entropy_of(total)])} of the information (entropy)")
    if lost(total.get("loss")) != "-":
        parts.append(f"{lost(total['loss'])} of the detail (loss)")
    said = f"Lost: {' and '.join(parts)}. " if parts else ""
    share = document["suppressed"] / document["records"]
    return (
        f"{said}{number(document['suppressed'])} of {counted(document['records'], 'record')} suppressed ({share:.1%})."
    )


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
    rows = tuple(
        (
            name,
            number(found["value"]),
            lost(found),
            document["models"][name]["better"],
            document["models"][name]["means"],
        )
        for name, found in document["total"].items()
        if found["value"] is not None
    )
    return Section("The table as a whole", ("model", "value", "lost", "better", "what it says"), rows, numbers=(1, 2))


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

"""The exposure as a sheet: who could be found, by whom, and because of what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfumato.show.sheet import Section, Sheet, counted, number

Document = dict[str, Any]
MOST = 15  # combinations that are shown


def exposure_sheet(document: Document) -> Sheet:
    """Scenarios, attackers, population, uniques, drivers and attacks, from the document of an exposure."""
    sections = (
        _what(document),
        _scenarios("Scenarios: what an attacker may know", document["scenarios"]),
        _scenarios("Subsets: what an attacker is certain of", document["subsets"]),
        _attackers("Attackers", document["attackers"]),
        _attackers("Attackers, after the release", document["attackers_after"]),
        _population(document["population"]),
        _uniques(document["uniques"]),
        _drivers(document["drivers"]),
        _sets(document["sets"]),
        _patterns(document["patterns"]),
        _linkage(document["linkage"]),
        _questions(document["questions"]),
        Section("Notes", remarks=(*document["notes"], document["reminder"])),
    )
    return Sheet(
        title=f"Risk of {document['source']} as an attacker sees it",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(document: Document) -> str:
    worst = max(document["scenarios"], key=lambda s: s["percent"])
    share = f"{number(worst['singled_out'])} of {counted(worst['records'], 'record')}"
    said = f"{share} singled out ({worst['percent']:.2f} %) by {', '.join(worst['quasi_identifiers'])}"
    after = [s["after"]["percent"] for s in document["scenarios"] if "percent" in s.get("after", {})]
    return f"{said}; after the release {max(after):.2f} % at most." if after else f"{said}."


def _what(document: Document) -> Section:
    people = f", {counted(document['persons'], 'person')}" if document["persons"] is not None else ""
    released = (f"Release: {document['released']}.",) if document["released"] else ()
    remarks = (
        f"{counted(document['records'], 'record')}{people}.",
        f"Quasi-identifiers: {', '.join(document['quasi_identifiers'])}.",
        *released,
    )
    return Section("What was looked at", remarks=remarks)


def _scenarios(title: str, scenarios: Sequence[Document]) -> Section:
    after = any("after" in s for s in scenarios)
    rows = tuple((*_before(s), *(_after(s.get("after")) if after else ())) for s in scenarios)
    read = ("scenario", "known", "n", "singled out", "%", "k", "average", "<3", "<5", "<11", "<20")
    columns = (*read, *(("after: metric", "n", "singled out", "%", "k") if after else ()))
    remarks = (
        "Singled out: records in classes of one. Linkage: the share of records that an attacker links rightly, where a "
        "column was perturbed and classes say nothing.",
    )
    numbers = (*range(2, 11), *range(12, 16)) if after else tuple(range(2, 11))
    return Section(title, columns, rows, remarks if rows else (), numbers=numbers)


def _before(found: Document) -> tuple[str, ...]:
    known = " + ".join(found["quasi_identifiers"])
    if "condition" in found:
        known += f" | {found['condition']}" if found["mode"] == "subset" else f" + whether {found['condition']}"
    below = (number(found["below"][size]) for size in ("3", "5", "11", "20"))
    return (found["name"], known, number(found["records"]), number(found["singled_out"]), f"{found['percent']:.2f}",
            number(found["k"]), number(found["average_risk"]), *below)  # fmt: skip


def _after(found: Document | None) -> tuple[str, ...]:
    if not found or "percent" not in found:
        return "-", "-", "-", "-", "-"
    linkage = found.get("linkage")
    if linkage:
        return "linkage", number(linkage["records"]), number(linkage["linkable"]), f"{found['percent']:.2f}", "-"
    return ("classes", number(found["records"]), number(found["singled_out"]), f"{found['percent']:.2f}",
            number(found["k"]))  # fmt: skip


def _attackers(title: str, attackers: Sequence[Document] | None) -> Section:
    rows = tuple(
        (a["name"], a["knows"], number(a["highest"]), number(a["average"]),
         *(f"{found['share'] * 100:.1f} %" for found in a["at_risk"]))
        for a in attackers or ()
    )  # fmt: skip
    wide = max((len(row) for row in rows), default=4)
    rows = tuple((*row, *["-"] * (wide - len(row))) for row in rows)
    steps = tuple(f"above {found['risk']}" for found in (attackers or [{"at_risk": []}])[0]["at_risk"])
    caveats = tuple(dict.fromkeys(a["caveat"] for a in attackers or () if a["caveat"]))
    columns = ("attacker", "knows", "highest", "average", *steps)
    return Section(title, columns, rows, caveats, numbers=tuple(range(2, len(columns))))


def _population(population: Document | None) -> Section:
    if not population:
        return Section("Population")
    rows = tuple(
        (name, number(found["value"]), number(found["lowest"]), number(found["highest"]), found["caveat"])
        for name, found in population["uniques"].items()
    )
    remark = f"A population of {number(population['size'])}; the rule of Dankar takes {population['chosen']}."
    columns = ("model", "population uniques", "at least", "at most", "caveat")
    return Section("Population: how many are unique in it (estimates)", columns, rows, (remark,), numbers=(1, 2, 3))


def _uniques(uniques: Document | None) -> Section:
    if not uniques:
        return Section("Special uniques")
    rows = tuple((" + ".join(c["columns"]), number(c["records"])) for c in uniques["combinations"][:MOST])
    sizes = ", ".join(f"{number(n)} by {counted(int(size), 'column')}" for size, n in uniques["smallest"].items())
    remark = f"{counted(uniques['uniques'], 'record')} singled out by {uniques['largest']} columns or fewer: {sizes}."
    columns = ("columns that suffice", "records")
    return Section("Special uniques: the fewest columns that single out", columns, rows, (remark,), numbers=(1,))


def _drivers(drivers: Document | None) -> Section:
    if not drivers:
        return Section("What drives the risk")
    rows = tuple(
        (d["column"], f"{d['alone'] * 100:.1f} %", f"{d['without'] * 100:.1f} %", f"{d['contribution'] * 100:.1f} %",
         f"{d['interval'][0] * 100:.1f} to {d['interval'][1] * 100:.1f}" if drivers["orders"] else "exact")
        for d in drivers["columns"]
    )  # fmt: skip
    whole = (
        f"All columns single out {drivers['whole'] * 100:.1f} % of the records; contributions (Shapley) add up to it."
    )
    columns = ("column", "alone", "without it", "contribution", "95 % interval")
    return Section("What drives the risk", columns, rows, (whole,), numbers=(1, 2, 3, 4))


def _sets(sets: Document | None) -> Section:
    if not sets:
        return Section("Sets of columns")
    rows = tuple(
        (" + ".join(s["columns"]), number(s["singled_out"]), f"{s['percent']:.2f}") for s in sets["found"][:MOST]
    )
    remark = (
        f"{number(sets['examined'])} of {number(sets['possible'])} sets were looked at; {number(sets['implied'])} more "
        f"follow from them, {number(sets['left'])} were left."
    )
    return Section(
        "Sets of columns that single out most", ("columns", "singled out", "%"), rows, (remark,), numbers=(1, 2)
    )


def _patterns(patterns: Document | None) -> Section:
    if not patterns:
        return Section("Several records of a person")
    rows = tuple(
        (known, number(n), f"{patterns['percent'][known]:.2f}") for known, n in patterns["singled_out"].items()
    )
    remark = f"{counted(patterns['persons'], 'person')}. Known: one, two, or all records of a person."
    title = "Several records of a person"
    return Section(title, ("records known", "persons singled out", "%"), rows, (remark,), numbers=(1, 2))


def _linkage(linkage: Document | None) -> Section:
    rows = tuple(
        (m["method"], *(f"{m[rate] * 100:.2f} %" for rate in ("match_rate", "true_match_rate", "false_match_rate")),
         number(m["linkable"]))
        for m in (linkage or {"methods": []})["methods"]
    )  # fmt: skip
    columns = ("method", "matches", "true", "false", "linkable records")
    remark = ("Linkable: exactly one released record fits best, and it is the right one.",) if rows else ()
    return Section("Record linkage between original and release", columns, rows, remark, numbers=(1, 2, 3, 4))


def _questions(questions: Sequence[Document]) -> Section:
    rows = tuple(
        (q["method"] + (f" ({q['sensitive']})" if "sensitive" in q else ""), f"{q['attack']['rate'] * 100:.1f} %",
         f"{q['control']['rate'] * 100:.1f} %", f"{q['risk'] * 100:.1f} %",
         f"{q['interval'][0] * 100:.1f} to {q['interval'][1] * 100:.1f}")
        for q in questions
    )  # fmt: skip
    columns = ("question", "attack", "control", "risk", "95 % interval")
    remark = ("Risk: what the release adds to the control, (attack - control) / (1 - control).",) if rows else ()
    return Section("The three questions of WP216, by trying", columns, rows, remark, numbers=(1, 2, 3, 4))

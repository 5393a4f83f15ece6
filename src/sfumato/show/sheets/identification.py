"""What the columns of a table seem to be, as a sheet."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted, number

Document = dict[str, Any]

MARKS = (0.25, 0.5, 0.75)
SHOWN = 10  # combinations
LISTS = {"Sensitive attributes": "sensitive", "Quasi-identifiers": "quasi", "Non-sensitive attributes": "non-sensitive"}
SHORT = {"direct": "DID", "quasi": "QI", "sensitive": "SA", "non-sensitive": "NSA"}


def identification_sheet(document: Document) -> Sheet:
    """The proposed roles, the evidence, what to look at first, from the document of an identification."""
    parts = _by_risk_rate(document) if document["method"] == "risk-rate" else _by_evidence(document)
    return Sheet(
        title=f"Columns of {document['source']}",
        verdict=_verdict(document),
        sections=tuple(section for section in parts if section.rows or section.remarks),
    )


def share(value: float | None) -> str:
    """A share in per cent, with one decimal."""
    return "" if value is None else f"{value * 100:.1f} %"


def _verdict(document: Document) -> str:
    roles = document["roles"]
    counts = ", ".join(f"{len(roles[role])} {role}" for role in SHORT if roles[role])
    size = f"{counted(document['records'], 'record')}, {counted(len(document['columns']), 'column')}"
    return f"{size}: {counts}." if counts else f"{size}."


def _by_evidence(document: Document) -> tuple[Section, ...]:
    return (
        _roles(document),
        _methods(document),
        _first(document),
        _combinations(document),
        _recipient(document),
        notes(document),
    )


def _roles(document: Document) -> Section:
    rows = tuple(
        (c["name"], c["role"], _who(c), " ".join(_reasons(c)), share(c["influence"]), share(c["missing"]))
        for c in document["columns"]
    )
    return Section(
        "Proposed roles",
        ("column", "role", "sure", "because", "share of risk", "missing"),
        rows,
        (
            "The last word is yours: roles are proposals until you confirm them.",
            "Share of risk: how much of the average re-identification risk goes when the column is left out.",
        ),
        numbers=(4, 5),
    )


def _who(column: Document) -> str:
    if column["decided"]:
        return "decided"
    return next(
        word for bound, word in ((0.75, "high"), (0.4, "middle"), (0.01, "low"), (-1, "-")) if column["sure"] >= bound
    )


def _reasons(column: Document) -> list[str]:
    statistics = ("risk-rate", "uniqueness-influence", "separation")
    found = [f for f in column["evidence"] if f["method"] not in statistics]
    reasons = [f"Leave out? {f['sentence']}" if f["verdict"] == "drop" else f["sentence"] for f in found]
    return reasons or ["Nothing is known of it: look at it."]


def _methods(document: Document) -> Section:
    rows = []
    for column in document["columns"]:
        said = {finding["method"]: finding for finding in column["evidence"]}
        rate = said.get("risk-rate")
        rows.append((
            column["name"],
            "" if column["risk_rate"] is None else f"{column['risk_rate']:.2f}",
            (rate or {}).get("verdict") or "",
            f"{column['uniqueness']:.4f}",
            *scored(column),
            _separation(said),
        ))  # fmt: skip
    return Section(
        "What each method says",
        (
            "column",
            "g-distinct %",
            "(Mansour)",
            "values seen once",
            "influence",
            "score",
            *bounds(),
            "separation",
        ),
        tuple(rows),
        (
            "g-distinct: the mean of 1/frequency of a column's values. Score: values seen once per record + influence.",
            "The two methods draw opposite conclusions from high numbers; they are shown, and decide nothing.",
        ),
        numbers=(1, 3, 4, 5, 9),
    )


def _separation(said: Document) -> str:
    return "" if "separation" not in said else f"{said['separation']['number']:.4f}"


def bounds() -> tuple[str, ...]:
    """The bounds of the score, as headings."""
    return tuple(f">={mark:g}" for mark in MARKS)


def scored(column: Document) -> tuple[str, ...]:
    """Influence, score, and a mark for each bound that the score reaches."""
    if column["score"] is None:
        return ("", "", "", "", "")
    marks = ("x" if round(column["score"], 12) >= mark else "" for mark in MARKS)
    return (f"{column['influence']:.4f}", f"{column['score']:.4f}", *marks)


def _first(document: Document) -> Section:
    rows = tuple(
        (
            str(i), r["name"], share(r["share_of_risk"]), number(r["now"]["unique_records"]),
            number(r["without"]["unique_records"]),
            number(r["coarser"]["unique_records"]) if r["coarser"] else "", r["coarser"]["how"] if r["coarser"] else "",
        )
        for i, r in enumerate(document["ranking"], 1)
    )  # fmt: skip
    return Section(
        "Which column first",
        ("", "column", "share of risk", "unique records", "without it", "coarser", "read as"),
        rows,
        ("Unique records: nobody else has the same values on the quasi-identifiers.",) if rows else (),
        numbers=(0, 2, 3, 4, 5),
    )


def _combinations(document: Document) -> Section:
    found = document["combinations"] or {"found": [], "examined": 0, "possible": 0}
    rows = tuple(
        (" + ".join(c["columns"]), number(c["unique_records"]), f"{c['distinction']:.4f}", f"{c['separation']:.4f}")
        for c in found["found"][:SHOWN]
    )
    seen = f"{found['examined']} of {found['possible']} combinations were looked at."
    return Section(
        "Which columns identify together",
        ("columns", "unique records", "distinction", "separation"),
        rows,
        (seen,) if rows else (),
        numbers=(1, 2, 3),
    )


def _recipient(document: Document) -> Section:
    if "recipient" not in document:
        return Section("")
    found = document["recipient"]
    return Section(
        "For this recipient",
        remarks=(
            f"Grade {found['grade']}, threshold {found['threshold']:g}: final quasi-identifiers "
            f"{', '.join(document['selected']) or 'none'}.",
        ),
    )


def _by_risk_rate(document: Document) -> tuple[Section, ...]:
    columns = {column["name"]: column for column in document["columns"]}
    missing = tuple((name, f"{columns[name]['missing'] * 100:.1f} %") for name in document["excluded"])
    rates = tuple((c["name"], f"{c['risk_rate']:.2f}") for c in document["columns"] if c["risk_rate"] is not None)
    lists = tuple(
        _list(title, [columns[name] for name in document["roles"][role] if columns[name]["risk_rate"] is not None])
        for title, role in LISTS.items()
    )
    return (
        Section("Columns excluded because of missing values:", ("column", "missing"), missing, numbers=(1,)),
        Section("Re-identification risk rate", ("column", "risk rate %"), rates, numbers=(1,)),
        *lists,
        Section("Advice", remarks=_advice(document)),
        notes(document),
    )


def _list(title: str, columns: list[Document]) -> Section:
    rows = tuple((column["name"], f"{column['risk_rate']:.2f}") for column in columns)
    return Section(title, ("column", "risk rate %"), rows, numbers=(1,)) if rows else Section(title, remarks=("None.",))


def _advice(document: Document) -> tuple[str, ...]:
    order = [c["name"] for c in document["columns"] if c["role"] == "quasi" and c["risk_rate"] is not None]
    first = f": {', '.join(order)}." if order else "."
    return (
        f"De-identify the quasi-identifiers in descending order of their risk rate{first}",
        "Then go on to the dimension of quasi-identifiers: how many of them, in this order, need it.",
        f"Method: g-distinct (Mansour), alpha {document['alpha']:g} %, beta {document['beta']:g} %. "
        "Read it with caution: it sees how rare values are, and not what they mean.",
    )


def notes(document: Document) -> Section:
    """What else a person should know."""
    return Section("Notes", remarks=tuple(document["notes"]))

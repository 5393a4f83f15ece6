"""The dimension of quasi-identifiers as a sheet: the thesis's block for each candidate, then the choice and why."""

from __future__ import annotations

from sfumato.show.documents.dimension import CandidateDocument, DimensionsDocument
from sfumato.show.sheet import Section, Sheet, counted, number


def dimension_sheet(document: DimensionsDocument) -> Sheet:
    """A block for each candidate, the end of the stage, all candidates in one table, and what each rule chooses."""
    sections = (
        _what(document),
        *(_block(document, candidate) for candidate in document.candidates),
        _end(document),
        _candidates(document),
        _rules(document),
        Section("Notes", remarks=(*document.notes, document.reminder)),
    )
    return Sheet(f"Dimension of quasi-identifiers of {document.source}", _verdict(document), sections)


def _verdict(document: DimensionsDocument) -> str:
    rule, best = document.rule, _chosen(document)
    if best is None:
        return f"No optimal QID dimension ({rule}): {document.reasons[rule]}"
    if not document.cumulative:
        return f"Best of {counted(len(document.candidates), 'table')} ({rule}): {best.name}."
    return f"Optimal QID dimension: {best.dimension} of {len(document.quasi_identifiers)} ({rule})."


def _chosen(document: DimensionsDocument) -> CandidateDocument | None:
    place = document.chosen[document.rule]
    return None if place is None else document.candidates[place - 1]


def _what(document: DimensionsDocument) -> Section:
    rates = document.risk_rates
    listed = ", ".join(
        name if (rate := rates.get(name)) is None else f"{name} ({100 * rate:.2f} %)"
        for name in document.quasi_identifiers
    )
    subject = f", persons by {document.subject}" if document.subject else ""
    return Section(
        "What was compared",
        remarks=(
            f"{counted(document.records, 'record')}{subject}; the original and "
            f"{counted(len(document.candidates), 'table')}.",
            f"Quasi-identifiers in order, with their risk rates: {listed}.",
            *([f"Sensitive: {', '.join(document.sensitive)}."] if document.sensitive else []),
        ),
    )


def _block(document: DimensionsDocument, candidate: CandidateDocument) -> Section:
    """The readings of one candidate, as the thesis prints them."""
    before = document.original
    rows = [("K-anonymity original:", str(before.k)), ("K-anonymity after:", str(candidate.k))]
    rows += [("T-closeness original:", _share(before.t)), ("T-closeness after:", _share(candidate.t))]
    for name in document.sensitive:
        rows += [("Sensitive attributes:", name)]
        rows += [("L-diversity original:", str(before.l[name])), ("L-diversity after:", str(candidate.l[name]))]
    rows += [
        ("Privacy gain:", str(candidate.privacy_gain)),
        ("Non-uniform entropy:", "-" if candidate.nue is None else f"{candidate.nue:.4f}"),
        ("Non-uniform entropy(%):", _hundredths(candidate.nue_percent)),
        ("Inverse non-uniform entropy(%):", _hundredths(candidate.inverse_nue_percent)),
    ]
    if candidate.generic_nue is not None:
        rows += [("Generic non-uniform entropy:", f"{candidate.generic_nue:.4f}")]
        rows += [("Generic non-uniform entropy(%):", _hundredths(candidate.generic_nue_percent))]
    title = candidate.name[0].upper() + candidate.name[1:] if document.cumulative else candidate.name
    return Section(title, ("De-identified QIDs:", _columns(candidate)), tuple(rows))


def _end(document: DimensionsDocument) -> Section:
    """What the thesis says at the end: the dimension, and the advice."""
    best, reached = _chosen(document), max((c.dimension for c in document.candidates), default=0)
    of = len(document.quasi_identifiers)
    title = "All QIDS were processed" if reached == of else f"{reached} of {of} QIDS were processed"
    if best is None:
        return Section(title, remarks=("Optimal QID Dimension: none", document.reasons[document.rule]))
    if not document.cumulative:
        remarks = (f"Optimal QID Dimension: {best.dimension}", f"You should release {best.name}.")
        return Section(f"{counted(len(document.candidates), 'table')} compared", remarks=remarks)
    advice = f"You should de-identify the first {best.dimension} QIDS."
    return Section(title, remarks=(f"Optimal QID Dimension: {best.dimension}", "Advice:", f"    {advice}"))


def _candidates(document: DimensionsDocument) -> Section:
    """All candidates in one table, and which rule chooses which."""
    rows = []
    for place, candidate in enumerate(document.candidates, 1):
        rules = [rule for rule, chosen in document.chosen.items() if chosen == place]
        rows.append((
            *([] if document.cumulative else [candidate.name]),
            str(candidate.dimension),
            _columns(candidate),
            number(candidate.k),
            *([" / ".join(map(str, candidate.l.values()))] if document.sensitive else []),
            _share(candidate.t),
            number(candidate.privacy_gain),
            _hundredths(candidate.nue_percent),
            _hundredths(candidate.inverse_nue_percent),
            f"{candidate.risk_removed * 100:.1f}",
            ", ".join(rules),
        ))  # fmt: skip
    first = () if document.cumulative else ("table",)
    diversity = (f"l ({' / '.join(document.sensitive)})",) if document.sensitive else ()
    columns = (*first, "dimension", "de-identified", "k", *diversity, "t", "privacy gain", "NUE %", "inverse NUE %",
               "risk removed %", "chosen by")  # fmt: skip
    numbers = tuple(i for i, name in enumerate(columns) if name not in ("table", "de-identified", "chosen by"))
    remark = "Risk removed: the share of the highest risk, 1/k, that is gone. NUE: non-uniform entropy, what was lost."
    return Section("All candidates", columns, tuple(rows), (remark,), numbers)


def _rules(document: DimensionsDocument) -> Section:
    rows = tuple(
        (rule, "none" if dimension is None else str(dimension), document.reasons[rule])
        for rule, dimension in document.optimal.items()
    )
    return Section("What each rule chooses, and why", ("rule", "dimension", "because"), rows, numbers=(1,))


def _columns(candidate: CandidateDocument) -> str:
    return ", ".join(candidate.quasi_identifiers) or "none"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.5f}"


def _hundredths(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"

"""HIPAA's Safe Harbor as a checklist: each of the 18 identifiers, and what became of it in this release."""

from __future__ import annotations

from collections import Counter

from sfumato.plans.safe_harbor.released_identifiers import ColumnState, IdentifierState, ReleasedIdentifier
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.show.documents.report import NumberSource
from sfumato.show.sheet import Section, named

NOT_FOLLOWED = (IdentifierState.PRESENT, IdentifierState.UNKNOWN, IdentifierState.CHANGED)
MOST = 8  # columns that are named in one line: what a cell of a table holds
LAW = NumberSource(
    name="the 18 identifiers",
    words="What Safe Harbor wants gone, of people and of their relatives, employers and households.",
    more=(
        "PRESENT: a column holds it, with values as they were. Changed, not judged: values were changed, to something "
        "else than Safe Harbor names. Not known: a column leaves of which nobody knows what it holds. As Safe Harbor "
        "allows: a year, an age up to 89 or 90+, three digits of a ZIP code. Removed: the column does not leave. "
        "Absent: no column was recognised as one.",
        "Columns are recognised by their names and values: look at them.",
    ),
    references=(
        "45 CFR 164.514(b)(2), and Office for Civil Rights (2012), Guidance regarding methods for de-identification.",
    ),
)


def safe_harbor_part(evidence: ReportEvidence) -> Part:
    """The checklist, what is not gone, and what the list cannot say."""
    items = evidence.identifiers
    rows = tuple((item.letter, item.identifier, item.state.value, _columns(item)) for item in items)
    counts = Counter(item.state for item in items)
    tally = "; ".join(f"{counts[state]} {state.value}" for state in IdentifierState if counts[state])
    still = [item.letter for item in items if item.state in NOT_FOLLOWED]
    what = "This release" if evidence.released else "The table as it is"
    verdict = (
        f"{what} does not follow the list as it stands: see {', '.join(still)}."
        if still
        else f"No identifier of the list was recognised in {what.lower()}, beyond what the list allows."
    )
    words = (
        "The list by which HIPAA's Safe Harbor judges a release, ticked off one by one. It is one of two ways; the "
        "other, expert determination (45 CFR 164.514(b)(1)), rests on the risk that is measured under identifiability.",
        f"Of {len(items)} identifiers: {tally}. {verdict}",
        "Safe Harbor also asks that you know of no way in which what is left could identify somebody "
        "(45 CFR 164.514(b)(2)(ii)): no list can say so. This is not a legal determination.",
    )
    head = ("", "identifier", "in the release" if evidence.released else "in the table", "columns")
    block = Block(Section("The 18 identifiers of Safe Harbor", head, rows), explained=(LAW,))
    return Part("safe_harbor", "HIPAA Safe Harbor", words, (block,), gist=f"{tally[:1].upper()}{tally[1:]}.")


def _columns(item: ReleasedIdentifier) -> str:
    return named([_column(column, item) for column in item.columns], MOST) or "-"


def _column(column: ColumnState, item: ReleasedIdentifier) -> str:
    """A column; with its own state where the item's is that of another."""
    why = f" ({column.why})" if column.why else ""
    own = f": {column.state.value}" if column.state is not item.state else ""
    return f"{column.column}{own}{why}"

"""The recipient as a sheet: three scores, the grade, what follows from it, and why."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.show.documents.recipient import RecipientDocument
from sfumato.show.sheet import Section, Sheet, number


def recipient_sheet(document: RecipientDocument, about: Mapping[str, str]) -> Sheet:
    """The scores, their reasons and their consequence, from the recipient's document; `about` explains each score."""
    sections = (_scores(document, about), _reasons(document), _what_follows(document))
    return Sheet(
        title="Recipient of the data",
        verdict=f"Grade {document.grade}: an average of {document.average:.2f} out of 10.",
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _scores(document: RecipientDocument, about: Mapping[str, str]) -> Section:
    scores = {
        "linkage": document.linkage,
        "reidentifiability": document.reidentifiability,
        "understanding": document.understanding,
    }
    rows = (
        *((score, number(points), about[score]) for score, points in scores.items()),
        ("average", f"{document.average:.2f}", "High from 7, Middle from 4, Low below 4"),
    )
    return Section("Scores, each out of 10", ("score", "points", "what it says"), rows, numbers=(1,))


def _reasons(document: RecipientDocument) -> Section:
    rows = tuple((r.score, r.question, number(r.points), r.why) for r in document.reasons)
    scored = f"{len(rows)} of {len(document.answers)} answers score; the others count 0."
    remarks = (scored,) if document.answers else ()
    return Section("Why", ("score", "question", "points", "because"), rows, remarks, numbers=(2,))


def _what_follows(document: RecipientDocument) -> Section:
    return Section(
        "What follows",
        remarks=(
            f"Columns whose values seen once per record and influence add up to {document.threshold} or more are "
            f"quasi-identifiers for this recipient.",
            "The answers are what somebody says about the recipient: have the grade reviewed by a person who is "
            "independent of both sides (an honest broker), and keep a log of how the data are used.",
            "Evidence for a qualified decision; not a legal determination.",
        ),
    )

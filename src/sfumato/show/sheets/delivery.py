"""A delivery, and a use that was reported back, as sheets."""

from __future__ import annotations

from sfumato.show.documents.delivery import DeliveryDocument, ReportedUseDocument
from sfumato.show.sheet import Section, Sheet


def delivery_sheet(document: DeliveryDocument) -> Sheet:
    """What was handed to whom, and what spoke against it."""
    rows = (
        ("package", document.package),
        ("manifest", document.manifest),
        ("to", document.to),
        ("purpose", document.purpose),
        ("on", document.on),
        *((("anyway", document.anyway),) if document.anyway else ()),
    )
    sections = (
        Section("Handed on", ("what", "which"), rows),
        Section("Handed on all the same", remarks=tuple(document.problems)),
    )
    return Sheet(
        title=f"Delivery of {document.package}",
        verdict="Written to the log of use.",
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def reported_use_sheet(document: ReportedUseDocument) -> Sheet:
    """What the recipient says of the use."""
    rows = (
        ("package", document.package),
        ("manifest", document.manifest),
        ("by", document.by),
        ("use", document.use),
        ("on", document.on),
    )
    return Sheet(
        title=f"Reported use of {document.package}",
        verdict="Written to the log of use: it is what the recipient says, and nobody checked it.",
        sections=(Section("Reported", ("what", "which"), rows),),
    )

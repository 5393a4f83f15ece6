"""The report for a recipient: what was released, what was required and read, what was done, and what stays.

All numbers are read off the released file. What was lost, who was left out and what the original was like are in the
full report, which is part of the evidence.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.privacy.assessment import Assessment, Reading
from sfumato.privacy.models.average_risk import AverageRisk
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.verdict import Verdict
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block, Part, Place, Report
from sfumato.proof.report.parts.terms import glossary_part
from sfumato.proof.report.small_numbers import LEAST
from sfumato.show.sheet import Section, but_open, counted, number

if TYPE_CHECKING:
    from sfumato.proof.package.hand_over import ReadRelease
    from sfumato.show.documents.package import PackageDocument
    from sfumato.show.documents.report import NumberSource

ROLES = "direct: names a person; quasi: somebody else may know it; sensitive: somebody would like to know it."
STAYS = (
    "What was lost and for whom, how many were left out, the hash and the name of the original and every list of its "
    "values stay with the steward, as evidence. The manifest of this package commits to each file of it: the steward "
    "can show it later, and cannot exchange it.",
    "A person decided about every column that is released. Who that was, when and why is part of that evidence.",
    "sfumato verify reads every number of this package off the released data again.",
)


def recipient_report(read: ReadRelease) -> Report:
    """The report that goes with a package."""
    document = read.document
    columns, readings = _columns(document), _readings(read)
    first = (Block(columns), Block(readings.section, place=Place.ASIDE))
    parts = (_released(document), _safety(read, readings.explained), _done(document), _stays(document))
    smallest = min(assessment.sizes.smallest for assessment in read.assessments.values())
    return Report(
        title=f"Report on {document.released.name}",
        headline=(
            f"Every requirement is met by the release{but_open(document.open)}. "
            f"At least {counted(smallest, 'record')} look alike."
        ),
        parts=(*parts, glossary_part(parts)),
        summary=Part("summary", "What leaves, and how safe it is", (), first),
        glance=(
            ("requirements", document.verdict or "none"),
            ("records", number(document.released.records)),
            ("smallest group of records that look alike", number(smallest)),
            ("left out", document.left_out),
        ),
        verdict=Verdict(document.met, tuple(document.open)),
        mask=LEAST,
    )


def _columns(document: PackageDocument) -> Section:
    roles = {
        **dict.fromkeys(document.quasi_identifiers, "quasi"),
        **dict.fromkeys(document.sensitive, "sensitive"),
        **({document.subject: "tells persons apart"} if document.subject else {}),
    }
    levels = document.levels or {}
    rows = tuple(
        (name, roles.get(name, "non-sensitive"), f"level {levels[name]}" if levels.get(name) else "-")
        for name in document.released.columns
    )
    return Section("Columns", ("column", "role", "generalised to"), rows, (ROLES,))


def _released(document: PackageDocument) -> Part:
    size = (
        f"{document.released.name}: {counted(document.released.records, 'record')}, "
        f"{counted(len(document.released.columns), 'column')}."
    )
    return Part("data", "What was released", (f"{size} SHA-256 {document.released.sha256}.",), gist=size)


def _safety(read: ReadRelease, explained_readings: tuple[NumberSource, ...]) -> Part:
    document = read.document
    by_person = document.counted == "persons" and document.subject is None
    words = [
        f"Required: {', '.join(document.required) or 'nothing'}.",
        "Every number here is read off the released rows, as anybody can who has them.",
    ]
    if by_person:
        words.append(
            "The requirements count persons, whom the release does not tell apart: here they are read by record. That "
            "they hold by person is in the evidence."
        )
    if document.unread:
        words.append(f"Read with a table of the population, and not repeated here: {', '.join(document.unread)}.")
    classes = _classes(read)
    blocks = (replace(classes, explained=(*explained_readings, *classes.explained)),)
    return Part("identifiability", "How safe the release is", tuple(words), blocks, gist=words[0])


def _readings(read: ReadRelease) -> Block:
    scenarios = any(read.assessments)
    rows = tuple(
        (reading.measure.name(), *([scenario] if scenarios else []), reading.sensitive or "-", _value(reading),
         number(reading.requirement.bound), {True: "yes", False: "NO", None: ""}[reading.met], reading.measure.plainly)
        for scenario, assessment in read.assessments.items()
        for reading in assessment.readings
    )  # fmt: skip
    named = ("scenario",) if scenarios else ()
    head = ("measure", *named, "sensitive", "reading", "bound", "met", "what it says")
    measures = {r.measure.name(): r.measure for a in read.assessments.values() for r in a.readings}
    told = tuple(
        explained(name, type(measure), measure.plainly, f"{measure.bounds}; safer when {measure.safer.value}")
        for name, measure in measures.items()
    )
    numbers = (head.index("reading"), head.index("bound"))
    return Block(Section("Readings of the released rows", head, rows, (), numbers), explained=told)


def _classes(read: ReadRelease) -> Block:
    head = ("read for", "records", "classes", "smallest", "median", "largest", "highest risk", "average risk")
    rows = tuple(_sizes(scenario, assessment) for scenario, assessment in read.assessments.items())
    told = (
        explained("highest risk", MaximumRisk, MaximumRisk.plainly, "0 to 1"),
        explained("average risk", AverageRisk, AverageRisk.plainly, "0 to 1"),
    )
    return Block(Section("Records that look alike", head, rows, (), tuple(range(1, len(head)))), explained=told)


def _sizes(scenario: str, assessment: Assessment) -> tuple[str, ...]:
    sizes = assessment.sizes
    known = scenario or ", ".join(assessment.dataset.quasi_identifiers)
    return (
        known, number(sizes.records), number(sizes.count), number(sizes.smallest), number(sizes.quantile(0.5)),
        number(sizes.largest), number(1 / sizes.smallest), number(sizes.average_risk),
    )  # fmt: skip


def _value(reading: Reading) -> str:
    if reading.value is None:
        return "nobody has a value"
    return "infinite" if math.isinf(reading.value) else number(reading.value)


def _done(document: PackageDocument) -> Part:
    steps = tuple((number(i), words) for i, words in enumerate(document.steps, 1))
    words = (
        f"Found by the method {document.method} for the least {document.objective}."
        if document.method != "plan"
        else "Made by a plan.",
        f"Left out: {document.left_out}.",
    )
    block = Block(Section("Steps", ("step", "what"), steps, (), (0,)))
    return Part("transformations", "What was done", words, (block,), gist=words[0])


def _stays(document: PackageDocument) -> Part:
    rows = (("engine", document.engine), *document.versions.items())
    versions = Block(Section("Versions", ("what", "version"), rows))
    gist = "The evidence, of which nothing is in this package."
    return Part("governance", "What stays with the steward", STAYS, (versions,), gist=gist)

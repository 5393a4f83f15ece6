"""Assessments: what was read off a dataset, against a policy, and the flag of every record."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.everything_released import EverythingReleased
from sfumato.privacy.measure_interface import Measure, SensitiveMeasure
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.readings import Overlap, Verdicts
from sfumato.privacy.sizes import Sizes
from sfumato.privacy.verdict import Verdict
from sfumato.show.documents.assessment import AssessmentDocument, ReadingDocument
from sfumato.show.documents.table import ColumnDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.assessment import assessment_sheet
from sfumato.show.sheets.everything_released import UNREAD
from sfumato.tables.source import Column

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Reading:
    """One requirement, the value found, and how many records are at risk because of it."""

    requirement: Requirement
    value: float | None
    flagged: int = 0
    flagged_subjects: int | None = None
    left_out: int = 0  # records without the sensitive value

    @property
    def measure(self) -> Measure:
        """What was read."""
        return self.requirement.measure

    @property
    def sensitive(self) -> str | None:
        """The sensitive attribute, for a measure that is about one."""
        return self.measure.sensitive if isinstance(self.measure, SensitiveMeasure) else None

    @property
    def met(self) -> bool | None:
        """Whether the value keeps to the requirement; None without a bound."""
        return self.requirement.met_by(self.value)

    @property
    def label(self) -> str:
        """A name for files and columns: the measure and what it is about."""
        return "_".join(part for part in (self.measure.name(), self.sensitive) if part)

    def content(self) -> ReadingDocument:
        """The reading as plain values; an infinite value is null, and the note says so."""
        note = None
        if self.value is None:
            note = "no record has a value, so there is nothing to disclose"
        elif math.isinf(self.value):
            note = "infinite: at least one class satisfies no bound at all"
        return ReadingDocument(
            measure=self.measure.name(),
            sensitive=self.sensitive,
            value=None if note else self.value,
            bound=self.requirement.bound,
            met=self.met,
            flagged=self.flagged,
            left_out=self.left_out,
            means=self.measure.plainly,
            flagged_subjects=self.flagged_subjects,
            note=note,
        )


@dataclass(frozen=True, repr=False)
class Assessment(Presented):
    """Every requirement of a policy, read off one dataset, and the flag of every record."""

    dataset: Dataset
    policy: Policy
    classes: EquivalenceClasses = field(repr=False)
    readings: tuple[Reading, ...]
    sizes: Sizes
    overlap: Overlap
    verdicts: Verdicts = field(repr=False)
    records: int
    subjects: int | None
    missing_readings: dict[str, float | None]  # k, under each reading of a missing quasi-identifier
    alongside: tuple[Reading, ...] = ()  # not required, but worth knowing
    homogeneous: dict[str, int] = field(default_factory=dict)  # records in classes of one sensitive value
    columns: tuple[Column, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = "table"
    open: tuple[str, ...] = ()  # what a person has to answer for, though the policy may be met
    everything: EverythingReleased | None = None  # read when it is asked for; None where it is not to be looked at

    @property
    def met(self) -> bool | None:
        """Whether every requirement is met; None when nothing was required."""
        decided = [reading.met for reading in self.readings if reading.met is not None]
        return all(decided) if decided else None

    @property
    def verdict(self) -> Verdict:
        """Whether every requirement is met, and what is open all the same."""
        alone = self.everything.open if self.everything else (UNREAD,)
        return Verdict(self.met).with_open(*self.open, *alone)

    @cached_property
    def flags(self) -> pa.Table:
        """One row per record: its number, its subject, each reading, and whether it is at risk."""
        return self.verdicts.arrow(self.dataset.subject)

    def content(self) -> AssessmentDocument:
        """The whole assessment as plain values. It holds no cell value."""
        verdict = self.verdict
        return AssessmentDocument(
            source=self.source,
            records=self.records,
            subjects=self.subjects,
            quasi_identifiers=self.dataset.quasi_identifiers,
            sensitive=self.dataset.sensitive,
            subject=self.dataset.subject,
            missing_values=self.dataset.missing.value,
            classes=self.sizes.content(),
            readings=[reading.content() for reading in self.readings],
            met=self.met,
            verdict=verdict.state,
            open=verdict.open,
            everything=self.everything.content() if self.everything else None,
            overlap=self.overlap.by_family(),
            k_by_missing_values=self.missing_readings,
            alongside=[reading.content() for reading in self.alongside],
            homogeneous=self.homogeneous,
            columns=[ColumnDocument(**column.document()) for column in self.columns],
            notes=self.notes,
        )

    def sheet(self) -> Sheet:
        """The assessment for people: titled tables, for a terminal, a notebook or a page."""
        return assessment_sheet(self.content())

"""What an assessment found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document, where_said
from sfumato.show.documents.everything_released import EverythingDocument
from sfumato.show.documents.table import ColumnDocument


@dataclass(frozen=True, kw_only=True)
class ReadingDocument(Document):
    """One requirement, what was read, and how many records are at risk because of it."""

    measure: str
    sensitive: str | None
    value: float | None  # null where it is infinite as well: the note says which
    bound: float | None
    met: bool | None
    flagged: int
    left_out: int  # records without the sensitive value
    means: str
    flagged_subjects: int | None = where_said()
    note: str | None = where_said()


@dataclass(frozen=True, kw_only=True)
class SmallClassesDocument(Document):
    """Classes of one small size."""

    size: int
    classes: int
    records: int
    risk: float


@dataclass(frozen=True, kw_only=True)
class LadderStepDocument(Document):
    """Classes below a size that guidelines name."""

    below: int
    risk: float
    classes: int
    records: int
    share: float


@dataclass(frozen=True, kw_only=True)
class SizesDocument(Document):
    """The sizes of all classes, and the risk ladder."""

    count: int
    smallest: int
    largest: int
    average: float
    median: int
    fifth_percentile: int
    singletons: int
    small: Sequence[SmallClassesDocument]
    ladder: Sequence[LadderStepDocument]
    maximum_risk: float
    average_risk: float


@dataclass(frozen=True, kw_only=True)
class AssessmentDocument(Document):
    """The whole assessment. It holds no cell value."""

    source: str
    records: int
    subjects: int | None
    quasi_identifiers: Sequence[str]
    sensitive: Sequence[str]
    subject: str | None
    missing_values: str
    classes: SizesDocument
    readings: Sequence[ReadingDocument]
    met: bool | None
    verdict: str | None  # met; met, but; not met; null where nothing was required
    open: Sequence[str]  # what a person has to answer for, though the policy may be met
    everything: EverythingDocument | None  # apart from the policy; null where it was not looked at
    overlap: Mapping[str, int]  # {"k only": 3, ..., "several": 1, "any": 4}
    k_by_missing_values: Mapping[str, float | None]
    alongside: Sequence[ReadingDocument]  # not required, but worth knowing
    homogeneous: Mapping[str, int]  # records in classes of one sensitive value
    columns: Sequence[ColumnDocument]
    notes: Sequence[str]
    reminder: str = "Evidence for a qualified decision; not a legal determination."

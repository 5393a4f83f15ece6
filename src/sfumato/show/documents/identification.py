"""What the columns of a table, or of several, seem to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document, where_said
from sfumato.show.documents.recipient import RecipientDocument


@dataclass(frozen=True, kw_only=True)
class FindingDocument(Document):
    """What one method says of a column. It holds no cell value."""

    method: str
    verdict: str | None  # a role, or drop
    number: float | None
    sentence: str
    weight: float  # 0: it is shown, and decides nothing
    hipaa: str | None


@dataclass(frozen=True, kw_only=True)
class IdentifiedColumnDocument(Document):
    """One column. Shares are fractions, the risk rate among them."""

    name: str
    role: str  # or undecided
    decided: bool
    sure: float
    hipaa: str | None
    risk_rate: float | None
    g_sum: float | None  # the sum that the risk rate is the mean of
    values_seen_once: float  # per record: the uniqueness of Jung et al.
    unique_records: int  # whom this column by itself tells from everybody else
    influence: float | None
    score: float | None
    quasi_identifier: str | None  # primary, secondary or final (where there is a recipient): the last that it is
    missing: float
    drop: bool
    type: str  # as which it was read
    why: str | None  # why it was read so
    label: str | None  # what the source, or a data dictionary, calls it in words
    different_values: int  # missing not counted
    missing_records: int
    shape: Sequence[float]  # how often values occur, as heights of bars, without the values
    evidence: Sequence[FindingDocument]
    would_decide: str | None = where_said()  # of an undecided column


@dataclass(frozen=True, kw_only=True)
class StandingDocument(Document):
    """How far the records are told apart."""

    classes: int
    unique_records: int
    average_risk: float


@dataclass(frozen=True, kw_only=True)
class CoarserDocument(StandingDocument):
    """The same with a column read in less detail, and how."""

    how: str


@dataclass(frozen=True, kw_only=True)
class ColumnEffectDocument(Document):
    """What would become of the records without a column, or with it coarser."""

    name: str
    share_of_risk: float | None
    now: StandingDocument
    without: StandingDocument
    coarser: CoarserDocument | None


@dataclass(frozen=True, kw_only=True)
class ColumnCombinationDocument(Document):
    """Some columns, and how well they tell records apart together."""

    columns: Sequence[str]
    distinction: float
    separation: float
    classes: int
    unique_records: int


@dataclass(frozen=True, kw_only=True)
class CombinationsDocument(Document):
    """The combinations that were looked at, those that tell most apart first."""

    examined: int
    possible: int
    found: Sequence[ColumnCombinationDocument]


@dataclass(frozen=True, kw_only=True)
class ThresholdMoveDocument(Document):
    """A value of alpha or beta at which columns change their class, and how many are what with it."""

    threshold: str  # alpha or beta
    value: float
    columns: Sequence[str]
    sensitive: int
    quasi: int
    non_sensitive: int


@dataclass(frozen=True, kw_only=True)
class GradeDocument(Document):
    """The final quasi-identifiers for recipients of one grade: those whose score reaches its threshold."""

    grade: str
    threshold: float
    columns: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class GradeTotalDocument(Document):
    """How many there are of them in several tables."""

    grade: str
    threshold: float
    columns: int


@dataclass(frozen=True, kw_only=True)
class IdentificationDocument(Document):
    """The columns of one table, and how they identify together."""

    source: str
    records: int
    method: str
    alpha: float
    beta: float
    columns: Sequence[IdentifiedColumnDocument]
    excluded: Sequence[str]
    roles: Mapping[str, Sequence[str]]
    confirmable: Mapping[str, Sequence[str]]  # by role: proposals so sure that they can be confirmed together
    families: Sequence[Sequence[str]]  # siblings by name that have one role
    secondary: Sequence[str]  # primary quasi-identifiers with values seen once, or influence, above 0
    grades: Sequence[GradeDocument]
    ranking: Sequence[ColumnEffectDocument]
    combinations: CombinationsDocument | None
    notes: Sequence[str]
    recipient: RecipientDocument | None = where_said()  # noqa: RUF009  a field, not a value
    selected: Sequence[str] | None = where_said()
    moves: Sequence[ThresholdMoveDocument] | None = where_said()  # of the risk rate alone


@dataclass(frozen=True, kw_only=True)
class IdentifiedTableDocument(Document):
    """One of several tables, and how many columns of each role it has."""

    name: str
    identification: IdentificationDocument
    counts: Mapping[str, int]

    def plain(self) -> dict[str, Any]:
        """The identification with a name before it and the counts after it."""
        return {"name": self.name, **self.identification.plain(), "counts": dict(self.counts)}


@dataclass(frozen=True, kw_only=True)
class FailureDocument(Document):
    """A table that could not be read, and why."""

    name: str
    problem: str


@dataclass(frozen=True, kw_only=True)
class IdentificationsDocument(Document):
    """Several tables, each identified."""

    source: str
    tables: Sequence[IdentifiedTableDocument]
    totals: Mapping[str, int]
    grades: Sequence[GradeTotalDocument]
    failures: Sequence[FailureDocument]
    notes: Sequence[str]
    recipient: RecipientDocument | None = where_said()  # noqa: RUF009  a field, not a value

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
    """One column: the risk rate in per cent, shares as fractions."""

    name: str
    role: str  # or undecided
    decided: bool
    sure: float
    hipaa: str | None
    risk_rate: float | None
    uniqueness: float
    influence: float | None
    score: float | None
    missing: float
    drop: bool
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
    ranking: Sequence[ColumnEffectDocument]
    combinations: CombinationsDocument | None
    notes: Sequence[str]
    recipient: RecipientDocument | None = where_said()  # noqa: RUF009  a field, not a value
    selected: Sequence[str] | None = where_said()


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
    failures: Sequence[FailureDocument]
    notes: Sequence[str]

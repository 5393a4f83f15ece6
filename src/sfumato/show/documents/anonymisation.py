"""What a search found, and the release that comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document, where_said
from sfumato.show.documents.assessment import ReadingDocument
from sfumato.show.documents.decided_columns import AgainstEvidenceDocument
from sfumato.show.documents.everything_released import EverythingDocument
from sfumato.show.documents.explanation import ExplanationDocument, SuppressionBiasDocument

PLAN_ONLY = "plan"  # the method of a release that was not searched


@dataclass(frozen=True, kw_only=True)
class ScoreDocument(Document):
    """What is lost, as the objective counts it, and from 0 to 1."""

    value: float
    normalised: float


@dataclass(frozen=True, kw_only=True)
class KeptClassesDocument(Document):
    """The classes of the release; no average where there is none."""

    count: int
    smallest: int
    average: float | None
    largest: int


@dataclass(frozen=True, kw_only=True)
class UsedHierarchyDocument(Document):
    """Where the hierarchy of a column comes from, and how many labels each of its levels has."""

    kind: str
    height: int
    labels: Sequence[int]
    why: str


@dataclass(frozen=True, kw_only=True)
class LostDocument(Document):
    """What was lost on each utility model, from 0 to 1, in all and by column; empty where it was not measured.

    `total["loss"]` is the loss of the release: the command line and the report quote this number, with these columns.
    """

    over: Sequence[str] | None = where_said()  # the columns that were compared
    total: Mapping[str, float | None] | None = where_said()
    columns: Mapping[str, Mapping[str, float | None]] | None = where_said()


@dataclass(frozen=True, kw_only=True)
class _OfScenario(Document):
    scenario: str | None = where_said()


@dataclass(frozen=True, kw_only=True)
class ReleaseReadingDocument(ReadingDocument, _OfScenario):
    """A reading of the release; where the policy holds for scenarios, of one of them, which is its first key."""


@dataclass(frozen=True, kw_only=True)
class AlternativeDocument(Document):
    """A way to a release that was tried, what it loses and leaves out, and how to get it."""

    method: str
    suppression_limit: float
    chosen: bool
    score: float | None  # by the objective; null where it came to nothing
    lost: float | None  # the same, from 0 to 1
    suppressed: int | None
    cells: int | None  # of records that stay, of which nothing is left
    hits: str | None  # the group that is left out most often in comparison; null where none is hit clearly more
    why_not: str  # why it came to nothing
    settings: Mapping[str, str | float]
    options: str  # of the command that gives it


@dataclass(frozen=True, kw_only=True)
class RareColumnDocument(Document):
    """A column that everybody is generalised in for the sake of a few."""

    column: str
    level: int
    values: int
    records: int


@dataclass(frozen=True, kw_only=True)
class RareValuesDocument(Document):
    """Rare values that force everybody up, and what the best levels would lose if as many records were left out."""

    columns: Sequence[RareColumnDocument]
    records: int
    share: float
    score: float
    without: float
    normalised: float
    normalised_without: float


@dataclass(frozen=True, kw_only=True)
class AnonymisationDocument(Document):
    """The search and its release. Of the data it holds no cell, only labels of large groups."""

    source: str
    method: str
    objective: str
    aggregate: str | None
    requirements: Sequence[Any]  # as project files write them
    required: Sequence[str]  # as people say them
    suppression_limit: float
    quasi_identifiers: Sequence[str]
    records: int
    levels: Mapping[str, int] | None  # null where each class has its own
    suppressed: int
    score: ScoreDocument
    optimal: bool
    bound: float | None
    gap: float | None
    examined: int | None
    pruned: int | None
    tied: int | None
    lattice: int | None
    classes: KeptClassesDocument
    condensed: int  # different records
    readings: Sequence[ReleaseReadingDocument]
    met: bool
    left_out_columns: Sequence[str]  # that nobody decided about
    released_against_evidence: Sequence[AgainstEvidenceDocument]
    verdict: str | None  # met; met, but; not met; null where nothing was required
    open: Sequence[str]  # what a person has to answer for, though the policy is met
    everything: EverythingDocument | None  # apart from the policy; null where it was not looked at
    alternatives: Sequence[AlternativeDocument]  # that were compared; empty where the method was given
    rare_values: RareValuesDocument | None  # that keep one level for each column up; null where there are none
    hierarchies: Mapping[str, UsedHierarchyDocument]
    lost: LostDocument
    explanation: ExplanationDocument | None
    bias: SuppressionBiasDocument | None
    steps_before: int
    steps: Sequence[str]
    notes: Sequence[str]
    reminder: str = "Evidence for a qualified decision; not a legal determination."

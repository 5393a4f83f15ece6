"""Why a search chose its levels, and whom suppression hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class ColumnCostDocument(Document):
    """What one column became, and what that costs. Scores are null where they are infinite, here and below."""

    column: str
    level: int
    height: int
    labels: int
    values: int
    cost: float | None
    lowest: int
    lowest_score: float | None
    lowest_suppressed: int


@dataclass(frozen=True, kw_only=True)
class NeighbourDocument(Document):
    """The same levels but for one column, which is one level lower or higher."""

    column: str
    level: int
    score: float | None
    suppressed: int
    excess: int
    smallest: int


@dataclass(frozen=True, kw_only=True)
class EasierSearchDocument(Document):
    """What a search finds when one thing is not asked for."""

    score: float | None
    levels: Mapping[str, int]
    suppressed: int
    proven: bool
    binds: bool | None


@dataclass(frozen=True, kw_only=True)
class MoreSuppressionDocument(Document):
    """What a search finds when more records may be suppressed."""

    limit: int
    score: float | None
    levels: Mapping[str, int]
    suppressed: int
    proven: bool
    binds: bool | None


@dataclass(frozen=True, kw_only=True)
class RequirementEffectDocument(Document):
    """One requirement at the solution."""

    measure: str
    about: str
    bound: float
    breaks: int
    alone: int
    without: EasierSearchDocument


@dataclass(frozen=True, kw_only=True)
class ExplanationDocument(Document):
    """The whole explanation. It holds no cell value and no label."""

    objective: str
    means: str
    score: float | None
    normalised: float
    optimal: bool
    levels: Mapping[str, int]
    records: int
    suppressed: int
    limit: int
    adds_up: bool
    suppression_cost: float | None
    columns: Sequence[ColumnCostDocument]
    next_better: NeighbourDocument | None
    one_level_lower: Sequence[NeighbourDocument]
    next_safer: NeighbourDocument | None
    one_level_higher: Sequence[NeighbourDocument]
    requirements: Sequence[RequirementEffectDocument]
    more_suppression: MoreSuppressionDocument | None


@dataclass(frozen=True, kw_only=True)
class SubgroupDocument(Document):
    """Records with one label, or with several rare ones together, and how many of them are suppressed."""

    label: str
    labels: int
    records: int
    suppressed: int
    share: float
    ratio: float | None
    hit: bool


@dataclass(frozen=True, kw_only=True)
class ColumnBiasDocument(Document):
    """The groups of one column, those that are hit most often first."""

    column: str
    level: int | None
    groups: Sequence[SubgroupDocument]


@dataclass(frozen=True, kw_only=True)
class SuppressionBiasDocument(Document):
    """Whom suppression hits. It holds labels, as results do; no group is of fewer than 11 records."""

    records: int
    suppressed: int
    share: float | None
    columns: Sequence[ColumnBiasDocument]
    left_out: Sequence[str]
    notes: Sequence[str]

"""How many quasi-identifiers have to be de-identified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document, where_said


@dataclass(frozen=True, kw_only=True)
class ProtectionDocument(Document):
    """What is read off one table; t is the largest of all sensitive attributes."""

    k: int
    l: Mapping[str, int]  # noqa: E741
    t: float | None
    t_by_sensitive: Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class CandidateDocument(Document):
    """A table in which some of the quasi-identifiers are de-identified, beside the original."""

    name: str
    source: str | None
    dimension: int
    quasi_identifiers: Sequence[str]
    k: int
    l: Mapping[str, int]  # noqa: E741
    t: float | None
    t_by_sensitive: Mapping[str, float | None]
    privacy_gain: int
    nue: float | None
    nue_percent: float | None
    inverse_nue_percent: float | None
    feasible: bool
    risk_removed: float
    utility: float | None
    generic_nue: float | None = where_said()
    generic_nue_percent: float | None = where_said()


@dataclass(frozen=True, kw_only=True)
class DimensionsDocument(Document):
    """The candidates beside the original, and what each rule chooses. It holds no cell value."""

    source: str
    records: int
    subject: str | None
    quasi_identifiers: Sequence[str]
    risk_rates: Mapping[str, float | None]
    sensitive: Sequence[str]
    cumulative: bool
    original: ProtectionDocument
    maximum_nue: float | None
    candidates: Sequence[CandidateDocument]
    rule: str
    optimal: Mapping[str, int | None]  # the dimension that each rule chooses
    chosen: Mapping[str, int | None]  # and the number of the candidate, from 1 on
    reasons: Mapping[str, str]
    notes: Sequence[str]
    reminder: str = "Evidence for a qualified decision; not a legal determination."

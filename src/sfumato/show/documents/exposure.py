"""What attackers could find out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document, where_said


class DetailedDocument(Document):
    """A document in which an attack says more than others do: what is in its field `details` has keys of its own."""

    def plain(self) -> dict[str, Any]:
        """The same as a dictionary, with the details in their place among the other keys."""
        values: dict[str, Any] = {}
        for key, value in super().plain().items():
            values |= value if key == "details" else {key: value}
        return values


@dataclass(frozen=True, kw_only=True)
class LinkageDocument(DetailedDocument):
    """How often an attacker names a released record for an original one, and how often the right one."""

    method: str
    unit: str  # what rates and counts are of: persons where a subject is known, else records
    records: int
    released: int
    persons: int | None = where_said()
    match_rate: float
    true_match_rate: float
    false_match_rate: float
    true_matches: float  # how many are linked rightly, on average
    found_rate: float  # how often the own record is among those named
    linkable: int
    comparisons: int
    recoded: Sequence[str]
    notes: Sequence[str]
    details: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class LinkagesDocument(LinkageDocument):
    """The first way of linking, and all of them beside it."""

    methods: Sequence[LinkageDocument]


@dataclass(frozen=True, kw_only=True)
class TrialsDocument(Document):
    """Attempts, and how many succeeded."""

    attempts: int
    successes: float
    rate: float
    interval: Sequence[float]


@dataclass(frozen=True, kw_only=True)
class AttackDocument(DetailedDocument):
    """How often an attack succeeded, how often its control did, and the risk that the release adds."""

    method: str
    unit: str  # what an attempt is on: persons where a subject is known, else records
    risk: float
    interval: Sequence[float]
    attack: TrialsDocument
    control: TrialsDocument
    notes: Sequence[str]
    details: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ScenarioAfterDocument(Document):
    """A scenario on the release: by its classes, and by linkage."""

    metric: str  # which of the two the risk is: linkage where a column was perturbed and classes say nothing
    dropped: Sequence[str]
    perturbed: Sequence[str]
    records: int
    persons: int
    singled_out: int
    linkage: LinkageDocument | None = where_said()  # noqa: RUF009
    percent: float  # of the records, by that metric
    k: int
    average_risk: float
    highest_risk: float
    below: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class ScenarioDocument(Document):
    """What somebody may know, how many records it singles out, and how many of the release."""

    name: str
    quasi_identifiers: Sequence[str]
    records: int
    persons: int
    singled_out: int
    percent: float
    k: int
    average_risk: float
    highest_risk: float
    below: Mapping[str, int]  # records in classes smaller than 3, 5, 11 and 20
    condition: str | None = where_said()  # of a subset, in words and without its values
    mode: str | None = where_said()
    satisfying: int | None = where_said()
    singled_out_satisfying: int | None = where_said()
    after: ScenarioAfterDocument | None = where_said()  # noqa: RUF009


@dataclass(frozen=True, kw_only=True)
class AtRiskDocument(Document):
    """The records in classes smaller than a guideline accepts."""

    below: int
    risk: float
    records: int
    share: float


@dataclass(frozen=True, kw_only=True)
class AttackerDocument(Document):
    """What somebody knows, and how likely they are to be right."""

    name: str
    knows: str
    highest: float | None
    average: float
    at_risk: Sequence[AtRiskDocument]
    caveat: str


@dataclass(frozen=True, kw_only=True)
class EstimateDocument(Document):
    """A number that a model gives, what it is at least and at most, and a caveat."""

    value: float | None
    lowest: float | None
    highest: float | None
    caveat: str


@dataclass(frozen=True, kw_only=True)
class PopulationDocument(Document):
    """How many people are unique in the population, by every model, and which model to believe."""

    size: int
    source: str | None = where_said()  # of the size, where it is that of a country
    uniques: Mapping[str, EstimateDocument]
    chosen: str | None


@dataclass(frozen=True, kw_only=True)
class SufficientColumnsDocument(Document):
    """Columns that suffice to single out some records, where no fewer of them do."""

    columns: Sequence[str]
    records: int


@dataclass(frozen=True, kw_only=True)
class UniquesDocument(Document):
    """Special uniques: how many columns suffice for how many records, and which."""

    largest: int
    records: int
    uniques: int
    by_size: Mapping[str, int]
    smallest: Mapping[str, int]
    contributions: Mapping[str, float]
    combinations: Sequence[SufficientColumnsDocument]


@dataclass(frozen=True, kw_only=True)
class DisSudaDocument(Document):
    """How likely a unique match is right, for the file (DIS) and for its records by their scores (DIS-SUDA)."""

    fraction: float  # of the population that is in the sample
    assumed: bool  # whether nobody said which fraction it is
    dis: float
    highest: float  # of a record
    average: float  # of the records with a score


@dataclass(frozen=True, kw_only=True)
class DriverDocument(Document):
    """What one column does to the risk."""

    column: str
    alone: float
    without: float
    contribution: float
    standard_error: float  # of a sampled contribution; 0 where it is exact
    interval: Sequence[float]  # that holds it with 95 % confidence


@dataclass(frozen=True, kw_only=True)
class DriversDocument(Document):
    """What every column does to the risk."""

    risk: str
    whole: float
    nothing: float
    orders: int | None  # null where all orders were taken into account
    columns: Sequence[DriverDocument]


@dataclass(frozen=True, kw_only=True)
class ColumnSetDocument(Document):
    """Some columns, and how many records are alone on them."""

    columns: Sequence[str]
    singled_out: int
    percent: float


@dataclass(frozen=True, kw_only=True)
class ColumnSetsDocument(Document):
    """The sets of columns that single out most, and how many sets were looked at."""

    possible: int
    examined: int
    implied: int
    left: int
    found: Sequence[ColumnSetDocument]


@dataclass(frozen=True, kw_only=True)
class PatternsDocument(Document):
    """People told apart by one, by two, or by all of their records."""

    persons: int
    singled_out: Mapping[str, int]
    percent: Mapping[str, float]
    not_all_pairs: int


@dataclass(frozen=True, kw_only=True)
class ExposureDocument(Document):
    """The whole exposure. It holds no cell value."""

    source: str
    released: str | None
    records: int
    persons: int | None
    quasi_identifiers: Sequence[str]
    scenarios: Sequence[ScenarioDocument]
    subsets: Sequence[ScenarioDocument]
    attackers: Sequence[AttackerDocument] | None
    attackers_after: Sequence[AttackerDocument] | None
    population: PopulationDocument | None
    uniques: UniquesDocument | None
    dis_suda: DisSudaDocument | None
    drivers: DriversDocument | None
    sets: ColumnSetsDocument | None
    patterns: PatternsDocument | None
    linkage: LinkagesDocument | None
    questions: Sequence[AttackDocument]
    notes: Sequence[str]
    reminder: str = "Evidence for a qualified decision; not a legal determination."

"""Plans: what each step does, which transformations and recipes there are, and how a release came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document, where_said
from sfumato.show.documents.decided_columns import AgainstEvidenceDocument


@dataclass(frozen=True, kw_only=True)
class StepDocument(Document):
    """One step in a sentence, with made-up examples."""

    number: int
    id: str
    transformation: str
    explanation: str
    examples: Sequence[tuple[str, str]]  # before and after
    parameters: Mapping[str, Any]  # as the plan writes them
    because: str | None = where_said()  # why it is done, and who proposed it
    proposed_by: str | None = where_said()


@dataclass(frozen=True, kw_only=True)
class PlanDocument(Document):
    """A plan for somebody who has to sign it."""

    plan: str  # the name of its file
    seed: str | None = where_said()
    draws: Mapping[str, str]  # what each step that draws at random draws by
    fingerprint: str
    secrets: Sequence[str]
    remarks: Sequence[str]  # what undoes the protection, as far as the plan itself shows it
    steps: Sequence[StepDocument]


@dataclass(frozen=True, kw_only=True)
class TransformationDocument(Document):
    """One transformation that a step can be."""

    name: str
    aliases: Sequence[str]
    summary: str
    parameters: Mapping[str, str | None]  # by name: what it is unless a plan says otherwise
    explanation: str


@dataclass(frozen=True, kw_only=True)
class TransformationsDocument(Document):
    """Every transformation, or one in full."""

    transformations: Sequence[TransformationDocument]
    in_full: bool


@dataclass(frozen=True, kw_only=True)
class RecipeDocument(Document):
    """A plan that comes with the package."""

    name: str
    steps: int
    description: str


@dataclass(frozen=True, kw_only=True)
class RecipesDocument(Document):
    """Every plan that comes with the package."""

    recipes: Sequence[RecipeDocument]


@dataclass(frozen=True, kw_only=True)
class SourceDocument(Document):
    """What a plan was applied to."""

    name: str
    sha256: str | None  # null where it is no file
    records: int


@dataclass(frozen=True, kw_only=True)
class ReleasedFileDocument(Document):
    """The file that came out."""

    name: str
    sha256: str
    records: int
    columns: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class RecordedPlanDocument(Document):
    """A plan as a record of a release has it: without the values that its steps name."""

    seed: str | None = where_said()
    subject: str | None = where_said()
    steps: Sequence[Mapping[str, Any]]
    sha256: str  # of the whole plan


@dataclass(frozen=True, kw_only=True)
class ProvenanceDocument(Document):
    """How a release came about. It holds no cell and no secret."""

    input: SourceDocument
    output: ReleasedFileDocument
    plan: RecordedPlanDocument
    settled: Sequence[Mapping[str, Any]] | None  # the steps as they were done; null where the plan decided everything
    draws: Mapping[str, str]  # what each step that draws at random draws by, in words; never the key itself
    secrets: Sequence[str]  # their names
    engine: str
    versions: Mapping[str, str]
    notes: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class AppliedPlanDocument(ProvenanceDocument):
    """How a release came about, and for its steward what was decided about the columns."""

    left_out_columns: Sequence[str]  # that nobody decided about
    left_out_identifiers: Sequence[str]
    released_against_evidence: Sequence[AgainstEvidenceDocument]

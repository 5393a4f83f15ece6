"""The evidence of a report: everything that is read, tried and decided about a table and its release."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

from sfumato.attackers.exposure import Exposure
from sfumato.attackers.population.model_interface import Population
from sfumato.attackers.read_exposure import Assumptions, read_exposure
from sfumato.attackers.scenario import Mode, Subset
from sfumato.columns.gather_evidence import Inquiry, identify_extract
from sfumato.columns.identification import Identification
from sfumato.columns.proposal import propose
from sfumato.errors import InfeasiblePolicy
from sfumato.plans.condition import Condition
from sfumato.plans.decided_columns import UNPROTECTED, Decisions, identifies
from sfumato.plans.plan_file import read_plan
from sfumato.plans.safe_harbor.released_identifiers import LookedAt, ReleasedIdentifier, released_identifiers
from sfumato.privacy.assess import assess_dataset
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.everything_released import EverythingReleased
from sfumato.privacy.meaning_of_columns import unconfirmed
from sfumato.privacy.measure_interface import Measure
from sfumato.privacy.policy import Policy, Requirement, Scenario
from sfumato.privacy.verdict import Verdict
from sfumato.progress import Tell, quiet
from sfumato.project.context.result import Context
from sfumato.project.context.risk_benefit import MeasuredRisk
from sfumato.project.file import Project, RoleDecision
from sfumato.project.recipient.grade import Grade
from sfumato.project.recipient.recipient import Recipient
from sfumato.proof.report.release_effects import effects_of_release
from sfumato.proof.report.reported_release import (
    ReleaseWithOriginal,
    ReportedRelease,
    has_other_values,
    read_release,
    release_by_plan,
    release_in_hand,
)
from sfumato.proof.report.request import ReportRequest, dataset_of, extract_of, required_of
from sfumato.proof.report.sources import ReportSources, report_sources
from sfumato.schema import Missing, Role
from sfumato.search.anonymisation import Anonymised
from sfumato.search.anonymise import anonymise_with_settings
from sfumato.search.exploration import Explored
from sfumato.search.explore import SearchGrid, explore_with_settings
from sfumato.search.make_release import assess_release
from sfumato.search.prepare import Source
from sfumato.show.documents.decided_columns import AgainstEvidenceDocument
from sfumato.show.documents.effects import EffectsDocument
from sfumato.show.sheet import number
from sfumato.show.sheets.decided_columns import against_evidence_words
from sfumato.show.sheets.everything_released import UNREAD
from sfumato.tables.source import Extract
from sfumato.utility.losses import Losses
from sfumato.utility.paired.record_join import require_pairing

ALL = "all quasi-identifiers"
CURVE = (2, 3, 5, 11)  # class sizes of the curve of risk against loss: a pair, and those that guidelines ask for
# How far each search of the curve goes (chosen, not measured). No clock stops it, so that a report is always the same.
NODES = 500
# Sets of columns are counted up to three columns with so many quasi-identifiers, which are 92 sets, and up to two with
# more (chosen, not measured).
MANY = 8


@dataclass(frozen=True, kw_only=True)
class ReportEvidence:
    """The original, its release where there is one, and the evidence on both."""

    extract: Extract = field(repr=False)
    dataset: Dataset = field(repr=False)  # the original, its values as they are
    identification: Identification = field(repr=False)
    before: Assessment
    exposure: Exposure
    context: Context
    sources: ReportSources
    project: Project | None = None
    decisions: Mapping[str, RoleDecision] = field(default_factory=dict)  # who decided on the roles, when and why
    undecided: frozenset[str] = frozenset()  # columns that have no role: nobody decided on one, and none is proposed
    recipient: Recipient | None = None
    released: ReportedRelease | None = None
    after: Mapping[str, Assessment] = field(default_factory=dict)  # by scenario; one without a name where there is none
    knowing: Mapping[str, Assessment] = field(default_factory=dict)  # the original, by scenario, where there are some
    losses: Losses | None = None
    effects: EffectsDocument | None = None  # risk and utility after each step
    anonymised: Anonymised | None = None
    explored: Explored | None = None
    identifiers: tuple[ReleasedIdentifier, ...] = ()  # the 18 of HIPAA's Safe Harbor
    notes: tuple[str, ...] = ()

    @property
    def met(self) -> bool | None:
        """Whether what is released keeps to every requirement; None where nothing was required, or cannot be read."""
        assessments = tuple(self.after.values()) if self.released else (self.before,)
        verdicts = [assessment.met for assessment in assessments if assessment.met is not None]
        return all(verdicts) if verdicts else None

    @cached_property
    def everything(self) -> EverythingReleased | None:
        """Everything that is released, read together, whatever its role: also where no quasi-identifier is left."""
        if self.anonymised is not None:
            return self.anonymised.assessment.everything
        if self.released is None:
            return self.before.everything
        if self.after:
            return next(iter(self.after.values())).everything
        return EverythingReleased.of(self.released.dataset, self.before.policy, self.released.columns)

    @property
    def verdict(self) -> Verdict:
        """Whether what is released keeps to every requirement, and what is open all the same."""
        return self.verdict_told(number)

    def verdict_told(self, count: Callable[[int], str]) -> Verdict:
        """The same with counts of people as their reader may see them."""
        read = tuple(self.after.values()) if self.released else (self.before,)
        asked = (question for assessment in read for question in assessment.open)
        alone = self.everything.questions(count) if self.everything else (UNREAD,)
        made = self.anonymised.open if self.anonymised else (against_evidence_words(self.against_evidence),)
        proposed = unconfirmed(self.project) if self.project else ()
        named = f"The release has columns that name people or tell them apart: {', '.join(self.left_in)}."
        still = (named,) if self.left_in else ()
        return Verdict(self.met).with_open(*filter(None, made), *proposed, *still, *asked, *alone, *self.context.open)

    @property
    def required(self) -> bool:
        """Whether anything was required."""
        return any(reading.requirement.bound is not None for reading in self.before.readings)

    @property
    def against_evidence(self) -> tuple[AgainstEvidenceDocument, ...]:
        """The columns that are released unprotected although their names and values say that they identify."""
        if self.anonymised is not None:
            return self.anonymised.against_evidence
        released = self.released
        same = [name for name in released.columns if name not in released.changed] if released else []
        roles = {a.name: a.role for a in self.dataset.schema if a.role in UNPROTECTED and a.name in same}
        proposals = ((c, *propose(c.findings)[:2]) for c in self.identification if c.name in roles)
        return tuple(
            AgainstEvidenceDocument(
                column=column.name, role=roles[column.name].value, proposed=role.value, confidence=round(sure, 4)
            )
            for column, role, sure in proposals
            if role is not None and identifies(role, sure, column.profile) and column.name != self.dataset.subject
        )

    @property
    def left_in(self) -> tuple[str, ...]:
        """Direct identifiers, and the subject, that the release still has and that no step of its plan changes."""
        direct = self.dataset.schema.columns_with(Role.DIRECT)
        subject = (self.dataset.subject,) if self.dataset.subject else ()
        there = self.released.columns if self.released else ()
        changed = self.released.changed if self.released else frozenset()
        return tuple(name for name in dict.fromkeys((*direct, *subject)) if name in there and name not in changed)


def gather_evidence(request: ReportRequest, tell: Tell = quiet) -> ReportEvidence:
    """Read the table, make or read its release, and look at both from every side."""
    extract = extract_of(request, tell)
    dataset = dataset_of(request, extract)
    policy = required_of(request, dataset)
    required = {requirement.measure for requirement in policy.requirements}
    usual = tuple(  # read besides: k, and l and t of each sensitive attribute
        requirement
        for requirement in request.question.shorthand.usual(dataset.schema, dataset.sensitive)
        if requirement.measure not in required
    )
    before = assess_dataset(dataset, Policy((*policy.requirements, *usual)), source=extract.name, tell=tell)
    anonymised, paired = _release(request, extract, dataset, policy, tell)
    after = _assessments_after(policy, usual, anonymised, paired, tell)
    losses = anonymised.losses if anonymised else None
    if losses is None and paired is not None:
        losses = paired.losses(extract.name, tell)
    identification, undecided = _identification(extract, dataset, tell), _undecided(request, extract)
    proposed = request.project.proposed if request.project else frozenset()
    decided = identification.roles.keys() - undecided - proposed
    return ReportEvidence(
        extract=extract,
        dataset=dataset,
        identification=identification,
        before=before,
        exposure=_exposure(request, dataset, paired, extract.name, tell),
        context=_context(request, before, after, paired),
        project=request.project,
        decisions=request.decisions,
        undecided=undecided,
        recipient=_recipient(request.project),
        released=paired.released if paired else None,
        after=after,
        knowing=(
            assess_release(dataset, anonymised.request, tell) if anonymised and anonymised.request.scenarios else {}
        ),
        losses=losses,
        effects=effects_of_release(paired, anonymised, extract, request.secrets, tell) if paired else None,
        anonymised=anonymised,
        explored=_curve(request, extract, policy, anonymised, tell),
        identifiers=_identifiers(extract, identification, decided, paired, losses),
        sources=report_sources(request, extract, paired.released if paired else None, anonymised),
        notes=tuple(
            dict.fromkeys((
                *extract.notes, *_cautions(request, policy, paired), *(anonymised.notes if anonymised else ()),
            ))
        ),
    )  # fmt: skip


def _release(
    request: ReportRequest, extract: Extract, dataset: Dataset, policy: Policy, tell: Tell
) -> tuple[Anonymised | None, ReleaseWithOriginal | None]:
    """The release: given, found, made by a plan or by a search; none where nothing says how to make one."""
    if request.released is not None:
        require_pairing(request.key, by_position=request.by_position)
        return None, read_release(request.released, dataset, request.key, tell)
    if request.anonymised is not None:
        made = request.anonymised
        return made, release_in_hand(made.followed, dataset, left_out=made.left_out_columns, losses=made.losses)
    project = request.project
    if project is not None and project.has_plan and not project.anonymise:
        plan = replace(read_plan(project.path), subject=dataset.subject)
        # A report may come before the roles are confirmed: it says what would be released, and that they are not.
        decisions = Decisions.of(project, request.question, plan).with_columns(project.proposed - project.undecided)
        return None, release_by_plan(plan, extract, dataset, decisions, secrets=request.secrets, tell=tell)
    if all(requirement.bound is None for requirement in policy.requirements):
        return None, None
    source = Source(extract, project, secrets=request.secrets)
    anonymised = anonymise_with_settings(source, request.question, {}, proposals=True, tell=tell)
    left_out, losses = anonymised.left_out_columns, anonymised.losses
    return anonymised, release_in_hand(anonymised.followed, dataset, left_out=left_out, losses=losses)


def _assessments_after(
    policy: Policy,
    usual: tuple[Requirement, ...],
    anonymised: Anonymised | None,
    paired: ReleaseWithOriginal | None,
    tell: Tell,
) -> Mapping[str, Assessment]:
    """The release, read anew; nothing where it has no quasi-identifier left."""
    if paired is None or not paired.released.dataset.schema.columns_with(Role.QUASI):
        return {}
    dataset, scenarios = paired.released.dataset, anonymised.request.scenarios if anonymised else ()
    unbounded = tuple(Requirement(r.measure) for r in policy.requirements) if scenarios else ()
    required = () if anonymised else policy.requirements
    readable = tuple(dict.fromkeys(r for r in (*required, *unbounded, *usual) if _readable(r.measure, dataset)))
    read = Policy(readable)
    everything = EverythingReleased.of(dataset, read, paired.released.columns)
    source = paired.released.name
    whole = assess_dataset(dataset, read, source=source, everything=everything, tell=tell) if readable else None
    if anonymised is None:
        return {"": whole} if whole else {}
    if scenarios:
        return {ALL: whole, **anonymised.assessments} if whole else {}
    more = whole.readings if whole else ()
    return {name: replace(each, alongside=(*each.alongside, *more)) for name, each in anonymised.assessments.items()}


def _readable(measure: Measure, dataset: Dataset) -> bool:
    sensitive = getattr(measure, "sensitive", None)
    there = sensitive is None or sensitive in dataset.sensitive
    return there and (not measure.reads_population or dataset.population is not None)


def _identification(extract: Extract, dataset: Dataset, tell: Tell) -> Identification:
    decided = {a.name: a.role for a in dataset.schema}
    missing = Missing.OWN_VALUE if dataset.missing is Missing.WILDCARD else dataset.missing
    return identify_extract(extract, Inquiry(decided, missing=missing, largest=0), tell=tell)


def _undecided(request: ReportRequest, extract: Extract) -> frozenset[str]:
    project, made = request.project, request.anonymised
    decisions = Decisions.of(project, request.question)
    nobody = made.left_out_columns if made else decisions.undecided(extract.table.columns)
    return frozenset(nobody) - (project.proposed - project.undecided if project else frozenset())


def _identifiers(
    extract: Extract,
    identification: Identification,
    decided: Collection[str],
    paired: ReleaseWithOriginal | None,
    losses: Losses | None,
) -> tuple[ReleasedIdentifier, ...]:
    """What became of the identifiers of HIPAA's Safe Harbor, in the release or else in the table as it is."""
    if paired is None:
        return released_identifiers(extract, identification, LookedAt(extract.table, extract.table.columns), decided)
    cells = losses.compared.cells if losses else {}
    changed = paired.released.changed | {name for name, column in cells.items() if has_other_values(column)}
    release = LookedAt(paired.table, paired.released.columns, changed)
    return released_identifiers(extract, identification, release, decided)


def _exposure(
    request: ReportRequest, dataset: Dataset, paired: ReleaseWithOriginal | None, source: str, tell: Tell
) -> Exposure:
    """Scenarios, attackers, uniques and drivers, before and after."""
    project = request.project
    scenarios = tuple(Scenario(s["name"], s["columns"]) for s in (project.scenarios if project else ()))
    subsets = tuple(
        Subset(str(s["name"]), Condition.of(s["where"]), s["columns"], s.get("mode") or Mode.SUBSET)
        for s in (project.subsets if project else ())
    )
    known = {k: v for k, v in (project.population if project else {}).items() if k in ("fraction", "size", "region")}
    quasi = dataset.quasi_identifiers
    assumptions = Assumptions(
        scenarios=(Scenario(ALL, quasi), *scenarios),
        subsets=subsets,
        population=Population(**known) if known else None,
        sets=3 if len(quasi) <= MANY else 2,
        patterns=dataset.subject is not None,
        attacks=request.attacks,
    )
    original = dataset if paired is None else replace(dataset, table=paired.original)
    return read_exposure(original, assumptions, paired.to_attackers() if paired else None, source=source, tell=tell)


def _context(
    request: ReportRequest, before: Assessment, after: Mapping[str, Assessment], paired: ReleaseWithOriginal | None
) -> Context:
    """The context, with the risk of what would be released."""
    assessments = [*after.values()] if paired else [before]
    who = "record" if before.dataset.subject is None else "person"
    smallest = min((assessment.sizes.smallest for assessment in assessments), default=None)
    name = paired.released.name if paired else before.source
    columns = paired.released.columns if paired else before.dataset.table.columns
    risk = None if smallest is None else MeasuredRisk(smallest, name, who)
    return Context.of(request.project or Project("no project file"), risk, columns)


def _recipient(project: Project | None) -> Recipient | None:
    said = str((project.context if project else {}).get("recipient", "")).strip()
    return Recipient.of(said) if said and said.capitalize() not in list(Grade) else None


def _curve(
    request: ReportRequest, extract: Extract, policy: Policy, anonymised: Anonymised | None, tell: Tell
) -> Explored | None:
    """The curve of risk against loss over a few class sizes, where a release was searched for classes of a size.

    None, too, where none of the sizes is possible.
    """
    sized = any(requirement.measure.counts_members for requirement in policy.requirements)
    if anonymised is None or not request.curve or not sized:
        return None
    source = Source(extract, request.project, secrets=request.secrets)
    grid = SearchGrid(k=CURVE, suppress=(anonymised.request.suppression,))
    try:
        return explore_with_settings(source, request.question, grid, {"nodes": NODES, "seconds": inf}, tell)
    except InfeasiblePolicy:
        return None


def _cautions(request: ReportRequest, policy: Policy, paired: ReleaseWithOriginal | None) -> tuple[str, ...]:
    """What a reader must know of how the report came about."""
    notes: list[str] = []
    if paired is None:
        return (*notes, "There is no release yet: the report is about the table as it is.")
    unread = [r.measure.name() for r in policy.requirements if not _readable(r.measure, paired.released.dataset)]
    if unread and request.anonymised is None:
        notes.append(f"Not read off the release: {', '.join(unread)}.")
    return (*notes, *paired.released.notes)

"""Gathering: all the evidence on a table and its release, into one dossier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sfumato.attackers.exposure import Exposure
from sfumato.attackers.population.model_interface import Population
from sfumato.attackers.read_exposure import Assumptions, read_exposure
from sfumato.attackers.scenario import Mode, Subset
from sfumato.columns.gather_evidence import Inquiry, identify_extract
from sfumato.columns.identification import Identification
from sfumato.plans.condition import Condition
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.assess import assess_dataset
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.meaning_of_columns import unconfirmed
from sfumato.privacy.measure_interface import Measure
from sfumato.privacy.policy import Policy, Requirement, Scenario
from sfumato.progress import Tell, quiet
from sfumato.project.context.result import Context
from sfumato.project.context.risk_benefit import MeasuredRisk
from sfumato.project.file import Project
from sfumato.project.recipient.recipient import Grade, Recipient
from sfumato.proof.report.dossier import Dossier
from sfumato.proof.report.reported_release import Beside, followed, made, read_release
from sfumato.proof.report.request import Sought, dataset_of, extract_of, required_of
from sfumato.proof.report.sources import traced
from sfumato.proof.report.steps_and_alternatives import others, retraced
from sfumato.schema import Missing, Role
from sfumato.search.anonymisation import Anonymised
from sfumato.search.anonymise import anonymise_with_settings
from sfumato.search.exploration import Explored
from sfumato.search.make_release import assess_release
from sfumato.search.prepare import Source
from sfumato.tables.source import Extract
from sfumato.utility.losses import Losses

ALL = "all quasi-identifiers"


def gathered(sought: Sought, tell: Tell = quiet) -> Dossier:
    """Read the table, make or read its release, and look at both from every side."""
    extract = extract_of(sought, tell)
    dataset = dataset_of(sought, extract)
    policy = required_of(sought, dataset)
    usual = _usual(sought, dataset, policy)
    before = assess_dataset(dataset, Policy((*policy.requirements, *usual)), source=extract.name, tell=tell)
    found, beside = _release(sought, extract, dataset, policy, tell)
    after = _after(policy, usual, found, beside, tell)
    notes = (*extract.notes, *_cautions(sought, policy, beside))
    return Dossier(
        extract, dataset, _identification(extract, dataset, tell), before,
        exposure=_exposure(sought, dataset, beside, extract.name, tell),
        context=_context(sought, before, after, beside),
        project=sought.project,
        recipient=_recipient(sought.project),
        released=beside.released if beside else None,
        after=after,
        knowing=assess_release(dataset, found.request, tell) if found and found.request.scenarios else {},
        losses=_losses(found, beside, extract.name, tell),
        effects=retraced(beside, found, extract, sought.secrets, tell) if beside else None,
        anonymised=found,
        explored=_curve(sought, extract, policy, found, tell),
        provenance=traced(extract, sought.project, beside, found, files=(sought.data, sought.released)),
        notes=tuple(dict.fromkeys((*notes, *(found.notes if found else ())))),
    )  # fmt: skip


def _release(
    sought: Sought, extract: Extract, dataset: Dataset, policy: Policy, tell: Tell
) -> tuple[Anonymised | None, Beside | None]:
    """The release: given, found, made by a plan or by a search; none where nothing says how to make one."""
    if sought.released is not None:
        return None, read_release(sought.released, dataset, sought.key, tell)
    if sought.anonymised is not None:
        return sought.anonymised, made(sought.anonymised.followed, dataset)
    project = sought.project
    if project is not None and project.has_plan and not project.anonymise:
        plan = replace(read_plan(project.path), subject=dataset.subject)
        return None, followed(plan, extract, dataset, sought.secrets, tell)
    if all(requirement.bound is None for requirement in policy.requirements):
        return None, None
    found = anonymise_with_settings(_source(sought, extract), sought.question, {}, tell=tell)
    return found, made(found.followed, dataset)


def _source(sought: Sought, extract: Extract) -> Source:
    return Source(extract, sought.project, secrets=sought.secrets)


def _usual(sought: Sought, dataset: Dataset, policy: Policy) -> tuple[Requirement, ...]:
    """What is read besides: k, and l and t of each sensitive attribute."""
    asked_for = {r.measure for r in policy.requirements}
    found = sought.question.shorthand.usual(dataset.schema, dataset.sensitive)
    return tuple(r for r in found if r.measure not in asked_for)


def _after(
    policy: Policy, usual: tuple[Requirement, ...], found: Anonymised | None, beside: Beside | None, tell: Tell
) -> Mapping[str, Assessment]:
    """The release, read anew; nothing where it has no quasi-identifier left."""
    if beside is None or not beside.released.dataset.schema.columns_with(Role.QUASI):
        return {}
    seen, scenarios = beside.released.dataset, found.request.scenarios if found else ()
    unbounded = tuple(Requirement(r.measure) for r in policy.requirements) if scenarios else ()
    required = () if found else policy.requirements
    readable = tuple(dict.fromkeys(r for r in (*required, *unbounded, *usual) if _readable(r.measure, seen)))
    read = assess_dataset(seen, Policy(readable), source=beside.released.name, tell=tell) if readable else None
    if found is None or scenarios:
        return {ALL if scenarios else "": read, **(found.assessments if found else {})} if read else {}
    more = read.readings if read else ()
    return {name: replace(each, alongside=(*each.alongside, *more)) for name, each in found.assessments.items()}


def _readable(found: Measure, dataset: Dataset) -> bool:
    sensitive = getattr(found, "sensitive", None)
    there = sensitive is None or sensitive in dataset.sensitive
    return there and (not found.reads_population or dataset.population is not None)


def _identification(extract: Extract, dataset: Dataset, tell: Tell) -> Identification:
    decided = {a.name: a.role for a in dataset.schema}
    missing = Missing.OWN_VALUE if dataset.missing is Missing.WILDCARD else dataset.missing
    return identify_extract(extract, Inquiry(decided, missing=missing, largest=0), tell=tell)


def _exposure(sought: Sought, dataset: Dataset, beside: Beside | None, source: str, tell: Tell) -> Exposure:
    """Scenarios, attackers, uniques and drivers, before and after."""
    project = sought.project
    named = tuple(Scenario(s["name"], s["columns"]) for s in (project.scenarios if project else ()))
    subsets = tuple(
        Subset(str(s["name"]), Condition.of(s["where"]), s["columns"], s.get("mode") or Mode.SUBSET)
        for s in (project.subsets if project else ())
    )
    chosen = {k: v for k, v in (project.population if project else {}).items() if k in ("fraction", "size", "region")}
    quasi = dataset.quasi_identifiers
    assumed = Assumptions(
        (Scenario(ALL, quasi), *named), subsets, Population(**chosen) if chosen else None,
        sets=3 if len(quasi) <= 8 else 2, patterns=dataset.subject is not None, attacks=sought.attacks,
    )  # fmt: skip
    table = dataset if beside is None else replace(dataset, table=beside.original)
    return read_exposure(table, assumed, beside.release() if beside else None, source=source, tell=tell)


def _context(sought: Sought, before: Assessment, after: Mapping[str, Assessment], beside: Beside | None) -> Context:
    """The context, with the risk of what would be released."""
    read = [*after.values()] if beside else [before]
    who = "record" if before.dataset.subject is None else "person"
    smallest = min((found.sizes.smallest for found in read), default=None)
    name = beside.released.name if beside else before.source
    columns = beside.released.columns if beside else before.dataset.table.columns
    measured = None if smallest is None else MeasuredRisk(smallest, name, who)
    return Context.of(sought.project or Project("no project file"), measured, columns)


def _recipient(project: Project | None) -> Recipient | None:
    said = str((project.context if project else {}).get("recipient", "")).strip()
    return Recipient.of(said) if said and said.capitalize() not in list(Grade) else None


def _losses(found: Anonymised | None, beside: Beside | None, source: str, tell: Tell) -> Losses | None:
    if found is not None and found.losses is not None:
        return found.losses
    return beside.losses(source, tell) if beside else None


def _curve(sought: Sought, extract: Extract, policy: Policy, found: Anonymised | None, tell: Tell) -> Explored | None:
    """The curve of risk against loss, where a release was searched for classes of a size."""
    if found is None or not sought.curve or not any(r.measure.counts_members for r in policy.requirements):
        return None
    return others(_source(sought, extract), sought.question, found.request.suppression, tell)


def _cautions(sought: Sought, policy: Policy, beside: Beside | None) -> tuple[str, ...]:
    """What a reader must know of how the report came about."""
    notes = [*(unconfirmed(sought.project) if sought.project else ())]
    if beside is None:
        notes.append("There is no release yet: the report is about the table as it is.")
    left = [
        r.measure.name() for r in policy.requirements if beside and not _readable(r.measure, beside.released.dataset)
    ]
    if left and sought.anonymised is None:
        notes.append(f"Not read off the release: {', '.join(left)}.")
    return (*notes, *(beside.released.notes if beside else ()))

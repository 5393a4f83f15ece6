"""The verb: read every measure of a policy off a table, and flag every record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import (
    EmptyTable,
    PolicyError,
    ProjectError,
    SfumatoError,
    WrongScale,
)
from sfumato.privacy.assessment import Assessment, Reading
from sfumato.privacy.catalogue import measure
from sfumato.privacy.classes import EquivalenceClasses, Value, patterns
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.everything_released import EverythingReleased
from sfumato.privacy.meaning_of_columns import understood
from sfumato.privacy.measure_interface import Measure, SensitiveMeasure
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.partition import members
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.question import Question
from sfumato.privacy.readings import Readings, Verdicts
from sfumato.privacy.requirement_text import bounded
from sfumato.privacy.sizes import Sizes
from sfumato.privacy.uncounted_persons import uncounted_persons
from sfumato.progress import Tell, quiet
from sfumato.project.file.source_or_project import read_project, source_and_project
from sfumato.schema import Missing
from sfumato.show.sheet import counted
from sfumato.tables.engine import Engine, listed, literal, unused
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions

if TYPE_CHECKING:
    from sfumato.project.file import Project

# Reading missing values as wildcards compares every two patterns of missing values, each by a join of its own: 24 are
# 576 joins in one statement. Beyond that the k under this reading is not shown. Chosen, not measured.
MANY_PATTERNS = 24


def assess(
    data: Any,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    subject: str | None = None,
    k: int | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    distance: str | Mapping[str, str] | None = None,
    bins: Mapping[str, Sequence[float]] | None = None,
    sensitive_bins: Mapping[str, Sequence[float]] | None = None,
    hierarchies: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    scales: Mapping[str, str] | None = None,
    count_missing: bool = False,
    requirements: Iterable[Requirement | str] = (),
    missing_values: str = "own_value",
    everything: bool = True,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Assessment:
    """Read k, l, t and any other measure off a table, and flag every record.

    `data` is a pandas, polars or Arrow frame, a file, or an `Extract` that was loaded before. `l` and `t` hold
    for each sensitive column; `distance` is total-variation, ordered or wasserstein, for all of them or by
    column. `bins` are edges by column for numeric quasi-identifiers, `sensitive_bins` for l only; `hierarchies`
    are files and levels ("postcode.csv@2"), `orders` the values of ordinal columns, `scales` nominal for codes that
    only look like numbers.
    `requirements` are further ones, such as "entropy_l_diversity(diagnosis) >= 2". Who is alone on all columns together
    is read when it is shown or asked for; `everything=False` leaves it out, and the verdict says that it is open.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [30, 30, 40], "diagnosis": ["flu", "cold", "flu"]})
    >>> assessment = assess(table, quasi=["age"], sensitive=["diagnosis"], k=2)
    >>> assessment.met, assessment.sizes.smallest, assessment.readings[0].flagged
    (False, 1, 1)
    """
    question = Question.written(
        quasi=quasi, sensitive=sensitive, subject=subject, k=k, l=l, t=t,
        distances={"": distance} if isinstance(distance, str) else distance, requirements=requirements,
        bins=bins, sensitive_bins=sensitive_bins, hierarchies=hierarchies, orders=orders, scales=scales,
        missing=missing_values, count_missing=count_missing,
    )  # fmt: skip
    extract = data if isinstance(data, Extract) else load(data, options, engine)
    assessment = answer(extract, question, tell=tell)
    return assessment if everything else replace(assessment, everything=None)


def sources_of(source: str | Path | None, project: str | Path | None) -> tuple[Path, ...]:
    """The files that an assessment reads: data, project file, and the data that it names."""
    source, project = source_and_project(None if source is None else str(source), project)
    named = read_project(project).source if project is not None else None
    return tuple(Path(file) for file in (source, project, named) if file and "://" not in str(file))


def answer(
    extract: Extract,
    question: Question,
    *,
    dataset: Dataset | None = None,
    policy: Policy | None = None,
    dropped: Collection[str] = (),
    tell: Tell = quiet,
) -> Assessment:
    """Assess a table that was loaded before; columns that a plan drops are not among those that would be released."""
    dataset = understood(dataset or Dataset.of(extract.table), question)
    required = asked(dataset, question, policy or Policy(()))
    policy = Policy(required or question.shorthand.usual(dataset.schema, dataset.sensitive))
    check(dataset, policy)
    everything = EverythingReleased.of(dataset, policy, dropped=dropped)
    assessment = assess_dataset(dataset, policy, source=extract.name, everything=everything, tell=tell)
    return replace(
        assessment,
        columns=extract.columns,
        notes=(*extract.notes, *assessment.notes),
        open=(*assessment.open, *uncounted_persons(dataset)),
    )


def asked(dataset: Dataset, question: Question, policy: Policy) -> tuple[Requirement, ...]:
    """What a file requires, and what a question asks for, which goes before it."""
    more = question.shorthand.requirements(dataset.schema, dataset.sensitive) + question.requirements
    return _overruled(policy.requirements, more)


def check(dataset: Dataset, policy: Policy) -> None:
    """Refuse a requirement about a column that is not sensitive, or of another kind."""
    for requirement in policy.requirements:
        named = getattr(requirement.measure, "sensitive", None)
        if named is not None and named not in dataset.sensitive:
            dataset.schema[named]
            raise PolicyError(
                f"{requirement.measure.name()} is about {named!r}, which is not a sensitive column. "
                f"Name it with --sensitive, or give it the role sensitive."
            )
        if named and getattr(requirement.measure, "bins", ()) and not dataset.table.kinds[named].numeric:
            raise WrongScale(f"{requirement.measure.name()} has bins, which needs numbers in {named!r}.")
    dataset.quasi_identifiers  # noqa: B018  a table without quasi-identifiers is refused before it is read


def policy_of(project: Project) -> Policy:
    """What a project file requires."""
    required = []
    for entry in project.measures:
        try:
            required.append(bounded(entry.measure, entry.parameters, at_least=entry.at_least, at_most=entry.at_most))
        except SfumatoError as error:
            raise ProjectError(project.path, str(error), line=entry.line) from None
    return Policy(tuple(required))


def _overruled(before: Iterable[Requirement], asked: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements of a file, except those that were asked for with another bound, and what was asked for."""
    asked = tuple(dict.fromkeys(asked))
    measured = {requirement.measure for requirement in asked}
    return (*(requirement for requirement in before if requirement.measure not in measured), *asked)


def assess_dataset(
    dataset: Dataset,
    policy: Policy,
    *,
    source: str = "table",
    everything: EverythingReleased | None = None,
    tell: Tell = quiet,
) -> Assessment:
    """Read every measure that the policy names; the classes are computed once.

    `everything` is what is released of the dataset, where that is not the table as it is.
    """
    tell("Forming the equivalence classes")
    classes = dataset.classes()
    if not classes.totals.records:
        raise EmptyTable(source)
    requirements = policy.requirements
    for requirement in requirements:
        tell(f"Reading {requirement.measure.name().replace('_', ' ')}")
    twins, diversity = _twins(requirements), {column: DistinctLDiversity(column) for column in dataset.sensitive}
    measures = dict.fromkeys((*(r.measure for r in requirements), *twins, *diversity.values()))
    readings = Readings(classes, tuple(measures))
    overall, alike = readings.overall(_alike(readings, diversity.values()))
    tell("Flagging the records")
    verdicts = Verdicts(readings, requirements, _labels(requirements))
    sizes = Sizes.of(classes)
    return Assessment(
        dataset=dataset,
        policy=policy,
        classes=classes,
        readings=_readings(verdicts, overall),
        sizes=sizes,
        overlap=verdicts.overlap(),
        verdicts=verdicts,
        records=classes.totals.records,
        subjects=_subjects(classes),
        missing_readings=_missing_readings(dataset, classes, k=float(sizes.smallest)),
        alongside=tuple(Reading(Requirement(twin), overall[twin]) for twin in twins),
        homogeneous=_homogeneous(classes, dict(zip(diversity, map(int, alike), strict=True))),
        notes=_notes(dataset, classes, requirements),
        source=source,
        everything=everything or EverythingReleased.of(dataset, policy),
    )


def _labels(requirements: tuple[Requirement, ...]) -> tuple[str, ...]:
    """A name for each requirement, the same name never twice."""
    labels: list[str] = []
    for requirement in requirements:
        labels.append(unused(Reading(requirement, None).label, labels.__contains__, form="{}_{}"))
    return tuple(labels)


def _readings(verdicts: Verdicts, overall: Mapping[Measure, float | None]) -> tuple[Reading, ...]:
    classes, flagged = verdicts.classes, verdicts.counts()
    subjects = verdicts.subjects() if classes.persons else [None] * len(flagged)
    return tuple(
        Reading(requirement, overall[requirement.measure], n, persons, _left_out(requirement, classes))
        for requirement, n, persons in zip(verdicts.requirements, flagged, subjects, strict=True)
    )


def _left_out(requirement: Requirement, classes: EquivalenceClasses) -> int:
    """Records without the sensitive value, where that is no value."""
    measured = requirement.measure
    if not isinstance(measured, SensitiveMeasure) or measured.count_missing:
        return 0
    return classes.lacking(measured.sensitive)


def _subjects(classes: EquivalenceClasses) -> int | None:
    """How many persons the records are about, where that is known."""
    if not classes.persons:
        return None
    return int(classes.engine.fetch(f"SELECT {members(persons=True)} FROM {classes.records}")[0][0])


def _missing_readings(dataset: Dataset, classes: EquivalenceClasses, *, k: float) -> dict[str, float | None]:
    """The k under each reading of a missing quasi-identifier; None where it was too much to compare."""
    if not classes.totals.incomplete:
        return dict.fromkeys((reading.value for reading in Missing), k)
    by_reading: dict[str, float | None] = {}
    for reading in Missing:
        if reading is dataset.missing:
            by_reading[reading.value] = k
        elif reading is Missing.NEVER_MATCHES:
            by_reading[reading.value] = 1.0  # whoever lacks a value stands alone
        elif reading is Missing.WILDCARD and len(patterns(classes.with_keys(), classes.keys)) > MANY_PATTERNS:
            by_reading[reading.value] = None
        else:
            others = replace(dataset, missing=reading).classes()
            by_reading[reading.value] = KAnonymity().of(others)
            others.forget()
    return by_reading


def _twins(requirements: tuple[Requirement, ...]) -> tuple[Measure, ...]:
    """What is read along with a measure that says little by itself, such as a distance in the unit of the variable."""
    required = [requirement.measure for requirement in requirements]
    twins = (
        measure(name, {"sensitive": each.sensitive})
        for each in required
        if isinstance(each, SensitiveMeasure)
        for name in each.read_along
    )
    return tuple(twin for twin in twins if twin not in required)


def _alike(readings: Readings, diversity: Iterable[Measure]) -> list[str]:
    """How many records are in classes of several members who all have the same value, as aggregates."""
    columns = map(readings.column, diversity)
    return [f"sum(CASE WHEN {l_diversity} = 1 AND size > 1 THEN records ELSE 0 END)" for l_diversity in columns]


def _homogeneous(classes: EquivalenceClasses, alike: Mapping[str, int]) -> dict[str, int]:
    """Records in classes of several members who all have the same value, by column."""
    if not classes.persons:
        return dict(alike)
    # l is 1 as well where only one person has values, and several of them: there the values are counted.
    counts = (
        classes.number(f"""
            SELECT coalesce(sum(class.records), 0) FROM {classes.table} AS class
            JOIN (SELECT class_id FROM {classes.cells(Value(column))} GROUP BY class_id HAVING count(*) = 1) AS single
            ON single.class_id = class.class_id WHERE class.size > 1""")
        for column in alike
    )
    return {column: int(count or 0) for column, count in zip(alike, counts, strict=True)}


def _notes(dataset: Dataset, classes: EquivalenceClasses, requirements: tuple[Requirement, ...]) -> tuple[str, ...]:
    notes = []
    for requirement in requirements:
        measured, bound = requirement.measure, requirement.bound
        if measured.most is not None and bound is not None and bound > measured.most:
            notes.append(
                f"WARNING: {requirement.text} holds whatever the data are: no reading is above {measured.most:g}. "
                f"Write a share (0.3 for 30 %); a bound in the unit of a number needs the Wasserstein distance."
            )
        elif measured.stands_for_size and bound and measured.allowed(bound) < 1:
            size, risk = round(1 / measured.allowed(bound)), measured.name().replace("_", " ")
            notes.append(f"A {risk} of {bound:g} is read as classes of at least {size}.")
        if isinstance(measured, SensitiveMeasure) and measured.by_order and not measured.bins:
            notes += _order_notes(dataset, classes, measured.sensitive)
    return tuple(notes)


def _order_notes(dataset: Dataset, classes: EquivalenceClasses, sensitive: str) -> list[str]:
    """What to know about the order of a column: that nobody gave it, or that it lacks values."""
    order, kind, column = dataset.schema[sensitive].order, classes.kind(sensitive), classes.column(sensitive)
    if order:
        known = listed(map(literal, order))
        beyond = classes.number(
            f"SELECT count(*) FROM {classes.records} WHERE CAST({column} AS VARCHAR) NOT IN ({known})"
        )
        lacking = f"WARNING: {counted(int(beyond or 0), 'record')} with a value of {sensitive} that its order lacks"
        return [f"{lacking}: placed after all others, by alphabet. Complete the order."] if beyond else []
    if kind.value == "text":
        return [f"The values of {sensitive} are ordered by alphabet; give their order in sfumato.yaml."]
    return []

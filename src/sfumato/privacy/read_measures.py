"""Assessing: read every measure of a policy off a dataset, and flag every record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sfumato.errors import EmptyTable
from sfumato.privacy.assessment import Assessment, Reading
from sfumato.privacy.catalogue import measure
from sfumato.privacy.classes import EquivalenceClasses, Value
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.measure_interface import Measure, SensitiveMeasure
from sfumato.privacy.overlapping_classes import patterns
from sfumato.privacy.partition import members
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.readings import Readings
from sfumato.privacy.sizes import Sizes
from sfumato.privacy.verdicts import Verdicts
from sfumato.progress import Tell, quiet
from sfumato.schema import Missing
from sfumato.show.sheet import counted
from sfumato.tables.engine import listed, literal, unused

# Reading missing values as wildcards compares every two patterns of missing values; beyond this it is not shown.
MANY_PATTERNS = 24


def assess_dataset(dataset: Dataset, policy: Policy, *, source: str = "table", tell: Tell = quiet) -> Assessment:
    """Read every measure that the policy names; the classes are computed once."""
    tell("Forming the equivalence classes")
    classes = dataset.classes()
    if not classes.totals.records:
        raise EmptyTable(source)
    requirements = policy.requirements
    for requirement in requirements:
        tell(f"Reading {requirement.measure.name().replace('_', ' ')}")
    twins, diversity = _twins(requirements), _diversity(dataset.sensitive)
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
    found = requirement.measure
    return classes.lacking(found.sensitive) if isinstance(found, SensitiveMeasure) and not found.count_missing else 0


def _subjects(classes: EquivalenceClasses) -> int | None:
    """How many persons the records are about, where that is known."""
    if not classes.persons:
        return None
    return int(classes.engine.fetch(f"SELECT {members(persons=True)} FROM {classes.records}")[0][0])


def _missing_readings(dataset: Dataset, classes: EquivalenceClasses, *, k: float) -> dict[str, float | None]:
    """The k under each reading of a missing quasi-identifier; None where it was too much to compare."""
    if not classes.totals.incomplete:
        return dict.fromkeys((reading.value for reading in Missing), k)
    found: dict[str, float | None] = {}
    for reading in Missing:
        if reading is dataset.missing:
            found[reading.value] = k
        elif reading is Missing.NEVER_MATCHES:
            found[reading.value] = 1.0  # whoever lacks a value stands alone
        elif reading is Missing.WILDCARD and len(patterns(classes.with_keys(), classes.keys)) > MANY_PATTERNS:
            found[reading.value] = None
        else:
            others = replace(dataset, missing=reading).classes()
            found[reading.value] = measure("k_anonymity").of(others)
            others.forget()
    return found


def _twins(requirements: tuple[Requirement, ...]) -> tuple[Measure, ...]:
    """The comparable twins of a distance in the unit of the variable (which says little by itself)."""
    columns = [r.measure.sensitive for r in requirements
               if r.measure.name() == "t_wasserstein" and isinstance(r.measure, SensitiveMeasure)]  # fmt: skip
    asked = {r.measure for r in requirements}
    twins = (measure(name, {"sensitive": c}) for c in columns for name in ("t_wasserstein_normalised", "t_ordered"))
    return tuple(twin for twin in twins if twin not in asked)


def _diversity(sensitive: tuple[str, ...]) -> dict[str, Measure]:
    return {column: measure("distinct_l_diversity", {"sensitive": column}) for column in sensitive}


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
        found, bound = requirement.measure, requirement.bound
        if found.most is not None and bound is not None and bound > found.most:
            notes.append(
                f"WARNING: {requirement.said} holds whatever the data are: no reading is above {found.most:g}. Write a "
                f"share (0.3 for 30 %); a bound in the unit of a number needs the Wasserstein distance."
            )
        elif found.name() == "maximum_risk" and bound and found.allowed(bound) < 1:
            size = round(1 / found.allowed(bound))
            notes.append(f"A maximum risk of {bound:g} is read as classes of at least {size}.")
        if found.name() == "t_ordered" and isinstance(found, SensitiveMeasure) and not found.bins:
            notes += _order_notes(dataset, classes, found.sensitive)
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

"""Assessing: read every measure of a policy off a dataset, and flag every record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sfumato.assessment import Assessment, Reading
from sfumato.catalogue import measure
from sfumato.classes import EquivalenceClasses
from sfumato.dataset import Dataset
from sfumato.engine import listed, unused
from sfumato.measure import SensitiveMeasure
from sfumato.neighbours import patterns
from sfumato.partition import members
from sfumato.policy import Policy, Requirement
from sfumato.schema import Missing
from sfumato.sizes import Sizes
from sfumato.verdicts import Verdicts

# Reading missing values as wildcards compares every two patterns of missing values; beyond this it is not shown.
MANY_PATTERNS = 24


def assess_dataset(dataset: Dataset, policy: Policy, *, tell: Callable[[str], None] | None = None) -> Assessment:
    """Read every measure that the policy names; the classes are computed once."""
    say = tell or (lambda _: None)
    say("Forming the equivalence classes")
    classes = dataset.classes()
    requirements = policy.requirements
    for requirement in requirements:
        say(f"Reading {requirement.measure.name().replace('_', ' ')}")
        requirement.measure.readings(classes)
    say("Flagging the records")
    records, subjects, lacking = _counts(classes)
    verdicts = Verdicts(classes, requirements, _labels(requirements), lacking)
    return Assessment(
        dataset=dataset,
        policy=policy,
        classes=classes,
        readings=_readings(verdicts),
        sizes=Sizes.of(classes),
        overlap=verdicts.overlap(),
        verdicts=verdicts,
        records=records,
        subjects=subjects,
        missing_readings=_missing_readings(dataset, classes),
        alongside=_alongside(requirements, classes),
        homogeneous={column: _homogeneous(classes, column) for column in dataset.sensitive},
        notes=_notes(dataset, classes, requirements),
    )


def _labels(requirements: tuple[Requirement, ...]) -> tuple[str, ...]:
    """A name for each requirement, the same name never twice."""
    labels: list[str] = []
    for requirement in requirements:
        labels.append(unused(Reading(requirement, None).label, labels.__contains__, form="{}_{}"))
    return tuple(labels)


def _readings(verdicts: Verdicts) -> tuple[Reading, ...]:
    flagged = verdicts.counts()
    subjects = verdicts.subjects() if verdicts.classes.persons else [None] * len(flagged)
    return tuple(
        Reading(
            requirement, requirement.measure.of(verdicts.classes), n, persons, _left_out(requirement, verdicts.lacking)
        )
        for requirement, n, persons in zip(verdicts.requirements, flagged, subjects, strict=True)
    )


def _left_out(requirement: Requirement, lacking: Mapping[str, int]) -> int:
    found = requirement.measure
    return lacking[found.sensitive] if isinstance(found, SensitiveMeasure) and not found.count_missing else 0


def _counts(classes: EquivalenceClasses) -> tuple[int, int | None, dict[str, int]]:
    """Records, persons, and for each sensitive attribute how many records lack it."""
    lacking = [f"count(*) - count({classes.column(name)})" for name in classes.sensitive]
    persons = [members(persons=True)] if classes.persons else []
    records, *rest = classes.engine.fetch(f"SELECT {listed(['count(*)', *lacking, *persons])} FROM {classes.records}")[
        0
    ]
    return int(records), int(rest[-1]) if persons else None, {
        name: int(n) for name, n in zip(classes.sensitive, rest, strict=False)
    }  # fmt: skip


def _missing_readings(dataset: Dataset, classes: EquivalenceClasses) -> dict[str, float | None]:
    """The k under each reading of a missing quasi-identifier; None where it was too much to compare."""
    k = measure("k_anonymity")
    if not classes.any_missing():
        return dict.fromkeys((reading.value for reading in Missing), k.of(classes))
    found: dict[str, float | None] = {}
    for reading in Missing:
        if reading is dataset.missing:
            found[reading.value] = k.of(classes)
        elif reading is Missing.NEVER_MATCHES:
            found[reading.value] = 1.0  # whoever lacks a value stands alone
        elif reading is Missing.WILDCARD and len(patterns(classes.table, classes.keys)) > MANY_PATTERNS:
            found[reading.value] = None
        else:
            others = replace(dataset, missing=reading).classes()
            found[reading.value] = k.of(others)
            others.forget()
    return found


def _alongside(requirements: tuple[Requirement, ...], classes: EquivalenceClasses) -> tuple[Reading, ...]:
    """The comparable twins of a distance in the unit of the variable (which says little by itself)."""
    columns = [r.measure.sensitive for r in requirements
               if r.measure.name() == "t_wasserstein" and isinstance(r.measure, SensitiveMeasure)]  # fmt: skip
    asked = {r.measure for r in requirements}
    twins = [measure(name, {"sensitive": c}) for c in columns for name in ("t_wasserstein_normalised", "t_ordered")]
    return tuple(Reading(Requirement(twin), twin.of(classes)) for twin in twins if twin not in asked)


def _homogeneous(classes: EquivalenceClasses, sensitive: str) -> int:
    """Records in classes of several members who all have the same value."""
    l_readings = measure("distinct_l_diversity", {"sensitive": sensitive}).readings(classes)
    found = classes.engine.fetch(f"""
        SELECT coalesce(sum(class.records), 0) FROM {classes.table} AS class
        JOIN {l_readings} AS diversity ON diversity.class_id = class.class_id
        WHERE diversity.reading = 1 AND class.size > 1""")
    return int(found[0][0])


def _notes(dataset: Dataset, classes: EquivalenceClasses, requirements: tuple[Requirement, ...]) -> tuple[str, ...]:
    notes = []
    for requirement in requirements:
        found = requirement.measure
        if found.name() == "maximum_risk" and requirement.bound and found.allowed(requirement.bound) < 1:
            size = round(1 / found.allowed(requirement.bound))
            notes.append(f"A maximum risk of {requirement.bound:g} is read as classes of at least {size}.")
        if found.name() == "t_ordered" and isinstance(found, SensitiveMeasure) and not found.bins:
            kind = classes.records.kinds[classes.column(found.sensitive)]
            if not kind.numeric and not dataset.schema[found.sensitive].order and kind.value == "text":
                notes.append(
                    f"The values of {found.sensitive} are ordered by alphabet; give their order in sfumato.yaml."
                )
    return tuple(notes)

"""The released data, assessed anew by what the package, or the evidence, says was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import PolicyError, SfumatoError
from sfumato.plans.kept_files import is_kept
from sfumato.privacy.catalogue import measure
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.requirement_text import read
from sfumato.progress import Tell, quiet
from sfumato.proof.package.claims import (
    MISUNDERSTOOD,
    at,
    claim,
    claims,
    keys_at,
    names_at,
    reading_name,
    readings_by_name,
    unchecked,
)
from sfumato.proof.package.folder import ReleaseEvidence, ReleasePackage
from sfumato.proof.package.released_rows import Understanding, load_untrusted
from sfumato.schema import Missing
from sfumato.show.documents.verified import Claim
from sfumato.tables.engine import Engine, Table
from sfumato.tables.source import Extract

RELEASE, READINGS = "release", "readings"
MOST = 2000  # readings of a release: each takes milliseconds, and whoever asks for millions asks for days
CLAIMED = (
    "records", "subjects", "classes", "readings", "met", "everything", "overlap", "k_by_missing_values", "alongside",
    "homogeneous",
)  # fmt: skip
PERSONS = "It counts persons, and the release does not say who they are: give the evidence and the original."
BY_PERSON = "It counts persons, and the release does not say who they are: give the original."
UNBOUNDED = "Nothing was required of it, so its parameters are not in the evidence."
UNORDERED = "The order of its values is not in the package: give the original and its project file."
POPULATION = "It is read with a table of the population, which is not in the package."
UNREADABLE = "the evidence cannot be understood"


@dataclass(frozen=True)
class PackageCheck:
    """The claims of a package that follow from the released rows alone."""

    package: ReleasePackage
    tell: Tell = quiet

    def claims(self, engine: Engine | None = None, *, alone: bool = True) -> Iterator[Claim]:
        """Records, columns and every reading, read anew; with the evidence, persons are counted by what that says."""
        self.tell("Reading the release")
        release = self.package.release
        try:
            extract = load_untrusted(self.package.data, keys_at(release, "columns", "kinds"), engine)
        except SfumatoError as error:
            yield claim(RELEASE, "the data can be read", "yes", str(error), note=str(error))
            return
        yield claim(RELEASE, "records", at(release, "released", "records"), extract.table.count())
        yield claim(RELEASE, "columns", at(release, "released", "columns"), list(extract.table.columns))
        yield from self._readings(extract.table)
        if alone and at(release, "counted") == "persons" and at(release, "subject") is None:
            yield unchecked(READINGS, "requirements, counted by person", "met", PERSONS)
        for text in names_at(release, "unread") if alone else ():
            yield unchecked(READINGS, text, "met", POPULATION)

    def _readings(self, table: Table) -> list[Claim]:
        try:
            self._refuse_many()
            anew = {
                name: assessment.document()
                for name, assessment in self._understanding().recipients(table, self._policy(), self.tell).items()
            }
        except MISUNDERSTOOD as error:
            words = str(error) if isinstance(error, SfumatoError) else UNREADABLE
            return [claim(READINGS, "the release can be assessed as the package says", "yes", words)]
        return [*reading_claims(self.package.assessments, anew), self._open(anew.values())]

    def _open(self, anew: Iterable[Mapping[str, Any]]) -> Claim:
        """Whether the package says what the readings leave open: a question taken out makes no verdict green."""
        said = names_at(self.package.release, "open")
        silent = dict.fromkeys(question for one in anew for question in one["open"] if question not in said)
        return claim(READINGS, "what the readings leave open is said", "yes", " ".join(silent) or "yes")

    def _refuse_many(self) -> None:
        required, scenarios = at(self.package.release, "requirements"), keys_at(self.package.release, "scenarios")
        number = (len(required) if isinstance(required, list) else 0) * max(len(scenarios), 1)
        if number > MOST:
            raise PolicyError(f"The package asks for {number} readings, and {MOST} at the most are made.")

    def _understanding(self) -> Understanding:
        release = self.package.release
        return Understanding(
            quasi_identifiers=names_at(release, "quasi_identifiers"),
            sensitive=names_at(release, "sensitive"),
            subject=at(release, "subject"),
            persons=at(release, "counted") == "persons",
            missing=Missing(at(release, "missing_values") or Missing.OWN_VALUE),
            orders=keys_at(release, "columns", "orders"),
            scenarios=keys_at(release, "scenarios"),
        )

    def _policy(self) -> Policy:
        required = [read(requirement) for requirement in at(self.package.release, "requirements") or ()]
        return Policy(tuple(r for r in required if not r.measure.reads_population))


@dataclass(frozen=True)
class ReleaseCheck:
    """The evidence on a release, how the package reads its columns, and orders that are known from elsewhere."""

    package: ReleaseEvidence
    columns: Mapping[str, Any]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tell: Tell = quiet

    def released_data(self, engine: Engine | None = None, *, persons: bool = False) -> Iterator[Claim]:
        """Every claim of the evidence that can be checked from the released data.

        With `persons`, readings that count persons whom the release does not name are left to the original.
        """
        try:
            extract = load_untrusted(self.package.data, self._kinds(), engine)
        except SfumatoError as error:
            yield claim(RELEASE, "the data can be read", "yes", str(error), note=str(error))
            return
        yield from self._counted(extract)
        yield from self._assessed(extract.table, persons=persons)

    def readings(self, table: Table, said: Mapping[str, Any] | None = None, subject: str | None = None) -> list[Claim]:
        """Every number of the assessments in the evidence, read off a table with the released columns."""
        said = self.package.assessments if said is None else said
        try:
            means, released = self._understanding(subject), names_at(self.package.provenance, "output", "columns")
            read_anew = means.assessments(table, self._policy(), self.tell, released=released)
            anew = {name: assessment.document() for name, assessment in read_anew.items()}
        except MISUNDERSTOOD as error:
            words = str(error) if isinstance(error, SfumatoError) else UNREADABLE
            return [claim(READINGS, "the release can be assessed as the evidence says", "yes", words)]
        unread = {
            requirement.measure.name() for requirement in self._required() if requirement.measure.reads_population
        }
        stated = {name: _without(one, unread) for name, one in said.items()} if unread else said
        more = [unchecked(READINGS, name, "met", POPULATION) for name in sorted(unread)]
        return [*(self._excused(one) for one in reading_claims(stated, anew)), *more]

    def _kinds(self) -> dict[str, str]:
        names = names_at(self.package.provenance, "output", "columns")
        return {name: kind for name, kind in keys_at(self.columns, "kinds").items() if name in names}

    def _counted(self, extract: Extract) -> Iterator[Claim]:
        record, records = self.package.provenance, extract.table.count()
        suppressed, before = at(self.package.anonymisation, "suppressed"), at(self.package.anonymisation, "records")
        yield claim(RELEASE, "records", at(record, "output", "records"), records)
        yield claim(RELEASE, "columns", at(record, "output", "columns"), list(extract.table.columns))
        if isinstance(suppressed, int) and isinstance(before, int):
            yield claim(RELEASE, "records left out", suppressed, before - records)

    def _assessed(self, table: Table, *, persons: bool) -> Iterator[Claim]:
        said = self.package.assessments
        subject = at(self.package.assessment, "subject")
        if subject is None or subject in table.columns:
            yield from self.readings(table, subject=subject)
        elif persons:
            return
        elif all(at(one, "subjects") == at(one, "records") for one in said.values()):
            yield from self.readings(table, {name: _by_record(one) for name, one in said.items()})  # one record each
        else:
            counted = {
                name: {"records": at(one, "records"), "classes": {"count": at(one, "classes", "count")}}
                for name, one in said.items()
            }
            kept = ("records", "classes, count")
            yield from (c for c in self.readings(table, counted) if c.what.endswith(kept))
            yield unchecked(READINGS, "sizes of classes and readings", "as in assessment.json", BY_PERSON)

    def _understanding(self, subject: str | None) -> Understanding:
        """The roles, the orders and the reading of missing values that the evidence names."""
        quasi = names_at(self.package.anonymisation, "quasi_identifiers")
        released = names_at(self.package.provenance, "output", "columns")
        said = self.package.assessments
        scenarios = {name: names_at(one, "quasi_identifiers") for name, one in said.items() if name}
        first = self.package.assessment
        return Understanding(
            quasi_identifiers=[n for n in quasi if n in released]
            if scenarios
            else names_at(first, "quasi_identifiers"),
            sensitive=names_at(first, "sensitive"),
            subject=subject,
            missing=Missing(at(first, "missing_values") or Missing.OWN_VALUE),
            orders=keys_at(self.columns, "orders"),
            known_orders={**self.orders, **self._planned()},
            scenarios=scenarios,
        )

    def _planned(self) -> dict[str, Sequence[str]]:
        steps = self.package.plan.steps if self.package.plan else ()
        settings = [step.transformation.settings().get("orders") or {} for step in steps]
        return {name: order for orders in settings for name, order in orders.items() if not is_kept(order)}

    def _policy(self) -> Policy:
        """What was required, and what was read without a bound."""
        required = [requirement for requirement in self._required() if not requirement.measure.reads_population]
        free = [
            Requirement(measure(reading["measure"], {"sensitive": column} if (column := reading["sensitive"]) else {}))
            for reading in self._unbounded()
        ]
        return Policy((*required, *free))

    def _required(self) -> list[Requirement]:
        return [read(requirement) for requirement in at(self.package.anonymisation, "requirements") or ()]

    def _unbounded(self) -> list[Mapping[str, Any]]:
        readings = readings_by_name(at(self.package.assessment, "readings")).values()
        return [reading for reading in readings if reading.get("bound") is None]

    def _excused(self, checked: Claim) -> Claim:
        """Where the evidence does not hold how something was read, another value proves nothing."""
        if checked.agrees:
            return checked
        if any(f"readings, {reading_name(reading)}, " in checked.what for reading in self._unbounded()):
            return unchecked(checked.about, checked.what, checked.said, UNBOUNDED)
        column = checked.what.partition("t_ordered(")[2].partition(")")[0]
        known = "orders" in self.columns or column in {**self.orders, **self._planned()}
        return checked if known or not column else unchecked(checked.about, checked.what, checked.said, UNORDERED)


def reading_claims(said: Mapping[str, Any], anew: Mapping[str, Any]) -> Iterator[Claim]:
    """Every number of some assessments, by scenario, against the same read anew."""
    for scenario in dict.fromkeys((*said, *anew)):
        before = f"{scenario}: " if scenario else ""
        for key in CLAIMED:
            stated, actual = at(said.get(scenario), key), at(anew.get(scenario), key)
            yield from claims(READINGS, stated, actual, f"{before}{key.replace('_', ' ')}")


def _without(assessment: Any, measures: set[str]) -> Any:
    """An assessment without the readings of some measures."""
    readings = at(assessment, "readings")
    if not isinstance(readings, list):
        return assessment
    return {**assessment, "readings": [one for one in readings if at(one, "measure") not in measures]}


def _by_record(assessment: Mapping[str, Any]) -> dict[str, Any]:
    """An assessment of persons with one record each, as one of records."""
    readings = [
        {key: value for key, value in reading.items() if key != "flagged_subjects"}
        for reading in readings_by_name(assessment.get("readings")).values()
    ]
    everything = keys_at(assessment, "everything") | {"members": "records"}
    return {**assessment, "subjects": None, "readings": readings, "everything": everything}

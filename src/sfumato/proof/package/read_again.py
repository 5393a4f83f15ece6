"""The released data, assessed anew by what the evidence says was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.plans.kept_files import is_kept
from sfumato.privacy.assess import assess_dataset
from sfumato.privacy.catalogue import measure
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.requirement_text import read
from sfumato.progress import Tell, quiet
from sfumato.proof.package.claims import (
    at,
    claim,
    claims,
    keys_at,
    names_at,
    reading_name,
    readings_by_name,
    unchecked,
)
from sfumato.proof.package.folder import ReleasePackage
from sfumato.schema import Missing, Role, Scale
from sfumato.show.documents.verified import Claim
from sfumato.tables.engine import Engine, Kind, Table, present_values
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions

RELEASE, READINGS = "release", "readings"
CLAIMED = (
    "records", "subjects", "classes", "readings", "met", "everything", "overlap", "k_by_missing_values", "alongside",
    "homogeneous",
)  # fmt: skip
PERSONS = "It counts persons, and the release does not say who they are: give the original."
UNBOUNDED = "Nothing was required of it, so its parameters are not in the evidence."
UNORDERED = "The order of its values is not in the package: give the original and its project file."


@dataclass(frozen=True)
class ReleaseCheck:
    """A package, the claims of its manifest, and orders of ordinal values that are known from elsewhere."""

    package: ReleasePackage
    said: Mapping[str, Any]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tell: Tell = quiet

    def released_data(self, engine: Engine | None = None, *, persons: bool = False) -> Iterator[Claim]:
        """Every claim that can be checked from the released data alone.

        With `persons`, readings that count persons whom the release does not name are left to the original.
        """
        self.tell("Reading the release")
        try:
            extract = self._loaded(engine)
        except SfumatoError as error:
            yield claim(RELEASE, "the data can be read", "yes", str(error))
            return
        yield from self._counted(extract)
        yield from self._assessed(extract.table, persons=persons)

    def readings(self, table: Table, said: Mapping[str, Any] | None = None, subject: str | None = None) -> list[Claim]:
        """Every number of an assessment (the one in the package), read off a table with the released columns."""
        said = self.package.assessment if said is None else said
        try:
            dataset = self._understood(table, subject)
            anew = assess_dataset(dataset, self._policy(), tell=self.tell).document()
        except (SfumatoError, TypeError, ValueError, LookupError) as error:
            words = str(error) if isinstance(error, SfumatoError) else "the evidence cannot be understood"
            return [claim(READINGS, "the release can be assessed as the evidence says", "yes", words)]
        checked = (c for key in CLAIMED for c in claims(READINGS, at(said, key), anew[key], key.replace("_", " ")))
        return [self._excused(one) for one in checked]

    def _loaded(self, engine: Engine | None) -> Extract:
        """The released data, read as they were written: a missing value is an empty field, and nothing else is."""
        said = keys_at(self.said, "columns", "kinds")
        names = names_at(self.package.provenance, "output", "columns")
        kinds = {n: Kind(k) for n, k in said.items() if n in names and k in list(Kind) and k != Kind.OTHER}
        path = self.package.folder / str(self.package.released)
        delimited = path.suffix.lower() in (".csv", ".tsv")
        return load(path, ReadOptions(kinds=kinds, missing=("",)) if delimited else None, engine)

    def _counted(self, extract: Extract) -> Iterator[Claim]:
        record, records = self.package.provenance, extract.table.count()
        suppressed, before = at(self.package.anonymisation, "suppressed"), at(self.package.anonymisation, "records")
        yield claim(RELEASE, "records", at(record, "output", "records"), records)
        yield claim(RELEASE, "columns", at(record, "output", "columns"), list(extract.table.columns))
        if isinstance(suppressed, int) and isinstance(before, int):
            yield claim(RELEASE, "records left out", suppressed, before - records)

    def _assessed(self, table: Table, *, persons: bool) -> Iterator[Claim]:
        assessment = self.package.assessment
        subject = at(assessment, "subject")
        if subject is None or subject in table.columns:
            yield from self.readings(table, subject=subject)
        elif persons:
            return
        elif at(assessment, "subjects") == at(assessment, "records"):
            yield from self.readings(table, _by_record(assessment))  # each person has one record
        else:
            counted = {"records": at(assessment, "records"), "classes": {"count": at(assessment, "classes", "count")}}
            kept = ("records", "classes, count")
            yield from (c for c in self.readings(table, counted) if c.what in kept)
            yield unchecked(READINGS, "sizes of classes and readings", "as in assessment.json", PERSONS)

    def _understood(self, table: Table, subject: str | None) -> Dataset:
        """The table with the roles, the orders and the reading of missing values that the evidence names."""
        assessment = self.package.assessment
        quasi, sensitive = (names_at(assessment, key) for key in ("quasi_identifiers", "sensitive"))
        roles = {**dict.fromkeys(quasi, Role.QUASI.value), **dict.fromkeys(sensitive, Role.SENSITIVE.value)}
        dataset = Dataset.of(table, roles, subject=subject)
        dataset = replace(dataset, missing=Missing(at(assessment, "missing_values") or Missing.OWN_VALUE))
        for name, order in self._ordered(dataset).items():
            schema = dataset.schema.with_attribute(name, scale=Scale.ORDINAL, order=tuple(order))
            dataset = replace(dataset, schema=schema)
        return dataset

    def _ordered(self, dataset: Dataset) -> dict[str, Sequence[str]]:
        """The orders of ordinal values: known from elsewhere, in the steps of the plan, or in the manifest."""
        orders: dict[str, Sequence[str]] = {**self.orders, **self._planned()}
        for name, places in keys_at(self.said, "columns", "orders").items():
            present = present_values(dataset.table, name)
            orders[name] = [present[place] for place in places if place < len(present)]
        return {name: order for name, order in orders.items() if name in dataset.sensitive}

    def _planned(self) -> dict[str, Sequence[str]]:
        steps = self.package.plan.steps if self.package.plan else ()
        settings = [step.transformation.settings().get("orders") or {} for step in steps]
        return {name: order for orders in settings for name, order in orders.items() if not is_kept(order)}

    def _policy(self) -> Policy:
        """What was required, and what was read without a bound."""
        required = [read(requirement) for requirement in at(self.package.anonymisation, "requirements") or ()]
        free = [
            Requirement(measure(reading["measure"], {"sensitive": column} if (column := reading["sensitive"]) else {}))
            for reading in self._unbounded()
        ]
        return Policy((*required, *free))

    def _unbounded(self) -> list[Mapping[str, Any]]:
        readings = readings_by_name(at(self.package.assessment, "readings")).values()
        return [reading for reading in readings if reading.get("bound") is None]

    def _excused(self, checked: Claim) -> Claim:
        """Where the evidence does not hold how something was read, another value proves nothing."""
        if checked.agrees:
            return checked
        if checked.what.startswith(tuple(f"readings, {reading_name(reading)}, " for reading in self._unbounded())):
            return unchecked(checked.about, checked.what, checked.said, UNBOUNDED)
        column = checked.what.partition("t_ordered(")[2].partition(")")[0]
        known = "columns" in self.said or column in {**self.orders, **self._planned()}
        return checked if known or not column else unchecked(checked.about, checked.what, checked.said, UNORDERED)


def _by_record(assessment: Mapping[str, Any]) -> dict[str, Any]:
    """An assessment of persons with one record each, as one of records."""
    readings = [
        {key: value for key, value in reading.items() if key != "flagged_subjects"}
        for reading in readings_by_name(assessment.get("readings")).values()
    ]
    everything = keys_at(assessment, "everything") | {"members": "records"}
    return {**assessment, "subjects": None, "readings": readings, "everything": everything}

"""The released rows, read as whoever gets them reads them: nothing of the original is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sfumato.errors import BeyondLimit, OutputError, SfumatoError, UnreadableFile
from sfumato.privacy.assess import assess_dataset
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.everything_released import EverythingReleased
from sfumato.privacy.policy import Policy, Requirement
from sfumato.progress import Tell, quiet
from sfumato.proof.package.plain_files import NotPlain, plain_size, told_name
from sfumato.schema import Missing, Role, Scale
from sfumato.tables.engine import Engine, Kind, Table, present_values
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.tables.write.table import writer_of

DELIMITED = (".csv", ".tsv")
MEMORY = "1GB"  # for the rows of a package that anybody may have made; what takes more goes to the disk


@dataclass(frozen=True)
class Understanding:
    """What the released columns mean: roles, the person, what a missing value is, orders, and what attackers know."""

    quasi_identifiers: Sequence[str]
    sensitive: Sequence[str] = ()
    subject: str | None = None  # a released column
    persons: bool = False  # whether requirements count persons, whom the release may not name
    missing: Missing = Missing.OWN_VALUE
    orders: Mapping[str, Sequence[int]] = field(default_factory=dict)  # places among the sorted released values
    known_orders: Mapping[str, Sequence[str]] = field(default_factory=dict)  # orders that are known from elsewhere
    scenarios: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def dataset(self, table: Table) -> Dataset:
        """A table of the released columns with what they mean."""
        quasi = dict.fromkeys(self.quasi_identifiers, Role.QUASI.value)
        dataset = Dataset.of(
            table, {**quasi, **dict.fromkeys(self.sensitive, Role.SENSITIVE.value)}, subject=self.subject
        )
        dataset = replace(dataset, missing=self.missing)
        for name, order in self._ordered(dataset).items():
            schema = dataset.schema.with_attribute(name, scale=Scale.ORDINAL, order=tuple(order))
            dataset = replace(dataset, schema=schema)
        return dataset

    def assessments(
        self, table: Table, policy: Policy, tell: Tell = quiet, *, released: Sequence[str] | None = None
    ) -> dict[str, Assessment]:
        """Every reading of a policy, by what attackers know; one without a name where they know all columns.

        `released` are the columns that left, where the table has others besides.
        """
        # Classes and everything together are counted; what is told of their columns is the same either way.
        short = table.engine.shortened(table, table.count(), made=True)
        if short is not None:
            table.engine.only_short(table, short)
        dataset = self.dataset(short.table if short else table)
        everything = EverythingReleased.of(dataset, policy, table.columns if released is None else released)
        if not self.scenarios:
            return {"": assess_dataset(dataset, policy, source="the release", everything=everything, tell=tell)}
        return {
            name: assess_dataset(
                dataset.with_roles({other: "non-sensitive" for other in self.quasi_identifiers if other not in known}),
                policy,
                source=f"the release, {name}",
                everything=everything,
                tell=tell,
            )
            for name, known in self.scenarios.items()
        }

    def recipients(self, table: Table, policy: Policy, tell: Tell = quiet) -> dict[str, Assessment]:
        """The readings that a recipient can make. Persons whom the release does not name are counted by record.

        By record a bound may be broken that is kept to by person: then no bound is set against the readings.
        """
        assessments = self.assessments(table, policy, tell)
        if not self.persons or self.subject is not None or met(assessments):
            return assessments
        free = tuple(dict.fromkeys(Requirement(requirement.measure) for requirement in policy.requirements))
        return self.assessments(table, Policy(free), tell)

    def _ordered(self, dataset: Dataset) -> dict[str, Sequence[str]]:
        orders: dict[str, Sequence[str]] = dict(self.known_orders)
        for name, places in self.orders.items():
            if name in dataset.sensitive:
                present = present_values(dataset.table, name)
                orders[name] = [present[place] for place in places if 0 <= place < len(present)]
        return {name: order for name, order in orders.items() if name in dataset.sensitive}


def met(assessments: Mapping[str, Assessment]) -> bool:
    """Whether no requirement is broken."""
    return all(assessment.met is not False for assessment in assessments.values())


def load_untrusted(path: Path, kinds: Mapping[str, str], engine: Engine | None = None) -> Extract:
    """The released data of a package that anybody may have made: a plain file in a format that a release has.

    A package holds no database, which could run what somebody wrote into it; `UnreadableFile` for that and all else.
    """
    try:
        plain_size(path)
        writer_of(path)
        return load_released(path, kinds, engine or DuckDB(memory=MEMORY))
    except NotPlain as error:
        raise UnreadableFile(told_name(path.name), f"this is {error.strerror}, and was not opened.") from None
    except OutputError:
        raise UnreadableFile(told_name(path.name), "no release has this format, so it was not opened.") from None
    except BeyondLimit as error:  # `--limit` is about the original
        hint = f"If you trust whoever made it, raise the limit: SFUMATO_LIMITS={error.larger}."
        raise UnreadableFile(told_name(path.name), error.problem, hint=hint) from None
    except SfumatoError:
        raise
    except Exception as error:  # whatever a reader makes of what somebody made for it
        raise UnreadableFile(told_name(path.name), f"this cannot be read ({type(error).__name__}).") from None


def load_released(path: Path, kinds: Mapping[str, str], engine: Engine | None = None) -> Extract:
    """The released data, read as they were written: a missing value is an empty field, and nothing else is."""
    known = {name: Kind(kind) for name, kind in kinds.items() if kind in list(Kind) and kind != Kind.OTHER}
    delimited = path.suffix.lower() in DELIMITED
    return load(path, ReadOptions(kinds=known, missing=("",), header=True) if delimited else None, engine)

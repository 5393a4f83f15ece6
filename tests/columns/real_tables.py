"""How well the columns of real tables are recognised: tables with a role for every column, labelled by others."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import sfumato as sf
from sfumato.columns.identification import Identification, IdentifiedColumn

ROLES = ("direct", "quasi", "sensitive", "non-sensitive")
UNDECIDED = "undecided"
SURE = 0.8
LABELS = {"none": "non-sensitive"}  # how the labels call what is none of the others
LANGUAGES = {"de": "German", "it": "Italian", "co": "Spanish"}  # by the beginning of a table's name; others are English


@dataclass(frozen=True)
class Judged:
    """A column, the roles that are right for it, and what was proposed."""

    table: str
    column: str
    role: str
    right_roles: frozenset[str]
    proposed: str
    sure: float

    @property
    def right(self) -> bool:
        """Whether the proposal is the role, or another that was labelled as right too."""
        return self.proposed in self.right_roles

    @property
    def decided(self) -> bool:
        """Whether anything was proposed."""
        return self.proposed != UNDECIDED

    @property
    def counted_as(self) -> str:
        """The role for which the column counts: the one proposed where that is right."""
        return self.proposed if self.right else self.role

    @property
    def dangerous(self) -> bool:
        """Whether what identifies would leave as harmless."""
        return not self.right and self.role in ("direct", "quasi") and self.proposed == "non-sensitive"

    @property
    def confident(self) -> bool:
        """Whether the proposal is among those that may be confirmed together."""
        return self.decided and self.sure >= SURE

    @property
    def source(self) -> str:
        """Where the table is from: the beginning of its name."""
        return self.table.split("_")[0].removesuffix(".csv")

    @property
    def language(self) -> str:
        """The language of the column's name."""
        return LANGUAGES.get(self.source, "English")


Labels = Mapping[str, Mapping[str, tuple[str, frozenset[str]]]]


def read_labels(path: Path) -> Labels:
    """The role of each labelled column of each table, and every role that is right for it."""
    labels: dict[str, dict[str, tuple[str, frozenset[str]]]] = defaultdict(dict)
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            roles = [LABELS.get(role, role) for role in (row["role"], *filter(None, row["accept"].split("|")))]
            labels[row["table"]][row["column"]] = roles[0], frozenset(roles)
    return labels


def alone(folder: Path, labels: Labels) -> list[Judged]:
    """Each table identified by itself."""
    return [judged for table in labels for judged in _judged(table, labels, _identified(folder / table))]


def together(folder: Path, labels: Labels) -> list[Judged]:
    """Tables of one source identified as a folder, so that keys are seen across tables."""
    groups: dict[str, list[str]] = defaultdict(list)
    for table in labels:
        groups[table.split("_")[0]].append(table)
    found: list[Judged] = []
    for tables in groups.values():
        with tempfile.TemporaryDirectory() as copies:
            for table in tables:
                shutil.copy(folder / table, copies)
            several = sf.identify(copies, combinations=0)
            each = several.tables if isinstance(several, sf.Identifications) else (several,)
            found += [judged for one in each for judged in _judged(one.source, labels, one)]
    return found


def by_name(labels: Labels) -> list[Judged]:
    """Tables without a record: only the names of their columns speak."""
    found: list[Judged] = []
    with tempfile.TemporaryDirectory() as folder:
        for table, columns in labels.items():
            path = Path(folder) / table
            with path.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerow(columns)
            found += _judged(table, labels, _identified(path))
    return found


def _identified(path: Path) -> Identification:
    identification = sf.identify(str(path), combinations=0)
    assert isinstance(identification, Identification)
    return identification


def _judged(table: str, labels: Labels, identification: Identification) -> Iterable[Judged]:
    columns = {column.name.strip(): column for column in identification}
    for name, (role, right) in labels[table].items():
        column: IdentifiedColumn = columns[name.strip()]
        proposed = column.role.value if column.role else UNDECIDED
        yield Judged(table, name, role, right, proposed, column.sure)


@dataclass(frozen=True)
class RoleScore:
    """The columns of one role: how many there are, how many were said to be, and how many of these are."""

    labelled: int
    proposed: int
    right: int

    @property
    def found(self) -> float:
        """Of those that are, the share that was said to be."""
        return self.right / self.labelled if self.labelled else 1.0

    @property
    def precision(self) -> float:
        """Of those that were said to be, the share that are."""
        return self.right / self.proposed if self.proposed else 1.0


@dataclass(frozen=True)
class Score:
    """What was got right of some columns."""

    columns: Sequence[Judged]

    @property
    def right_of_decided(self) -> float:
        """The share that is right of those for which something was proposed."""
        decided = [judged for judged in self.columns if judged.decided]
        return sum(judged.right for judged in decided) / len(decided) if decided else 1.0

    @property
    def undecided(self) -> float:
        """The share for which nothing was proposed."""
        return sum(not judged.decided for judged in self.columns) / len(self.columns)

    @property
    def dangerous(self) -> list[Judged]:
        """Those that identify and were called non-sensitive."""
        return [judged for judged in self.columns if judged.dangerous]

    @property
    def confident(self) -> list[Judged]:
        """Those that were said to be sure."""
        return [judged for judged in self.columns if judged.confident]

    @property
    def confident_and_wrong(self) -> float:
        """The share of what was said to be sure that is wrong."""
        return sum(not j.right for j in self.confident) / len(self.confident) if self.confident else 0.0

    def of_role(self, role: str) -> RoleScore:
        """How the columns of one role fared; a right proposal counts for the role proposed."""
        counted = Counter(judged.counted_as for judged in self.columns)
        proposed = Counter(judged.proposed for judged in self.columns)
        right = Counter(judged.proposed for judged in self.columns if judged.right)
        return RoleScore(counted[role], proposed[role], right[role])

    def by(self, part: Callable[[Judged], str]) -> dict[str, Score]:
        """The score of each part."""
        parts: dict[str, list[Judged]] = defaultdict(list)
        for judged in self.columns:
            parts[part(judged)].append(judged)
        return {name: Score(columns) for name, columns in parts.items()}

"""What stands around a column: the name and the columns of its table, and the keys of other tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sfumato.columns.bare_names import Subject, part_of_long_table, subject_of
from sfumato.columns.code_pairs import code_pairs
from sfumato.columns.families import Family, headed_families, stem_families, value_families
from sfumato.columns.lexicon.key_names import Whose, key_name, whose_rows
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.genes import gene_of, gene_symbol
from sfumato.columns.standards import Standard, standard_of
from sfumato.columns.table_keys import TableKey, keys_within, person_keys, shape_of
from sfumato.schema import Role

VAGUE = ("code", "label", "key")  # may name what was measured, and anything else
FEW = 12  # different values of a column that holds answers or categories


@dataclass(frozen=True)
class Surroundings:
    """What a column is read beside. `roles` are what the columns beside seem to be by themselves, where that is known.

    What is derived from all columns is derived once, in a cached property, since every column asks for it.
    """

    table: str = ""
    columns: tuple[ColumnProfile, ...] = ()
    keys: tuple[TableKey, ...] = ()
    roles: Mapping[str, Role | None] = field(default_factory=dict)

    @cached_property
    def own_keys(self) -> tuple[TableKey, ...]:
        """The columns of the table that tell its records apart, as other columns of it may repeat them."""
        return keys_within(self.columns, self.table)

    @cached_property
    def coded(self) -> tuple[ColumnProfile, ...]:
        """The columns whose values have the form of keys or codes."""
        return tuple(column for column in self.columns if shape_of(column))

    @cached_property
    def of_a_list(self) -> bool:
        """Whether the table, by its name and without a key of anybody, is a list of codes or things."""
        return whose_rows(self.table) is Whose.LIST and not self.of_people

    @cached_property
    def of_people(self) -> bool:
        """Whether a column of the table says whose each record is."""
        return bool(person_keys(self.columns))

    @cached_property
    def families_by_column(self) -> Mapping[str, tuple[tuple[Family, Counter[Role]], ...]]:
        """The families of each column, by its stem, its last word or its values, and the roles known in each.

        Only siblings whose values are of the same form are asked: a date or a text among the questions of a
        questionnaire says nothing of its numbers.
        """
        forms = {column.name: _form(column) for column in self.columns}
        families = defaultdict[str, tuple[tuple[Family, Counter[Role]], ...]](tuple)
        for kind in (stem_families, headed_families, value_families):
            for family in kind(self.columns):
                known = defaultdict[str, Counter[Role]](Counter)
                for name in family.columns:
                    if role := self.roles.get(name):
                        known[forms[name]][role] += 1
                for name in family.columns:
                    families[name] += ((family, known[forms[name]]),)
        return dict(families)

    @cached_property
    def standard(self) -> tuple[Standard, str | None, float] | None:
        """The standard that the table is written in, its domain, and how sure that is."""
        constants = {
            column.name.strip().casefold(): column.sample[0].strip().casefold()
            for column in self.columns
            if len(column.sample) == 1
        }
        return standard_of([column.name for column in self.columns], constants)

    @cached_property
    def subject(self) -> Subject | None:
        """What the table is about, by its name."""
        return subject_of(self.table)

    @cached_property
    def long_table(self) -> tuple[ColumnProfile, Mapping[str, str]] | None:
        """Which column names what was measured, and the part of each other; None where the table is not long.

        The names recur over the records: where each row has another it is a list of codes, not of results.
        """
        parts = {column.name: part for column in self.columns if (part := part_of_long_table(column.name))}
        named = [column for column in self.columns if parts.get(column.name) == "measured" and _recurring(column)]
        if not named or "value" not in parts.values() or self.subject is Subject.LIST:
            return None
        whose = (key_name(column.name) for column in self.columns)
        people = any(key is not None and key.whose is Whose.PERSON for key in whose)
        if not people and "unit" not in parts.values() and self.subject not in (Subject.HEALTH, Subject.CARE):
            return None  # two bare names alone: the settings of a program have a key and a value as well
        return min(named, key=lambda column: (column.name.strip().casefold() in VAGUE, column.known)), parts

    @cached_property
    def health_columns(self) -> tuple[int, int]:
        """How many columns are known to be about health, and of how many that are neither keys nor technical."""
        counted = Counter(self.roles.values())
        return counted[Role.SENSITIVE], counted[Role.SENSITIVE] + counted[Role.QUASI]

    @cached_property
    def code_pairs(self) -> Mapping[str, tuple[str, ...]]:
        """For each column those that are its code or its text."""
        return code_pairs(self.columns)

    @cached_property
    def gene_columns(self) -> int:
        """How many columns are named after genes, beyond doubt."""
        return sum(gene_symbol(gene_of(column.name)[0]) for column in self.columns)

    @cached_property
    def about_people(self) -> bool:
        """Whether the rows are people or what happened to them: a key, an age, a sex or a date is among the columns."""
        return self.of_people or any(role in (Role.DIRECT, Role.QUASI) for role in self.roles.values())


def _recurring(column: ColumnProfile) -> bool:
    return not column.sample or column.known <= max(1, column.present / 2)


def _form(column: ColumnProfile) -> str:
    """What the values are, roughly: nothing, a few answers, or many numbers, dates or texts."""
    if not column.sample:
        return "nothing"
    return "answers" if column.known <= min(FEW, column.present / 2) else column.kind.name


ALONE = Surroundings()

"""Special uniques: records that a few columns suffice to single out, and in how many ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.class_refinement import Refinement, RefinementPath
from sfumato.attackers.coded_records import CodedRecords, coded_records
from sfumato.errors import PolicyError
from sfumato.privacy.dataset import Dataset
from sfumato.progress import Tell, quiet
from sfumato.show.documents.exposure import SufficientColumnsDocument, UniquesDocument

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


MOST = 50  # sets of columns that a document holds: chosen, as a reader looks at no more

Names = tuple[str, ...]
Places = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    r"""The minimal sample uniques of a table, and the score that each record has by them.

    A set of columns is a minimal sample unique (MSU) of a record when nobody else has the record's values on them,
    and somebody has on any fewer of them. The score of a record adds up its MSUs; one of k columns, of m columns in
    all and of at most M looked for, weighs

    .. math:: \prod_{i=k}^{M-1} (m - i)

    which is in how many ways columns can be added to it, one after the other, up to M. The fewer columns suffice
    and the more sets do, the higher the score. It ranks the records of one table; it is no probability (`DisSuda` makes
    one of it).

    The definition is also printed with a product that runs to M. That multiplies every score by m - M, so ranks and
    shares are the same, but gives 0 to everybody when all sizes are looked for (M = m).

    Where the subject is known, a set is unique when all records with the values on it are of one person.

    References
    ----------
    Elliot, Manning, Mayes, Gurd, Bane (2005). SUDA: a program for detecting special uniques. Joint UNECE/Eurostat
    work session on statistical data confidentiality, Geneva.
    Manning, Haglin, Keane (2008). A recursive search algorithm for statistical disclosure assessment. Data Mining
    and Knowledge Discovery 16(2), 165-196.

    Examples
    --------
    Benschop, Machingauta, Welch, Statistical disclosure control for microdata: a practice guide, chapter 4: of ten
    records, the third, fifth, seventh and eighth have the scores 6, 12, 6 and 10. The fifth is the only rural one,
    and three pairs single it out as well.

    >>> from sfumato.studies.printed_tables import rows
    >>> table = ["U F some E", "U F some E", "U F none N", "U M done E", "R F done U", "U M done E", "U F prim N",
    ...          "U M post U", "U F some N", "U F some N"]
    >>> columns = ["residence", "gender", "education", "labour"]
    >>> people = rows([tuple(row.split()) for row in table], columns, **dict.fromkeys(columns, "quasi"))
    >>> special = special_uniques(people)
    >>> dict(special.scores()), special.by_size, special.uniques
    ({3: 6, 5: 12, 7: 6, 8: 10}, {1: 4, 2: 2, 3: 0}, 4)
    >>> special.of(5)
    (('residence',), ('gender', 'education'), ('gender', 'labour'), ('education', 'labour'))
    """

    columns: Names
    largest: int  # columns of a set: M
    by_combination: Mapping[Names, int]  # records that each set singles out, where no fewer of its columns do
    _records: CodedRecords
    _counts: Whole  # for each size and place, how many minimal sample uniques
    alone: Mapping[frozenset[int], int]  # records that are alone on each set of columns, given by their places

    @property
    def records(self) -> int:
        """How many records the table has."""
        return self._records.records

    @property
    def coded(self) -> CodedRecords:
        """The records that were looked at, for others who look at them."""
        return self._records

    @property
    def uniques(self) -> int:
        """Records with a minimal sample unique."""
        return sum(self.smallest.values())

    @property
    def by_size(self) -> dict[int, int]:
        """Records with a minimal sample unique of each size."""
        return {size: int(self._records.n[counts > 0].sum()) for size, counts in enumerate(self._counts, 1)}

    @property
    def smallest(self) -> dict[int, int]:
        """Records by the size of their smallest one: how many columns an attacker must know."""
        first = (self._counts > 0).argmax(axis=0) + 1
        some = self._counts.any(axis=0)
        return {s: int(self._records.n[some & (first == s)].sum()) for s in range(1, self.largest + 1)}

    @property
    def contributions(self) -> dict[str, float]:
        """For each column, the share of all scores that is due to sets which hold it. Shares overlap."""
        weighed = {names: self.weight(len(names)) * records for names, records in self.by_combination.items()}
        total = sum(weighed.values())
        of = {c: sum(weight for names, weight in weighed.items() if c in names) for c in self.columns}
        return {column: weight / total if total else 0.0 for column, weight in of.items()}

    def weight(self, size: int) -> int:
        """What a minimal sample unique of this size adds to the score of its record."""
        return prod(len(self.columns) - i for i in range(size, self.largest))

    def scores(self) -> Iterator[tuple[int, int]]:
        """The records with a score above 0: the number of each in the source, from 1 on, and its score."""
        assert self._records.rows is not None
        places, rows = self._records.rows
        scores = self.score_of_places[places]
        yield from zip(rows[scores > 0].tolist(), scores[scores > 0].tolist(), strict=True)

    @cached_property
    def score_of_places(self) -> Whole:
        """The score of every different record; of a person's where the subject is known, each once."""
        # Whole numbers of any size: those of many columns are beyond what an array of machine numbers holds.
        weights = np.array([self.weight(size) for size in range(1, self.largest + 1)], dtype=object)
        scores: Whole = (self._counts * weights[:, None]).sum(axis=0)
        return scores

    def of(self, row: int) -> tuple[Names, ...]:
        """The minimal sample uniques of a record, given by its number in the source; none where it has none."""
        assert self._records.rows is not None
        records, (places, rows) = self._records, self._records.rows
        own = places[rows == row]
        if not len(own):
            return ()
        others = (records.person != records.person[own[0]]) | records.crowded
        alike = np.unique(np.stack([code[others] == code[own[0]] for code in records.codes]), axis=1)
        minimal: list[Places] = []
        for size in range(1, self.largest + 1):
            minimal += [
                s for s in combinations(range(len(self.columns)), size)
                if not any(set(smaller) < set(s) for smaller in minimal) and not alike[list(s)].all(axis=0).any()
            ]  # fmt: skip
        return tuple(tuple(self.columns[column] for column in s) for s in minimal)

    def ranked(self) -> list[tuple[Names, int]]:
        """The sets and how many records each singles out: most records first, then the smallest set."""
        return sorted(self.by_combination.items(), key=lambda each: (-each[1], len(each[0]), each[0]))

    def content(self) -> UniquesDocument:
        """The counts, and the sets that single out most records, as plain values."""
        return UniquesDocument(
            largest=self.largest,
            records=self.records,
            uniques=self.uniques,
            by_size={str(size): records for size, records in self.by_size.items()},
            smallest={str(size): records for size, records in self.smallest.items()},
            contributions=self.contributions,
            combinations=[
                SufficientColumnsDocument(columns=names, records=records) for names, records in self.ranked()[:MOST]
            ],
        )


def special_uniques(dataset: Dataset, largest: int = 3, *, tell: Tell = quiet) -> SpecialUniques:
    """Find the minimal sample uniques of up to `largest` quasi-identifiers."""
    if largest < 1:
        raise PolicyError("Special uniques: the largest set of columns to look for has one column or more.")
    records = coded_records(dataset, rows=True)
    largest = min(largest, len(records.columns))
    counts = np.zeros((largest, len(records.n)), dtype=np.int64)
    by_combination: dict[Names, int] = {}
    alone: dict[frozenset[int], int] = {}
    for columns, places in _minimal(records, largest, alone, tell):
        counts[len(columns) - 1][places] += 1
        by_combination[tuple(records.columns[column] for column in sorted(columns))] = int(records.n[places].sum())
    return SpecialUniques(records.columns, largest, by_combination, records, counts, alone)


def _minimal(
    records: CodedRecords, largest: int, alone: dict[frozenset[int], int], tell: Tell
) -> Iterator[tuple[Places, Whole]]:
    """The sets that are minimal sample uniques, and of which places, by growing size; `alone` takes down who is alone.

    Records that are unique on the columns so far have left the classes that one more column splits. What is left to
    leave out are those that are unique on fewer columns together with the new one. Neither is in anybody's way.
    """
    # Columns of many values first: they leave the fewest records to look at when others are added.
    order = sorted(range(len(records.columns)), key=lambda column: (-records.values[column], column))
    path, unique_on = RefinementPath(records), dict[Places, "Whole"]()
    for size in range(1, largest + 1):
        tell(f"Special uniques of {size} of {len(order)} columns", size - 1, largest)
        for columns in combinations(order, size):
            *before, last = columns
            known = path.to(tuple(before)) if before else Refinement.together(records)
            lone = known.lone(last)
            alone[frozenset(columns)] = known.alone + int(records.n[lone].sum())
            fewer = (c for length in range(size - 1) for c in combinations(before, length))
            lone = _without(lone, [unique_on[(*c, last)] for c in fewer if (*c, last) in unique_on])
            if len(lone):
                if size < largest:
                    unique_on[columns] = lone
                yield columns, lone


def _without(places: Whole, left_out: Sequence[Whole]) -> Whole:
    """The places without some others."""
    if not len(places) or not left_out:
        return places
    return places[np.isin(places, np.concatenate(left_out), invert=True)]

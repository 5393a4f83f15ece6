"""Patterns: people told apart by several of their records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PolicyError
from sfumato.privacy.dataset import Dataset
from sfumato.show.documents.exposure import PatternsDocument
from sfumato.tables.engine import listed

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


# Different records of a person of which pairs are made: 60 have 1,770 pairs, and pairs grow with the square.
# Chosen, not measured; how many people have more is told.
MOST = 60


@dataclass(frozen=True)
class Patterns:
    r"""How many people are singled out by what is known of one, of two, or of all of their records.

    A person with records :math:`t_1, t_2, ...` is singled out by r of them when nobody else has the same r among
    theirs, for some choice of r; and by the whole pattern when nobody else has exactly the same records. Of two visits,
    each common, the pair may be rare: rows by themselves do not show it.

    Examples
    --------
    Two people share each visit, but only one has both:

    >>> from sfumato.studies.printed_tables import rows
    >>> visits = rows([("a", 1), ("a", 2), ("b", 1), ("c", 2)], ["who", "ward"], ward="quasi", subject="who")
    >>> Patterns.of(visits).content().singled_out
    {'one': 0, 'two': 1, 'all': 3}
    """

    persons: int
    one: int
    two: int
    whole: int
    crowded: int  # persons with so many different records that not all pairs were made

    @classmethod
    def of(cls, dataset: Dataset) -> Patterns:
        """Count the people of a table with a subject column."""
        if dataset.subject is None:
            raise PolicyError("Patterns are about people with several records: name the subject column.")
        person, record = _records(dataset)
        pairs, counts = np.unique(np.stack([person, record], axis=1), axis=0, return_counts=True)
        sharing = np.bincount(pairs[:, 1])
        alone = np.unique(pairs[sharing[pairs[:, 1]] == 1, 0])
        groups = np.split(np.arange(len(pairs)), np.flatnonzero(np.diff(pairs[:, 0])) + 1)
        several = [pairs[group, 1] for group in groups]
        shown = [tuple(zip(records.tolist(), counts[group].tolist(), strict=True))
                 for group, records in zip(groups, several, strict=True)]  # fmt: skip
        crowded = sum(len(records) > MOST for records in several)
        return cls(
            persons=len(groups),
            one=len(alone),
            two=_by_two(several, set(alone.tolist())),
            whole=sum(n == 1 for n in Counter(shown).values()),
            crowded=crowded,
        )

    def content(self) -> PatternsDocument:
        """The counts as plain values."""
        singled_out = {"one": self.one, "two": self.two, "all": self.whole}
        return PatternsDocument(
            persons=self.persons,
            singled_out=singled_out,
            percent={known: 100 * n / self.persons for known, n in singled_out.items()},
            not_all_pairs=self.crowded,
        )


def _records(dataset: Dataset) -> tuple[Whole, Whole]:
    """The person and the combination of values of every record, as numbers."""
    engine, records = dataset.table.engine, dataset.records()
    keys = listed(f"k{i}" for i in range(1, len(dataset.quasi_identifiers) + 1))
    alone = engine.numbered(f"SELECT * FROM {records}", "place", held=False)
    named = "CASE WHEN person IS NULL THEN concat('row ', place) ELSE concat('subject ', person) END"
    numbers = engine.arrow(f"""
        SELECT dense_rank() OVER (ORDER BY {named}) - 1 AS person, dense_rank() OVER (ORDER BY {keys}) - 1 AS record
        FROM {alone}""")
    return numbers["person"].to_numpy().astype("int64"), numbers["record"].to_numpy().astype("int64")


def _by_two(several: Sequence[Whole], alone: set[int]) -> int:
    """People who are alone with a pair of their records, or with a single one of them."""
    owner: dict[tuple[int, int], int] = {}  # the only person with a pair; -1 where there are several
    for person, records in enumerate(several):
        for pair in combinations(records[:MOST].tolist(), 2):
            owner[pair] = person if pair not in owner else -1
    return len(alone | {person for person in owner.values() if person >= 0})

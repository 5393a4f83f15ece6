"""Suppression of records: people who are left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.changing.frequency import in_small_classes, left_out, noted
from sfumato.changing.parameters import column_names, whole
from sfumato.condition import Condition
from sfumato.draft import Draft
from sfumato.schema import Role
from sfumato.transformation import Means, Transformation


@dataclass(frozen=True)
class SuppressRecords(Transformation):
    r"""Leave out records: those that a condition means, or those in classes of too few people.

    .. math:: \{ r \in E : |E| < k \}

    With `class_size` k, a record goes when fewer than k people (subjects, or records where there is no subject) have
    the same values in `columns`, which are the quasi-identifiers unless others are named. A missing value is a value:
    it equals another missing one.

    References
    ----------
    Samarati (2001). Protecting respondents' identities in microdata release.
    IEEE Transactions on Knowledge and Data Engineering 13(6), 1010-1027 (suppression of tuples).

    Examples
    --------
    >>> SuppressRecords(class_size=5, columns=("age", "sex")).explained()
    'Leave out the records whose values of age, sex are those of fewer than 5 people.'
    >>> SuppressRecords(where={"column": "country", "equals": "Malta"}).explained()
    "Leave out the records where country is 'Malta'."
    """

    where: Any = None
    class_size: int | None = None
    columns: str | tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if (self.where is None) == (self.class_size is None):
            raise self.wrong("give where (a condition) or class_size (a number), and not both.")
        if self.class_size is not None:
            whole(self, "class_size", self.class_size, 2)
        if self.where is not None:
            Condition.of(self.where)
            if self.columns is not None:
                raise self.wrong("columns belong to class_size.")
        if self.columns is not None:
            object.__setattr__(self, "columns", column_names(self, self.columns))

    def apply(self, draft: Draft, means: Means) -> Draft:
        before = draft.count()
        if self.class_size is None:
            meant = Condition.of(self.where).sql(draft)
            left, found = draft.where(f"NOT {meant}"), draft.count(meant)
        else:
            left, found = left_out(draft, in_small_classes(draft, self._columns(draft), self.class_size))
        if before and found >= before:
            raise self.wrong("no record would be left. Generalise first, or ask for less.")
        return noted(left, f"Records suppressed: {found} of {before}.")

    def explained(self) -> str:
        if self.class_size is None:
            return f"Leave out the records where {Condition.of(self.where).words()}."
        columns = ", ".join(self.columns) if self.columns else "the quasi-identifiers"
        return f"Leave out the records whose values of {columns} are those of fewer than {self.class_size} people."

    def _columns(self, draft: Draft) -> tuple[str, ...]:
        columns = tuple(self.columns or ()) or draft.with_role(Role.QUASI)
        if not columns:
            raise self.wrong("name the columns that make a class: no column has the role quasi.")
        draft.require(*columns)
        return columns

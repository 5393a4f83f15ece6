"""Evidence: what one method says of one column, and what a method is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role
from sfumato.show.documents.identification import FindingDocument


@dataclass(frozen=True)
class Finding:
    """What one method says of one column: a verdict, a number, and a sentence without any cell value.

    `weight` says how much the finding counts when a role is proposed: 0 is shown and decides nothing,
    1 decides. `hipaa` names the identifier of the HIPAA Safe Harbor list that was recognised, if any.
    """

    method: str
    role: Role | None  # None: the method has no opinion
    number: float | None
    sentence: str
    weight: float = 0.0
    hipaa: str | None = None
    drop: bool = False  # the column had better be left out

    def content(self) -> FindingDocument:
        """The finding as plain values."""
        return FindingDocument(
            method=self.method,
            verdict="drop" if self.drop else self.role.value if self.role else None,
            number=self.number,
            sentence=self.sentence,
            weight=self.weight,
            hipaa=self.hipaa,
        )


class Evidence(ABC):
    """One way to tell what a column is. To add one, write a subclass in one new file of `evidence/`.

    Subclasses are frozen dataclasses; their fields are parameters, with defaults.
    """

    method: ClassVar[str]

    by_roles: ClassVar[bool] = False  # asked last, when the columns beside have been read by themselves

    @abstractmethod
    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        """What this method says of a column, and of what stands around it; None where it says nothing."""

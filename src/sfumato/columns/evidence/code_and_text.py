"""Codes beside their texts, and texts beside their codes: both are about the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.text_words import written
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role


@dataclass(frozen=True)
class CodeAndText(Evidence):
    """What the code says, its text says: CODE beside DESCRIPTION takes the role that DESCRIPTION has by itself.

    They are a pair by their names (the same stem, one says code and the other text) or by their places, and because
    they have about as many different values. How often each code goes with one text is not counted.
    """

    method: ClassVar[str] = "code and text"
    by_roles: ClassVar[bool] = True
    paired: float = 0.8

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        partners = beside.code_pairs.get(column.name, ())
        roles = {role for name in partners if (role := beside.roles.get(name)) in (Role.SENSITIVE, Role.QUASI)}
        if len(roles) != 1 or written(column):  # free text may hold more than what a code says
            return None
        [role] = roles
        about = "about health" if role is Role.SENSITIVE else "known to others"
        return Finding(
            self.method, role, None, f"It is the code or the text of a column beside that is {about}.", self.paired
        )

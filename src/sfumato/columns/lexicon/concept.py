"""What a column may be about, and what that means for privacy."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.columns.lexicon.hipaa import Hipaa
from sfumato.schema import Role


@dataclass(frozen=True)
class Concept:
    """One thing that columns are about: a telephone number, a diagnosis."""

    name: str
    role: Role
    hipaa: Hipaa | None = None
    form: str = "any"  # what the values must look like for the name to be believed
    facility: bool = False  # an organisation, which has addresses and telephones of its own

    @property
    def identifying(self) -> bool:
        """Whether the concept is a direct identifier or on the HIPAA list, so that a wrong claim costs most."""
        return self.role is Role.DIRECT or self.hipaa is not None

    @property
    def dated(self) -> bool:
        """Whether the values are dates."""
        return self.form == "date"

    @property
    def leading(self) -> bool:
        """Whether it is the head of a name wherever it stands: the date, place, age or serial number of something."""
        return self.form in ("date", "coordinates") or self.name == "age" or self.hipaa is Hipaa.DEVICE

"""Numbers of vehicles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

CHASSIS = re.compile(r"(?=.*\d{4}$)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}")
PLATES = tuple(
    re.compile(shape)
    for shape in (
        r"[A-Z]{2}-\d{3}-[A-Z]{2}",  # France
        r"(?:[A-Z]{2}-\d{2}-[A-Z]{2}|\d{2}-[A-Z]{2}-\d{2}|\d{2}-[A-Z]{2}-[A-Z]{2}|[A-Z]{2}-[A-Z]{2}-\d{2}"
        r"|[A-Z]{1,2}-\d{3}-[A-Z]{1,2}|\d-[A-Z]{3}-\d{2}|\d{2}-[A-Z]{3}-\d|\d{2}-\d{2}-[A-Z]{2}"
        r"|[A-Z]{2}-\d{2}-\d{2})",  # Netherlands, Portugal
        r"[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2} ?\d{1,4}[EH]?",  # Germany
        r"\d{4} ?[BCDFGHJKLMNPRSTVWXYZ]{3}",  # Spain
        r"[A-Z]{2}\d{2} ?[A-Z]{3}",  # United Kingdom
        r"[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧABEZHIKMNOPTYX]{3}[- ]\d{4}",  # Greece
        r"(?:[가-힣]{2} ?)?\d{2,3} ?[가-힣] ?\d{4}",  # Korea
    )
)


class Vehicle(Recogniser):
    """Chassis numbers, or the plates of one country."""

    concept = "vehicle identifier"
    role = Role.DIRECT
    hipaa = Hipaa.VEHICLE
    strength = 0.55
    needed = 0.95
    varied = 0.3
    longest = 20

    def matches(self, value: str) -> bool:
        return CHASSIS.fullmatch(value) is not None or any(plate.fullmatch(value) for plate in PLATES)

    def share(self, sample: Sequence[str]) -> float:
        """The share of the shape that fits best."""
        values = self.values(sample)
        fitting = (sum(shape.fullmatch(value) is not None for value in values) for shape in (CHASSIS, *PLATES))
        return max(fitting) / len(values) if len(values) >= 5 else 0.0

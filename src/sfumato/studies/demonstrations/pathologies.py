"""Other illnesses of made-up patients: likelier with age, and with each other."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.chance import Chance

UNKNOWN = 0.02


@dataclass(frozen=True)
class Pathology:
    """How often an illness occurs at 40 and at 80, and which others make it likelier."""

    young: float
    old: float
    after: tuple[str, ...] = ()
    gender: str | None = None  # it occurs in one only
    ages: tuple[int, int] = (0, 120)

    def probability(self, age: float, gender: str, ill: dict[str, str]) -> float:
        """For one person, given the illnesses before it."""
        if self.gender not in (None, gender) or not self.ages[0] <= age <= self.ages[1]:
            return 0.0
        share = min(max((age - 20) / 60, 0.02), 1.2)
        others = sum(ill.get(name) == "Y" for name in self.after)
        return min((self.young + (self.old - self.young) * share) * 1.8**others, 0.9)


PATHOLOGIES = {
    "OBESITY": Pathology(0.16, 0.12, ages=(10, 120)),
    "SMOKING": Pathology(0.15, 0.07, ages=(16, 95)),
    "HYPERTENSION": Pathology(0.08, 0.55, ("OBESITY",), ages=(18, 120)),
    "DIABETES": Pathology(0.05, 0.28, ("OBESITY", "HYPERTENSION")),
    "HEART": Pathology(0.03, 0.26, ("HYPERTENSION", "SMOKING"), ages=(18, 120)),
    "CEREBROVASCULAR": Pathology(0.005, 0.11, ("HYPERTENSION", "HEART"), ages=(25, 120)),
    "KIDNEY": Pathology(0.01, 0.12, ("DIABETES", "HYPERTENSION")),
    "LUNG": Pathology(0.02, 0.12, ("SMOKING",)),
    "LIVER": Pathology(0.02, 0.04, ("OBESITY",), ages=(18, 120)),
    "CANC": Pathology(0.03, 0.12, ("SMOKING",)),
    "DEMENTIA": Pathology(0.0, 0.16, ages=(60, 120)),
    "ASTHMA": Pathology(0.07, 0.04),
    "IMMUNODEFICIENCY": Pathology(0.015, 0.012),
    "HIV": Pathology(0.01, 0.004, ages=(18, 85)),
    "TUBERCULOSIS": Pathology(0.004, 0.005, ("HIV",)),
    "PREGNANCY": Pathology(0.16, 0.0, gender="F", ages=(18, 44)),
}


def pathologies(chance: Chance, age: float, gender: str) -> dict[str, str]:
    """Y, N or Unknown for each illness of one person."""
    illnesses: dict[str, str] = {}
    for name, pathology in PATHOLOGIES.items():
        drawn = "Y" if chance.happens(pathology.probability(age, gender, illnesses)) else "N"
        illnesses[name] = "Unknown" if chance.happens(UNKNOWN) else drawn
    return illnesses

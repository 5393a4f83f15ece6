"""Made-up admissions with COVID-19, in the layout of Carvalho et al.: 1,716 records by 38 columns.

As in that paper there are 31 re-admissions, so that 1,685 patients remain when only the first admission is kept, and
368 deaths, 41 discharges to a nursing home, 529 stays in intensive care and 12 newborns. The older a patient, the more
other illnesses; the more of both, the longer the stay and the likelier intensive care and death. The first positive
result has a time of day; what nobody asked about is missing or unknown; everybody was in hospital.

References
----------
Carvalho, Antunes, Costa, Moniz. Empowering open data sharing for social good: a privacy-aware approach. Tables 1 to 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sfumato.chance import Chance
from sfumato.studies.demonstrations.pathologies import PATHOLOGIES, pathologies

Row = dict[str, object]

PATIENTS = 1685
READMITTED = 31
NEWBORNS = 12
DIED, NURSING_HOME, ELSEWHERE, INTENSIVE = 368, 41, 22, 529
# Positive results by month, March 2020 to January 2021: a first wave, a quiet summer, and a second wave.
WAVES = {3: 9.0, 4: 13, 5: 4, 6: 3, 7: 3, 8: 2, 9: 5, 10: 14, 11: 20, 12: 15, 13: 12}
PLACES = {"household": 5.0, "nursing home": 2, "work": 2, "health care": 1}


@dataclass(frozen=True)
class Patient:
    """One made-up patient at the first admission."""

    number: int
    born: date
    gender: str
    tested: datetime
    admitted: date
    ill: dict[str, str]
    frailty: float
    intensive: bool = False
    outcome: str = "H"

    @property
    def age(self) -> int:
        """Whole years at the first positive result."""
        day = self.tested.date()
        return day.year - self.born.year - ((day.month, day.day) < (self.born.month, self.born.day))

    @property
    def months(self) -> int:
        """Whole months at the first positive result."""
        day = self.tested.date()
        return 12 * (day.year - self.born.year) + day.month - self.born.month - (day.day < self.born.day)


def hospital_admissions(seed: int = 1716) -> Iterator[Row]:
    """One row for each admission, in the order of the admissions."""
    chance = Chance.of(seed)
    patients = _with_outcomes(chance, [_patient(chance, number) for number in range(PATIENTS)])
    stays = [_stay(chance, patient) for patient in patients]
    returning = chance.highest([p.frailty if p.outcome == "H" else -99.0 for p in patients], READMITTED, 2)
    stays += [_return(chance, stays[place]) for place in sorted(returning)]
    stays.sort(key=lambda stay: (stay[1], stay[0].number))
    for record, (patient, admitted, discharged) in enumerate(stays, 100_001):
        yield _row(chance, record, patient, admitted, discharged)


Stay = tuple[Patient, date, date]


def _patient(chance: Chance, number: int) -> Patient:
    month = chance.one_of(WAVES)
    day = date(2020 + month // 13, (month - 1) % 12 + 1, chance.whole(1, 28))
    tested = datetime(day.year, day.month, day.day, chance.whole(7, 22), chance.whole(0, 59), chance.whole(0, 59))
    born = day - timedelta(days=_days_of_age(chance, number))
    age = (day - born).days / 365.25
    gender = "M" if chance.happens(0.55 - 0.002 * max(age - 70, 0)) else "F"
    ill = pathologies(chance, age, gender)
    frailty = (age - 67) / 18 + 0.35 * sum(answer == "Y" for answer in ill.values())
    return Patient(number, born, gender, tested, day + timedelta(days=chance.whole(0, 6)), ill, frailty)


def _days_of_age(chance: Chance, number: int) -> int:
    """Newborns first: their days of testing spread them over the year. One in twenty of the others is young."""
    if number < NEWBORNS:
        return chance.whole(2, 200)
    if chance.happens(0.05):
        return chance.whole(366, 35 * 365)
    return round(365.25 * chance.between(1, 102, 72.5, 16))


def _with_outcomes(chance: Chance, patients: Sequence[Patient]) -> list[Patient]:
    """As many in intensive care, dead, in a nursing home and elsewhere as the paper counts, among the likeliest.

    The oldest are not taken into intensive care as often as they are ill.
    """
    intensive = chance.highest([p.frailty - max(p.age - 78, 0) / 6 for p in patients], INTENSIVE, 1.5)
    dead = chance.highest([_danger(p, place in intensive) for place, p in enumerate(patients)], DIED, 1.4)
    old = [-99.0 if place in dead else p.age / 10 for place, p in enumerate(patients)]
    nursed = chance.highest(old, NURSING_HOME, 1.2)
    left = [-99.0 if place in dead | nursed else 0.0 for place in range(len(patients))]
    elsewhere = chance.highest(left, ELSEWHERE, 1.0)
    outcomes = {**dict.fromkeys(dead, "D"), **dict.fromkeys(nursed, "N"), **dict.fromkeys(elsewhere, "O")}
    return [
        replace(patient, intensive=place in intensive, outcome=outcomes.get(place, "H"))
        for place, patient in enumerate(patients)
    ]


def _danger(patient: Patient, intensive: bool) -> float:  # noqa: FBT001
    return (patient.frailty if patient.age >= 18 else -99.0) + (0.6 if intensive else 0.0)


def _stay(chance: Chance, patient: Patient) -> Stay:
    """Longer in intensive care; those who die do not stay as long as those who recover from the same."""
    usual = 9 + 2 * max(patient.frailty, -2) + (14 if patient.intensive else 0) - (3 if patient.outcome == "D" else 0)
    days = max(round(usual * 2 ** chance.between(-3, 3, 0, 0.9)), 1)
    return patient, patient.admitted, patient.admitted + timedelta(days=days)


def _return(chance: Chance, stay: Stay) -> Stay:
    """Back after an early discharge, for a few days more."""
    patient, _, discharged = stay
    back = discharged + timedelta(days=chance.whole(2, 21))
    return replace(patient, intensive=False), back, back + timedelta(days=chance.whole(2, 12))


def _row(chance: Chance, record: int, patient: Patient, admitted: date, discharged: date) -> Row:
    onset = patient.tested.date() - timedelta(days=chance.whole(0, 9))
    return {
        "RecordId": record,
        "PatientId": 5_000 + patient.number * 7919 % 10_007,
        "Age": patient.age,
        "AgeMonth": patient.months,
        "AgeDay": (patient.tested.date() - patient.born).days,
        "Gender": patient.gender,
        "DateOfOnset": onset if chance.happens(0.11) else None,
        "DateOfFirstPositiveLabResult": patient.tested,
        "DateOfHospitalisation": admitted,
        "DateOfDischarge": discharged,
        "Hospitalisation": "Y",
        "IntensiveCare": "Y" if patient.intensive else "N",
        "RespiratorySupport": _support(chance, patient),
        "Outcome": patient.outcome,
        "PlaceOfInfection": chance.one_of(PLACES) if chance.happens(0.08) else None,
        "CloseContactRecordId": record - chance.whole(1, 40) if record > 100_060 and chance.happens(0.03) else None,
        "Imported": "N",
        "HealthCareWorker": _answer(chance, 0.12 if 20 <= patient.age < 67 else 0.0),
        "FEVER": _answer(chance, 0.6),
        "COUGH": _answer(chance, 0.55),
        "DYSPNOEA": _answer(chance, 0.5 + (0.3 if patient.intensive else 0)),
        "PNEUMONIA": _answer(chance, 0.4 + (0.4 if patient.intensive else 0)),
        **{name: patient.ill[name] for name in PATHOLOGIES},
    }


def _support(chance: Chance, patient: Patient) -> str:
    if patient.intensive:
        return chance.one_of({"ventilator": 6.0, "oxygen": 4})
    return chance.one_of({"oxygen": 5.0, "none": 5})


def _answer(chance: Chance, probability: float) -> str:
    """Yes, no, or unknown for one in twenty-five."""
    if chance.happens(0.04):
        return "Unknown"
    return "Y" if chance.happens(probability) else "N"

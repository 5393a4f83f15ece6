"""A made-up registry of people with multiple sclerosis, in the layout of Menten's thesis (Appendix 5).

Who is older has had the illness for longer, walks worse and has more often another illness; who is older and ill
otherwise comes to hospital more often. A value that does not apply is `not_applicable`; one that nobody wrote down is
missing: ventilation for about one in six, self-isolation for more than nine in ten, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.chance import Chance

Row = dict[str, object]

ROWS = 1000
YEAR = 2023  # the registry's last
SYMPTOMS = {"fatigue": 22.0, "fever": 17, "chills": 11, "congestion": 11, "shortness_breath": 11, "pneumonia": 10,
            "sore_throat": 10, "pain": 8}  # fmt: skip
ILLNESSES = {"other": 20.0, "diabetes": 13, "cardiovascular_disease": 11, "chronic_kidney_disease": 10,
             "chronic_liver_disease": 10, "immunodeficiency": 9, "lung_disease": 9, "hypertension": 9,
             "malignancy": 8}  # fmt: skip


@dataclass(frozen=True)
class Illness:
    """The multiple sclerosis of one person."""

    kind: str
    since: int  # the year of the diagnosis
    edss: float


def ms_registry(rows: int = ROWS, seed: int = 17) -> Iterator[Row]:
    """One row for each made-up person."""
    chance = Chance.of(seed)
    for number in range(rows):
        yield _person(chance, number)


def _person(chance: Chance, number: int) -> Row:
    patient = chance.happens(0.5)
    age = round(chance.between(18, 69, 43, 13))
    illness = _illness(chance, age)
    comorbidity = chance.one_of(ILLNESSES) if chance.happens(0.2 + 0.009 * (age - 18)) else "no"
    frail = (age - 18) / 51 + (comorbidity != "no") + illness.edss / 8  # 0 to 3
    return {
        "secret_name": f"P_{100 + number}" if patient else f"C_{1000 + number}",
        "report_source": "patients" if patient else "clinicians",
        "sex": "male" if chance.happens(0.5 if illness.kind == "PPMS" else 0.27) else "female",
        "age": age,
        "edss": illness.edss,
        "bmi": round(chance.between(17.0, 41.0, 26 + 0.03 * (age - 43), 4.2), 1),
        **_covid19(chance, frail),
        "comorbidities": comorbidity,
        "ms_type": illness.kind,
        "ms_diagnosis_date": illness.since,
    }


def _illness(chance: Chance, age: int) -> Illness:
    """Relapses come first, progression with the years; one person in ten progresses from the beginning."""
    years = int(chance.between(0, age - 15, 0.42 * (age - 18), 7))
    kind = chance.one_of({
        "RRMS": 40.0, "CIS": 30 if years < 6 else 6, "PPMS": 17, "not_sure": 10, "SPMS": 0.9 * years,
    })  # fmt: skip
    worse = {"CIS": 1.2, "RRMS": 2.4, "not_sure": 2.8, "PPMS": 4.6, "SPMS": 5.2}[kind]
    return Illness(kind, YEAR - years, round(chance.between(0, 8, worse + 0.05 * years, 1.6), 1))


def _covid19(chance: Chance, frail: float) -> Row:
    confirmed = chance.happens(0.74)
    admitted = chance.happens((0.25 if confirmed else 0.1) + 0.2 * frail)
    intensive = admitted and chance.happens(0.25 + 0.2 * frail)
    recovered = chance.happens(0.75 - 0.15 * frail - (0.1 if intensive else 0))
    return {
        "covid19_admission_hospital": _yes(admitted),
        "covid19_confirmed_case": _yes(confirmed),
        "covid19_diagnosis": "suspected" if chance.happens(0.6 if confirmed else 0.2) else "not_suspected",
        "covid19_symptoms": chance.one_of(SYMPTOMS) if chance.happens(0.6 if confirmed else 0.25) else "no",
        "covid19_icu_stay": _yes(intensive),
        "covid19_outcome_recovered": _yes(recovered) if confirmed else "not_applicable",
        "covid19_self_isolation": _yes(chance.happens(0.55)) if chance.happens(0.08) else None,
        "covid19_ventilation": _ventilated(chance, admitted=admitted, intensive=intensive),
    }


def _ventilated(chance: Chance, *, admitted: bool, intensive: bool) -> str | None:
    if not admitted:
        return "not_applicable"
    return None if chance.happens(0.36) else _yes(chance.happens(0.75 if intensive else 0.2))


def _yes(is_so: bool) -> str:  # noqa: FBT001  (it is the one thing that is said)
    return "yes" if is_so else "no"

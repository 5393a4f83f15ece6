"""The release that the pictures of the report show: made-up admissions, every role decided, every question answered."""

from __future__ import annotations

import csv
import random
from pathlib import Path

from sfumato.project.context.checklist import CRITERIA, FIVE_SAFES

RECORDS = 4800
WARDS = {"cardiology": 6, "surgery": 5, "medicine": 7, "neurology": 3, "oncology": 3}
DIAGNOSES = ("circulation", "respiration", "injury")
DISTRICTS = {"North": 8, "South": 7, "Centre": 6, "Harbour": 4, "Hills": 3}
HOLDS = ("sensitive_data", "vulnerable_people")  # of the criteria for an impact assessment
DECIDED = "decided_by: M. Okafor, decided_on: '2026-10-12'"
PROJECT = f"""\
data: {{source: admissions.csv}}
subject: patient_id
columns:
  case_number: {{role: direct, {DECIDED}, reason: Printed on every letter.}}
  patient_id: {{role: direct, {DECIDED}}}
  name: {{role: direct, {DECIDED}}}
  insurance_number: {{role: direct, {DECIDED}}}
  age: {{role: quasi, {DECIDED}, reason: Neighbours and colleagues know it.}}
  sex: {{role: quasi, {DECIDED}}}
  district: {{role: quasi, {DECIDED}}}
  admitted: {{role: quasi, type: date, {DECIDED}, reason: Visitors remember the week.}}
  ward: {{role: quasi, decided_by: L. Brandt, decided_on: '2026-10-13', reason: Staff know who lay where.}}
  diagnosis: {{role: sensitive, {DECIDED}}}
  bed: {{role: direct, {DECIDED}, reason: With the day it says who lay there.}}
  outcome: {{role: sensitive, {DECIDED}}}
measures:
  - {{measure: k_anonymity, at_least: 11}}
  - {{measure: distinct_l_diversity, sensitive: diagnosis, at_least: 2}}
  - {{measure: t_closeness, sensitive: outcome, at_most: 0.5}}
anonymise: {{method: local, suppress: 0.02}}
context:
  purpose: Which patients go home after a stay, and which do not
  release: restricted
  recipient: Low
  handed_to: Health services research, University of Aba
  controller: Hospital of Aba
  officer: privacy@hospital.example
  legal_basis: GDPR article 6(1)(e) and 9(2)(j)
  decisions:
    policy: {{decided_by: Data protection officer, decided_on: '2026-10-02', reason: As for all releases to research.}}
    release: {{decided_by: Data access committee, decided_on: '2026-10-20'}}
  benefits: {{age: high, sex: high, district: medium, admitted: medium, ward: high, diagnosis: high,
             outcome: high}}
"""


def write_example(folder: Path) -> Path:
    """Write the table and its project file; the project file."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "admissions.csv").open("w", encoding="utf-8", newline="") as file:
        rows = admissions()
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    answers = "".join(_answered(checklist.key, checklist.questions) for checklist in (*FIVE_SAFES, CRITERIA))
    (folder / "admissions.yaml").write_text(PROJECT + answers, encoding="utf-8")
    return folder / "admissions.yaml"


def admissions() -> list[dict[str, object]]:
    """Made-up admissions, the same each time."""
    draw = random.Random(2026)
    return [_admission(i, draw) for i in range(RECORDS)]


def _admission(i: int, draw: random.Random) -> dict[str, object]:
    age = min(max(int(draw.gauss(61, 17)), 18), 96)
    return {
        "case_number": f"C{700_000 + 7 * i}",
        "patient_id": f"P{100_000 + 13 * i}",
        "name": f"Person {i:04}",
        "insurance_number": f"{draw.randrange(10**9):09}",
        "age": age,
        "sex": draw.choices(["female", "male"], [52, 48])[0],
        "district": _one(DISTRICTS, draw),
        "admitted": f"2025-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
        "ward": _one(WARDS, draw),
        "diagnosis": draw.choice(DIAGNOSES),
        "bed": f"{draw.randint(1, 9)}-{draw.randint(10, 99)}",
        "outcome": draw.choices(["home", "elsewhere"], [75, 25])[0],
    }


def _one(shares: dict[str, int], draw: random.Random) -> str:
    return draw.choices(list(shares), list(shares.values()))[0]


def _answered(key: str, questions: tuple[object, ...]) -> str:
    """Every question of a checklist with an answer."""
    criteria = key == CRITERIA.key
    said = {q.key: "yes" if not criteria or q.key in HOLDS else "no" for q in questions}  # type: ignore[attr-defined]
    return f"  {key}: {{{', '.join(f'{name}: {answer}' for name, answer in said.items())}}}\n"

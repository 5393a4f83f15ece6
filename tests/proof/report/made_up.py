"""A table of made-up patients, and its project file."""

from __future__ import annotations

import random

PROJECT = """\
data: {source: patients.csv}
subject: patient
columns:
  name: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  town: {role: quasi}
  diagnosis: {role: sensitive}
  weight: {role: sensitive, proposed: true}
measures:
  - {measure: k_anonymity, at_least: 4}
  - {measure: distinct_l_diversity, sensitive: diagnosis, at_least: 2}
anonymise: {method: optimal, suppress: 0.1}
scenarios:
  - {name: neighbour, columns: [age, sex]}
context:
  purpose: Research into asthma
  release: restricted
  people: {agreement: partly}
"""

# The same with whatever else a report can speak of: answers, benefits, a population, a subset, the recipient's answers.
ANSWERED = """\
  projects: {legal_basis: yes}
  settings: {encrypted: no}
  data: {risk_measured: yes}
  outputs: {output_check: partly}
  dpia: {sensitive_data: yes}
  benefits: {age: high, sex: high, town: low, diagnosis: high, weight: low}
"""
WHOLE = (
    PROJECT.replace("  release: restricted\n", "  release: restricted\n  recipient: answers.yaml\n")
    + ANSWERED
    + """\
population: {fraction: 0.1}
subsets:
  - {name: asthma, columns: [age, sex], where: {column: diagnosis, equals: asthma}}
"""
)
ANSWERS = """\
institution: hospital
shaming: no
profit: no
ban_missing: no
open_data: yes
training: yes
handling_plan: yes
safe_transfer: yes
intrusion_protection: yes
access_records: yes
security_checks: no
expertise: yes
resources: yes
other_databases: yes
working_years: 8
"""


def visits(n: int = 160) -> list[dict[str, object]]:
    """Made-up patients of whom each was there twice; some towns are not known."""
    rows = patients(n)
    for i, row in enumerate(rows):
        row |= {"patient": f"P{i // 2:03}", "name": f"Name{i // 2:03}"}
        row |= {"town": ""} if i % 9 == 0 else {}
    return rows


def patients(n: int = 240) -> list[dict[str, object]]:
    """Made-up patients, the same each time."""
    draw = random.Random(7)
    return [
        {
            "patient": f"P{i:03}",
            "name": f"Name{i:03}",
            "age": draw.randint(20, 69),
            "sex": draw.choice("fm"),
            "town": draw.choice(["Aba", "Bex", "Cul"]),
            "diagnosis": draw.choice(["asthma", "flu", "gout"]),
            "weight": draw.randint(50, 99) if draw.random() < 0.97 else "",
        }
        for i in range(n)
    ]


def csv(rows: list[dict[str, object]]) -> str:
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    return "\n".join(lines) + "\n"

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
anonymise: {suppress: 0.1}
scenarios:
  - {name: neighbour, columns: [age, sex]}
context:
  purpose: Research into asthma
  release: restricted
  people: {agreement: partly}
"""


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

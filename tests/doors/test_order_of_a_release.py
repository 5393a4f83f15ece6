"""A recipient who has the release alone learns nothing of the order of the source, by any door and in any format."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from tests.doors.conftest import Command

from sfumato.tables.load import load

N = 400
PLAN = """steps:
  - round_to: {column: age, base: 10, how: down}
  - drop: {columns: [name, admitted]}
"""


def people(how: str) -> list[dict[str, object]]:
    draw = random.Random(7)
    rows = [
        {"name": f"p{i:04d}", "age": draw.randint(18, 89), "sex": draw.choice("fm"), "lab": round(draw.gauss(5, 1), 3),
         "admitted": f"20{draw.randint(10, 23)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)}"} for i in range(N)
    ]  # fmt: skip
    if how == "shuffled":
        return rows
    return sorted(rows, key=lambda row: str(row[how]) if how == "admitted" else row[how])  # type: ignore[return-value,arg-type]


def write(folder: Path, rows: list[dict[str, object]], name: str = "people.csv") -> None:
    lines = [",".join(map(str, row.values())) for row in rows]
    (folder / name).write_text("\n".join([",".join(rows[0]), *lines]) + "\n", encoding="utf-8")


def released(path: Path) -> list[tuple[object, ...]]:
    table = load(path).table
    return table.engine.fetch(f"SELECT lab, age FROM {table}")


def rank_correlation(rows: list[tuple[object, ...]], source: list[dict[str, object]]) -> float:
    """Spearman's, between the place of a record in the release and in the source; the lab value pairs them here."""
    places: dict[float, list[int]] = {}
    for place, row in enumerate(source):
        places.setdefault(float(str(row["lab"])), []).append(place)
    pairs = [
        (place, places[float(str(lab))][0]) for place, (lab, _) in enumerate(rows) if len(places[float(str(lab))]) == 1
    ]
    n = len(pairs)
    assert n > N / 2
    ranks = {value: rank for rank, value in enumerate(sorted(second for _, second in pairs))}
    return 1 - 6 * sum((i - ranks[second]) ** 2 for i, (_, second) in enumerate(pairs)) / (n * (n * n - 1))


@pytest.mark.parametrize("how", ["age", "admitted", "shuffled"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_the_place_of_a_record_is_not_that_of_the_source(
    sfumato: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = people(how)
    write(tmp_path, rows)
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    ran = sfumato("apply", "plan.yaml", "people.csv", "-o", f"r{ending}", "--non-sensitive", "sex,lab")
    assert ran.code == 0, ran.said
    found = released(tmp_path / f"r{ending}")
    assert len(found) == N
    # The standard deviation of the correlation of two random orders of n things is 1 / sqrt(n - 1).
    assert abs(rank_correlation(found, rows)) < 4 / math.sqrt(N - 1)


def test_the_same_records_in_another_order_give_the_same_bytes(
    sfumato: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    digests = set()
    for how in ("age", "admitted", "shuffled"):
        write(tmp_path, people(how))
        assert sfumato("apply", "plan.yaml", "people.csv", "-o", "r.csv", "--non-sensitive", "sex,lab").code == 0
        digests.add((tmp_path / "r.csv").read_bytes())
    assert len(digests) == 1


def test_a_search_writes_in_the_same_order_whatever_that_of_the_source(
    sfumato: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    digests = set()
    for how in ("age", "shuffled"):
        write(tmp_path, people(how))
        asked = ("--quasi", "age,sex", "--non-sensitive", "lab", "--direct", "name,admitted", "--k", "5")
        ran = sfumato("anonymise", "people.csv", *asked, "--out", f"by_{how}")
        assert ran.code == 0, ran.said
        digests.add((tmp_path / f"by_{how}" / "released.csv").read_bytes())
    assert len(digests) == 1


@pytest.mark.parametrize("command", ["compare", "risk"])
def test_a_written_release_is_not_paired_by_position_unless_somebody_says_so(
    sfumato: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Paired by position, nine in ten ages would count as moved where all of them were only put into bands."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, people("age"))
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    assert sfumato("apply", "plan.yaml", "people.csv", "-o", "r.csv", "--non-sensitive", "sex,lab").code == 0
    ran = sfumato(command, "people.csv", "r.csv", "--quasi", "age,sex")
    assert ran.code == 2
    assert "It is not known which record of the release was which" in ran.said
    assert all(option in ran.said for option in ("--key", "--plan", "--by-position"))
    planned = sfumato(command, "people.csv", "--plan", "plan.yaml", "--quasi", "age,sex")
    assert planned.code == 0, planned.said


def test_a_plan_is_compared_with_what_each_record_became(
    sfumato: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, people("shuffled"))
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    found = sfumato("compare", "people.csv", "--plan", "plan.yaml", "--quasi", "age,sex", "--json", "-").document
    assert found["paired_by"] == "the number of the record"
    assert found["changes"]["age"]["records"] == {"same": 0, "broader": N, "gone": 0, "moved": 0}
    assert found["changes"]["sex"]["records"]["same"] == N
    ran = sfumato("compare", "people.csv", "people.csv", "--plan", "plan.yaml")
    assert (ran.code, "not both" in ran.said) == (2, True)
    assert sfumato("compare", "people.csv").code == 2

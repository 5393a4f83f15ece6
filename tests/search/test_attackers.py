"""Releases for several attackers at once, against a population, and of persons with several records."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest

import sfumato as sf

random.seed(3)
EVERYBODY = pa.table(
    {
        "age": [random.randint(18, 89) for _ in range(2000)],
        "sex": [random.choice("mf") for _ in range(2000)],
        "zip": [f"{random.randint(0, 40):03d}" for _ in range(2000)],
    }
)
SAMPLE = EVERYBODY.take(pa.array(random.sample(range(2000), 200)))
SCENARIOS = {"neighbour": ["age", "sex"], "doctor": ["sex", "zip"]}


def test_the_policy_holds_for_each_attacker_and_costs_less_than_for_all_columns(tmp_path: Path) -> None:
    found = sf.anonymise(SAMPLE, quasi=["age", "sex", "zip"], k=5, scenarios=SCENARIOS, suppress=0.1)
    found.write(tmp_path)
    for name, columns in SCENARIOS.items():
        again = sf.assess(tmp_path / "released.csv", quasi=columns, k=5)
        assert again.met
        assert found.assessments[name].sizes.smallest == again.sizes.smallest
        assert (tmp_path / f"assessment_{name}.json").exists()
    assert {reading["scenario"] for reading in found.document()["readings"]} == set(SCENARIOS)
    together = sf.anonymise(SAMPLE, quasi=["age", "sex", "zip"], k=5, suppress=0.1)
    assert found.solution.score < together.solution.score
    sf.apply_plan(tmp_path / "plan.yaml", SAMPLE, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "released.csv").read_bytes()


def test_cells_are_taken_out_for_each_attacker() -> None:
    found = sf.anonymise(SAMPLE, quasi=["age", "sex", "zip"], k=5, scenarios=SCENARIOS, method="cells")
    assert found.met
    whole = sf.anonymise(SAMPLE, quasi=["age", "sex", "zip"], k=5, method="cells")
    assert found.solution.score <= whole.solution.score


@pytest.mark.parametrize("requirement", ["k_map >= 8", "delta_presence <= 0.2"])
def test_a_sample_is_compared_with_its_population(requirement: str, tmp_path: Path) -> None:
    found = sf.anonymise(
        SAMPLE, quasi=["age", "sex", "zip"], requirements=[requirement], population=EVERYBODY, suppress=0.2
    )
    assert found.met
    found.write(tmp_path)
    sf.apply_plan(tmp_path / "plan.yaml", SAMPLE, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "released.csv").read_bytes()


def test_a_plan_before_the_search_and_a_population_do_not_go_together() -> None:
    from sfumato.plans.plan import Plan
    from sfumato.plans.steps.mask import Mask

    with pytest.raises(sf.SfumatoError, match="not the population"):
        sf.anonymise(
            SAMPLE, quasi=["age", "zip"], requirements=["k_map >= 2"], population=EVERYBODY,
            plan=Plan().then(Mask("zip", keep_left=1)),
        )  # fmt: skip


def test_persons_with_several_records_count_once() -> None:
    rows = pa.table({"id": list("aabbccdd"), "ward": list("uvuvuvuv"), "age": [30, 30, 31, 31, 30, 30, 31, 31]})
    found = sf.anonymise(rows, quasi=["ward", "age"], subject="id", k=4, levels={"ward": 0})
    assert found.assessment.sizes.smallest == 4
    assert found.levels is not None
    assert found.levels["ward"] == 0
    assert found.levels["age"] > 0
    assert found.release.num_rows == 8


def test_an_attacker_who_knows_another_column_is_refused() -> None:
    with pytest.raises(sf.SfumatoError, match="no column 'zipp'"):
        sf.anonymise(SAMPLE, quasi=["age", "zip"], k=2, scenarios={"postman": ["zipp"]})


@pytest.mark.parametrize("heuristic", ["beam", "bottom-up", "top-down", "genetic"])
def test_a_heuristic_finds_a_release_that_keeps_to_the_policy(heuristic: str) -> None:
    found = sf.anonymise(SAMPLE, quasi=["age", "sex", "zip"], k=5, suppress=0.1, heuristic=heuristic)
    best = sf.anonymise(SAMPLE, quasi=["age", "sex", "zip"], k=5, suppress=0.1)
    assert found.met
    assert found.solution.bound is not None
    assert found.solution.bound <= best.solution.score + 1e-12 <= found.solution.score + 2e-12


def test_a_heuristic_that_is_none_is_refused() -> None:
    with pytest.raises(sf.SfumatoError, match="Did you mean 'beam'"):
        sf.anonymise(SAMPLE, quasi=["age"], k=5, heuristic="beem")

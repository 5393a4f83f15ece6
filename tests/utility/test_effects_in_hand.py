"""Effects of steps in hand are those that following the plan again would read, to the last bit."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.proof.report import release_effects
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB, short_texts
from sfumato.tables.load import load
from sfumato.utility import effects_in_hand as module
from sfumato.utility.effects_in_hand import StepsInHand, effects_in_hand
from sfumato.utility.paired import record_join
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing
from sfumato.utility.step_effects import effects

QUASI = ["age", "town", "weight", "records"]
TOWNS = ("", "a;b", "~", "é", "*", "A", None)
AGES = "{kind: intervals, edges: [0, 30, 60, 90]}"
PLANS = {
    "values": f"""
  - generalise: {{column: age, level: 1, hierarchy: {AGES}}}
  - generalise: {{column: records, level: 1, hierarchy: records.csv}}
  - generalise: {{column: town, level: top, hierarchy: {{kind: masks}}}}
  - keep: {{columns: [age, town, weight, records, cost]}}""",
    "records": f"""
  - generalise: {{column: age, level: 1, hierarchy: {AGES}}}
  - suppress_records: {{class_size: 3, columns: [age, town]}}
  - generalise: {{column: weight, level: top, hierarchy: {{kind: intervals, width: 5}}}}
  - drop: {{columns: [cost]}}""",
    "twice": f"""
  - generalise: {{column: age, level: 1, hierarchy: {AGES}}}
  - generalise: {{column: age, level: top, hierarchy: {{kind: masks}}}}
  - drop: {{columns: [records]}}""",
    "counts": """
  - generalise: {column: age, level: 1, hierarchy: {kind: quantiles, groups: 3}}
  - drop: {columns: [town, age, weight, records]}""",
}


def people(n: int = 300) -> pa.Table:
    """Made-up people, one of whose columns is called as rows of combinations call theirs."""
    drawn = random.Random(11)
    return pa.table(
        {
            "age": [drawn.choice([None, *range(20, 80, 7)]) for _ in range(n)],
            "town": [drawn.choice(TOWNS) for _ in range(n)],
            "weight": [drawn.choice([0.0, -0.0, float("nan"), 1.5, 60.25, None]) for _ in range(n)],
            "records": [drawn.choice("fm") for _ in range(n)],
            "cost": list(range(n)),
        }
    )


@pytest.fixture(params=[False, True], ids=["texts", "short"])
def _many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether 300 rows are taken for many."""
    if request.param:
        monkeypatch.setattr(short_texts, "MANY", 100)
        monkeypatch.setattr(record_join, "MANY", 100)


def plan_of(folder: Path, name: str) -> Plan:
    (folder / "records.csv").write_text("f;some;*\nm;some;*\nd;other;*\n")
    (folder / "plan.yaml").write_text(f"steps:{PLANS[name]}\n", encoding="utf-8")
    return read_plan(folder / "plan.yaml")


def followed(plan: Plan, engine: Engine | None = None) -> StepsInHand:
    extract = load(people(), None, engine or DuckDB())
    before = Draft.of(extract).held(extract.table.count(), made=True)
    return StepsInHand(before, tuple(draft for _, draft in plan.followed(before, Secrets())))


@pytest.mark.usefixtures("_many")
@pytest.mark.parametrize("name", PLANS)
def test_the_same_is_read_without_following_the_plan_again(tmp_path: Path, name: str):
    plan = plan_of(tmp_path, name)
    made = followed(plan)
    assert made.whole
    known = {"records": read_hierarchy(tmp_path / "records.csv")}
    ours = effects_in_hand(plan, made, quasi=QUASI, known=known, secrets=Secrets(), source="table")
    assert ours.plain() == effects(plan, people(), quasi=QUASI, placed=known).plain() | {"source": "table"}


def test_the_same_is_read_on_every_engine(tmp_path: Path, engine: Engine):
    plan = plan_of(tmp_path, "values")
    ours = effects_in_hand(plan, followed(plan, engine), quasi=QUASI, known={}, secrets=Secrets(), source="table")
    assert ours.plain() == effects(plan, people(), quasi=QUASI).plain() | {"source": "table"}


@pytest.mark.usefixtures("_many")
def test_what_was_compared_already_is_not_compared_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    plan = plan_of(tmp_path, "values")
    made = followed(plan)
    first, last = (draft.counted_table(numbered=True) for draft in (made.before, made.drafts[-1]))
    compared = Comparison.of(Pairing.of(first, last, QUASI, key=made.before.row, numbered=True))
    expected = effects(plan, people(), quasi=QUASI).plain() | {"source": "table"}
    monkeypatch.setattr(module, "effect_of", lambda *_: pytest.fail("records were compared again"))
    made = StepsInHand(made.before, made.drafts, compared)
    assert effects_in_hand(plan, made, quasi=QUASI, known={}, secrets=Secrets(), source="table").plain() == expected
    others = StepsInHand(made.before, made.drafts, Comparison.of(Pairing.of(first, last, ["age"], key=made.before.row)))
    assert others.compared_so(QUASI, {}) is None


def test_steps_that_only_put_values_in_the_place_of_others(tmp_path: Path):
    """A hierarchy that counts values, a column that was changed before, and records that go are not among them."""
    draft = followed(plan_of(tmp_path, "values")).before
    first = {name: len(plan_of(tmp_path, name).by_values(draft, Secrets()).steps) for name in PLANS}
    assert first == {"values": 2, "records": 1, "twice": 1, "counts": 0}


def test_the_report_of_a_release_follows_no_plan(monkeypatch: pytest.MonkeyPatch):
    made = sf.anonymise(people(), quasi=QUASI[:2], release_rest=True, k=3, suppress=0.1, method="optimal")
    again = []
    monkeypatch.setattr(release_effects, "effects", lambda *_, **__: again.append("again"))
    told = sf.report(anonymised=made, quasi=QUASI[:2], k=3, charts=False, attacks=False, curve=False)
    assert not again
    assert told.parts


def test_persons_are_counted_on_the_records(tmp_path: Path):
    made = followed(plan_of(tmp_path, "values"))
    assert not StepsInHand(Draft(made.before.table, made.before.columns, made.before.row, "town"), made.drafts).whole
    assert not StepsInHand(made.before, ()).whole

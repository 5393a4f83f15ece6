"""A plan for a recipient names no value that fewer than a few released people have."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest

from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import parse_plan
from sfumato.plans.provenance import for_recipient
from sfumato.proof.package.recipient_plan import common_in
from sfumato.secrets import Secrets
from sfumato.tables.load import load

TABLE = pa.table({
    "illness": ["gout"] * 24 + ["flu"] * 14 + ["Kuru"] * 2,
    "income": [1000] * 20 + [2000] * 18 + [98761] * 2,
})  # fmt: skip


def told(steps: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The plan on the table of people, as its recipient reads it."""
    plan: Plan = parse_plan(f"seed: 1\nsteps:\n  - {steps}\n")
    after = plan.apply(Draft.of(load(TABLE)), Secrets({}))
    settings, words = zip(*for_recipient(plan, common_in(after.table)), strict=True)
    return list(settings), list(words)


@pytest.mark.parametrize("step", [
    "suppress_records: {where: {column: illness, equals: Kuru}}",
    "suppress_records: {where: {any: [{column: illness, in: [Kuru]}, {column: income, at_least: 98761}]}}",
    "suppress_values: {columns: illness, where: {column: illness, equals: Kuru}, placeholder: Kuru or so}",
    "recode: {column: illness, mapping: {Kuru: Kuru and others}, otherwise: keep}",
    "recode: {column: illness, mapping: {gout: gout, flu: flu}, otherwise: Kuru}",
    "top_code: {column: income, at: 98761}",
    "top_code: {column: income, at: 98761, label: Kuru}",
    "bottom_code: {column: income, at: 999}",
    "add_noise: {column: income, range: [-3, 3], bounds: [0, 98761]}",
])  # fmt: skip
def test_what_few_released_people_have_is_not_named(step: str) -> None:
    settings, words = told(step)
    text = json.dumps(settings) + " ".join(words)
    assert "Kuru" not in text
    assert "98761" not in text
    assert "999" not in text
    assert next(iter(settings[0])) == step.split(":", maxsplit=1)[0]


def test_what_many_released_people_have_is_named_and_the_rest_is_counted() -> None:
    settings, words = told("top_code: {column: income, at: 2000}")
    assert settings == [{"top_code": {"column": "income", "at": 2000}}]
    assert words == ["Values of income above 2000 become 2000."]
    settings, _ = told("recode: {column: illness, mapping: {gout: common, flu: common, Kuru: rare}}")
    assert settings == [{"recode": {"column": "illness", "mapping": {"common": "2 values", "others": "1 value"}}}]
    settings, _ = told(
        "suppress_records: {where: {all: [{column: income, at_least: 2000}, {column: illness, equals: Kuru}]}}"
    )
    assert settings == [{"suppress_records": {"where": "income is at least 2000, and illness is …"}}]


def test_nothing_is_named_where_the_release_is_not_at_hand() -> None:
    plan = parse_plan("steps:\n  - top_code: {column: income, at: 2000}\n")
    assert for_recipient(plan) == [
        ({"top_code": {"column": "income", "at": "a value, in the plan"}},
         "Top code income, by values that the plan states."),
    ]  # fmt: skip

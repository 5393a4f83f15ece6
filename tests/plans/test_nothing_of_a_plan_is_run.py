"""Texts of plans, projects and requirements reach SQL in quotes or not at all: every parameter, attacked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import MISSING, fields
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sfumato.errors import SfumatoError
from sfumato.hierarchies.catalogue import builders
from sfumato.plans.catalogue import transformations
from sfumato.plans.condition import TESTS, Condition
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.privacy.assess import assess
from sfumato.privacy.catalogue import measure, measures
from sfumato.privacy.policy import Requirement
from sfumato.secrets import Secrets
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load

MARK = "pwn7"
# Closes a text, a name and a bracket, each followed by the mark; and the mark where a number is expected.
PAYLOADS = (f"{MARK}' {MARK} \" {MARK}) {MARK} -- {MARK}", f"1) {MARK}")
ODD = f"{MARK}' \"{MARK}"  # the name of a column
ROWS = {
    "a": ["x", "y", "x", "y"] * 5,
    "n": [1, 2, 3, 4] * 5,
    "r": [1.5, 2.5, 3.5, 4.5] * 5,
    "d": ["2020-01-01", "2021-02-03", "2020-01-01", "1999-12-31"] * 5,
    ODD: ["q"] * 20,
}
GIVEN = {
    "post_randomise": {"column": "a", "keep": 0.5},
    "suppress_records": {"where": {"column": "n", "above": 1}},
    "one_row_per": {"rule": "baseline", "order": "d", "subject": "a", "baseline_flag": "n"},
}
QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
# Values that a parameter may have, tried in turn until one is taken.
VALUES: tuple[Any, ...] = (
    "a", "n", "r", "d", 2, 0.5, ("a",), ("n",), ("n", "r"), ("a", "n"), True, {"x": "z"}, {"kind": "masks"}, "year",
    "s", {"column": "n", "above": 1}, ({"levels": {"a": 1}},), {"a": {"kind": "masks"}}, (1, 2), "1 year", 10,
    "2024-01-01",
)  # fmt: skip


class Recorder(DuckDB):
    """An engine that keeps what it is asked to run."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def run(self, sql: str, values: Any = ()) -> Any:
        self.asked.append(sql)
        return super().run(sql, values)

    def fetch(self, sql: str) -> Any:
        self.asked.append(sql)
        return super().fetch(sql)

    def arrow(self, sql: str) -> Any:
        self.asked.append(sql)
        return super().arrow(sql)


@pytest.fixture(scope="module")
def engine() -> Recorder:
    return Recorder()


def require_quoted(engine: Recorder) -> None:
    """Whatever stands outside of quotes is ours."""
    for sql in engine.asked:
        assert MARK not in QUOTED.sub("", sql), sql
    engine.asked.clear()


REFUSED = (SfumatoError, TypeError, ValueError, AttributeError, KeyError, IndexError)


def samples(cls: type[Any]) -> Iterator[dict[str, Any]]:
    """Parameters that a class takes: the required ones from the values, tried in turn."""
    required = [f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING]
    trials: list[dict[str, Any]] = [dict(GIVEN.get(cls.name(), {}))]
    for name in required:
        trials = [{**trial, name: value} for trial in trials for value in VALUES if name not in trial] or trials
        trials = trials[:: max(1, len(trials) // 2000)]
    for trial in trials:
        with suppress(*REFUSED):
            cls(**trial)
            yield trial


def attacked(cls: type[Any], sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same parameters, one of them hostile each time, by itself and in a list or mapping."""
    yield sample
    for field in fields(cls):
        for payload in PAYLOADS:
            for value in (payload, (payload,), {payload: payload}, {"a": payload}):
                yield {**sample, field.name: value}


@pytest.mark.parametrize("cls", sorted({*transformations().values()}, key=lambda cls: cls.name()))
def test_no_parameter_of_a_step_reaches_sql_outside_of_quotes(cls: Any, engine: Recorder, tmp_path: Path) -> None:
    draft = Draft.of(load(pa.table(ROWS), None, engine))
    tried = 0
    for sample in islice(samples(cls), 2):
        for given in attacked(cls, sample):
            with suppress(*REFUSED):
                plan = Plan(seed="1", folder=tmp_path).then(cls(**given))
                tried += 1
                plan.apply(draft, Secrets({})).count()
            require_quoted(engine)
    assert tried, f"no parameters were found for {cls.name()}"


@pytest.mark.parametrize("kind", sorted(builders()))
def test_no_parameter_of_a_hierarchy_reaches_sql_outside_of_quotes(kind: str, engine: Recorder) -> None:
    draft = Draft.of(load(pa.table(ROWS), None, engine))
    for column in ("a", "n", "d"):
        for given in attacked(builders()[kind], {}):
            with suppress(*REFUSED):
                step = transformations()["generalise"](column, 1, {"kind": kind, **given}, "top")
                Plan().then(step).apply(draft, Secrets({})).count()
            require_quoted(engine)


@pytest.mark.parametrize("name", sorted(measures()))
def test_no_parameter_of_a_measure_reaches_sql_outside_of_quotes(name: str, engine: Recorder) -> None:
    extract = load(pa.table(ROWS), None, engine)
    sample = {"sensitive": "a"} if "sensitive" in {f.name for f in fields(measures()[name])} else {}
    for given in attacked(measures()[name], sample):
        with suppress(*REFUSED):
            required = Requirement(measure(name, given))
            assess(extract, quasi=["n", ODD], sensitive=["a"], requirements=[required])
        require_quoted(engine)


@pytest.mark.parametrize("test", TESTS)
def test_no_value_of_a_condition_reaches_sql_outside_of_quotes(test: str, engine: Recorder) -> None:
    draft = Draft.of(load(pa.table(ROWS), None, engine))
    for column in (*ROWS, MARK):
        for payload in PAYLOADS:
            for value in (payload, [payload], re.escape(payload)):
                with suppress(*REFUSED):
                    draft.where(Condition.of({"column": column, test: value}).sql(draft)).count()
                require_quoted(engine)

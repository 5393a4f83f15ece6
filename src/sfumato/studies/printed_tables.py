"""Tables printed in papers, for docstrings and tests."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.dataset import Dataset
from sfumato.tables.engine import Engine, Row
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing


def rows(records: Sequence[Row], columns: Sequence[str], engine: Engine | None = None, **roles: str) -> Dataset:
    """A dataset of the given rows; `subject=...` among the roles names the subject column."""
    arrow = pa.table({name: [record[i] for record in records] for i, name in enumerate(columns)})
    subject = roles.pop("subject", None)
    return Dataset.of((engine or DuckDB()).load(arrow), roles, subject=subject)


def inpatients(engine: Engine | None = None) -> Dataset:
    """Machanavajjhala et al. (2007), figure 1: twelve inpatients."""
    return _inpatients(engine, [
        ("13053", "28", "Heart"), ("13068", "29", "Heart"), ("13068", "21", "Viral"), ("13053", "23", "Viral"),
        ("14853", "50", "Cancer"), ("14853", "55", "Heart"), ("14850", "47", "Viral"), ("14850", "49", "Viral"),
        ("13053", "31", "Cancer"), ("13053", "37", "Cancer"), ("13068", "36", "Cancer"), ("13068", "35", "Cancer"),
    ])  # fmt: skip


def four_anonymous_inpatients(engine: Engine | None = None) -> Dataset:
    """Machanavajjhala et al. (2007), figure 2."""
    return _inpatients(engine, [
        *[("130**", "<30", c) for c in ("Heart", "Heart", "Viral", "Viral")],
        *[("1485*", ">=40", c) for c in ("Cancer", "Heart", "Viral", "Viral")],
        *[("130**", "3*", c) for c in ("Cancer", "Cancer", "Cancer", "Cancer")],
    ])  # fmt: skip


def three_diverse_inpatients(engine: Engine | None = None) -> Dataset:
    """Machanavajjhala et al. (2007), figure 3."""
    return _inpatients(engine, [
        *[("1305*", "<=40", c) for c in ("Heart", "Viral", "Cancer", "Cancer")],
        *[("1485*", ">40", c) for c in ("Cancer", "Heart", "Viral", "Viral")],
        *[("1306*", "<=40", c) for c in ("Heart", "Viral", "Cancer", "Cancer")],
    ])  # fmt: skip


def salaries(engine: Engine | None = None) -> Dataset:
    """Li et al. (2007), table 4: nine patients, salaries in thousands."""
    records: list[Row] = [("476**", "2*", s) for s in (3, 4, 5)]
    records += [("4790*", ">=40", s) for s in (6, 11, 8)]
    records += [("476**", "3*", s) for s in (7, 9, 10)]
    return rows(records, ["zip", "age", "salary"], engine, zip="quasi", age="quasi", salary="sensitive")


def five_patients(engine: Engine | None = None) -> Dataset:
    """Jung et al., figure 3: five patients, for uniqueness and influence."""
    records: list[Row] = [
        (72, 45, "M", "75145"), (72, 45, "M", "75145"), (58, 21, "M", "47853"), (45, 21, "F", "47853"),
        (45, 64, "F", "47853"),
    ]  # fmt: skip
    return rows(records, ["weight", "age", "gender", "zipcode"], engine)


def _inpatients(engine: Engine | None, records: list[Row]) -> Dataset:
    return rows(records, ["zip", "age", "condition"], engine, zip="quasi", age="quasi", condition="sensitive")


def recoded_ages(how: str, engine: Engine | None = None) -> Comparison:
    """Prasser et al. (2016), figure 1: six ages, generalised in full or recoded locally, and the sex of the people."""
    held, ages = engine or DuckDB(), [20, 65, 55, 40, 65, 65]
    names = {
        "full-domain": ["20-39", "60-79", "40-59", "40-59", "60-79", "60-79"],
        "local": ["20-79", "20-79", "40-59", "40-59", "65", "65"],
    }
    steps = tuple((str(age), f"{age // 20 * 20}-{age // 20 * 20 + 19}", "20-79") for age in (20, 40, 55, 65))
    before, after = (held.load(pa.table({"age": values})) for values in (ages, names[how]))
    return Comparison.of(Pairing.of(before, after, ["age"], hierarchies={"age": Hierarchy(steps)}))

"""Breaking classes: the records whose class does not keep to some requirements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

from sfumato.errors import PolicyError
from sfumato.hierarchies.formula import in_order
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.plans.blocks.level_labels import counts
from sfumato.plans.blocks.values_in_sql import text_of
from sfumato.plans.draft import Draft
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.suppress_until_met import suppressed_until_met
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.policy import Policy, Scenario
from sfumato.privacy.readings import Readings
from sfumato.privacy.requirement_text import read
from sfumato.schema import Scale
from sfumato.tables.engine import listed, quoted

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Whole


def required(requirements: Sequence[Any]) -> Policy:
    """The policy that a plan writes as a list, such as ['k_anonymity >= 5']."""
    return Policy(tuple(read(requirement) for requirement in requirements))


def in_breaking_classes(
    draft: Draft,
    columns: Sequence[str],
    policy: Policy,
    orders: Mapping[str, Sequence[str]],
    scenarios: Sequence[Scenario] = (),
    *,
    until_settled: bool = True,
) -> str | None:
    """A SELECT of the numbers of the records in classes that have to go; None where there are none.

    Classes go until those that stay keep to the policy among themselves, or only once. `orders` are those of ordinal
    values.
    """
    rules, dataset = PolicyRules.of(policy, scenarios), _dataset(draft, columns, policy, orders)
    table = condense(dataset, rules.values)
    classes = CodedClasses.at(table, (0,) * len(table.columns))
    suppression = rules.suppression(classes, inf)
    assert suppression is not None  # there is no limit
    gone = suppressed_until_met(rules, classes, suppression.here) if until_settled else suppression.here
    gone = gone & (classes.records > 0)
    if not gone.any():
        return None
    broken = draft.engine.load(_keys(dataset, table, classes.examples[gone]))
    keys = [(f"broken.k{j}", text_of(draft, name)) for j, name in enumerate(dataset.quasi_identifiers)]
    alike = " AND ".join(f"{key} IS NOT DISTINCT FROM {text}" for key, text in keys)
    return f"SELECT {draft.number} AS number FROM {draft.table} AS record JOIN {broken} AS broken ON {alike}"


def broken_requirements(
    draft: Draft,
    columns: Sequence[str],
    policy: Policy,
    orders: Mapping[str, Sequence[str]],
    scenarios: Sequence[Scenario] = (),
) -> tuple[str, ...]:
    """What a table breaks of some requirements, read by itself and as it would be released, in words.

    The measures themselves are read off it, and not the rules by which classes go. Classes are those on the columns
    that are still there; of a sensitive column that is not, nothing can be disclosed.
    """
    broken = []
    for name, known in [(each.name, each.quasi_identifiers) for each in scenarios] or [("", columns)]:
        released = [column for column in known if column in draft.names]
        asked = [r for r in policy.requirements if getattr(r.measure, "sensitive", None) in (None, *draft.names)]
        if not released or not asked or not draft.count():
            continue
        there = {column: order for column, order in orders.items() if column in draft.names}
        classes = replace(_described(draft, released, Policy(tuple(asked)), there), hierarchies={}).classes()
        readings, _ = Readings(classes, tuple(dict.fromkeys(r.measure for r in asked))).overall()
        of = f" for {name}" if name else ""
        broken += [
            f"{requirement.text} is required{of}, and it reads {reading:.4g}"
            for requirement in asked
            if requirement.met_by(reading := readings[requirement.measure]) is False
        ]
        classes.forget()
    return tuple(broken)


def _dataset(draft: Draft, columns: Sequence[str], policy: Policy, orders: Mapping[str, Sequence[str]]) -> Dataset:
    """The draft as it is, every value a leaf right below the top."""
    flat = {name: Hierarchy(_flat(draft, name), missing=(None, TOP)) for name in columns}
    return replace(_described(draft, columns, policy, orders), hierarchies=flat)


def _described(draft: Draft, columns: Sequence[str], policy: Policy, orders: Mapping[str, Sequence[str]]) -> Dataset:
    """The draft, and which of its columns make a class and which are sensitive."""
    sensitive = [r.measure.sensitive for r in policy.requirements if isinstance(r.measure, SensitiveMeasure)]
    draft.require(*columns, *sensitive, *orders)
    both = next((name for name in sensitive if name in columns), None)
    if both is not None:
        raise PolicyError(f"{both!r} is among the columns that make a class, so it cannot be the sensitive value.")
    hidden = [draft.subject] if draft.subject and draft.subject not in draft.names else []
    names = listed(quoted(name) for name in (*draft.names, *hidden))
    table = draft.engine.view(f"SELECT {names} FROM {draft.counted}")
    roles = dict.fromkeys(columns, "quasi") | dict.fromkeys(sensitive, "sensitive")
    dataset = Dataset.of(table, roles, subject=draft.subject)
    for name, order in orders.items():
        changed = dataset.schema.with_attribute(name, scale=Scale.ORDINAL, order=tuple(order))
        dataset = replace(dataset, schema=changed)
    return dataset


def _flat(draft: Draft, name: str) -> tuple[tuple[str, ...], ...]:
    return tuple((text, TOP) for text in in_order(counts(draft, name)))


def _keys(dataset: Dataset, table: CodedTable, rows: Whole) -> pa.Table:
    """The quasi-identifiers of some rows as texts: k0, k1, ..."""
    import pyarrow as pa

    keys = {}
    for j, column in enumerate(table.columns):
        leaves = pa.array([*dataset.hierarchies[column.name].values, None], pa.string())
        keys[f"k{j}"] = leaves.take(pa.array(table.codes[j][rows]))
    return pa.table(keys)

"""What a search is asked for, from plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from sfumato.errors import PolicyError, UnknownColumn
from sfumato.privacy.policy import Scenario
from sfumato.search.catalogue import objective as objective_named
from sfumato.search.method_interface import SearchRequest
from sfumato.search.prepare import PreparedTable, Source
from sfumato.tables.engine import Kind

AUTO = "auto"  # the method that compares the others
# The share of records that `auto` may leave out where nobody said. Chosen, not measured: enough for the rare values
# that force everybody up (benchmarks/RESULTS-defaults.md); its table shows what leaving out nobody would cost.
SHARE = 0.05
RELEASE, ORIGINAL = "release", "original"  # whom a class is compared with
Levels = Mapping[str, int | tuple[int, int]]


def with_project_settings(source: Source, settings: Mapping[str, Any]) -> tuple[Source, str, dict[str, Any]]:
    """What a project file and settings, which go before it, ask of a search.

    The source with the hierarchies, the plan and the population that they name; the method; and the rest, as
    `search_request` takes it.
    """
    project = source.project
    asked = {**(project.anonymise if project else {}), **settings}
    if asked.pop("for_scenarios", False) and project:
        asked.setdefault("scenarios", project.known_to)
    named = {name: asked.pop(name) for name in ("hierarchies", "plan", "population") if name in asked}
    method = str(asked.pop("method", AUTO))
    asked["suppress"] = share_left_out(method, asked.get("suppress"))
    return replace(source, **named), method, asked


def share_left_out(method: str, said: float | None) -> float:
    """The share of records that may be left out: what was said, or what is usual for a method."""
    usual = SHARE if method == AUTO else 0.0
    return usual if said is None else said


def ends_of(levels: Levels) -> dict[str, tuple[int, int]]:
    """The lowest and the highest level of each column that has a limit."""
    return {name: (at, at) if isinstance(at, int) else (at[0], at[1]) for name, at in levels.items()}


def search_request(
    ready: PreparedTable,
    objective: str = "loss",
    *,
    aggregate: str | None = None,
    balance: float = 0.5,
    weights: Mapping[str, float] | None = None,
    suppress: float = 0.0,
    levels: Levels | None = None,
    scenarios: Mapping[str, Sequence[str]] | None = None,
    nodes: float = inf,
    seconds: float = inf,
    heuristic: str | None = None,
    against: str = RELEASE,
) -> SearchRequest:
    """What is asked of a search, from plain values."""
    parameters = {"aggregate": aggregate, "weights": weights or None, "balance": None if balance == 0.5 else balance}
    chosen = objective_named(objective, {name: value for name, value in parameters.items() if value is not None})
    kinds = ready.dataset.table.kinds
    ordered = tuple(
        name
        for name, column in ready.hierarchies.items()
        if column.settings and (kinds[name].numeric or kinds[name] is Kind.DATE)
    )
    attackers = tuple(Scenario(name, columns) for name, columns in (scenarios or {}).items())
    for name in (name for attacker in attackers for name in attacker.quasi_identifiers):
        if name not in ready.hierarchies:
            raise UnknownColumn(name, ready.hierarchies)
    if against not in (RELEASE, ORIGINAL):
        raise PolicyError(f"Classes are compared with everybody in the {RELEASE} or in the {ORIGINAL}.")
    return SearchRequest(
        policy=ready.policy,
        objective=chosen,
        suppression=suppress,
        limits=ends_of(levels or {}),
        scenarios=attackers,
        nodes=nodes,
        seconds=seconds,
        ordered=ordered,
        heuristic=heuristic,
        original=against == ORIGINAL,
    )

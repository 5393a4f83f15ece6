"""Every way to a release, and everything that a search can make small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sfumato.errors import PolicyError, did_you_mean
from sfumato.families import member_named, members_in
from sfumato.search import methods as method_family
from sfumato.search import objectives as objective_family
from sfumato.search.method_interface import Method
from sfumato.search.scoring.objective_interface import Objective


def objectives() -> dict[str, type[Objective]]:
    """Everything that a search can make small, by name: {"loss": Loss, ...}."""
    known = members_in(objective_family, Objective)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.name())}


def objective(name: str, parameters: Mapping[str, Any] | None = None) -> Objective:
    """The named objective, with its parameters."""
    chosen = member_named(objective_family, Objective, name)  # type: ignore[type-abstract]
    if chosen is None:
        raise PolicyError(f"There is no objective {name!r}.{did_you_mean(name, objectives())}")
    allowed = {field.name for field in fields(chosen)}
    for parameter in parameters or {}:
        if parameter not in allowed:
            raise PolicyError(f"The objective {name} has no {parameter}: it is not read column by column.")
    return chosen(**(parameters or {}))


def methods() -> dict[str, type[Method]]:
    """Every way to a release by name: {"optimal": Optimal, ...}."""
    known = members_in(method_family, Method)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.name())}


def method(name: str) -> Method:
    """The named method."""
    chosen = member_named(method_family, Method, name)  # type: ignore[type-abstract]
    if chosen is None:
        raise PolicyError(f"There is no method {name!r}.{did_you_mean(name, methods())}")
    return chosen()

"""The catalogue: every member of every family, found by looking in the folder."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

from sfumato import formats as format_family
from sfumato import hierarchies as hierarchy_family
from sfumato import methods as method_family
from sfumato import objectives as objective_family
from sfumato import privacy as privacy_family
from sfumato import transform as transform_family
from sfumato import utility as utility_family
from sfumato.builder import Builder
from sfumato.comparison import Comparison
from sfumato.errors import PlanError, PolicyError, UnknownKind, UnknownMeasure, did_you_mean
from sfumato.evidence import Evidence
from sfumato.measure import Measure
from sfumato.method import Method
from sfumato.objective import Objective
from sfumato.source import Format
from sfumato.transformation import Transformation

Member = TypeVar("Member")


def measures() -> dict[str, type[Measure]]:
    """Every privacy model by name: {"k_anonymity": KAnonymity, ...}."""
    found = _members(privacy_family, Measure)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(found, key=lambda cls: cls.name())}


def measure(name: str, parameters: Mapping[str, Any] | None = None) -> Measure:
    """The named measure, with its parameters."""
    known = measures()
    if name not in known:
        raise UnknownMeasure(name, known)
    allowed = {field.name: field for field in fields(known[name])}  # type: ignore[arg-type]
    for parameter in parameters or {}:
        if parameter not in allowed:
            problem = f"{name} has no parameter {parameter!r}."
            raise PolicyError(problem + (did_you_mean(parameter, allowed) if allowed else " It has none."))
    try:
        return known[name](**(parameters or {}))
    except TypeError:
        raise PolicyError(f"{name} needs the parameter 'sensitive': the column that it is about.") from None


def comparisons() -> dict[str, type[Comparison]]:
    """Every utility model by name: {"loss": Loss, ...}."""
    found = _members(utility_family, Comparison)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(found, key=lambda cls: cls.name())}


def comparison(name: str, parameters: Mapping[str, Any] | None = None) -> Comparison:
    """The named utility model, with its parameters."""
    known = comparisons()
    if name not in known:
        raise PolicyError(f"There is no utility model {name!r}.{did_you_mean(name, known)}")
    return known[name](**(parameters or {}))


def formats() -> tuple[Format, ...]:
    """Every format that a source can have."""
    found = _members(format_family, Format)  # type: ignore[type-abstract]
    return tuple(cls() for cls in sorted(found, key=lambda cls: cls.__name__))


def evidences(*given: Evidence) -> tuple[Evidence, ...]:
    """Every kind of evidence, those given instead of their like with the usual parameters."""
    family = importlib.import_module("sfumato.identify")  # `sfumato.identify` itself is the verb
    known = _members(family, Evidence)  # type: ignore[type-abstract]
    chosen = {type(member): member for member in given}
    return tuple(chosen.get(cls) or cls() for cls in sorted(known, key=lambda cls: cls.__name__))


def objectives() -> dict[str, type[Objective]]:
    """Everything that a search can make small, by name: {"loss": Loss, ...}."""
    found = _members(objective_family, Objective)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(found, key=lambda cls: cls.name())}


def objective(name: str, parameters: Mapping[str, Any] | None = None) -> Objective:
    """The named objective, with its parameters."""
    known = objectives()
    if name not in known:
        raise PolicyError(f"There is no objective {name!r}.{did_you_mean(name, known)}")
    allowed = {field.name for field in fields(known[name])}
    for parameter in parameters or {}:
        if parameter not in allowed:
            raise PolicyError(f"The objective {name} has no {parameter}: it is not read column by column.")
    return known[name](**(parameters or {}))


def methods() -> dict[str, type[Method]]:
    """Every way to a release by name: {"optimal": Optimal, ...}."""
    found = _members(method_family, Method)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(found, key=lambda cls: cls.name())}


def method(name: str) -> Method:
    """The named method."""
    known = methods()
    if name not in known:
        raise PolicyError(f"There is no method {name!r}.{did_you_mean(name, known)}")
    return known[name]()


def builders() -> dict[str, type[Builder]]:
    """Every builder of hierarchies by its kind: {"ages": Ages, ...}."""
    found = _members(hierarchy_family, Builder)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(found, key=lambda cls: cls.name())}


def builder(kind: str, parameters: Mapping[str, Any] | None = None) -> Builder:
    """The builder of a kind, with its parameters, which may be texts."""
    known = builders()
    if kind not in known:
        raise UnknownKind(kind, known)
    return known[kind].given(parameters or {})


def transformations() -> dict[str, type[Transformation]]:
    """Every transformation by name, and by the PHUSE rules that mean the same: {"drop": Drop, ...}."""
    found = sorted(_members(transform_family, Transformation), key=lambda cls: cls.name())  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in found} | {alias: cls for cls in found for alias in cls.aliases}


def described_transformations(name: str | None = None) -> dict[str, Any]:
    """Every transformation, or one in full, as plain values."""
    known = transformations()
    if name is not None and name not in known:
        raise PlanError(f"There is no transformation {name!r}.{did_you_mean(name, known)}")
    chosen = [known[name]] if name else list(dict.fromkeys(known.values()))
    found = [
        {
            "name": cls.name(),
            "aliases": list(cls.aliases),
            "summary": (inspect.getdoc(cls) or "").split("\n", 1)[0],
            "parameters": {p.name: None if p.default is MISSING else str(p.default) for p in fields(cls)},  # type: ignore[arg-type]
            "explanation": inspect.getdoc(cls) or "",
        }
        for cls in chosen
    ]
    return {"transformations": found, "in_full": name is not None}


def described(name: str | None = None) -> dict[str, Any]:
    """Every measure, or one in full, as plain values: name, parameters, what it says and why."""
    known = measures()
    if name is not None and name not in known:
        raise UnknownMeasure(name, known)
    chosen = [known[name]] if name else list(known.values())
    return {"measures": [_description(cls) for cls in chosen], "in_full": name is not None}


def described_comparisons(name: str | None = None) -> dict[str, Any]:
    """Every utility model, or one in full, as plain values: what it says, between which numbers, of which changes."""
    known = comparisons()
    if name is not None and name not in known:
        raise PolicyError(f"There is no utility model {name!r}.{did_you_mean(name, known)}")
    found = [
        {
            "name": cls.name(),
            "summary": (inspect.getdoc(cls) or "").split("\n", 1)[0],
            "means": cls.plainly,
            "better": cls.better.value,
            "bounds": cls.bounds,
            "applies_to": cls.applies_to,
            "thorough": cls.thorough,
            "explanation": inspect.getdoc(cls) or "",
        }
        for cls in ([known[name]] if name else known.values())
    ]
    return {"models": found, "in_full": name is not None}


def _description(cls: type[Measure]) -> dict[str, Any]:
    explanation = inspect.getdoc(cls) or ""
    parameters = fields(cls)  # type: ignore[arg-type]
    return {
        "name": cls.name(),
        "summary": explanation.split("\n", 1)[0],
        "means": cls.plainly,
        "safer": cls.safer.value,
        "monotone": cls.monotone,
        "parameters": {p.name: None if p.default is MISSING else p.default for p in parameters},
        "explanation": explanation,
    }


def _members(package: ModuleType, base: type[Member]) -> list[type[Member]]:
    return list(_found(package.__name__, tuple(package.__path__), base))  # type: ignore[arg-type]


@cache
def _found(package: str, folders: tuple[str, ...], base: type[Any]) -> list[type[Any]]:
    """Looked for once: the files of a family do not change while the program runs."""
    found = []
    for module_info in pkgutil.iter_modules(folders, package + "."):
        module = importlib.import_module(module_info.name)
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if issubclass(cls, base) and cls.__module__ == module.__name__ and not inspect.isabstract(cls):
                found.append(cls)
    return found

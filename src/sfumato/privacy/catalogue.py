"""Every privacy model, and how a search reads it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from sfumato.errors import PolicyError, UnknownMeasure, did_you_mean
from sfumato.families import members_in, members_in_file, summary_of
from sfumato.privacy import models
from sfumato.privacy.coded.rule_interface import ClassRule
from sfumato.privacy.measure_interface import Measure
from sfumato.show.documents.measures import MeasureDocument, MeasuresDocument


def measures() -> dict[str, type[Measure]]:
    """Every privacy model by name: {"k_anonymity": KAnonymity, ...}."""
    known = members_in(models, Measure)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.name())}


def class_rules() -> dict[str, type[ClassRule]]:
    """How a search reads each measure that it can read, by the name of the measure."""
    return {rule.measure.name(): rule for rule in members_in(models, ClassRule)}  # type: ignore[type-abstract]


def class_rule(measure: type[Measure]) -> type[ClassRule] | None:
    """How a search reads a measure, if it can. The rule stands below the measure, so that other files are not read."""
    own = members_in_file(models, ClassRule, measure.name())  # type: ignore[type-abstract]
    return next((rule for rule in own if rule.measure is measure), None) or class_rules().get(measure.name())


def stated_by(option: str) -> list[type[Measure]]:
    """The measures on which an option states a bound: the one of "k" or "l", and those of "t" with their distances."""
    return [cls for cls in measures().values() if cls.shorthand == option]


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


def described(name: str | None = None) -> MeasuresDocument:
    """Every measure, or one in full: name, parameters, what it says and why."""
    known = measures()
    if name is not None and name not in known:
        raise UnknownMeasure(name, known)
    chosen = [known[name]] if name else list(known.values())
    documents = [
        MeasureDocument(
            name=cls.name(),
            summary=summary_of(cls),
            means=cls.plainly,
            safer=cls.safer.value,
            monotone=cls.monotone,
            parameters={p.name: None if p.default is MISSING else p.default for p in fields(cls)},  # type: ignore[arg-type]
            explanation=inspect.getdoc(cls) or "",
        )
        for cls in chosen
    ]
    return MeasuresDocument(measures=documents, in_full=name is not None)

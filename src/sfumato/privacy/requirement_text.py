"""Requirements as people write them: k, l and t, entries of a project file, and short texts."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import PolicyError, did_you_mean
from sfumato.privacy.catalogue import measure, stated_by
from sfumato.privacy.measure_interface import Measure, Safer, SensitiveMeasure
from sfumato.privacy.policy import Requirement
from sfumato.schema import Scale, Schema

# The distance of t where none is asked for: any two nominal values are equally far apart; others as many steps as there
# are values between them.
OF_NOMINAL, OF_ORDERED = "total-variation", "ordered"


@dataclass(frozen=True)
class Shorthand:
    """The three classic bounds: l and t hold for each sensitive attribute.

    Without a distance, t is read by the ordered distance for numbers, dates and ordinal values and by total
    variation for the rest: both lie between 0 and 1, whatever the unit.
    """

    k: int | None = None
    l: float | None = None  # noqa: E741
    t: float | None = None
    distances: Mapping[str, str] = field(default_factory=dict)  # column (or "" for all) -> distance
    bins: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # of sensitive numbers, for l only
    count_missing: bool = False

    def requirements(self, schema: Schema, sensitive: Iterable[str]) -> tuple[Requirement, ...]:
        """The requirements that the three bounds stand for."""
        sensitive = tuple(sensitive)
        self._check(sensitive)
        if (self.l is not None or self.t is not None) and not sensitive:
            raise PolicyError("l and t are about a sensitive column, and none is named. Name one with --sensitive.")
        required = [Requirement(self.k_measure(), self.k)] if self.k is not None else []
        if self.l is not None:
            required += [Requirement(self.l_measure(column), self.l) for column in sensitive]
        if self.t is not None:
            required += [Requirement(self.t_measure(schema, column), self.t) for column in sensitive]
        return tuple(required)

    def usual(self, schema: Schema, sensitive: Iterable[str]) -> tuple[Requirement, ...]:
        """What is read when nothing is required: k, and l and t of each sensitive attribute."""
        sensitive = tuple(sensitive)
        self._check(sensitive)
        pairs = ((self.l_measure(column), self.t_measure(schema, column)) for column in sensitive)
        return (Requirement(self.k_measure()), *(Requirement(each) for pair in pairs for each in pair))

    def k_measure(self) -> Measure:
        """k-anonymity."""
        return _stated("k")

    def l_measure(self, column: str) -> Measure:
        """Distinct l-diversity of a column, in its bins."""
        return _stated("l", sensitive=column, bins=self.bins.get(column, ()), count_missing=self.count_missing)

    def t_measure(self, schema: Schema, column: str) -> Measure:
        """t-closeness of a column, by the distance asked for or the one that fits its scale."""
        distance = self.distances.get(column, self.distances.get(""))
        if distance is None:
            distance = OF_NOMINAL if schema[column].scale is Scale.NOMINAL else OF_ORDERED
        return _stated("t", distance, sensitive=column, count_missing=self.count_missing)

    def _check(self, sensitive: Sequence[str]) -> None:
        """Refuse a setting that would do nothing: of a distance that is none, or of a column that is not sensitive."""
        known = [str(model.distance) for model in stated_by("t")]
        for distance in self.distances.values():
            if distance not in known:
                raise PolicyError(f"There is no distance {distance!r}.{did_you_mean(distance, known)}")
        for column in (*self.distances, *self.bins):
            if column and column not in sensitive:
                nearest = did_you_mean(column, sensitive)
                raise PolicyError(f"{column!r} is not a sensitive column, so its distance or bins do nothing.{nearest}")


def _stated(option: str, distance: str | None = None, **parameters: Any) -> Measure:
    """The measure that an option stands for; missing values are counted where it can count them."""
    model = next(model for model in stated_by(option) if model.distance == distance)
    if issubclass(model, SensitiveMeasure) and not model.places_missing:
        parameters["count_missing"] = False
    return measure(model.name(), parameters)


def bounded(
    name: str,
    parameters: Mapping[str, Any],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Requirement:
    """A measure with its bound; a bound on the unsafe side is an error, not a surprise."""
    measured = measure(name, parameters)
    if at_least is not None and measured.safer is Safer.LOWER:
        raise PolicyError(f"{name} is safer when it is lower: give it at_most (<=), not at_least (>=).")
    if at_most is not None and measured.safer is Safer.HIGHER:
        raise PolicyError(f"{name} is safer when it is higher: give it at_least (>=), not at_most (<=).")
    return Requirement(measured, at_least if at_least is not None else at_most)


def parsed(text: str) -> Requirement:
    """A requirement from a short text.

    >>> parsed("entropy_l_diversity(diagnosis) >= 2").bound
    2.0
    >>> parsed("recursive_l_diversity(diagnosis, l=3) <= 4").measure.l
    3
    """
    shape = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*(>=|<=)\s*([-+.\deE]+)\s*", text, re.DOTALL)
    try:
        bound = float(shape[4]) if shape else None
    except ValueError:
        bound = None
    parameters = _parameters(shape[2] or "") if shape else None
    if shape is None or bound is None or parameters is None:
        raise PolicyError(
            f"The requirement {text!r} cannot be read. Write a measure, its column and a bound: "
            f"'t_closeness(diagnosis) <= 0.3'."
        )
    limits = {"at_least": bound} if shape[3] == ">=" else {"at_most": bound}
    return bounded(shape[1], parameters, **limits)


def read(requirement: Any) -> Requirement:
    """A requirement from a short text, or from keys as in a project file: measure, its parameters, at_least, at_most.

    >>> read({"measure": "distinct_l_diversity", "sensitive": "cost", "bins": [0, 10, 20], "at_least": 2}).measure.bins
    (0.0, 10.0, 20.0)
    """
    if isinstance(requirement, str):
        return parsed(requirement)
    keys = dict(requirement) if isinstance(requirement, Mapping) else {}
    name, limits = keys.pop("measure", None), {key: keys.pop(key, None) for key in ("at_least", "at_most")}
    if not isinstance(name, str) or sum(limit is not None for limit in limits.values()) != 1:
        raise PolicyError("A requirement is a text such as 'k_anonymity >= 5', or a measure with at_least or at_most.")
    return bounded(name, {key: tuple(v) if isinstance(v, list) else v for key, v in keys.items()}, **limits)


def stated(requirement: Requirement) -> str | dict[str, Any]:
    """A requirement as `read` reads it: a short text where it fits one, keys otherwise.

    >>> stated(parsed("recursive_l_diversity(diagnosis, l=3) <= 4"))
    'recursive_l_diversity(diagnosis, l=3) <= 4'
    """
    parameters = requirement.parameters
    if all(re.fullmatch(r"[\w. -]+", str(value)) and not isinstance(value, tuple) for value in parameters.values()):
        return requirement.text
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in parameters.items()}
    side = "at_least" if requirement.measure.safer is Safer.HIGHER else "at_most"
    return {"measure": requirement.measure.name(), **plain, side: requirement.bound}


def _parameters(text: str) -> dict[str, Any] | None:
    """What stands in the brackets of a requirement, by name; None where it cannot be read."""
    parameters: dict[str, Any] = {}
    try:
        items = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:  # a line that ends outside of quotes
        return None
    for item in items:
        name, equals, value = item.partition("=")
        if equals and re.fullmatch(r"\s*\w+\s*", name):
            parameters[name.strip()] = _literal(value.strip())
        elif item.strip():
            parameters["sensitive"] = item.strip()
    return parameters


def _literal(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text

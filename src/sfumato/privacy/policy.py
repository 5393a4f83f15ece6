"""Policies: what must be true of a release, and whatever somebody knows of a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from sys import float_info
from typing import Any

from sfumato.errors import PolicyError, did_you_mean
from sfumato.privacy.measure_interface import Measure, Safer
from sfumato.schema import TOLERANCE
from sfumato.tables.engine import literal


@dataclass(frozen=True)
class Requirement:
    """A measure, and the bound its reading must keep to; without a bound it is only read."""

    measure: Measure
    bound: float | None = None

    def __post_init__(self) -> None:
        if self.bound is None:
            return
        if not isinstance(self.bound, int | float) or not 0 <= self.bound <= float_info.max:
            raise PolicyError(f"The bound of {self.measure.name()} must be a finite number, and not negative.")

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the measure that are not the usual ones."""
        known = fields(self.measure)  # type: ignore[arg-type]
        values = {f.name: getattr(self.measure, f.name) for f in known}
        return {f.name: values[f.name] for f in known if values[f.name] != f.default}

    @property
    def text(self) -> str:
        """A short text for people.

        >>> from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
        >>> Requirement(DistinctLDiversity("cost", bins=(0, 10, 20)), 2).text
        'distinct_l_diversity(cost, bins=0 10 20) >= 2'
        """
        sign = ">=" if self.measure.safer is Safer.HIGHER else "<="
        return self.name + (f" {sign} {self.bound:.15g}" if self.bound is not None else "")

    @property
    def name(self) -> str:
        """The measure with its parameters, as a requirement is written: what tells it from the others of a policy."""
        named = [
            str(value) if key == "sensitive" else f"{key}={_written(value)}" for key, value in self.parameters.items()
        ]
        return f"{self.measure.name()}({', '.join(named)})" if named else self.measure.name()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which its bound can be changed: `t_closeness(illness)`, `t_closeness`, `t`, `t(illness)`."""
        plain = [name for name in (self.measure.name(), self.measure.shorthand) if name]
        about = getattr(self.measure, "sensitive", None)
        return tuple(dict.fromkeys((self.name, *plain, *(f"{name}({about})" for name in plain if about))))

    @property
    def limit(self) -> float | None:
        """The bound as it is compared, with the tolerance of floating point.

        A reading at its bound keeps to it, except where the paper asks for strictly less.
        """
        if self.bound is None:
            return None
        allowed = self.measure.allowed(self.bound)
        slack = TOLERANCE * max(abs(allowed), 0.001)
        return allowed - slack if (self.measure.safer is Safer.HIGHER) != self.measure.strict else allowed + slack

    def met_by(self, reading: float | None) -> bool | None:
        """Whether the reading keeps to the bound; None without a bound.

        Where no class has a reading, because nobody has a value, there is nothing to disclose.
        """
        if self.limit is None:
            return None
        if reading is None:
            return True
        return reading >= self.limit if self.measure.safer is Safer.HIGHER else reading <= self.limit

    def broken(self, reading: str) -> str:
        """Whether a reading, as SQL, breaks the bound."""
        if self.limit is None:
            return "FALSE"
        sign = "<" if self.measure.safer is Safer.HIGHER else ">"
        return f"coalesce({reading} {sign} {literal(float(self.limit))}, FALSE)"


@dataclass(frozen=True)
class Policy:
    """What must be true of a release."""

    requirements: tuple[Requirement, ...]

    @property
    def monotone(self) -> bool:
        """Whether generalising further can only bring the policy closer."""
        return all(requirement.measure.monotone for requirement in self.requirements)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is required, as short texts; what is only read is not among them."""
        return tuple(requirement.text for requirement in self.requirements if requirement.bound is not None)

    @property
    def bounds(self) -> dict[str, float]:
        """The bounds by the name of their requirement."""
        return {r.name: r.bound for r in self.requirements if r.bound is not None}

    def with_bounds(self, bounds: Mapping[str, float]) -> Policy:
        """The same requirements with other bounds, by name; a name that several have changes all of them.

        >>> from sfumato.privacy.models.k_anonymity import KAnonymity
        >>> Policy((Requirement(KAnonymity(), 5),)).with_bounds({"k": 7}).bounds
        {'k_anonymity': 7}
        """
        known = dict.fromkeys(name for requirement in self.requirements for name in requirement.names)
        for name in bounds:
            if name not in known:
                raise PolicyError(
                    f"The policy has no requirement {name!r}, so its bound cannot be changed."
                    f"{did_you_mean(name, tuple(known))}"
                )
        changed = []
        for requirement in self.requirements:
            # The first of its names is the most particular one, so it goes before those that it shares with others.
            named = [name for name in requirement.names if name in bounds]
            changed.append(replace(requirement, bound=bounds[named[0]]) if named else requirement)
        return Policy(tuple(changed))


@dataclass(frozen=True)
class Scenario:
    """The columns that an attacker is assumed to know of a person.

    >>> Scenario("neighbour", ["age", "sex"]).quasi_identifiers
    ('age', 'sex')
    """

    name: str
    quasi_identifiers: Sequence[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "quasi_identifiers", known_columns(self.name, self.quasi_identifiers))


def known_columns(name: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns of a scenario, each once; `PolicyError` where there is none."""
    if isinstance(columns, str):
        raise PolicyError(f"Scenario {name!r} needs a list of columns, such as [{columns}].")
    if not columns:
        raise PolicyError(f"Scenario {name!r} names no column. Name at least one that the attacker knows.")
    return tuple(dict.fromkeys(columns))


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(f"{part:.15g}" if isinstance(part, float) else str(part) for part in value)
    return str(value).lower() if isinstance(value, bool) else str(value)

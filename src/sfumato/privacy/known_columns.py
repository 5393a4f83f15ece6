"""Knowledge: the columns that an attacker is assumed to know of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.errors import PolicyError


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

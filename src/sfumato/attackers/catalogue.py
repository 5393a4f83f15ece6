"""Every attack and every population model: a file in `attacks/` or in `population/models/` is one."""

from __future__ import annotations

from sfumato.attackers import attacks
from sfumato.attackers.attack_interface import Attack, ControlledAttack, Linkage
from sfumato.attackers.population import models
from sfumato.attackers.population.model_interface import PopulationModel
from sfumato.families import members_in


def linkages() -> dict[str, type[Linkage]]:
    """Every way of linking records by name, in the order in which they are tried: {"exact_linkage": ExactLinkage, ...}.

    >>> list(linkages())
    ['exact_linkage', 'distance_linkage', 'probabilistic_linkage']
    """
    return {cls.name(): cls for cls in sorted(members_in(attacks, Linkage), key=_place)}  # type: ignore[type-abstract]


def controlled_attacks() -> dict[str, type[ControlledAttack]]:
    """Every attack beside a control by name, in the order in which they are tried.

    >>> list(controlled_attacks())
    ['singling_out', 'linkability', 'inference']
    """
    known = members_in(attacks, ControlledAttack)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=_place)}


def population_models() -> dict[str, type[PopulationModel]]:
    """Every population model by name, in the order of their names.

    >>> list(population_models())
    ['pitman', 'slide_negative_binomial', 'zayatz']
    """
    known = members_in(models, PopulationModel)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.name())}


def _place(cls: type[Attack]) -> tuple[int, str]:
    return cls.place, cls.name()

"""The public names of the package from their docstrings, and the interfaces of what can be added."""

from __future__ import annotations

import inspect
from typing import Any

import sfumato

# What a file of one's own is written against, by the page of docs/extend/ that shows one.
INTERFACES = {
    "privacy-model": ("sfumato.privacy.measure_interface.Measure", "sfumato.privacy.coded.rule_interface.ClassRule"),
    "utility-model": ("sfumato.utility.model_interface.UtilityModel",),
    "transformation": ("sfumato.plans.step_interface.Transformation", "sfumato.plans.step_interface.Resources"),
    "hierarchy": ("sfumato.hierarchies.builder_interface.Builder",),
    "evidence": ("sfumato.columns.evidence_interface.Evidence", "sfumato.columns.evidence_interface.Finding"),
    "format": ("sfumato.tables.source.Format", "sfumato.tables.write.writer.Writer"),
    "engine": ("sfumato.tables.engine.Engine",),
    "attack": ("sfumato.attackers.attack_interface.Linkage", "sfumato.attackers.attack_interface.ControlledAttack"),
    "population-model": ("sfumato.attackers.population.model_interface.PopulationModel",),
}


def functions() -> str:
    """Every public function: a table of all, then each in full."""
    return _entries([name for name in sfumato.__all__ if not inspect.isclass(getattr(sfumato, name))])


def classes() -> str:
    """Every public class: a table of all, then each in full."""
    return _entries([name for name in sfumato.__all__ if inspect.isclass(getattr(sfumato, name))])


def interfaces() -> str:
    """What a file of one's own is written against, with the page that shows one."""
    sections = []
    for page, names in INTERFACES.items():
        title = page.replace("-", " ").capitalize()
        entries = [f".. autoclass:: {name}\n   :members:\n   :exclude-members: name" for name in names]
        sections.append(f"## {title}\n\n[How to add one](../../extend/{page}.md).\n\n{_rst(*entries)}")
    return "\n\n".join(sections)


def _entries(names: list[str]) -> str:
    table = ".. autosummary::\n   :nosignatures:\n\n" + "".join(f"   {name}\n" for name in names)
    return _rst(".. currentmodule:: sfumato", table, *map(_entry, names))


def _entry(name: str) -> str:
    named = getattr(sfumato, name)
    if not inspect.isclass(named):
        return f".. autofunction:: {name}"
    inherited = "   :inherited-members:\n" if all(_ours(base) for base in named.__mro__[:-1]) else ""
    return f".. autoclass:: {name}\n   :members:\n{inherited}"


def _ours(base: type[Any]) -> bool:
    """Whether what a class has from a base is worth listing: text or a mapping explain themselves."""
    return base.__module__.startswith(("sfumato.", "abc", "typing"))


def _rst(*parts: str) -> str:
    return "```{eval-rst}\n" + "\n\n".join(parts) + "\n```"

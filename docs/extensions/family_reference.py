"""The families of the catalogue: for each member plain words, a few facts, and its docstring."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.families import summary_of
from sfumato.hierarchies.catalogue import builders
from sfumato.plans.catalogue import transformations
from sfumato.privacy.catalogue import measures
from sfumato.search.catalogue import methods, objectives
from sfumato.utility.catalogue import utility_models

SPECIAL = re.compile(r"([*<$\[|])")  # what Markdown would take for a mark


@dataclass(frozen=True)
class Family:
    """A family of the catalogue, its members by name, and what is worth saying of one beside its docstring."""

    name: str
    members: Callable[[], Mapping[str, type[Any]]]
    facts: Callable[[type[Any]], Iterable[str]]


def family_text(family: Family) -> str:
    """A table of all members, and a section for each."""
    members = {cls.name(): cls for cls in family.members().values()}
    rows = "".join(f"\n| [`{name}`](#{name}) | {_words(_plainly(cls))} |" for name, cls in members.items())
    sections = [_section(name, cls, family) for name, cls in members.items()]
    return "\n\n".join([f"| name | what it says |\n|---|---|{rows}", *sections]) + "\n"


def _section(name: str, cls: type[Any], family: Family) -> str:
    plainly = getattr(cls, "plainly", "")
    parts = [f"## `{name}`", f"**In plain words:** {_words(plainly).rstrip('.')}." if plainly else ""]
    parts += [" ".join(family.facts(cls)), *(_docstring(each) for each in (cls, *_search_of(cls)))]
    return "\n\n".join(part for part in parts if part)


def _docstring(named: Any) -> str:
    kind = "autoclass" if inspect.isclass(named) else "autofunction"
    return f"```{{eval-rst}}\n.. {kind}:: {named.__module__}.{named.__qualname__}\n```"


def _search_of(cls: type[Any]) -> list[Any]:
    """A method of anonymisation is explained by the search that it hands its work to."""
    around = vars(inspect.getmodule(cls)).values()
    return [one for one in around if inspect.isfunction(one) and one.__module__.startswith("sfumato.search.local.")]


def _plainly(cls: type[Any]) -> str:
    return getattr(cls, "plainly", "") or summary_of(cls)


def _words(text: str) -> str:
    """Words as Markdown, in which only code means something."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if number % 2 else SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts))


def _members_of(folder: str) -> Mapping[str, type[Any]]:
    """The members of a family that the catalogue does not list by name, from its folder as the catalogue does."""
    package = importlib.import_module(f"sfumato.{folder}")
    modules = [
        importlib.import_module(f"{package.__name__}.{one.name}") for one in pkgutil.iter_modules(package.__path__)
    ]
    classes = [
        cls
        for module in modules
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if cls.__module__ == module.__name__ and hasattr(cls, "plainly") and not inspect.isabstract(cls)
    ]
    return {cls.name(): cls for cls in sorted(classes, key=lambda cls: str(cls.name()))}


def _of_measure(cls: type[Any]) -> Iterable[str]:
    yield f"Safer when {cls.safer.value}."
    yield "Coarser values never make it worse." if cls.monotone else "Coarser values may make it worse."
    yield f"It is of the family `{cls.family}`, and its column in the files of flagged records is `{cls.column}`."


def _of_utility_model(cls: type[Any]) -> Iterable[str]:
    yield f"Better when {cls.better.value}. Between: {_words(str(cls.bounds))}."
    yield f"It applies to: {_words(str(cls.applies_to))}."
    if cls.thorough:
        yield "Read only with `--thorough`."


def _of_transformation(cls: type[Any]) -> Iterable[str]:
    if cls.aliases:
        yield f"Also known as {', '.join(f'`{alias}`' for alias in cls.aliases)}."


def _of_population_model(cls: type[Any]) -> Iterable[str]:
    yield _words(getattr(cls, "caveat", ""))


def _nothing(cls: type[Any]) -> Iterable[str]:
    return ()


FAMILIES = (
    Family("measures", measures, _of_measure),
    Family("utility-models", utility_models, _of_utility_model),
    Family("transformations", transformations, _of_transformation),
    Family("objectives", objectives, _nothing),
    Family("methods", methods, _nothing),
    Family("hierarchy-builders", builders, _nothing),
    Family("population-models", lambda: _members_of("attackers.population.models"), _of_population_model),
    Family("attacks", lambda: _members_of("attackers.attacks"), _nothing),
)

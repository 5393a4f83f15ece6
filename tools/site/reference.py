"""Reference: what the families hold, written from the code when the site is built."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass
from pathlib import PurePosixPath
from typing import Any

from command_reference import commands_page
from docstrings import as_markdown, explained
from pages import Page
from project_reference import project_page

from sfumato.hierarchies.catalogue import builders
from sfumato.plans.catalogue import transformations
from sfumato.privacy.catalogue import measures
from sfumato.search.catalogue import methods, objectives
from sfumato.utility.catalogue import utility_models

Facts = Callable[[type[Any]], Iterable[str]]


@dataclass(frozen=True)
class Family:
    """A family of the catalogue, and what its page says of it."""

    file: str
    title: str
    about: str
    members: Callable[[], Mapping[str, type[Any]]]
    facts: Facts


def generated_pages() -> list[Page]:
    """The pages that nobody writes: one for each family, the commands, and the keys of the project file."""
    found = {family.file: _family_page(family) for family in FAMILIES}
    found["commands"] = commands_page()
    found["project-keys"] = project_page()
    return [Page(PurePosixPath(f"reference/{name}.md"), text) for name, text in found.items()]


def _family_page(family: Family) -> str:
    members = {cls.name(): cls for cls in family.members().values()}
    lines = [f"# {family.title}", family.about, "| name | what it says |\n|---|---|"]
    lines[-1] += "".join(f"\n| [`{name}`](#{name}) | {_cell(_plainly(cls))} |" for name, cls in members.items())
    return "\n\n".join([*lines, *(_entry(name, cls, family.facts) for name, cls in members.items())]) + "\n"


def _entry(name: str, cls: type[Any], facts: Facts) -> str:
    """One member: plain words, formula, parameters, references, example."""
    parts = explained(_docstring(cls))
    plainly = getattr(cls, "plainly", "")
    found = [
        f"## `{name}`",
        f"**In plain words:** {as_markdown(plainly).rstrip('.')}." if plainly else "",
        parts.summary,
        parts.body,
    ]
    found += [" ".join(facts(cls)), _parameters(cls)]
    found += ["**References.** " + parts.references] if parts.references else []
    found += ["**Example.** " + parts.examples.replace("```pycon", "\n\n```pycon", 1)] if parts.examples else []
    found.append(f"In Python: `from {cls.__module__} import {cls.__name__}`")
    return "\n\n".join(part for part in found if part)


def _parameters(cls: type[Any]) -> str:
    fields = [field for field in dataclasses.fields(cls) if field.init]
    if not fields:
        return "It has no parameters."
    rows = "".join(f"\n| `{field.name}` | `{_cell(str(field.type))}` | {_default(field)} |" for field in fields)
    return f"| parameter | type | if not given |\n|---|---|---|{rows}"


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default is not MISSING:
        return f"`{_cell(repr(field.default))}`"
    return "empty" if field.default_factory is not MISSING else "must be given"


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ")


def _plainly(cls: type[Any]) -> str:
    return as_markdown(getattr(cls, "plainly", "") or explained(inspect.getdoc(cls) or "").summary)


def _members_of(folder: str) -> Mapping[str, type[Any]]:
    """The members of a family that the catalogue does not list by name, found in its folder as the catalogue does."""
    package = importlib.import_module(f"sfumato.{folder}")
    modules = [
        importlib.import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__)
    ]
    found: list[type[Any]] = [
        cls
        for module in modules
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if cls.__module__ == module.__name__ and hasattr(cls, "plainly") and not inspect.isabstract(cls)
    ]
    return {cls.name(): cls for cls in sorted(found, key=lambda cls: cls.name())}


def _of_measure(cls: type[Any]) -> Iterable[str]:
    yield f"Safer when {cls.safer.value}."
    yield "Coarser values never make it worse." if cls.monotone else "Coarser values may make it worse."
    yield f"It is of the family `{cls.family}`, and its column in the files of flagged records is `{cls.column}`."


def _of_comparison(cls: type[Any]) -> Iterable[str]:
    bounds, changes = as_markdown(str(cls.bounds)), as_markdown(str(cls.applies_to))
    yield f"Better when {cls.better.value}. Between: {bounds}. It applies to: {changes}."
    if cls.thorough:
        yield "Read only with `--thorough`."


def _of_transformation(cls: type[Any]) -> Iterable[str]:
    if cls.aliases:
        yield f"Also known as {', '.join(f'`{alias}`' for alias in cls.aliases)}."


def _of_population(cls: type[Any]) -> Iterable[str]:
    yield getattr(cls, "caveat", "")


def _docstring(cls: type[Any]) -> str:
    """What a member says of itself; a method is explained by the search that it hands its work to."""
    own = inspect.getdoc(cls) or ""
    around = vars(inspect.getmodule(cls)).values()
    searches = [one for one in around if getattr(one, "__module__", "").startswith("sfumato.search.local.")]
    return f"{own}\n\n{inspect.getdoc(searches[0])}" if searches else own


def _nothing(cls: type[Any]) -> Iterable[str]:
    return ()


FAMILIES = (
    Family(
        "measures",
        "All measures",
        "What can be required of a table, with `--require` or under `measures:`. A class is everybody who is alike on "
        "every quasi-identifier.",
        measures,
        _of_measure,
    ),
    Family(
        "utility-models",
        "All utility models",
        "What `sfumato compare` reads: how much a release says less than its original.",
        utility_models,
        _of_comparison,
    ),
    Family(
        "transformations",
        "All transformations",
        "The steps of a plan: what can be done to a table.",
        transformations,
        _of_transformation,
    ),
    Family(
        "objectives",
        "All objectives",
        "What `sfumato anonymise --objective` makes as small as it can.",
        objectives,
        _nothing,
    ),
    Family(
        "methods",
        "All methods",
        "The ways to a release, for `sfumato anonymise --method`.",
        methods,
        _nothing,
    ),
    Family(
        "hierarchy-builders",
        "All hierarchy builders",
        "What makes a hierarchy: the `kind` of `sfumato hierarchy` and of the step `generalise`.",
        builders,
        _nothing,
    ),
    Family(
        "population-models",
        "All population models",
        "How many people are unique in a population, told from a sample of it. `sfumato risk --fraction`, `--region` "
        "and `--population-size` read them.",
        lambda: _members_of("attackers.population.models"),
        _of_population,
    ),
    Family(
        "attacks",
        "All attacks",
        "What `sfumato risk` tries on a release: four ways to link records, and the three questions of the Article 29 "
        "Working Party.",
        lambda: _members_of("attackers.attacks"),
        _nothing,
    ),
)

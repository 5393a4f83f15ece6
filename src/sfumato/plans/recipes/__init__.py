"""Recipes: plans that come with the package, one YAML file each, found by looking in this folder."""

from __future__ import annotations

from importlib.resources import files

import yaml

from sfumato.errors import PlanError, did_you_mean
from sfumato.show.documents.plan import RecipeDocument, RecipesDocument

RECIPE = "recipe:"  # how a plan of this folder is named where a file could be


def recipe_names() -> tuple[str, ...]:
    """The names of the recipes, in order."""
    plans = (file.name for file in files(__name__).iterdir() if file.name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in plans))


def recipe(name: str) -> str:
    """The text of a recipe, to be applied, or copied and changed."""
    names = recipe_names()
    if name not in names:
        raise PlanError(f"There is no recipe {name!r}.{did_you_mean(name, names)}")
    return files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")


def recipes_document() -> RecipesDocument:
    """The recipes, and what each is for."""
    plans = {name: yaml.safe_load(recipe(name)) for name in recipe_names()}
    return RecipesDocument(
        recipes=[
            RecipeDocument(name=name, steps=len(plan["steps"]), description=" ".join(str(plan["description"]).split()))
            for name, plan in plans.items()
        ]
    )

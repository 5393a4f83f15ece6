"""Recipes: plans that come with the package, one YAML file each, found by looking in this folder."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

from sfumato.errors import PlanError, did_you_mean

RECIPE = "recipe:"  # how a plan of this folder is named where a file could be


def recipe_names() -> tuple[str, ...]:
    """The names of the recipes, in order."""
    found = (file.name for file in files(__name__).iterdir() if file.name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in found))


def recipe(name: str) -> str:
    """The text of a recipe, to be applied, or copied and changed."""
    names = recipe_names()
    if name not in names:
        raise PlanError(f"There is no recipe {name!r}.{did_you_mean(name, names)}")
    return files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")


def described_recipes() -> dict[str, Any]:
    """The recipes and what each is for, as plain values."""
    read = {name: yaml.safe_load(recipe(name)) for name in recipe_names()}
    return {
        "recipes": [
            {"name": name, "steps": len(plan["steps"]), "description": " ".join(str(plan["description"]).split())}
            for name, plan in read.items()
        ]
    }

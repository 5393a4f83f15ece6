"""Families: the members of a family are found by looking in its folder, so that a new file is a new member."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

Member = TypeVar("Member")


def members_in(package: ModuleType, base: type[Member]) -> list[type[Member]]:
    """Every class of a package that is complete and of this base, in the order of the files."""
    return list(_members(package.__name__, tuple(package.__path__), base))  # type: ignore[arg-type]


@cache
def _members(package: str, folders: tuple[str, ...], base: type[Any]) -> list[type[Any]]:
    """Looked for once: the files of a family do not change while the program runs."""
    members = []
    for file in pkgutil.iter_modules(folders, package + "."):
        module = importlib.import_module(file.name)
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if issubclass(cls, base) and cls.__module__ == module.__name__ and not inspect.isabstract(cls):
                members.append(cls)
    return members


def summary_of(cls: type[Any]) -> str:
    """The first line of what a class says of itself."""
    return (inspect.getdoc(cls) or "").split("\n", 1)[0]

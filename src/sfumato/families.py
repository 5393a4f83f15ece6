"""Families: the members of a family are found by looking in its folder, so that a new file is a new member."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache, partial
from types import ModuleType
from typing import Any, TypeVar

Member = TypeVar("Member")


def members_in(package: ModuleType, base: type[Member]) -> list[type[Member]]:
    """Every class of a package that is complete and of this base, in the order of the files."""
    return list(_members(package.__name__, tuple(package.__path__), base))  # type: ignore[arg-type]


def members_in_file(package: ModuleType, base: type[Member], name: str) -> list[type[Member]]:
    """The members in the file of that name, if there is one: no other file of the family is read."""
    return _members_of(f"{package.__name__}.{name}", base) if name in _files(tuple(package.__path__)) else []


def member_named(package: ModuleType, base: type[Member], name: str) -> type[Member] | None:
    """The member of that name, if there is one. As a rule its file is named so too, and is looked into first."""
    for known in (partial(members_in_file, name=name.replace("-", "_")), members_in):
        for cls in known(package, base):
            if cls.name() == name:  # type: ignore[attr-defined]
                return cls
    return None


@cache
def _files(folders: tuple[str, ...]) -> list[str]:
    """Looked for once: the files of a family do not change while the program runs."""
    return [file.name for file in pkgutil.iter_modules(folders)]


@cache
def _members(package: str, folders: tuple[str, ...], base: type[Any]) -> list[type[Any]]:
    return [cls for file in _files(folders) for cls in _members_of(f"{package}.{file}", base)]


def _members_of(file: str, base: type[Any]) -> list[type[Any]]:
    module = importlib.import_module(file)
    classes = (cls for _, cls in inspect.getmembers(module, inspect.isclass) if cls.__module__ == module.__name__)
    return [cls for cls in classes if issubclass(cls, base) and not inspect.isabstract(cls)]


def summary_of(cls: type[Any]) -> str:
    """The first line of what a class says of itself."""
    return (inspect.getdoc(cls) or "").split("\n", 1)[0]

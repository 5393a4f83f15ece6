"""Shapes of values: one recogniser per file, found by looking in the folder."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

from sfumato.columns.recognisers.recogniser import Recogniser

__all__ = ["Recogniser", "recognisers"]


@cache
def recognisers() -> tuple[Recogniser, ...]:
    """Every recogniser, by the name of its file."""
    members: list[Recogniser] = []
    for file in sorted(pkgutil.iter_modules(__path__), key=lambda file: file.name):
        module = importlib.import_module(f"{__name__}.{file.name}")
        members.extend(
            cls()
            for _, cls in inspect.getmembers(module, inspect.isclass)
            if issubclass(cls, Recogniser) and cls.__module__ == module.__name__ and hasattr(cls, "concept")
        )  # a class without a concept only says what several recognisers share
    return tuple(members)

"""Lists and questionnaires that ship with the package as YAML, each beside its reader."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import yaml


def packaged_yaml(package: str, name: str) -> Any:
    """What a file of a package says, as plain values."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # the same, faster where libyaml is


def packaged_files(package: str, folder: str) -> Iterator[Any]:
    """What every file in a folder of a package says, in the order of their names."""
    for file in sorted(files(package).joinpath(folder).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            yield packaged_yaml(package, f"{folder}/{file.name}")


def packaged_lists(package: str, folder: str) -> Iterator[Any]:
    """The items of every list in a folder of a package, in the order of the files' names."""
    for listed in packaged_files(package, folder):
        yield from listed

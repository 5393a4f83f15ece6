"""Lists and questionnaires that ship with the package as YAML, each beside its reader."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml


def packaged_yaml(package: str, name: str) -> Any:
    """What a file of a package says, as plain values."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # the same, faster where libyaml is

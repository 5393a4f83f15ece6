"""Naming: members of a family are known by the names of their classes."""

from __future__ import annotations

import re
from functools import cache
from typing import ClassVar


class Named:
    """A class that files and commands know by its name, in words.

    >>> class KAnonymity(Named): ...
    >>> KAnonymity.name()
    'k_anonymity'
    """

    joint: ClassVar[str] = "_"  # between the words

    @classmethod
    @cache
    def name(cls) -> str:
        """The name by which project files, plans and the command line know it."""
        words = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
        return re.sub(words, cls.joint, cls.__name__).lower()

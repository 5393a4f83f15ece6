"""The catalogue of texts: every word of a page by its name, in the language of whoever reads.

A text stands in `texts/LANGUAGE/SCREEN.yaml` under a name, and a page asks for it as `SCREEN.NAME`. What differs by
number has `one` and `other`. A language is added by adding its folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from markupsafe import Markup, escape

ENGLISH = "en"
NARROW_SPACE = "\u202f"
FRACTION = {"en": ".", "de": ","}  # between a whole number and what is less than one
LANGUAGES = {"en": "English", "de": "Deutsch"}


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language."""

    language: str
    texts: Mapping[str, str]

    def __call__(self, name: str, /, **values: Any) -> Markup:
        """A text with its values in their places; values are escaped, the texts are ours."""
        return Markup(self.texts[name]).format(**{key: self._shown(value) for key, value in values.items()})

    def counted(self, name: str, count: int, /, **values: Any) -> Markup:
        """A text that differs by number, such as `1 column` and `2 columns`."""
        return self(f"{name}.{'one' if count == 1 else 'other'}", count=count, **values)

    def has(self, name: str) -> bool:
        """Whether there is such a text."""
        return name in self.texts

    def number(self, value: float | None, digits: int = 0) -> str:
        r"""A number as people write it in this language, with groups of three digits.

        >>> catalogue("en").number(30162), catalogue("de").number(0.25, 1)
        ('30\u202f162', '0,2')
        """
        if value is None:
            return "–"
        return f"{value:,.{digits}f}".replace(",", NARROW_SPACE).replace(".", FRACTION[self.language])

    def share(self, value: float | None, digits: int = 1) -> str:
        r"""A fraction as a percentage.

        >>> catalogue("en").share(0.331)
        '33.1\u202f%'
        """
        return "–" if value is None else f"{self.number(value * 100, digits)}{NARROW_SPACE}%"

    def _shown(self, value: Any) -> Markup:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return escape(self.number(value) if whole else value)


@cache
def catalogue(language: str) -> Catalogue:
    """The texts of a language; what it lacks is said in English."""
    english = {} if language == ENGLISH else catalogue(ENGLISH).texts
    return Catalogue(language, {**english, **_read(language)})


def _read(language: str) -> dict[str, str]:
    folder = files("sfumato.workbench.texts") / language
    texts: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        screen = file.name.removesuffix(".yaml")
        texts |= _flat(screen, yaml.safe_load(file.read_text(encoding="utf-8")) or {})
    return texts


def _flat(name: str, said: Any) -> dict[str, str]:
    if not isinstance(said, Mapping):
        return {name: str(said)}
    return {key: text for part, inner in said.items() for key, text in _flat(f"{name}.{part}", inner).items()}


def language_of(chosen: str | None, accepted: str) -> str:
    """The language for somebody who chose one, or whose browser prefers some (`Accept-Language`).

    >>> language_of(None, "fr-CH, de;q=0.8, en;q=0.5")
    'de'
    """
    preferred = [part.partition(";")[0].strip().lower().partition("-")[0] for part in accepted.split(",")]
    return next((one for one in (chosen, *preferred) if one in LANGUAGES), ENGLISH)

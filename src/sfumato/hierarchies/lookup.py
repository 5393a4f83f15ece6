"""Lookups: a hierarchy that is a list of values, used as a formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.tables.engine import listed, literal


@dataclass(frozen=True)
class Lookup(Formula):
    """What a hierarchy says of its values; any other value has no place.

    >>> stored = Lookup(Hierarchy((("flu", "respiratory", "*"), ("cold", "respiratory", "*"))))
    >>> stored.label("flu", 1), stored.places("gastritis")
    ('respiratory', False)
    """

    stored: Hierarchy
    settings: Mapping[str, Any] = field(default_factory=dict)

    expects: ClassVar[str] = "are lacking in its hierarchy"
    listed: ClassVar[bool] = True

    @property
    def height(self) -> int:
        return self.stored.height

    @property
    def top(self) -> str:
        return self.stored.top

    def settled(self) -> dict[str, Any]:
        return dict(self.settings)

    def missing(self, level: int) -> str | None:
        return self.stored.label(None, level)

    def places(self, text: str) -> bool:
        return text in self.stored

    def unplaced(self, value: str) -> str:
        known = listed(literal(text) for text in self.stored.values)
        return f"(CAST({value} AS VARCHAR) NOT IN ({known}))" if known else f"({value} IS NOT NULL)"

    def _label(self, text: str, level: int) -> str | None:
        return self.stored.label(text, level) if text in self.stored else None

    def _sql(self, value: str, level: int) -> str:
        gathered: dict[str, list[str]] = {}
        for line in self.stored.lines:
            gathered.setdefault(line[level], []).append(literal(line[0]))
        text = f"CAST({value} AS VARCHAR)"
        whens = (f"WHEN {text} IN ({listed(texts)}) THEN {literal(label)}" for label, texts in gathered.items())
        return f"CASE {' '.join(whens)} END" if gathered else "CAST(NULL AS VARCHAR)"

"""Recoding: values by a mapping from old to new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.plans.blocks.level_labels import in_order, restated
from sfumato.plans.blocks.parameters import one_column, words_or_none
from sfumato.plans.blocks.record_numbers import in_rows
from sfumato.plans.blocks.values_in_sql import compared, constant, text_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, listed, literal

ERROR, KEEP = "error", "keep"


@dataclass(frozen=True)
class Recode(Transformation):
    """Replace values by others, from old to new; old values with the same new one are merged.

    A value that the mapping lacks is an error, stays (`otherwise: keep`), becomes another text (`otherwise: other`)
    or missing (`otherwise: null`). A missing value stays missing, or becomes what `missing` says. The column stays
    what it was where all new values are of its type, and becomes numbers or text where they are; an order among its
    categories survives where the mapping keeps it, and so do the labels of values that stay.

    Examples
    --------
    The aggregation of the thesis's table:

    >>> Recode("condition", {"Flu": "Respiratory", "COVID": "Respiratory"}).examples()
    (('Flu', 'Respiratory'), ('COVID', 'Respiratory'))
    """

    column: str
    mapping: Any
    otherwise: Any = ERROR
    missing: str | None = None

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        words_or_none(self, "otherwise", self.otherwise)
        words_or_none(self, "missing", self.missing)
        if not isinstance(self.mapping, Mapping) or not self.mapping:
            raise self.wrong("mapping must be keys and values, old: new.")
        if any(old is None for old in self.mapping):
            raise self.wrong("mapping cannot hold the missing value: say what becomes of it with missing.")
        if any(isinstance(new, Mapping | list | tuple) for new in self.mapping.values()):
            raise self.wrong("mapping must have one new value for each old one.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        kind, value = draft.kind(self.column), compared(draft, self.column)
        old = {constant(key, kind, self.column): new for key, new in self.mapping.items()}
        if len(old) != len(self.mapping):
            raise self.wrong(f"mapping names a value of {self.column!r} twice.")
        if self.otherwise == ERROR:
            self._require_all(draft, f"{value} IS NOT NULL AND {value} NOT IN ({listed(old)})")
        become = self._kind(kind)
        groups: dict[str, list[str]] = {}
        for key, new in old.items():
            groups.setdefault(self._written(new, become), []).append(key)
        whens = " ".join(f"WHEN {value} IN ({listed(keys)}) THEN {new}" for new, keys in groups.items())
        blank = f"WHEN {value} IS NULL THEN {self._written(self.missing, become)}"
        changed = draft.changed({self.column: f"CASE {blank} {whens} ELSE {self._rest(draft, become)} END"})
        order = in_order(draft[self.column].order, self._new) if self.missing is None else ()
        return restated(changed, self.column, order, self._labels(draft))

    def explained(self) -> str:
        rest = {ERROR: "any other value is an error", KEEP: "others stay", None: "others are blanked"}
        last = rest.get(self.otherwise, f"others become {self.otherwise!r}")
        become = len({str(new) for new in self.mapping.values()})
        return f"Recode {len(self.mapping)} value{'s' * (len(self.mapping) > 1)} of {self.column} to {become}; {last}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        shown = list(self.mapping.items())[:6]
        return tuple((str(old), "(missing)" if new is None else str(new)) for old, new in shown)

    def _require_all(self, draft: Draft, lacking: str) -> None:
        source = f"{draft.table} AS record WHERE {lacking}"
        values, records = draft.engine.fetch(
            f"SELECT count(DISTINCT {text_of(draft, self.column)}), count(*) FROM {source}"
        )[0]
        if records:
            raise self.wrong(
                f"column {self.column!r}: the mapping misses {values} different value{'s' * (values != 1)} of "
                f"{records} record{'s' * (records != 1)} ({in_rows(draft.rows(lacking), records)}). Add them, or say "
                f"what becomes of them: otherwise: keep, or otherwise: other."
            )

    def _kind(self, kind: Kind) -> Kind:
        """What the column will hold: what all new values are, or else text."""
        fixed = self.otherwise not in (ERROR, KEEP, None)
        new = [value for value in self.mapping.values() if value is not None]
        texts = [*([self.otherwise] if fixed else []), *([self.missing] if self.missing is not None else [])]
        become = _common([*new, *texts]) if new or texts else kind
        if kind is Kind.REAL and become is Kind.INTEGER:
            become = Kind.REAL
        return become if self.otherwise != KEEP or become is kind else Kind.TEXT

    def _written(self, value: Any, kind: Kind) -> str:
        if value is None:
            return "NULL"
        sql = constant(str(value) if kind is Kind.TEXT else value, kind, self.column)
        return f"CAST({sql} AS DOUBLE)" if kind is Kind.REAL else sql

    def _rest(self, draft: Draft, kind: Kind) -> str:
        if self.otherwise == KEEP:
            return text_of(draft, self.column) if kind is Kind.TEXT else compared(draft, self.column)
        return "NULL" if self.otherwise in (ERROR, None) else literal(self.otherwise)

    def _labels(self, draft: Draft) -> dict[str, str]:
        """What values that stay are called."""
        known = draft[self.column].value_labels or {} if self.otherwise == KEEP else {}
        changed = {str(old) for old in self.mapping}
        return {value: label for value, label in known.items() if value not in changed}

    def _new(self, old: str) -> str | None:
        texts = {str(key): value for key, value in self.mapping.items()}
        if old not in texts and self.otherwise != ERROR:
            return old if self.otherwise == KEEP else self.otherwise
        return None if texts.get(old) is None else str(texts[old])


def _common(values: list[Any]) -> Kind:
    if all(isinstance(value, bool) for value in values):
        return Kind.BOOLEAN
    if any(isinstance(value, bool | str) for value in values):
        return Kind.TEXT
    return Kind.INTEGER if all(isinstance(value, int) for value in values) else Kind.REAL

"""Families of columns that have one role: what a reader can look at, and decide about, as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sfumato.columns.families import FEWEST, headed_families, stem_families
from sfumato.columns.profile import ColumnProfile
from sfumato.schema import Role


def role_families(columns: Sequence[ColumnProfile], roles: Mapping[str, Role | None]) -> tuple[tuple[str, ...], ...]:
    """Siblings by name that have the same role, each column in one family at most."""
    families, taken = list[tuple[str, ...]](), set[str]()
    for kind in (stem_families, headed_families):
        for family in kind(columns):
            by_role = defaultdict[Role | None, list[str]](list)
            for name in family.columns:
                if name not in taken:
                    by_role[roles[name]].append(name)
            alike = [tuple(names) for names in by_role.values() if len(names) >= FEWEST]
            families += alike
            taken.update(name for names in alike for name in names)
    return tuple(families)

"""What the siblings of a column are: those that share its stem, its last word, or its few values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.families import Family, Sharing
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role


@dataclass(frozen=True)
class Siblings(Evidence):
    r"""The role that the known columns of a family have, told to the others.

    .. math:: w = w_F \cdot \frac{a}{k} \cdot \frac{a}{a + 1}

    Of k siblings whose role is known by themselves, a agree; w_F is what the family's tie is worth. Below `agreed` of
    them nothing is said: a family of mixed roles is none for this purpose. Answers that columns share make them
    alike only where they are about health: consent, sex and race are answered with yes and no as well.
    """

    method: ClassVar[str] = "siblings"
    by_roles: ClassVar[bool] = True
    agreed: float = 0.75
    fewest: int = 2  # siblings that agree
    # A shared stem or a shared set of telling words is hardly chance; a shared last word is often only a form.
    stem: float = 0.75
    values: float = 0.65
    head: float = 0.5

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        families = beside.families_by_column.get(column.name, ())
        findings = (self._of(family, known, beside.roles.get(column.name)) for family, known in families)
        return max((said for said in findings if said), key=lambda finding: finding.weight, default=None)

    def _of(self, family: Family, roles: Counter[Role], own: Role | None) -> Finding | None:
        if family.bare:
            return None
        counted = roles - Counter([own] if own else [])
        known = counted.total()
        if not known:
            return None
        role, agreeing = counted.most_common(1)[0]
        if family.sharing is Sharing.VALUES and role is not Role.SENSITIVE:
            return None
        if agreeing < self.fewest or agreeing < self.agreed * known:
            return None
        if own and own is not role and family.sharing is not Sharing.STEM:
            return None  # a last word, or yes and no, is too weak a tie against what a column says of itself
        tie = {Sharing.STEM: self.stem, Sharing.VALUES: self.values, Sharing.HEAD: self.head}[family.sharing]
        weight = tie * agreeing / known * agreeing / (agreeing + 1)
        sentence = f"{agreeing} of {known} known columns that share {family.sharing} are {role.value}."
        return Finding(self.method, role, agreeing / known, sentence, round(weight, 3))

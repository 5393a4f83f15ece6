"""Benefit: what each column is good for, and how much; columns that the purpose does not need are listed.

References: Carvalho, Antunes, Costa, Moniz, Empowering open data sharing for social good, weigh benefits attribute by
attribute (form, recipients, likelihood, effect on people); Jung et al. have columns removed that the purpose does not
need.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sfumato.project.context.risk_benefit import Level
from sfumato.show.documents.context import BenefitDocument, BenefitsDocument


class Need(StrEnum):
    """How much the purpose needs a column."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Likelihood(StrEnum):
    """How likely it is that the benefit comes about."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


LEVELS = {Need.LOW: Level.LOW, Need.MEDIUM: Level.MODERATE, Need.HIGH: Level.HIGH}
SHIFTS = {Likelihood.LOW: -1, Likelihood.HIGH: 1}


@dataclass(frozen=True)
class Benefit:
    """What one column is good for, as somebody has said."""

    column: str
    need: Need | None = None
    likelihood: Likelihood | None = None
    form: str | None = None  # in which form it is useful: five-year bands, the exact day
    recipients: str | None = None
    effect: str | None = None  # on people
    exempt: str | None = None  # why it stays although the purpose does not need it
    unsearchable: str | None = None  # why its column stays, with nothing in it that can be looked for
    as_it_is: str | None = None  # why it is not coarsened, though the purpose could do with less than the others lose
    instead: str | None = None  # what must hold more strictly in its place
    released: bool = True  # no: the plan drops it, or it is a direct identifier

    @property
    def level(self) -> Level | None:
        """The level of benefit: the need, one up where the benefit is likely, one down where it is unlikely.

        None where nobody has said, and where there is none.

        >>> [str(Benefit("age", Need.HIGH, likelihood).level) for likelihood in (None, *Likelihood)]
        ['high', 'moderate', 'high', 'very high']
        """
        if self.need is None or self.need is Need.NONE:
            return None
        return LEVELS[self.need].moved(SHIFTS.get(self.likelihood, 0) if self.likelihood else 0)

    def content(self) -> BenefitDocument:
        """The benefit as plain values."""
        return BenefitDocument(
            column=self.column,
            need=self.need or "unanswered",
            likelihood=self.likelihood or "unanswered",
            level=self.level,
            form=self.form,
            recipients=self.recipients,
            effect=self.effect,
            exempt=self.exempt,
            unsearchable=self.unsearchable,
            as_it_is=self.as_it_is,
            instead=self.instead,
            released=self.released,
        )


@dataclass(frozen=True)
class Benefits:
    """The benefit of every column, and of the release that they make together."""

    columns: tuple[Benefit, ...] = ()

    @property
    def released(self) -> tuple[Benefit, ...]:
        """The columns that are in the release."""
        return tuple(benefit for benefit in self.columns if benefit.released)

    @property
    def irrelevant(self) -> list[str]:
        """The columns that the purpose does not need: a release leaves them out."""
        return [b.column for b in self.released if b.need is Need.NONE and b.exempt is None and b.unsearchable is None]

    @property
    def exempted(self) -> dict[str, str]:
        """The columns that stay although the purpose does not need them, and why."""
        return {b.column: b.exempt for b in self.released if b.need is Need.NONE and b.exempt is not None}

    @property
    def unsearchable(self) -> dict[str, str]:
        """The columns that stay with nothing in them that can be looked for, and why."""
        return {b.column: b.unsearchable for b in self.released if b.unsearchable is not None}

    @property
    def as_they_are(self) -> dict[str, str]:
        """The columns that the purpose needs as they are, and why."""
        return {b.column: b.as_it_is for b in self.released if b.as_it_is is not None}

    @property
    def instead(self) -> dict[str, str]:
        """What must hold more strictly in the place of columns that stay, by column."""
        return {b.column: b.instead for b in self.released if b.instead is not None}

    @property
    def unanswered(self) -> list[str]:
        """The columns of the release of which nobody has said what they are good for."""
        return [benefit.column for benefit in self.released if benefit.need is None]

    @property
    def level(self) -> Level | None:
        """The highest level that at least half of the columns of the release reach.

        One useful column does not carry a table of useless ones: a column without need, or without an answer, reaches
        no level. None while unanswered columns are so many that no level is reached; low when nothing is needed.

        >>> age, sex, town = (Benefit(name, need) for name, need in zip("ast", (Need.HIGH, Need.LOW, None)))
        >>> str(Benefits((age, sex)).level), str(Benefits((age, sex, town)).level), Benefits((age, town, town)).level
        ('high', 'low', None)
        """
        ranks = sorted((-1 if b.level is None else b.level.rank for b in self.released), reverse=True)
        if not ranks:
            return None
        reached = ranks[(len(ranks) - 1) // 2]
        if reached >= 0:
            return list(Level)[reached]
        return None if self.unanswered else Level.LOW

    def content(self) -> BenefitsDocument:
        """The benefits as plain values."""
        return BenefitsDocument(
            level=self.level,
            irrelevant=self.irrelevant,
            exempted=self.exempted,
            unsearchable=self.unsearchable,
            as_they_are=self.as_they_are,
            instead=self.instead,
            unanswered=self.unanswered,
            columns=[benefit.content() for benefit in self.columns],
        )

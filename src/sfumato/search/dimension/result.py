"""Dimensions: how many quasi-identifiers have to be de-identified, and what each more of them gains and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.show.documents.dimension import CandidateDocument, DimensionsDocument, ProtectionDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.dimension import dimension_sheet

LEAST_K = 2  # below it somebody is still unique


@dataclass(frozen=True)
class Protection:
    """What is read off one table: k over all quasi-identifiers, and l and t of each sensitive attribute.

    >>> Protection(6, {"bmi": 3, "edss": 2}, {"bmi": 0.615, "edss": 0.21}).largest_t
    0.615
    """

    k: int
    l: Mapping[str, int] = field(default_factory=dict)  # noqa: E741
    t: Mapping[str, float | None] = field(default_factory=dict)  # None where no record has a value

    @property
    def largest_t(self) -> float | None:
        """The largest t of all sensitive attributes; None where there is none."""
        return max((t for t in self.t.values() if t is not None), default=None)

    def content(self) -> ProtectionDocument:
        """The readings as plain values."""
        return ProtectionDocument(k=self.k, l=self.l, t=self.largest_t, t_by_sensitive=self.t)


@dataclass(frozen=True)
class Candidate:
    r"""A table in which some of the quasi-identifiers are de-identified, beside the original.

    The privacy gain is `k` less that of the original. The non-uniform entropy says how much less the labels say than
    the values did, summed over the quasi-identifiers, in nats (an unchanged one adds nothing):

    .. math:: \sum_{columns} \sum_{records} -\ln \frac{f(original\ value)}{f(released\ value)}

    where f is how often a value occurs in its column; as a percentage it is a share of what it would be if all
    information were removed from all quasi-identifiers.

    References
    ----------
    Menten, thesis on data sharing in open science (S0), quasi-identifier dimension stage, figures 5 and 6.

    Examples
    --------
    The thesis's table of 1,000 records with its first two quasi-identifiers de-identified:

    >>> two = Candidate("dimension 2", ("age", "comorbidities"), Protection(1), Protection(6), 3599.127, 6712.9583)
    >>> two.dimension, two.privacy_gain, two.nue_percent, two.inverse_nue_percent
    (2, 5, 53.61, 46.39)
    >>> round(two.risk_removed, 4), round(two.utility, 4)
    (0.8333, 0.4639)
    """

    name: str
    quasi_identifiers: tuple[str, ...]  # that are de-identified
    original: Protection
    after: Protection
    nue: float | None  # None where it says nothing: values were exchanged for others
    maximum_nue: float
    source: str | None = None  # the file, where the table came in one
    more: Mapping[str, Any] = field(default_factory=dict)  # generic_nue and generic_nue_percent, with hierarchies

    @property
    def dimension(self) -> int:
        """How many quasi-identifiers are de-identified."""
        return len(self.quasi_identifiers)

    @property
    def k(self) -> int:
        """The smallest class over all quasi-identifiers, de-identified or not."""
        return self.after.k

    @property
    def feasible(self) -> bool:
        """Whether nobody is unique."""
        return self.k >= LEAST_K

    @property
    def privacy_gain(self) -> int:
        """By how much the smallest class grew."""
        return self.k - self.original.k

    @property
    def nue_percent(self) -> float | None:
        """The non-uniform entropy as a share of all that could be lost, in per cent with two decimals."""
        return None if self.nue is None else percent(self.nue, self.maximum_nue)

    @property
    def inverse_nue_percent(self) -> float | None:
        """What is kept, in per cent."""
        return None if self.nue_percent is None else round(100 - self.nue_percent, 2)

    @property
    def risk_removed(self) -> float:
        """The share of the highest risk, 1/k, that is gone: the privacy gain as a share of k, from 0 to 1."""
        return max(0.0, self.privacy_gain / self.k)

    @property
    def utility(self) -> float | None:
        """The share of information that is kept, from 0 to 1: by the generic entropy where it is known and larger."""
        if self.nue_percent is None:
            return None
        lost = max(self.nue_percent, float(self.more.get("generic_nue_percent", 0.0)))
        return round(min(1.0, max(0.0, 1 - lost / 100)), 4)

    def content(self) -> CandidateDocument:
        """The candidate as plain values."""
        return CandidateDocument(
            name=self.name,
            source=self.source,
            dimension=self.dimension,
            quasi_identifiers=self.quasi_identifiers,
            **vars(self.after.content()),
            privacy_gain=self.privacy_gain,
            nue=self.nue,
            nue_percent=self.nue_percent,
            inverse_nue_percent=self.inverse_nue_percent,
            feasible=self.feasible,
            risk_removed=self.risk_removed,
            utility=self.utility,
            **self.more,
        )


@dataclass(frozen=True)
class Choice:
    """Which candidate a rule chooses, and why; none where no candidate can be chosen."""

    candidate: Candidate | None
    reason: str

    @property
    def dimension(self) -> int | None:
        """The dimension of the candidate."""
        return None if self.candidate is None else self.candidate.dimension


@dataclass(frozen=True, repr=False)
class Dimensions(Presented):
    """The candidates beside the original, and which of them each rule chooses."""

    source: str
    records: int
    quasi_identifiers: tuple[str, ...]  # in the order in which they are de-identified
    sensitive: tuple[str, ...]
    original: Protection
    candidates: tuple[Candidate, ...]
    choices: Mapping[str, Choice]
    rule: str = "pareto"
    cumulative: bool = True  # each candidate de-identifies one more quasi-identifier, or they are alternatives
    risk_rates: Mapping[str, float | None] = field(default_factory=dict)  # of the quasi-identifiers
    subject: str | None = None
    notes: tuple[str, ...] = ()

    def optimal(self, rule: str | None = None) -> int | None:
        """The dimension that a rule chooses (without one, the rule that was asked for); None where there is none."""
        return self.choice(rule).dimension

    def choice(self, rule: str | None = None) -> Choice:
        """The candidate that a rule chooses, and why."""
        return self.choices[(rule or self.rule).replace("-", "_")]

    def content(self) -> DimensionsDocument:
        """Everything as plain values, for machines. It holds no cell value."""
        return DimensionsDocument(
            source=self.source,
            records=self.records,
            subject=self.subject,
            quasi_identifiers=self.quasi_identifiers,
            risk_rates=self.risk_rates,
            sensitive=self.sensitive,
            cumulative=self.cumulative,
            original=self.original.content(),
            maximum_nue=self.candidates[0].maximum_nue if self.candidates else None,
            candidates=[candidate.content() for candidate in self.candidates],
            rule=self.rule,
            optimal={rule: choice.dimension for rule, choice in self.choices.items()},
            chosen={rule: self._place(choice) for rule, choice in self.choices.items()},
            reasons={rule: choice.reason for rule, choice in self.choices.items()},
            notes=self.notes,
        )

    def sheet(self) -> Sheet:
        """The dimensions for people: a block for each, then the choice and its reason."""
        return dimension_sheet(self.content())

    def _place(self, choice: Choice) -> int | None:
        """The number of the chosen candidate, from 1 on."""
        return None if choice.candidate is None else self.candidates.index(choice.candidate) + 1


def percent(lost: float, maximum: float) -> float:
    """A part of all that could be lost, in per cent with two decimals; nothing where there was nothing to lose.

    >>> percent(4635.0911, 6712.9583), percent(0.0, 0.0)
    (69.05, 0.0)
    """
    return round(lost / maximum * 100, 2) if maximum else 0.0

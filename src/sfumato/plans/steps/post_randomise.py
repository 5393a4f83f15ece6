"""Post-randomise (PRAM): each category becomes another with a stated probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import isclose
from typing import Any

from sfumato.plans.blocks.added_columns import released, set_aside
from sfumato.plans.blocks.draws import with_draw
from sfumato.plans.blocks.parameters import flag, one_column, real
from sfumato.plans.blocks.values_in_sql import constant, text_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, listed, literal

MOST = 100  # categories: the statement has a case for each pair of them; more should be grouped first
CATEGORICAL = (Kind.TEXT, Kind.INTEGER, Kind.BOOLEAN)

Matrix = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class PostRandomise(Transformation):
    r"""Each category replaced by one drawn from its row of a transition matrix.

    .. math:: \Pr(x' = j \mid x = i) = p_{ij}, \quad \sum_j p_{ij} = 1

    Whoever knows the matrix can correct counts for it, :math:`\hat t = (P^\top)^{-1} t'`, and nobody can tell whether
    one record is true. Publish the matrix: `matrix`, or what `transitions` gives for the frequencies of the data.

    matrix
        `{from: {to: probability}}`. Each row adds up to 1 and each category of the data has a row.
    keep
        Instead of a matrix: the probability that a value stays. The rest is spread over the other categories in
        proportion to their frequencies, :math:`p_{ij} = (1 - \text{keep})\, t_j / (n - t_i)`.
    invariant
        Chooses the matrix so that the expected frequencies are those that there were, :math:`t^\top R = t^\top`. With
        `keep`, :math:`r_{ij} = \text{keep}\,[i = j] + (1 - \text{keep})\, t_j / n`: a value stays with at least that
        probability. With a matrix, :math:`R = P Q` with :math:`q_{ji} = t_i p_{ij} / \sum_l t_l p_{lj}`, which keeps
        fewer values than `P`.

    Missing values stay missing and have no row. The draws come from the key of the project.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg, de Wolf (1998). Post randomisation for statistical disclosure control: theory and
    implementation. J. Official Statistics 14(4), 463-478.

    Examples
    --------
    >>> PostRandomise("smoker", keep=0.75).transitions({"no": 50, "yes": 30, "former": 20})["no"]
    {'former': 0.1, 'no': 0.75, 'yes': 0.15}
    """

    column: str
    matrix: Matrix | None = None
    keep: float | None = None
    invariant: bool = False

    leaves_values = True

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        flag(self, "invariant", self.invariant)
        if (self.matrix is None) == (self.keep is None):
            raise self.wrong("give either a `matrix` or the probability to `keep` a value.")
        if self.keep is not None and not 0 <= real(self, "keep", self.keep) <= 1:
            raise self.wrong("keep is a probability, from 0 to 1.")
        if self.matrix is not None:
            object.__setattr__(self, "matrix", self._checked(self.matrix))

    def transitions(self, frequencies: Mapping[str, int]) -> dict[str, dict[str, float]]:
        """The matrix that is applied to data with these frequencies."""
        total, words = sum(frequencies.values()), sorted(frequencies)
        if self.matrix is not None:
            given = {i: dict(self.matrix[i]) for i in sorted(self.matrix)}
            return _invariant(given, frequencies) if self.invariant else given
        keep = float(self.keep or 0)
        if self.invariant:
            return {i: {j: keep * (i == j) + (1 - keep) * frequencies[j] / total for j in words} for i in words}
        return {
            i: {j: keep if i == j else (1 - keep) * frequencies[j] / (total - frequencies[i]) for j in words}
            for i in words
        }

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        if draft.kind(self.column) not in CATEGORICAL:
            raise self.wrong(f"the column {self.column!r} holds {draft.kind(self.column).value}, not categories.")
        frequencies = self._frequencies(draft)
        self._check_known(frequencies)
        changing, drawn = with_draw(draft, resources)
        changing, text = set_aside(changing, text_of(draft, self.column))
        rows = " ".join(
            f"WHEN {text} = {literal(word)} THEN {self._drawn_from(row, drawn, draft)}"
            for word, row in self.transitions(frequencies).items()
            if word in frequencies
        )
        if not rows:
            return draft
        return released(changing.changed({self.column: f"CASE {rows} END"}, relabelled=False), draft)

    def explained(self) -> str:
        how = "by the stated transition matrix"
        if self.matrix is None:
            least = " at least" if self.invariant else ""
            how = (
                f"each is kept with probability {self.keep:g}{least}, otherwise drawn by the frequencies of the others"
            )
        invariant = "; the expected frequencies stay what they were" if self.invariant else ""
        return f"Replaces the categories of {self.column} at random: {how}{invariant}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        frequencies = dict.fromkeys(self.matrix, 1) if self.matrix is not None else {"A": 50, "B": 30, "C": 20}
        matrix = self.transitions(frequencies)
        return tuple((word, listed(f"{j} ({p:.0%})" for j, p in row.items() if p)) for word, row in matrix.items())

    def keyed(self) -> bool:
        return True

    def _checked(self, matrix: Any) -> dict[str, dict[str, float]]:
        if not isinstance(matrix, Mapping) or not all(isinstance(row, Mapping) for row in matrix.values()):
            raise self.wrong("matrix must be written {from: {to: probability}}.")
        rows = {
            _word(i): {_word(j): real(self, "a probability", p) for j, p in row.items()} for i, row in matrix.items()
        }
        if len(rows) > MOST or len(rows) < 1:
            raise self.wrong(f"matrix must have 1 to {MOST} rows.")
        for number, row in enumerate(rows.values(), 1):
            if any(p < 0 for p in row.values()) or not isclose(sum(row.values()), 1, abs_tol=1e-9):
                raise self.wrong(f"the probabilities of row {number} must not be negative and must add up to 1.")
            if set(row) - set(rows):
                raise self.wrong(f"row {number} leads to a value that has no row itself.")
        return rows

    def _frequencies(self, draft: Draft) -> dict[str, int]:
        rows = draft.engine.fetch(f"""
            SELECT {text_of(draft, self.column)} AS value, count(*) AS n
            FROM {draft.table} AS record
            GROUP BY 1
            LIMIT {MOST + 2}""")
        known = {str(value): int(n) for value, n in rows if value is not None}
        if len(known) > MOST:
            raise self.wrong(f"the column {self.column!r} has more than {MOST} categories; group them first.")
        return dict(sorted(known.items()))

    def _check_known(self, frequencies: Mapping[str, int]) -> None:
        if self.matrix is None:
            if len(frequencies) == 1:
                raise self.wrong(f"the column {self.column!r} has one category, and there is no other to change to.")
            return
        strange = [n for word, n in frequencies.items() if word not in self.matrix]
        if strange:
            raise self.wrong(
                f"the matrix has no row for {len(strange)} categor{'y' if len(strange) == 1 else 'ies'} of the column "
                f"{self.column!r} ({sum(strange)} records). Give each a row."
            )

    def _drawn_from(self, row: Mapping[str, float], drawn: str, draft: Draft) -> str:
        possible = {word: p for word, p in row.items() if p > 0}
        kind = draft.kind(self.column)
        values = [constant(word, kind, self.column) for word in possible]
        limits = list(accumulate(possible.values()))[:-1]
        if not limits:
            return values[0]
        cases = " ".join(f"WHEN {drawn} < {literal(p)} THEN {v}" for p, v in zip(limits, values, strict=False))
        return f"CASE {cases} ELSE {values[-1]} END"


def _invariant(matrix: Matrix, frequencies: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """The matrix after a second randomisation that undoes its effect on the frequencies."""
    words = list(matrix)
    reached = {j: sum(frequencies.get(i, 0) * matrix[i].get(j, 0) for i in words) for j in words}
    back = {
        j: {i: frequencies.get(i, 0) * matrix[i].get(j, 0) / reached[j] if reached[j] else float(i == j) for i in words}
        for j in words
    }
    return {i: {k: sum(matrix[i].get(j, 0) * back[j][k] for j in words) for k in words} for i in words}


def _word(value: Any) -> str:
    """A category as text; YAML reads yes and no as true and false, which are written so in a column of them."""
    return str(value).lower() if isinstance(value, bool) else str(value)

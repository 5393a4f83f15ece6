"""The part of docs/detection-quality.md on real tables, from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .quality import share, table
from .real_tables import ROLES, SURE, Judged, Score

LEVELS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
ALLOWED = 0.01  # share of wrong ones among the sure ones that a bound is fitted to


def real_tables_page(measured: dict[str, Score]) -> str:
    """Every table of figures: of the tables read alone, of those read together, and by their names only."""
    first = measured["alone"]
    sections = (
        OPENING,
        _overall(measured),
        "### By role\n\n" + _by_role(measured),
        "### By how sure the proposal is\n\n" + LEVELS_SAID + "\n\n" + _by_level(measured),
        "### One source left out\n\n"
        + LEFT_OUT_SAID
        + "\n\n"
        + _left_out([*first.columns, *measured["names only"].columns]),
        "### By language (names only)\n\n" + _parts(measured["names only"].by(lambda judged: judged.language)),
        "### By table, read alone\n\n" + _parts(first.by(lambda judged: judged.table)),
        "### By table, names only\n\n" + _parts(measured["names only"].by(lambda judged: judged.table)),
        "### Wrong or undecided, read alone\n\n" + _misses(first),
    )
    return "\n\n".join(sections) + "\n"


def _overall(measured: dict[str, Score]) -> str:
    questions = {
        "Columns": lambda score: str(len(score.columns)),
        "Right, of those not left undecided": lambda score: share(score.right_of_decided),
        "Left undecided": lambda score: share(score.undecided),
        "Dangerous: direct or quasi called non-sensitive": lambda score: str(len(score.dangerous)),
        f"Sure ({SURE:g} and above)": lambda score: str(len(score.confident)),
        "Sure and wrong": lambda score: share(score.confident_and_wrong),
    }
    rows = [(question, *(answer(score) for score in measured.values())) for question, answer in questions.items()]
    return table(("Measured", *(name.capitalize() for name in measured)), rows)


def _by_role(measured: dict[str, Score]) -> str:
    rows = []
    for role in ROLES:
        scores = [score.of_role(role) for score in measured.values()]
        rows.append((role, *(f"{share(s.found)} / {share(s.precision)}" for s in scores)))
    return table(("Role: found / right when said", *(name.capitalize() for name in measured)), rows)


def _by_level(measured: dict[str, Score]) -> str:
    rows = []
    for low, high in pairwise(LEVELS):
        levels = [[j for j in s.columns if j.decided and low <= j.sure < high] for s in measured.values()]
        rows.append((f"{low:g} to {min(high, 1):g}", *(f"{sum(j.right for j in own)} of {len(own)}" for own in levels)))
    return table(("How sure", *(f"Right, {name}" for name in measured)), rows)


def fitted_bound(columns: Sequence[Judged]) -> float:
    """The least bound on how sure proposals are at which at most one in a hundred of those above it is wrong."""
    ordered = sorted((judged for judged in columns if judged.decided), key=lambda judged: -judged.sure)
    bound, wrong = 1.0, 0
    for number, judged in enumerate(ordered, 1):
        wrong += not judged.right
        last = number == len(ordered) or ordered[number].sure < judged.sure
        if last and wrong <= ALLOWED * number:
            bound = judged.sure
    return bound


def _left_out(columns: Sequence[Judged]) -> str:
    rows = []
    for source, own in Score(columns).by(lambda judged: judged.source).items():
        bound = fitted_bound([judged for judged in columns if judged.source != source])
        above = [judged for judged in own.columns if judged.decided and judged.sure >= bound]
        sure = [judged for judged in own.columns if judged.confident]
        cells = (f"{sum(not j.right for j in chosen)} of {len(chosen)}" for chosen in (above, sure))
        rows.append((source, f"{bound:.2f}", *cells))
    return table(("Source", "Bound from the others", "Wrong above it", f"Wrong above {SURE:g}"), rows)


def _parts(parts: dict[str, Score]) -> str:
    rows = [
        (name, str(len(s.columns)), share(s.right_of_decided), share(s.undecided), share(s.confident_and_wrong))
        for name, s in parts.items()
    ]
    return table(("Part", "Columns", "Right of decided", "Undecided", "Sure and wrong"), rows)


def _misses(score: Score) -> str:
    missed = [judged for judged in score.columns if not judged.right]
    rows = [(f"`{j.column}`", j.table, j.role, j.proposed, f"{j.sure:.2f}") for j in missed]
    return table(("Column", "Table", "Label", "Proposed", "How sure"), rows) if rows else "None."


OPENING = """\
## Real tables

Public tables of health data that nobody of this project wrote, with a role for every column that others labelled:
read by themselves, read together with the tables of the same source (so that a key is known in every table that
points to it), and by the names of the columns only. The misses of these tables were used to improve recognition, so
these figures say what was reached on tables that were learnt from; those for tables from elsewhere stand further
below. A column is *right* when it has the role of its label, or another role that the label accepts; it counts for the
role that was proposed."""
LEVELS_SAID = """\
How often a proposal was right, by how sure it was said to be. The number is the strength of the evidence and not a
probability: it is kept below what the counts here would allow, since a wrong "sure" is worse than a question."""
LEFT_OUT_SAID = """\
What could be fitted to these tables is the bound from which proposals are called sure. For each source the least
bound at which one in a hundred is wrong was sought on all the others, and both it and the bound that is used were
applied to the source that had been left out."""

"""Rules that choose a dimension among candidates: a function each, which says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot

from sfumato.errors import PolicyError, did_you_mean
from sfumato.search.dimension.result import LEAST_K, Candidate, Choice

Rule = Callable[[Sequence[Candidate]], Choice]


def figure5(candidates: Sequence[Candidate]) -> Choice:
    r"""The rule as the thesis prints it, in figure 5.

    Of the candidates with k of at least 2 the first is the best so far; a later one replaces it when its privacy gain
    (in records) and its inverse non-uniform entropy (in per cent) are at least as high, and the two numbers are closer
    together: :math:`|pg - inverse| < |pg_{best} - inverse_{best}|`. Generalising one more quasi-identifier can only
    lower the inverse entropy, so that in cumulative tables the first candidate with k of at least 2 stays.

    References
    ----------
    Menten, thesis on data sharing in open science (S0), figure 5.

    Examples
    --------
    The thesis's table of 1,000 records:

    >>> from sfumato.search.dimension.result import Protection
    >>> two = Candidate("dimension 2", ("age", "comorbidities"), Protection(1), Protection(6), 3599.127, 6712.9583)
    >>> names = ("age", "comorbidities", "covid19_symptoms")
    >>> three = Candidate("dimension 3", names, Protection(1), Protection(110), 4635.0911, 6712.9583)
    >>> figure5([two, three]).dimension
    2
    """
    judged = [candidate for candidate in candidates if candidate.feasible and candidate.nue is not None]
    if not judged:
        return _none(candidates)
    best, first = judged[0], judged[0]
    for candidate in judged:
        if _replaces(candidate, best):
            best = candidate
    start = f"{first.name} is the first with k of at least {LEAST_K}"
    if best == first:
        return Choice(best, f"{start}; no later one has both a privacy gain and an inverse NUE as high.")
    return Choice(best, f"{start}; {best.name} has both numbers at least as high and lies nearer to their balance.")


def last_feasible(candidates: Sequence[Candidate]) -> Choice:
    """The last candidate with k of at least 2: what the thesis's script does, and what it reports.

    The script empties its list of candidates before it adds each of them, so that it only ever judges the last.

    >>> from sfumato.search.dimension.result import Protection
    >>> two = Candidate("dimension 2", ("a", "b"), Protection(1), Protection(6), 3599.127, 6712.9583)
    >>> three = Candidate("dimension 3", ("a", "b", "c"), Protection(1), Protection(110), 4635.0911, 6712.9583)
    >>> last_feasible([two, three]).dimension
    3
    """
    feasible = [candidate for candidate in candidates if candidate.feasible]
    if not feasible:
        return _none(candidates)
    return Choice(feasible[-1], f"{feasible[-1].name} is the last with k of at least {LEAST_K}.")


def pareto(candidates: Sequence[Candidate]) -> Choice:
    r"""The best compromise: of what no other candidate beats on both counts, the nearest to no risk and nothing lost.

    .. math:: \min \sqrt{(1 - g)^2 + (1 - u)^2}, \quad g = \frac{1/k_0 - 1/k}{1/k_0} = \frac{k - k_0}{k}

    g is the share of the highest re-identification risk, 1/k, that is gone, and u the share of information that is
    kept (inverse non-uniform entropy). Both lie between 0 and 1, whatever the other candidates are, so that one
    more of them does not change how two compare. The privacy gain itself counts records and has no upper end: from
    k = 6 to k = 110 it grows from 5 to 109, while the risk falls from 1 in 6 to 1 in 110: most is gone already.

    Candidates in which somebody is unique (k below 2), whose loss is not known, or that another one beats are left out.
    Of equally near ones the one with the larger k is chosen, then the smaller dimension, then the earlier one.

    References
    ----------
    Zeleny (1973). Compromise programming. In: Cochrane & Zeleny (eds.), Multiple criteria decision making, 262-301.

    Examples
    --------
    The thesis's table of 1,000 records; 83 % of the risk gone and 46 % of the information kept, or 99 % and 31 %:

    >>> from sfumato.search.dimension.result import Protection
    >>> two = Candidate("dimension 2", ("a", "b"), Protection(1), Protection(6), 3599.127, 6712.9583)
    >>> three = Candidate("dimension 3", ("a", "b", "c"), Protection(1), Protection(110), 4635.0911, 6712.9583)
    >>> pareto([two, three]).dimension
    2
    """
    judged = [candidate for candidate in candidates if candidate.feasible and candidate.utility is not None]
    if not judged:
        return _none(candidates)
    front = [candidate for candidate in judged if not any(_beats(other, candidate) for other in judged)]
    best = min(front, key=lambda candidate: (round(_distance(candidate), 12), -candidate.k, candidate.dimension))
    return Choice(best, _compared(best, front, judged))


RULES: Mapping[str, Rule] = {"figure5": figure5, "last_feasible": last_feasible, "pareto": pareto}


def rule_named(name: str) -> str:
    """The name of a rule as documents write it; on the command line it may have hyphens.

    >>> rule_named("last-feasible")
    'last_feasible'
    """
    rule = name.replace("-", "_")
    if rule not in RULES:
        raise PolicyError(f"There is no rule {name!r}.{did_you_mean(rule, RULES)}")
    return rule


def choices_of(candidates: Sequence[Candidate]) -> dict[str, Choice]:
    """What each rule chooses."""
    return {name: rule(candidates) for name, rule in RULES.items()}


def _replaces(candidate: Candidate, best: Candidate) -> bool:
    gain, kept = candidate.privacy_gain, candidate.inverse_nue_percent or 0.0
    best_gain, best_kept = best.privacy_gain, best.inverse_nue_percent or 0.0
    return gain >= best_gain and kept >= best_kept and abs(gain - kept) < abs(best_gain - best_kept)


def _beats(one: Candidate, other: Candidate) -> bool:
    """At least as good on both counts, and better on one."""
    gains, kept = (one.risk_removed, other.risk_removed), (one.utility or 0.0, other.utility or 0.0)
    return gains[0] >= gains[1] and kept[0] >= kept[1] and (gains[0] > gains[1] or kept[0] > kept[1])


def _distance(candidate: Candidate) -> float:
    return hypot(1 - candidate.risk_removed, 1 - (candidate.utility or 0.0))


def _compared(best: Candidate, front: Sequence[Candidate], judged: Sequence[Candidate]) -> str:
    """Why it is the best, beside what the others would have given."""
    if len(judged) == 1:
        return f"{_figures(best)}; no other candidate can be chosen."
    others = [candidate for candidate in front if candidate != best]
    if not others:
        return f"{_figures(best)}; no other candidate with k of at least {LEAST_K} is better on either count."
    beside = "; ".join(map(_figures, others))
    return f"{_figures(best)}, which is nearest to no risk and nothing lost. Beside it: {beside}."


def _figures(candidate: Candidate) -> str:
    risk, kept = candidate.risk_removed * 100, (candidate.utility or 0.0) * 100
    return f"{candidate.name} removes {risk:.1f} % of the highest risk and keeps {kept:.2f} % of the information"


def _none(candidates: Sequence[Candidate]) -> Choice:
    """Why nothing is chosen."""
    if any(candidate.feasible for candidate in candidates):
        return Choice(None, "Of no candidate with k of at least 2 is it known how much information was lost.")
    largest = max((candidate.k for candidate in candidates), default=0)
    return Choice(
        None,
        f"No candidate has k of at least {LEAST_K} (the largest k is {largest}): somebody is still unique. De-identify "
        f"more quasi-identifiers, or coarser.",
    )

"""One proposal out of everything that was found about a column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from sfumato.columns.evidence_interface import Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.schema import Role

UNDECIDED = 0.4  # support below which nothing is proposed: a person has to say
SURE = 0.8  # how sure proposals are that can be confirmed together, without a look at each
CONTESTED = 0.8  # support of an identifying role against which nothing is called harmless. Chosen to fail closed
ONE_WITNESS = 0.75  # how sure at most it is that a column is harmless, where one finding alone says so
CLEAR = 0.4  # how sure a proposal is from which on it is worth a second look. Chosen, not measured
# Asked in this order: does it identify by itself, together with others, would it harm, or neither?
FLOW = (Role.DIRECT, Role.QUASI, Role.SENSITIVE, Role.NON_SENSITIVE)


def propose(findings: Sequence[Finding]) -> tuple[Role | None, float, str | None]:
    r"""The role of a column or None (undecided), how sure that is (0 to 1), and the item of the HIPAA list or None.

    Findings that agree strengthen each other, as independent witnesses do:

    .. math:: s(r) = 1 - \prod_{f \text{ says } r} (1 - w_f)

    The role with the strongest support is proposed, and the earlier question of the flow where two are equal. A
    name that plainly says "order number" (0.85) thus outweighs ten digits that could be a telephone number (0.5),
    and gives way to values that can only be e-mail addresses (0.95). Contrary findings make the proposal less sure:

    .. math:: \text{sure} = s(r) \, (1 - \tfrac12 \max_{r' \ne r} s(r'))

    That a column is harmless is never sure by one finding alone: of all errors this is the one that publishes.
    Where no role has the support of at least `UNDECIDED`, none is proposed: that nothing is known of a column does not
    make it harmless. Nor does a name that plainly says so, where something else plainly says that the column
    identifies (`CONTESTED`). The item of the HIPAA list stays, for whoever removes what may be on it.
    Findings of weight 0 are statistics; they are shown beside the proposal and do not decide.

    >>> name = Finding("names", Role.NON_SENSITIVE, None, "The name says order.", weight=0.85)
    >>> digits = Finding("values", Role.DIRECT, 1.0, "Looks like a telephone.", 0.5, "telephone numbers")
    >>> propose([name, digits])
    (<Role.NON_SENSITIVE: 'non-sensitive'>, 0.6375, None)
    >>> propose([])
    (None, 0.0, None)
    """
    deciding = [finding for finding in findings if finding.weight > 0 and finding.role is not None]
    support = {role: _support(finding for finding in deciding if finding.role is role) for role in FLOW}
    # Somebody who knows the study marked it: whatever else is said, it is not harmless.
    marked = any(finding.method == "dictionary" for finding in deciding)
    role = max(FLOW[:-1] if marked else FLOW, key=lambda role: support[role])
    hipaa = _hipaa(finding for finding in deciding if finding.role is role)
    identifying = max(support[Role.DIRECT], support[Role.QUASI])
    if support[role] < UNDECIDED or (role is Role.NON_SENSITIVE and identifying >= CONTESTED):
        return None, 0.0, hipaa
    contrary = max(support[other] for other in FLOW if other is not role)
    sure = support[role] * (1 - contrary / 2)
    witnesses = sum(finding.role is role for finding in deciding)
    return role, min(sure, ONE_WITNESS) if role is Role.NON_SENSITIVE and witnesses == 1 else sure, hipaa


def _support(findings: Iterable[Finding]) -> float:
    """What findings that agree amount to together."""
    return 1 - prod(1 - finding.weight for finding in findings)


def _hipaa(findings: Iterable[Finding]) -> str | None:
    """The item that the weightiest of the findings names; `any other number` only where no other item is named."""
    named = [finding for finding in findings if finding.hipaa is not None]
    return max(named, key=lambda finding: (finding.hipaa != Hipaa.OTHER, finding.weight)).hipaa if named else None

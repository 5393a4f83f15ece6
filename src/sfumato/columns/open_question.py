"""What would decide the role of a column that is undecided."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.evidence_interface import Finding
from sfumato.columns.profile import ColumnProfile


def would_decide(column: ColumnProfile, findings: Sequence[Finding]) -> str:
    """What is lacking, of what usually decides; a person always may.

    Where the findings contradict each other, more of them would not help: a person has to choose.
    """
    claims = {finding.role for finding in findings if finding.weight > 0 and finding.role is not None}
    if len(claims) > 1:
        return "you, since the evidence contradicts itself"
    lacking = [] if column.label else ["a label or data dictionary (--dictionary)"]
    lacking += [] if any(finding.method == "names" for finding in findings) else ["a name in words"]
    lacking += [] if column.present else ["values"]
    return f"{', '.join(lacking)}, or you" if lacking else "you"

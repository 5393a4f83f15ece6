"""Names of code systems."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class CodeSystemName(ClosedList):
    """SNOMED CT, RxNorm, ICD-10: which codes stand beside."""

    concept = "names of code systems"
    role = Role.NON_SENSITIVE
    strength = 0.9
    file = "code_system_name"
    hints = hinted(
        "system vocabulary codesystem terminology codetype codetyp codetable icdversion pxtype dxtype version"
    )

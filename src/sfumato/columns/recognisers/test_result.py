"""Results of tests."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class TestResult(ClosedList):
    """Positive, not detected, reactive: what a test found."""

    concept = "results of tests"
    role = Role.SENSITIVE
    strength = 0.88
    plainly = 0.92
    file = "test_result"
    unnamed = 0.8
    hints = hinted(
        "result test resultado resultat risultato wynik ergebnis befund uitslag αποτελεσμα orres stresc "
        "pcr antigen antibody serolog mutation receptor marker"
    )

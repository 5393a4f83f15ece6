"""Nationalities."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Nationality(ClosedList):
    """German, Syrian, citizen: nationalities and residence."""

    concept = "nationalities"
    role = Role.QUASI
    strength = 0.85
    file = "nationality"
    unnamed = 0.72
    hints = hinted(
        "nation national citizen staatsang nacional nazional cittadin obywat υπηκο medborgar origin herkunft country"
    )

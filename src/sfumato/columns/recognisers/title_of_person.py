"""Titles before and after names."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class TitleOfPerson(ClosedList):
    """Mr, Mrs, Dr, Jr: they tell sex, schooling or marriage."""

    concept = "titles of people"
    role = Role.QUASI
    strength = 0.85
    file = "title"
    unnamed = 0.8
    hints = hinted("prefix suffix title salutation anrede titel civilite tratamiento titolo")

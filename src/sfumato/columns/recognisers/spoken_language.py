"""Languages."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class SpokenLanguage(ClosedList):
    """English, Spanish, Deutsch: languages that people speak; codes of two or three letters under a name."""

    concept = "languages"
    role = Role.QUASI
    strength = 0.8
    plainly = 0.85
    file = "language"
    unnamed = 0.72
    hints = hinted("lang language sprache langue idioma lingua taal jezyk γλωσσα sprak interpreter")

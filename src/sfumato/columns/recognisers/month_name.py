"""Names of months."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.schema import Role


class MonthName(ClosedList):
    """January, Mai, Δεκέμβριος: a part of a date."""

    concept = "names of months"
    role = Role.QUASI
    strength = 0.8
    file = "time_words"
    sort = "months"
    fewest = 3

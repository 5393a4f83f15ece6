"""Days of the week."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.schema import Role


class Weekday(ClosedList):
    """Monday, Samstag: when something happened."""

    concept = "days of the week"
    role = Role.QUASI
    strength = 0.7
    file = "time_words"
    sort = "days"
    fewest = 3

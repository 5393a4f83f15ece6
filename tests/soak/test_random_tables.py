"""Random tables of statistics, attacked by somebody who has the published file: nothing hidden is worked out."""

from __future__ import annotations

import os

import pytest
from tests.statistics.independent_attacker import fewest
from tests.statistics.random_tables import drawn

CAMPAIGN, PARTS = 3000, 30  # of `make soak`: about half an hour. A slice is in tests/statistics
MOST_CHOICES = 12  # cells of which a brute force tries every choice


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_table_gives_a_hidden_cell_away(part: int) -> None:
    """SOAK_FROM begins with another number and so draws other tables."""
    size = CAMPAIGN // PARTS
    first = int(os.environ.get("SOAK_FROM", "1000")) + part * size
    faults = [f"table {number}: {fault}" for number in range(first, first + size) for fault in drawn(number).faults()]
    assert faults == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_table_hides_more_cells_than_a_brute_force(part: int) -> None:
    size = CAMPAIGN // PARTS // 3
    first = int(os.environ.get("SOAK_FROM", "1000")) + part * size
    compared = 0
    for number in range(first, first + size):
        case = drawn(number, sums=False)
        tabulated = case.tabulated()
        choices = len(tabulated.places()) - int(tabulated.protection.problem.primary.sum())
        if tabulated.hidden and tabulated.fewest and choices < MOST_CHOICES:
            assert fewest(tabulated.table_csv(), case.truth(), case.rules) == tabulated.hidden, number
            compared += 1
    assert compared

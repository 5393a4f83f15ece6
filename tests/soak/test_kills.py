"""Kills at random moments: nothing half-written, nothing unlogged, nothing left once the next run is over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.soak.kills import KilledRuns, drawn

SLICE = 6  # of `make test`: half a minute, most of it the starts of commands
CAMPAIGN, PARTS = 200, 4  # of `make soak`

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed as POSIX has it")


def run(numbers: range, folder: Path) -> None:
    """Kill one command after the other; every fault of all of them in one message."""
    runs = KilledRuns(folder)
    faults = [
        f"{number}, {kill}: {fault}" for number in numbers for kill in [drawn(number)] for fault in runs.faults(kill)
    ]
    faults += runs.faults_after_all()
    assert not faults, "\n".join(faults)


def test_six_kills_leave_nothing_half_written_unlogged_or_lying_about(tmp_path: Path) -> None:
    run(range(SLICE), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_no_kill_at_a_random_moment_leaves_anything(part: int, tmp_path: Path) -> None:
    """`make soak` runs it; SOAK_FROM begins with another number and so draws other moments."""
    size = CAMPAIGN // PARTS
    first = int(os.environ.get("SOAK_FROM", "1000")) + part * size
    run(range(first, first + size), tmp_path)

"""Random releases read by an independent reader: none breaks its policy, and every reading is the same."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from tests.soak.campaign_log import note
from tests.soak.random_releases import drawn, outcome

SLICE = 60  # of `make test`: about half a minute
CAMPAIGN = 2000  # of `make soak`
PARTS = 20  # so that it can be divided between processes, and a fault shows early


def run(numbers: range, folder: Path) -> Counter[str]:
    """How many releases there were of each kind; every fault of all of them in one message."""
    kinds: Counter[str] = Counter()
    faults = []
    for number in numbers:
        each = outcome(drawn(number), folder)
        kinds[each.kind] += 1
        faults += [f"release {number}: {fault}" for fault in each.faults]
    assert not faults, "\n".join(faults)
    return kinds


def test_sixty_random_releases_keep_to_their_policies_read_independently(tmp_path: Path) -> None:
    kinds = run(range(SLICE), tmp_path)
    assert kinds["written"] > SLICE // 2


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_release_breaks_its_policy_read_independently(part: int, tmp_path: Path) -> None:
    """`make soak` runs it; SOAK_FROM begins with another number and so draws other releases."""
    size = CAMPAIGN // PARTS
    first = int(os.environ.get("SOAK_FROM", "1000")) + part * size
    kinds = run(range(first, first + size), tmp_path)
    assert kinds.total() == size
    note(f"{first} {dict(kinds)}")

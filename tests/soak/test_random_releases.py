"""Random releases read by an independent reader: none breaks its policy, and every reading is the same."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from tests.soak.random_releases import drawn, outcome

SLICE = 60  # of `make test`: about half a minute
CAMPAIGN = 2000  # of `make soak`


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
    assert kinds["written"] > SLICE // 3


@pytest.mark.soak
def test_no_random_release_breaks_its_policy_read_independently(tmp_path: Path) -> None:
    first = int(os.environ.get("SOAK_FROM", "1000"))
    kinds = run(range(first, first + int(os.environ.get("SOAK_RELEASES", str(CAMPAIGN)))), tmp_path)
    print(dict(kinds))

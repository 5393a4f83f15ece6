"""Files that were damaged at random: a table or an error of the file, never another, and no process is taken down."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.soak.damaged_files import CHILDREN, WRITERS, damaged
from tests.soak.read_by_itself import read_by_itself

SLICE, SLICE_OF_CHILDREN = 7, 1  # of each format in `make test`: some seconds
CAMPAIGN = 400  # of each format in `make soak`
DIED, OTHER, HUNG = "died", "another error", "hung"
LONGEST = 300  # seconds by the clock, on a busy machine


# Children come of a process that has no threads: a lock that another thread holds at a fork is never let go of.
FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["tests.soak.read_by_itself", "duckdb", "pyarrow"])


def outcome(path: Path) -> str:
    """What comes of reading a file, in a process of its own: it may be the one that dies."""
    process = FRESH.Process(target=read_by_itself, args=(str(path),))
    process.start()
    process.join(LONGEST)
    if process.is_alive():
        process.kill()
        process.join()
        return HUNG
    code = process.exitcode or 0
    return DIED if code < 0 else ("table", "refused", DIED, OTHER)[code]


def run(ending: str, seeds: range, folder: Path) -> Counter[str]:
    path = folder / f"whole.{ending}"
    WRITERS[ending](path)
    content, outcomes = path.read_bytes(), Counter[str]()
    faults = []
    for seed in seeds:
        path = folder / f"damaged.{ending}"
        path.write_bytes(damaged(content, seed))
        each = outcome(path)
        outcomes[each] += 1
        faults += [f"{ending} {seed}: {each}"] if each in (DIED, OTHER, HUNG) else []
        path.unlink()
    assert not faults, "\n".join(faults)
    return outcomes


@pytest.mark.skipif(sys.platform != "linux", reason="forkserver")
@pytest.mark.parametrize("ending", WRITERS)
def test_a_damaged_file_is_a_table_or_an_error_of_the_file(ending: str, tmp_path: Path) -> None:
    outcomes = run(ending, range(SLICE_OF_CHILDREN if ending in CHILDREN else SLICE), tmp_path)
    assert outcomes["table"] + outcomes["refused"] == outcomes.total()


@pytest.mark.soak
@pytest.mark.parametrize("ending", WRITERS)
def test_no_damaged_file_takes_the_process_down(ending: str, tmp_path: Path) -> None:
    """`make soak` runs it; SOAK_FROM begins with another number and so draws other damage."""
    first = int(os.environ.get("SOAK_FROM", "1000"))
    assert run(ending, range(first, first + CAMPAIGN), tmp_path).total() == CAMPAIGN

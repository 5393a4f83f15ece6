"""Files that were damaged at random: a table or an error of the file, never another, and no process is taken down."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.soak.damaged_files import CHILDREN, WRITERS, damaged

from sfumato.errors import EngineError, UnusableInput
from sfumato.tables.load import load

SLICE, SLICE_OF_CHILDREN = 7, 1  # of each format in `make test`: some seconds
CAMPAIGN = 400  # of each format in `make soak`
# Engines read these in place, so that what is damaged may show only when a row is asked for.
IN_PLACE = ("sqlite", "duckdb")
DIED, OTHER = "died", "another error"


def outcome(path: Path) -> str:
    """What comes of reading a file, in a process of its own: it may be the one that dies."""
    process = os.fork()
    if process == 0:
        code = 3
        try:
            load(str(path))
            code = 0
        except UnusableInput as error:
            code = 3 if "Ermintrude" in str(error) else 1
        except EngineError:
            code = 1 if path.suffix[1:] in IN_PLACE else 3
        finally:
            os._exit(code)
    _, status = os.waitpid(process, 0)
    return DIED if os.WIFSIGNALED(status) else ("table", "refused", "", OTHER)[os.WEXITSTATUS(status)]


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
        faults += [f"{ending} {seed}: {each}"] if each in (DIED, OTHER) else []
        path.unlink()
    assert not faults, "\n".join(faults)
    return outcomes


@pytest.mark.skipif(sys.platform != "linux", reason="fork")
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

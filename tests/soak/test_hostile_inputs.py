"""Every command on every hostile case, and the parsers fuzzed for as long as is wished.

`make soak` runs both. HOSTILE_CASES=160 takes at least so many cases, the same each time, some of every kind of file,
instead of all. HOSTILE_OUTCOMES names a folder that keeps what every command did; what is there is not run again, so
that a campaign which was stopped goes on. HOSTILE_FUZZ_SECONDS says how long the parsers are fuzzed (five minutes if
not said, an hour for the figures of docs/hostile-inputs.md), SOAK_LOG names a file for what was run and how long it
took.
"""

from __future__ import annotations

import os
import time
import traceback
from collections import Counter
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from tests.hostile.corpus import all_cases, spread
from tests.hostile.fuzz import PROPERTIES
from tests.hostile.test_corpus import faults, outcomes_of
from tests.soak.campaign_log import note

PARTS = 24  # so that it can be divided between processes, and a fault shows early
ROUND = 200  # inputs of a property before the next one has its turn


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_every_command_stands_every_hostile_case(part: int, tmp_path: Path) -> None:
    least = os.environ.get("HOSTILE_CASES")
    cases = (spread(int(least)) if least else all_cases())[part::PARTS]
    folder, begun = Path(os.environ.get("HOSTILE_OUTCOMES", tmp_path)) / str(part), time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = outcomes_of("every", folder, *(case.name for case in cases), seconds=6 * 3600)
    runs = sum(map(len, outcomes.values()))
    note(f"part {part}: {len(cases)} cases, {runs} runs, {time.monotonic() - begun:.0f} s")
    wrong = [f"{name}: {fault}" for name, each in outcomes.items() for fault in faults(each)]
    assert not wrong, "\n".join(wrong)
    assert outcomes.keys() == {case.name for case in cases}


@pytest.mark.soak
def test_the_parsers_stand_whatever_they_are_given_for_long() -> None:
    seconds, begun = float(os.environ.get("HOSTILE_FUZZ_SECONDS", "300")), time.monotonic()
    first, number, inputs = int(os.environ.get("SOAK_FROM", "0")), 0, Counter[str]()
    faults: dict[str, str] = {}
    for turn, name in enumerate(cycle(PROPERTIES)):
        if time.monotonic() - begun > seconds or len(faults) == len(PROPERTIES):
            break
        number = first + turn // len(PROPERTIES)
        try:
            if name not in faults:
                fuzz(name, number, inputs)
        except Exception:
            faults[name] = traceback.format_exc()
    note(f"fuzzed {inputs.total()} inputs in {time.monotonic() - begun:.0f} s, seeds up to {number}: {dict(inputs)}")
    assert not faults, "\n".join(faults.values())


def fuzz(name: str, number: int, inputs: Counter[str]) -> None:
    """One round of a property, with a seed of its own."""

    @seed(number)
    @settings(max_examples=ROUND, suppress_health_check=list(HealthCheck), database=None, derandomize=False)
    @given(each=PROPERTIES[name].inputs)
    def check(each: object) -> None:
        inputs[name] += 1
        PROPERTIES[name].check(each)

    check()

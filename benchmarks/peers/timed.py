"""One measurement in a process of its own, so that its peak memory is its own. Standard library only."""

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

Task = dict[str, Any]
LONG_ENOUGH = 60  # seconds after which nobody runs once more


def timed(work: Callable[[Task], dict[str, Any]]) -> None:
    """Run the task of the command line; print as JSON the best wall and processor time, the peak and what was found.

    The file is read once before, so that no contender pays for a cold disk, and imports are not counted. Everybody runs
    as often as the task says; who is slow, until a minute has passed.
    """
    task = json.loads(sys.argv[1])
    with open(task["path"], "rb") as file:
        while file.read(1 << 24):
            pass
    walls, processors, found = [], [], {}
    begun = time.perf_counter()
    while len(walls) < task["repeats"] and not (walls and time.perf_counter() - begun > LONG_ENOUGH):
        wall, processor = time.perf_counter(), time.process_time()
        found = work(task)
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # Linux counts in KiB
    print(json.dumps({"wall": min(walls), "cpu": min(processors), "peak_gb": peak, "found": found, "runs": len(walls)}))

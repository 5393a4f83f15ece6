"""The benchmarks are scripts: a test imports them as `make bench` runs them, with their folder on the path."""

import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
if str(BENCHMARKS) not in sys.path:
    sys.path.append(str(BENCHMARKS))  # last, so that none of them stands in the way of another module

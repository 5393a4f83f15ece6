"""Sfumato on Spark, on this machine: a verb on a Parquet file, with what its Java process took, and how many jobs."""

import json
import os
import resource
import sys
import time
from pathlib import Path

import sfumato as sf
from sfumato.tables.engines.spark import Spark


def main() -> None:
    task = json.loads(sys.argv[1])
    # By itself Spark takes half of the machine's memory: other things run here too.
    os.environ.setdefault("PYSPARK_SUBMIT_ARGS", "--driver-memory 4g pyspark-shell")
    engine = Spark()
    context = engine._session.sparkContext
    java = context._gateway.proc.pid
    begun, worked = time.perf_counter(), processor(java)
    if task["verb"] == "assess":
        records = sf.assess(task["path"], quasi=task["quasi"], k=task["k"], engine=engine).sizes.count
    else:
        found = sf.anonymise(task["path"], quasi=task["quasi"], k=task["k"], suppress=0.02, engine=engine)
        records = found.condensed
    measured = {
        "wall": time.perf_counter() - begun,
        "cpu": processor(java) - worked,
        "peak_gb": peak(java) + resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2,
        "found": {"classes": records},
        "jobs": len(context.statusTracker().getJobIdsForGroup()),
    }
    print(json.dumps(measured))


def processor(java: int) -> float:
    """Seconds of processor of this process and of Java; Linux counts the latter in hundredths (proc(5), 14 and 15)."""
    fields = Path(f"/proc/{java}/stat").read_text().rpartition(")")[2].split()
    return time.process_time() + (int(fields[11]) + int(fields[12])) / 100


def peak(java: int) -> float:
    """The most memory that Java had, in GB."""
    status = Path(f"/proc/{java}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024**2


if __name__ == "__main__":
    main()

"""`assess`, `anonymise`, `apply` and `release` on a cluster: a master and two workers of their own on this machine.

Each is a whole command from start to end, the start of Java included. Seconds of processor are of all processes
together, those of the cluster too. In one run a worker is killed half-way.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import file_digest
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Any

from report import Bound, Comparison, Page, publish, table
from running import COLUMNS, DATA, ROWS, made

COMMAND = Path(sys.executable).with_name("sfumato")
LOOPBACK, WAIT, LOOK = "127.0.0.1", 240, 0.1  # seconds: for a process that does not answer, between two looks
SIZES = {
    "assess": (1, 4),
    "anonymise": (1, 4, 10, 20),
    "apply": (1, 4, 10, 20),
    "release": (1, 4),
}  # times the rows
KILLED = "anonymise, a worker killed"
TICKS = os.sysconf("SC_CLK_TCK")
PLAINLY = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # as Sfumato lets Java compile on one machine
SPARK = ("--driver-memory 4g --executor-memory 3g pyspark-shell", "3g")
PLAN = """\
steps:
  - drop: {columns: [cost]}
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, edges: [0, 30, 45, 60, 100]}}
  - suppress_records: {class_size: 5, columns: [sex, age, race]}
"""
PROJECT = """\
data: {{source: "{source}"}}
columns:
{columns}
  cost: {{role: sensitive}}
measures:
  - {{measure: k_anonymity, at_least: 5}}
anonymise: {{method: optimal, suppress: 0.02}}
"""


@dataclass
class Watched:
    """What a process and all that it started took, looked at again and again, since Linux forgets who has ended."""

    roots: list[int]
    before: dict[int, float] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    gigabytes: dict[int, float] = field(default_factory=dict)

    def look(self) -> None:
        for pid in (pid for root in self.roots for pid in family(root)):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                status = Path(f"/proc/{pid}/status").read_text().splitlines()
            except OSError:
                continue  # it has just ended
            self.seconds[pid] = (int(fields[11]) + int(fields[12])) / TICKS
            most = next((int(line.split()[1]) for line in status if line.startswith("VmHWM")), 0)
            self.gigabytes[pid] = max(self.gigabytes.get(pid, 0), most / 1024**2)

    @property
    def processor(self) -> float:
        return sum(seconds - self.before.get(pid, 0) for pid, seconds in self.seconds.items())


def family(root: int) -> Iterator[int]:
    """A process and all that it started, and they started."""
    yield root
    try:
        children = [int(child) for task in Path(f"/proc/{root}/task").iterdir()
                    for child in (task / "children").read_text().split()]  # fmt: skip
    except OSError:
        return  # it has just ended
    for child in children:
        yield from family(child)


@dataclass
class Cluster:
    """A master and two workers of one processor each."""

    url: str
    environment: dict[str, str]
    master: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    @property
    def processes(self) -> list[int]:
        return [process.pid for process in (self.master, *self.workers) if process.poll() is None]


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster for as long as the block lasts."""
    home, port = Path(str(files("pyspark"))), free_port()
    scala = next(home.glob("jars/scala-library-*.jar")).stem.removeprefix("scala-library-").rpartition(".")[0]
    environment = {
        **os.environ, "SPARK_HOME": str(home), "SPARK_SCALA_VERSION": scala, "SPARK_LOCAL_IP": LOOPBACK,
        "PYSPARK_SUBMIT_ARGS": SPARK[0], "JDK_JAVA_OPTIONS": PLAINLY, "SFUMATO_ALLOW": str(DATA),
    }  # fmt: skip
    url, at = f"spark://{LOOPBACK}:{port}", ["--host", LOOPBACK, "--webui-port", "0"]
    started: list[subprocess.Popen[bytes]] = []

    def daemon(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        java = ["java", "-Xmx512m", "-cp", str(home / "jars" / "*"), f"org.apache.spark.deploy.{name}"]
        process = subprocess.Popen(
            [*java, *at, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        started.append(process)
        return process

    try:
        master = daemon("master.Master", "--port", str(port))
        answering(port)
        each = ["--cores", "1", "--memory", SPARK[1]]
        workers = [daemon("worker.Worker", *each, "--work-dir", str(folder / f"worker{i}"), url) for i in range(2)]
        yield Cluster(url, environment, master, workers)
    finally:
        for process in started:
            process.kill()
            process.wait(WAIT)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def answering(port: int) -> None:
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((LOOPBACK, port)) == 0:
                return
        time.sleep(LOOK)
    sys.exit("The master does not answer.")


def command(verb: str, path: Path, folder: Path, engine: list[str]) -> list[str]:
    """One command, which writes into `out` of a folder."""
    (folder / "plan.yaml").write_text(PLAN)
    columns = "\n".join(f"  {name}: {{role: quasi}}" for name in COLUMNS)
    (folder / "project.yaml").write_text(PROJECT.format(source=path, columns=columns))
    quasi = ["--quasi", ",".join(COLUMNS), "--k", "5"]
    given = {
        "assess": ["assess", str(path), *quasi, "--json", "out.json"],
        "anonymise": ["anonymise", str(path), *quasi, "--suppress", "0.02", "-o", "out"],
        "apply": ["apply", "plan.yaml", str(path), "-o", "out.parquet", "--release-rest"],
        "release": ["release", "--project", "project.yaml", "--out", "out", "--no-report"],
    }[verb]
    return [str(COMMAND), *given, *engine]


def ran(verb: str, path: Path, here: Cluster, folder: Path, *, kill: float = inf) -> dict[str, Any]:
    """One command on the cluster; after so many seconds a worker is killed."""
    folder.mkdir()
    watched = Watched(here.processes)
    watched.look()
    watched.before = dict(watched.seconds)
    began, done = time.monotonic(), threading.Event()
    engine = ["--engine", "spark", "--master", here.url]
    with (folder / "said.txt").open("wb") as said:
        process = subprocess.Popen(
            command(verb, path, folder, engine), cwd=folder, env=here.environment, stdout=said, stderr=said
        )
        watched.roots.append(process.pid)

        def watch() -> None:
            while not done.wait(LOOK):
                watched.look()
                if time.monotonic() - began > kill and here.workers[0].poll() is None:
                    here.workers[0].kill()

        beside = threading.Thread(target=watch)
        beside.start()
        code = process.wait()
        wall = time.monotonic() - began
        time.sleep(5 * LOOK)  # executors end a little later
        done.set()
        beside.join()
    if code > 1:  # 1 is a policy that is not met
        sys.exit(f"sfumato {verb} ended with {code}: {(folder / 'said.txt').read_text()[-2000:]}")
    gigabytes = watched.gigabytes
    driver = sum(gigabytes.get(pid, 0) for pid in watched.seconds if pid not in watched.before)
    result = {"wall": wall, "cpu": watched.processor, "peak_gb": driver, "files": written(folder)}
    print(f"{verb}, {path.stem}: {wall:.1f} s, {result['cpu']:.1f} s of processor", flush=True)
    return result


def written(folder: Path) -> dict[str, str]:
    """The release that a command wrote, by its hash: of CSV files, since Parquet says who wrote it."""
    release = folder / "out" / "released.csv"
    if not release.exists():
        return {}
    with release.open("rb") as file:
        return {release.name: file_digest(file, "sha256").hexdigest()}


def on_duckdb(verb: str, path: Path, folder: Path) -> dict[str, str]:
    """The same release without a cluster."""
    folder.mkdir()
    allowed = {**os.environ, "SFUMATO_ALLOW": str(DATA)}
    subprocess.run(command(verb, path, folder, []), cwd=folder, env=allowed, check=True, stdout=subprocess.DEVNULL)
    return written(folder)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS)
    options.add_argument("--minutes", type=float, default=inf, help="after which nothing more is begun")
    asked = options.parse_args()
    until, found = time.monotonic() + 60 * asked.minutes, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = {times: made("plain", asked.rows * times) for times in sorted({t for ts in SIZES.values() for t in ts})}
        with cluster(folder) as here:
            for times, path in paths.items():
                for verb in (verb for verb, sizes in SIZES.items() if times in sizes):
                    if time.monotonic() < until:
                        found[verb, times] = ran(verb, path, here, folder / f"{verb}-{times}")
            wall = found["anonymise", 1]["wall"]
            killed = ran("anonymise", paths[1], here, folder / "killed", kill=wall / 2)
        same = {verb: on_duckdb(verb, paths[1], folder / f"{verb}-duckdb") for verb in ("anonymise", "release")}
    publish(page(found, killed, same, asked.rows), quick=asked.rows != ROWS)


def page(
    found: dict[tuple[str, int], dict[str, Any]],
    killed: dict[str, Any],
    same: dict[str, dict[str, str]],
    rows: int,
    told: str = "",
) -> Page:
    bounds = [
        Bound(f"{verb}, {max(sizes)} times the rows", "times the CPU a row", 1.0, grown(found, verb, max(sizes)))
        for verb, sizes in SIZES.items()
    ]
    ours = {f"{verb}, {name}": float(int(text, 16)) for verb in same for name, text in found[verb, 1]["files"].items()}
    ours |= {f"{KILLED}, {name}": float(int(text, 16)) for name, text in killed["files"].items()}
    theirs = {f"{verb}, {name}": float(int(text, 16)) for verb, each in same.items() for name, text in each.items()}
    theirs |= {f"{KILLED}, {name}": float(int(text, 16)) for name, text in same["anonymise"].items()}
    every = [*found.items(), ((KILLED, 1), killed)]
    lines = [
        [verb, f"{rows * times:,}", f"{m['wall']:.0f}", f"{m['cpu']:.0f}", f"{1e6 * m['cpu'] / rows / times:.2f}",
         f"{m['peak_gb']:.1f}" if m["peak_gb"] else "not noted"]
        for (verb, times), m in every
    ]  # fmt: skip
    head = ["command", "rows", "wall s", "CPU s", "CPU µs a row", "GB of driver and executors"]
    return Page(
        name="cluster",
        title="a Spark cluster",
        bounds=tuple(bounds),
        comparisons=(Comparison.of("hashes of the release, with DuckDB", ours, theirs),),
        body=f"""A master and two workers as processes of their own on one machine, one processor and {SPARK[1]} each
(pyspark's own classes, `--master spark://...`), Java compiling plainly. The census table resampled, nine
quasi-identifiers, k = 5, from Parquet; `anonymise` compares all ways with 2 % suppressed at the most, `apply`
generalises the age and suppresses, `release` makes a package without reports. Whole commands, Java's start included;
CPU is of driver, master, workers and executors together, memory the sum of the most that driver and executors each
had. In the last line a worker is killed after half of the time.{told}

{table(head, lines)}""",
    )


def grown(found: dict[tuple[str, int], dict[str, Any]], verb: str, times: int) -> float | None:
    """How much more the CPU of a row is in the largest table; None where that was not measured."""
    small, large = found.get((verb, 1)), found.get((verb, times))
    return large["cpu"] / times / small["cpu"] if small and large else None


if __name__ == "__main__":
    main()

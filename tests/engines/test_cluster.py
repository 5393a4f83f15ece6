"""A real cluster: a master and two workers as processes of their own on this machine, and one of them is killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.conftest import QUICK

from sfumato.tables.engines.duckdb import DuckDB

WAIT = 240  # seconds until a process that does not answer is given up
LOOPBACK = "127.0.0.1"
PROJECT = """\
data: {source: patients.parquet}
subject: patient
columns:
  patient: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 4}
anonymise: {method: optimal, suppress: 0.1}
"""
PLAN = """\
steps:
  - drop: {columns: [patient]}
  - generalise: {column: diagnosis, level: 2, hierarchy: {kind: icd10}}
"""
# Commands one after the other in one process, which has one session; before each it waits for a line. On a cluster an
# executor stumbles over a cell first.
COMMANDS = """\
import json, sys
from sfumato.cli import app

def stumble(master):
    import pyarrow as pa
    from sfumato.errors import EngineError
    from sfumato.tables.engines.spark import Spark

    engine = Spark(master=master)
    held = engine.load(pa.table({"t": ["1", "zaphod"] * 50}))
    try:
        engine.query(f"SELECT CAST(t AS INTEGER) AS n FROM {held}")
    except EngineError:
        print("stumbled", flush=True)

for master in sys.argv[2:]:
    stumble(master)
for arguments in json.loads(sys.argv[1]):
    print("next", flush=True)
    sys.stdin.readline()
    try:
        app(arguments, standalone_mode=False)
    except SystemExit as ended:
        print("code", ended.code, flush=True)
"""


@dataclass
class Cluster:
    """A master and its workers."""

    url: str
    folder: Path
    environment: dict[str, str]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    programs: list[subprocess.Popen[str]] = field(default_factory=list)

    def python(self, program: str, *arguments: str, cwd: Path) -> subprocess.Popen[str]:
        """A program that drives the cluster."""
        started = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            cwd=cwd, env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.programs.append(started)
        return started

    def kill_worker(self) -> None:
        """End a worker without a word; its executor notices and goes as well."""
        self.workers[0].send_signal(signal.SIGKILL)
        self.workers[0].wait(WAIT)

    def logs(self) -> str:
        """What the executors have written."""
        written = self.folder.rglob("stderr"), self.folder.rglob("stdout")
        return "".join(path.read_text(errors="replace") for paths in written for path in paths)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'sfumato[spark]'")
    from sfumato.tables.engines.spark.session import OLDEST_JAVA, java_version

    java = java_version()
    if java is None or java < OLDEST_JAVA:
        pytest.skip(f"Spark needs Java {OLDEST_JAVA} or newer; found {java or 'none'}")
    folder, home, port = tmp_path_factory.mktemp("cluster"), Path(pyspark.__file__).parent, free_port()
    # Which Scala it is, Spark's scripts tell a worker; without it a worker cannot start its executors.
    scala = next(home.glob("jars/scala-library-*.jar")).stem.removeprefix("scala-library-").rpartition(".")[0]
    settings = {
        "SPARK_HOME": str(home), "SPARK_SCALA_VERSION": scala, "SPARK_LOCAL_IP": LOOPBACK, "JDK_JAVA_OPTIONS": QUICK,
    }  # fmt: skip
    environment = {**os.environ, **settings, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    made = Cluster(f"spark://{LOOPBACK}:{port}", folder, environment)
    at = ["--host", LOOPBACK, "--webui-port", "0"]
    master = daemon(made, "master.Master", *at, "--port", str(port))
    try:
        answering(port)
        for i in range(2):
            small = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"worker{i}")]
            made.workers.append(daemon(made, "worker.Worker", *at, *small, made.url))
        yield made
    finally:
        for process in (*made.programs, *made.workers, master):
            process.kill()
            process.wait(WAIT)


def daemon(cluster: Cluster, name: str, *arguments: str) -> subprocess.Popen[bytes]:
    jars = str(Path(cluster.environment["SPARK_HOME"], "jars", "*"))
    with (cluster.folder / "daemons.txt").open("ab") as log:
        return subprocess.Popen(
            ["java", "-Xmx256m", "-cp", jars, f"org.apache.spark.deploy.{name}", *arguments],
            env=cluster.environment, stdout=log, stderr=log,
        )  # fmt: skip


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
        time.sleep(0.1)
    pytest.fail("the master does not answer")


def patients(folder: Path, rows: int) -> None:
    codes = ["E11.9", "I10", "J45.0", "E10.1"]
    table = {
        "patient": [f"P{i}" for i in range(rows)],
        "age": [30 + i * 7 % 40 for i in range(rows)],
        "sex": ["MF"[i % 2] for i in range(rows)],
        "diagnosis": [codes[i * i % 4] for i in range(rows)],
    }
    pq.write_table(pa.table(table), folder / "patients.parquet")
    (folder / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")


def commands(engine: list[str], prefix: str) -> list[list[str]]:
    asked = ["patients.parquet", "--quasi", "age,sex", *engine]
    memory = ["--memory", "1KB"] if engine else []  # a cluster searches in the engine, DuckDB in memory
    return [
        ["assess", *asked, "--k", "2", "--json", f"{prefix}-assessed.json"],
        ["anonymise", *asked, "--k", "4", "-o", f"{prefix}-anonymised"],
        ["anonymise", *asked, "--k", "4", "--method", "optimal", *memory, "-o", f"{prefix}-optimal"],
        ["apply", "plan.yaml", "patients.parquet", "-o", f"{prefix}-applied.parquet", "--release-rest", *engine],
        ["release", "--out", f"{prefix}-package", "--no-report", *engine],
    ]


def driven(cluster: Cluster, folder: Path, asked: list[list[str]], *master: str, killing: int | None = None) -> str:
    """What commands say; a worker is killed as soon as one of them runs."""
    ran = cluster.python(COMMANDS, json.dumps(asked), *master, cwd=folder)
    assert ran.stdin is not None
    assert ran.stdout is not None
    said, begun = [], 0
    for line in ran.stdout:
        said.append(line)
        if line == "next\n":
            ran.stdin.write("\n")
            ran.stdin.flush()
            if begun == killing:
                cluster.kill_worker()
            begun += 1
    assert ran.wait(WAIT) == 0, "".join(said)
    return "".join(said)


def rows_of(path: Path) -> list[tuple[object, ...]]:
    duck = DuckDB()
    return duck.fetch(f"SELECT * FROM {duck.read_parquet(path)}")


def assessed(folder: Path, who: str) -> dict[str, object]:
    document: dict[str, object] = json.loads((folder / f"{who}-assessed.json").read_text(encoding="utf-8"))
    return document


def check(folder: Path) -> None:
    """The cluster gives what DuckDB gives."""
    assert assessed(folder, "spark") == assessed(folder, "duckdb")
    assert rows_of(folder / "spark-applied.parquet") == rows_of(folder / "duckdb-applied.parquet")
    made = (
        f"{where}/{name}" for where in ("anonymised", "optimal", "package") for name in ("released.csv", "plan.yaml")
    )
    for name in made:
        assert (folder / f"spark-{name}").read_bytes() == (folder / f"duckdb-{name}").read_bytes()


@pytest.mark.spark
def test_assess_on_a_cluster_reads_what_duckdb_reads_and_no_worker_logs_a_cell(
    cluster: Cluster, tmp_path: Path
) -> None:
    patients(tmp_path, 120)
    driven(cluster, tmp_path, commands([], "duckdb")[:1])
    asked = commands(["--engine", "spark", "--master", cluster.url], "spark")[:1]
    assert "stumbled\n" in driven(cluster, tmp_path, asked, cluster.url)
    assert "Spark Executor Command" in cluster.logs()
    assert "zaphod" not in cluster.logs()
    assert assessed(tmp_path, "spark") == assessed(tmp_path, "duckdb")


@pytest.mark.soak
@pytest.mark.spark
def test_four_verbs_run_on_a_cluster_while_a_worker_is_killed_as_on_one_machine(
    cluster: Cluster, tmp_path: Path
) -> None:
    patients(tmp_path, 120)
    driven(cluster, tmp_path, commands([], "duckdb"))
    said = driven(cluster, tmp_path, commands(["--engine", "spark", "--master", cluster.url], "spark"), killing=1)
    assert "code 2" not in said, said
    assert cluster.workers[0].poll() is not None
    assert cluster.workers[1].poll() is None
    check(tmp_path)

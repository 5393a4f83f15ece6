"""A Spark session on this machine or on a given master, quiet and without network."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import MissingExtra, UnusableInput

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST_JAVA = 17

# What the translated SQL takes for granted.
SQL = {
    "spark.sql.ansi.enabled": "true",  # an overflow or a failed cast is an error, never a silent null
    "spark.sql.caseSensitive": "true",  # `Age` and `age` are two columns
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # What the parser remembers of every statement grows without end, and stops the driver after thousands of them.
    "spark.sql.parser.manageParserCaches": "true",
    "spark.sql.parser.parserDfaCacheFlushThreshold": "20000",
}

# For the time before there is a session. Spark puts its own log in place of one without appenders.
QUIET = """status = OFF
rootLogger.level = OFF
rootLogger.appenderRef.none.ref = none
appender.none.type = Null
appender.none.name = none
"""


# Executors keep a log each on their workers, and quote cells in it as the driver does. The first is how a log begins
# that no file says anything about, and Spark leaves such a log alone unless it has the usual level.
REMOTE = {
    "spark.executor.extraJavaOptions": "-Dorg.apache.logging.log4j.level=OFF",
    "spark.executor.syncLogLevel.enabled": "true",
}


# On one machine a table is soon read: compiled once and plainly, what reads it takes half the processor time of what
# Java would compile again while it runs, up to some twelve million rows (docs/explanation/performance.md).
PLAINLY = "-XX:TieredStopAtLevel=1"
ONE_COLLECTOR = "-XX:+UseSerialGC"  # of memory; several wait for each other where there are few processors
FEW_PROCESSORS = 2


def started(master: str, folder: str, settings: dict[str, str] | None = None) -> SparkSession:
    """The session of this process, started when there is none."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra("The engine 'spark'", "spark") from None
    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    require_java()
    builder = SparkSession.builder.master(master).appName("sfumato")
    for key, value in (_launch(master, folder) | (settings or {})).items():
        builder = builder.config(key, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of pandas, which Spark imports and this engine does not use
        return builder.getOrCreate()


def own(session: SparkSession) -> SparkSession:
    """A session beside the given one, with settings and names of its own, that logs nothing."""
    from pyspark.logger import PySparkLogger

    session.sparkContext.setLogLevel("OFF")
    # PySpark keeps a log in Python as well, and writes whole messages of the JVM into it.
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL + 1)
    beside = session.newSession()
    for key, value in SQL.items():
        beside.conf.set(key, value)
    return beside


def require_java() -> None:
    """`UnusableInput` unless a Java is here that Spark runs on."""
    version = java_version()
    if version is None or version < OLDEST_JAVA:
        what = "there is none on this machine" if version is None else f"the one on this machine is {version}"
        raise UnusableInput(
            f"The engine 'spark' needs Java {OLDEST_JAVA} or newer, and {what}. Install one (on Debian or "
            f"Ubuntu: apt install openjdk-17-jre-headless; elsewhere any OpenJDK {OLDEST_JAVA}), and set "
            "JAVA_HOME to its folder if `java` is not on the PATH. The engine 'duckdb' needs no Java."
        )


def java_version() -> int | None:
    """The main version of the Java that Spark would start, None when there is none."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if java is None:
        return None
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    return int(version[1]) if version else None


def _launch(master: str, folder: str) -> dict[str, str]:
    quiet = Path(folder, "log4j2.properties")
    quiet.write_text(QUIET, encoding="utf-8")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.ui.retainedExecutions": "10",  # kept for pages that nobody can open
        "spark.driver.extraJavaOptions": " ".join([f"-Dlog4j2.configurationFile={quiet.as_uri()}", *_java(master)]),
        "spark.local.dir": folder,  # what does not fit into memory, and what is exchanged between tasks
        "spark.sql.warehouse.dir": str(Path(folder, "warehouse")),
    }
    return settings | (_local() if master.startswith("local") else REMOTE)


def _java(master: str) -> list[str]:
    """How Java works on this machine, unless its own variables say so; workers of a cluster are set up by others."""
    said = " ".join(os.environ.get(name, "") for name in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"))
    if not master.startswith("local"):
        return []
    plainly = [] if "Tiered" in said else [PLAINLY]
    collector = [] if "GC" in said or (os.cpu_count() or 1) > FEW_PROCESSORS else [ONE_COLLECTOR]
    return plainly + collector


def _local() -> dict[str, str]:
    return {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": f"{_half_the_memory()}m",
        "spark.sql.shuffle.partitions": str(4 * (os.cpu_count() or 1)),
    }


def _half_the_memory() -> int:
    try:
        megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (ValueError, OSError, AttributeError):
        megabytes = 4096
    return max(1024, megabytes // 2)

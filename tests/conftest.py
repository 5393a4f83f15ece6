"""Fixtures that every test may use: engines, and the folder of shared data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from sfumato.tables.engine import Engine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The same examples on every run, so that a red test is red for everybody; HYPOTHESIS_PROFILE=explore draws new ones.
# Twenty of them are a slice that two processors can run with everything else; `explore` draws as many as is usual.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=20)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# The key of the tests, so that what is drawn is the same on every run. It protects nothing: it stands here.
KEY = "5f1d3c0a9b7e42688c1f0d2e3b4a59687766f5e4d3c2b1a00f1e2d3c4b5a6978"

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # a short life needs no optimising compiler
SMALL = {
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.extraJavaOptions": "",  # Spark's own log, as in a session that a caller brings along
}


@contextmanager
def terminal_to(path: Path) -> Iterator[None]:
    """Give processes started meanwhile a file for a terminal. They keep it, so capfd never sees it."""
    kept = os.dup(1), os.dup(2)
    with path.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    try:
        yield
    finally:
        for stream, former in zip((1, 2), kept, strict=True):
            os.dup2(former, stream)
            os.close(former)


@pytest.fixture(autouse=True, scope="session")
def _key() -> Iterator[None]:
    """The key that steps draw by, wherever no test says otherwise; so no key is made beside the plans of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SFUMATO_KEY", KEY)
        yield


@pytest.fixture(scope="session")
def spark_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the Java process of the session writes what it would write to the terminal."""
    return tmp_path_factory.mktemp("spark") / "log.txt"


@pytest.fixture(scope="session")
def spark(spark_log: Path) -> Iterator[SparkSession]:
    """The one Spark session of the whole run: starting one takes longer than most tests."""
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'sfumato[spark]'")
    from sfumato.tables.engines.spark.session import OLDEST_JAVA, java_version, started

    java = java_version()
    if java is None or java < OLDEST_JAVA:
        pytest.skip(f"Spark needs Java {OLDEST_JAVA} or newer; found {java or 'none'}")
    with pytest.MonkeyPatch.context() as patch, terminal_to(spark_log):
        patch.setenv("JDK_JAVA_OPTIONS", QUICK)
        session = started("local[2]", str(spark_log.parent), SMALL)
    yield session
    session.stop()


@pytest.fixture(params=["duckdb", pytest.param("spark", marks=pytest.mark.spark)])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn, empty."""
    if request.param == "spark":
        from sfumato.tables.engines.spark import Spark

        return Spark(request.getfixturevalue("spark"))
    from sfumato.tables.engines.duckdb import DuckDB

    return DuckDB()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data beside the repository."""
    folder = Path(__file__).parents[1] / ".." / "shared"
    if not folder.is_dir():
        pytest.skip("there is no folder ../shared beside the repository")
    return folder.resolve()

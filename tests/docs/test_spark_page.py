"""The page on Spark: what it shows runs, on one machine in the place of a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.docs.examples import EXAMPLES
from tests.docs.pages import blocks, commands
from tests.docs.running import printed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = "docs/how-to/spark.md"


@pytest.mark.spark
def test_what_the_page_on_spark_shows_runs_on_one_machine(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import duckdb

    monkeypatch.chdir(tmp_path)
    for name in ("patients.csv", "plan.yaml"):
        Path(name).write_text(EXAMPLES[name], encoding="utf-8")
    Path("visits").mkdir()
    duckdb.sql(
        "COPY (FROM read_csv('patients.csv', nullstr = 'NA', types = {'postcode': 'VARCHAR'})) TO 'visits/1.parquet'"
    )
    release = next(command.line for command in commands(PAGE) if command.line.startswith("sfumato apply"))
    line = release.replace("spark://node1:7077", "local[2]")
    assert printed(line, monkeypatch, capfd)[0] == 0
    assert duckdb.sql("SELECT count(*) FROM 'release.parquet'").fetchall() == [(12,)]
    names: dict[str, object] = {"session": spark}
    for block in blocks(PAGE, "python"):  # the same question as the command `sfumato assess` of the page
        exec(compile(block.text, block.place, "exec"), names)
    assert names["found"].met is False  # type: ignore[attr-defined]

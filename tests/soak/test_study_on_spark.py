"""A whole study on Spark: every file that it writes is the same as on DuckDB, byte by byte."""

import pytest

from sfumato.studies.bio_streams.pilot import write_pilot
from sfumato.studies.study import bio_streams


@pytest.mark.soak
@pytest.mark.spark
def test_a_study_writes_the_same_bytes_on_spark(tmp_path, spark):
    from sfumato.tables.engines.spark import Spark

    write_pilot(tmp_path, children=80)
    here = {file.name: file.read_bytes() for file in bio_streams(tmp_path, pilot="PENTELI").files}
    outcome = bio_streams(tmp_path, pilot="PENTELI", engine=Spark(spark))
    assert {file.name: file.read_bytes() for file in outcome.files} == here

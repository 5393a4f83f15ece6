"""Every measure, every flag and every reading of missing values: the same numbers on every engine."""

import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.privacy.assess import assess
from sfumato.privacy.catalogue import measures
from sfumato.privacy.flagged_files import write_flagged
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.policy import Requirement
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Extract

HERE = DuckDB()
PARAMETERS = {"l": 2, "k": 2}


def visits(seed: int = 4) -> pa.Table:
    """Sixty visits of some forty patients: missing values, several rows a patient, odd column names."""
    draw = random.Random(seed)
    rows = [
        {
            "patient": draw.choice([None, *(f"p{i}" for i in range(40))]),
            'a "b" c': draw.choice(["x", "y", None]),
            "size": draw.choice([30, 30, 41, 57, None]),
            "class_id": draw.choice(["flu", "cold", "asthma", None]),
            "chol": draw.choice([None, *(round(draw.gauss(180, 30), 1) for _ in range(3))]),
        }
        for _ in range(60)
    ]
    return pa.Table.from_pylist(rows)


def few_requirements() -> list[str]:
    return [
        "k_anonymity >= 2",
        "distinct_l_diversity(class_id) >= 2",
        "t_closeness(class_id) <= 0.2",
        "t_ordered(chol) <= 0.2",
    ]


def every_requirement() -> list[Requirement]:
    found = []
    for cls in measures().values():
        allowed = {name: value for name, value in PARAMETERS.items() if name in cls.__dataclass_fields__}
        if not issubclass(cls, SensitiveMeasure):
            found.append(Requirement(cls(**allowed), 2 if cls.safer == "higher" else 0.2))
            continue
        for column in ("class_id", "chol"):
            if column == "chol" or not cls.name().startswith("t_wasserstein"):
                found.append(Requirement(cls(column, **allowed), 2 if cls.safer == "higher" else 0.2))
    return found


def assessed(engine, requirements, **options):
    extract = Extract("visits", engine.load(visits()), ())
    return assess(
        extract,
        quasi=['a "b" c', "size"],
        sensitive=["class_id", "chol"],
        bins={"size": [0, 40, 60]},
        requirements=requirements,
        **options,
    )


def rounded(column: pa.ChunkedArray) -> list:
    return [round(value, 12) if isinstance(value, float) else value for value in column.to_pylist()]


def same_findings(here, there):
    for ours, theirs in zip(here.readings, there.readings, strict=True):
        assert theirs.value == pytest.approx(ours.value, rel=1e-12), ours.label
        assert (theirs.flagged, theirs.flagged_subjects) == (ours.flagged, ours.flagged_subjects), ours.label
    assert there.sizes == here.sizes
    assert there.overlap == here.overlap
    for name in here.flags.column_names:
        assert rounded(there.flags[name]) == rounded(here.flags[name]), name


def test_every_measure_and_every_flag_is_the_same_as_on_duckdb(engine):
    requirements = every_requirement()
    here, there = assessed(HERE, requirements), assessed(engine, requirements)
    assert {reading.measure.name() for reading in there.readings} == set(measures())
    same_findings(here, there)
    assert there.missing_readings == here.missing_readings


@pytest.mark.parametrize("missing_values", ["wildcard", "never_matches"])
def test_persons_and_other_readings_of_missing_values_are_the_same_as_on_duckdb(engine, missing_values):
    options = {"subject": "patient", "missing_values": missing_values}
    same_findings(assessed(HERE, few_requirements(), **options), assessed(engine, few_requirements(), **options))


def test_a_parquet_data_set_goes_in_and_flagged_records_come_out(engine, tmp_path):
    """The same bytes on every engine, several files in the data set, rows never passing through here."""
    (tmp_path / "data").mkdir()
    table = visits()
    for i in range(3):
        pq.write_table(table.slice(20 * i, 20), tmp_path / "data" / f"part-{i}.parquet")
    written = {}
    for one in (HERE, engine):
        found = assess(
            str(tmp_path / "data"),
            quasi=['a "b" c', "size"],
            sensitive=["class_id", "chol"],
            k=5,
            l=3,
            t=0.2,
            engine=one,
        )
        files = write_flagged(found, tmp_path / f"out-{one.name}")
        document = json.loads(found.to_json())
        written[one.name] = (
            {file.name: file.read_bytes() for file in files},
            document["readings"],
            document["classes"],
        )
    assert len(written["duckdb"][0]) == 5
    assert written[engine.name] == written["duckdb"]

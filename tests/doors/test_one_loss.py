"""The loss is one number: on the command line, in JSON and in the report, over columns that all of them name."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.app import app
from sfumato.proof.report.make_report import report
from sfumato.show.sheet import percent

QUASI = ["age", "town", "visits"]
ROWS = 120


def people() -> pa.Table:
    """Ages with a few very old, towns of different size, visits with one outlier."""
    return pa.table({
        "age": [(i * 37) % 95 for i in range(ROWS)],
        "town": [("Lyon", "Nice", "Bonn", "Köln")[(i * i) % 4] for i in range(ROWS)],
        "visits": [(i * 13) % 40 for i in range(ROWS - 1)] + [9876],
        "illness": [("gout", "flu", "asthma")[i % 3] for i in range(ROWS)],
    })  # fmt: skip


@pytest.mark.parametrize(("method", "suppress"), [
    ("optimal", 0.0), ("optimal", 0.05), ("local", 0.0), ("mondrian", 0.0), ("cells", 0.0),
])  # fmt: skip
def test_command_line_json_and_report_say_the_same_loss_over_the_same_columns(
    tmp_path: Path, method: str, suppress: float
) -> None:
    source, out = tmp_path / "people.csv", tmp_path / "out"
    pyarrow.csv.write_csv(people(), source)
    asked = ["anonymise", str(source), "--quasi", ",".join(QUASI), "--sensitive", "illness", "--k", "4"]
    run = CliRunner().invoke(
        app, [*asked, "--method", method, "--suppress", str(suppress), "--out", str(out)], catch_exceptions=False
    )
    assert run.exit_code == 0, run.output
    found = json.loads((out / "anonymisation.json").read_text(encoding="utf-8"))
    compared = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    loss = found["lost"]["total"]["loss"]
    assert found["lost"]["over"] == compared["quasi_identifiers"] == QUASI
    assert compared["total"]["loss"]["normalised"] == loss
    assert found["score"]["normalised"] == pytest.approx(loss)
    assert f"{percent(loss)} lost (loss over age, town, visits)" in " ".join(run.output.split())

    anonymised = sf.anonymise(people(), quasi=QUASI, sensitive="illness", k=4, method=method, suppress=suppress)
    assert anonymised.document()["lost"]["total"]["loss"] == pytest.approx(loss)
    written = report(people(), anonymised=anonymised, charts=False, attacks=False, curve=False)
    glance = dict(written.glance)
    assert glance["detail lost (loss over age, town, visits)"] == percent(loss)
    assert "singled out by age, town, visits" in glance
    steps = next(block.section for block in written["transformations"].blocks if "loss lost" in block.section.columns)
    assert steps.rows[-1][steps.columns.index("loss lost")] == percent(loss)


def test_a_release_that_is_read_from_a_file_has_the_loss_of_the_same_columns(tmp_path: Path) -> None:
    """The report once counted the sensitive column too, which is released as it was: a third of the loss vanished."""
    anonymised = sf.anonymise(people(), quasi=QUASI, sensitive="illness", k=4)
    compared = sf.compare(people(), anonymised.release, quasi=QUASI, by_position=True)
    written = report(
        people(), released=anonymised.release, by_position=True, quasi=QUASI, sensitive="illness", charts=False,
        attacks=False, curve=False,
    )  # fmt: skip
    loss = compared["loss"].total.normalised
    assert dict(written.glance)["detail lost (loss over age, town, visits)"] == percent(loss)


def test_full_domain_recoding_is_not_called_local() -> None:
    """90+ is the label of the old at every level: so their lowest level is another than that of the young."""
    table = pa.table({"age": [21, 22, 23, 24, 91, 92, 93, 94], "sex": ["f", "m"] * 4})
    release = sf.anonymise(table, quasi=["age", "sex"], k=2, levels={"age": (2, 2), "sex": (0, 0)})
    losses = release.losses
    assert losses is not None
    assert release.levels == {"age": 2, "sex": 0}
    assert losses.content().changes["age"].words == "generalised to level 2"
    assert losses.content().changes["age"].levels == (2,)
    assert "ocally" not in losses.sheet().text()

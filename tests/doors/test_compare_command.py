"""`sfumato compare`, as a user runs it: what it says, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.doors.conftest import Command

import sfumato as sf
from sfumato.tables.engine import Engine
from sfumato.tables.load import load


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "original.csv").write_text(
        "id,age,town,cost\n1,21,Ayr,5\n2,34,Bath,7\n3,,Bath,9\n4,55,Cork,2\n5,58,Ayr,4\n", encoding="utf-8"
    )
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "age.csv").write_text(
        "21;20-39;*\n34;20-39;*\n55;40-59;*\n58;40-59;*\n", encoding="utf-8"
    )
    return tmp_path


def released(folder: Path, text: str) -> str:
    (folder / "released.csv").write_text(text, encoding="utf-8")
    return str(folder / "released.csv")


WHOLE = "id,age,town,cost\n5,40-59,Ayr,4\n1,20-39,Ayr,5\n2,20-39,*,7\n3,,*,9\n"


def compared(sfumato: Command, folder: Path, text: str, *options: str) -> dict[str, Any]:
    target = folder / "out.json"
    ran = sfumato("compare", str(folder / "original.csv"), released(folder, text), "--json", str(target),
                  "--by-position", *options)  # fmt: skip
    assert ran.code == 0, ran.said
    found: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return found


def test_records_are_paired_by_a_key_and_those_that_lack_were_suppressed(sfumato: Command, folder: Path) -> None:
    options = ("--quasi", "age,town", "--key", "id", "--hierarchies", str(folder / "hierarchies"))
    found = compared(sfumato, folder, WHOLE, *options)
    assert (found["records"], found["suppressed"], found["paired_by"]) == (5, 1, "id")
    assert found["changes"]["age"]["records"] == {"same": 1, "broader": 3, "gone": 1, "moved": 0}
    assert found["changes"]["town"]["records"] == {"same": 2, "broader": 0, "gone": 3, "moved": 0}
    assert set(found["columns"]) == {"age", "town"}
    assert set(found["total"]["loss"]) >= {"value", "normalised"}
    assert found["columns"]["age"]["loss"]["value"] == pytest.approx((3 * 1 + 1 * 3) / 5 / 3)
    assert found["columns"]["age"]["precision"]["value"] == pytest.approx(1 - (3 * 1 + 2) / 5 / 2)
    assert found["columns"]["town"]["missing_share"]["value"] == pytest.approx(0.6)


def test_what_is_shown_names_each_column_and_says_what_does_not_apply(sfumato: Command, folder: Path) -> None:
    text = released(folder, WHOLE)
    ran = sfumato("compare", str(folder / "original.csv"), text, "--key", "id", "--quasi", "age,town")
    assert ran.code == 0
    assert "1 of 5 records suppressed (20.0 %)" in ran.said
    assert "needs the hierarchy of the column" in ran.said
    assert "Bath" not in ran.said


def test_all_columns_but_the_key_are_compared_when_none_are_named(sfumato: Command, folder: Path) -> None:
    found = compared(sfumato, folder, WHOLE, "--key", "id")
    assert found["quasi_identifiers"] == ["age", "town", "cost"]


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("id,age\n1,21\n2,34\n", (), "The original has 5 records and the release 2"),
        ("id,age\n1,21\n1,34\n", ("--key", "id"), "of the release is no key of its records: 1 record too many"),
        ("id,age\n1,21\n,34\n", ("--key", "id"), "of the release is no key of its records: 1 records without one"),
        ("id,age\n1,21\n9,34\n", ("--key", "id"), "1 record of the release have a key that the original lacks"),
        ("id,age\n1,21\n", ("--key", "pid"), "no column 'pid'"),
        ("id,age\n1,21\n", ("--key", "id", "--quasi", "aeg"), "Did you mean 'age'?"),
        ("id,age\n1,21\n", ("--key", "id", "--quasi", "age,age"), "named twice"),
        ("id,age\n1,21\n", ("--key", "id", "--model", "los"), "Did you mean 'loss'?"),
        ("id,age\n1,21\n", ("--key", "id", "--hierarchies", "nowhere"), "no such folder of hierarchies"),
    ],
)
def test_a_mismatch_is_an_error_that_says_how_many_and_where(
    sfumato: Command, folder: Path, text: str, options: tuple[str, ...], said: str
) -> None:
    quasi = () if "--quasi" in options else ("--quasi", "age")
    ran = sfumato("compare", str(folder / "original.csv"), released(folder, text), "--by-position", *quasi, *options)
    assert ran.code == 2
    assert said in ran.said


@pytest.mark.parametrize(("side", "where"), [("original", "21;x;*\n"), ("release", "20-39 lacks")])
def test_a_value_that_the_hierarchy_lacks_is_counted_and_never_named(
    sfumato: Command, folder: Path, side: str, where: str
) -> None:
    text = "21;20-39;*\n34;20-39;*\n" if side == "original" else "21;young;*\n34;young;*\n55;old;*\n58;old;*\n"
    (folder / "hierarchies" / "age.csv").write_text(text, encoding="utf-8")
    ran = sfumato("compare", str(folder / "original.csv"), released(folder, WHOLE), "--key", "id", "--quasi", "age",
                  "--hierarchies", str(folder / "hierarchies"))  # fmt: skip
    assert ran.code == 2
    place = "first in record 4, line 5" if side == "original" else "first in record 1, line 2"
    assert f"2 different values of the {side} ({place} of a file of one line a record) are not in its hierarchy" in (
        ran.said
    )
    assert not any(value in ran.said for value in ("55", "20-39", "40-59"))


def test_one_value_that_the_hierarchy_lacks_is_one(sfumato: Command, folder: Path) -> None:
    text = "21;20-39;*\n34;20-39;*\n55;40-59;*\n"
    (folder / "hierarchies" / "age.csv").write_text(text, encoding="utf-8")
    ran = sfumato("compare", str(folder / "original.csv"), released(folder, WHOLE), "--key", "id", "--quasi", "age",
                  "--hierarchies", str(folder / "hierarchies"))  # fmt: skip
    assert "1 different value of the original" in ran.said
    assert "is not in its hierarchy. Add it there" in ran.said


def test_a_column_that_the_release_lacks_is_all_lost(sfumato: Command, folder: Path) -> None:
    found = compared(sfumato, folder, "id,age\n1,21\n2,34\n3,\n4,55\n5,58\n", "--key", "id", "--quasi", "age,town")
    assert found["changes"]["town"]["words"] == "dropped"
    assert found["columns"]["town"]["loss"]["normalised"] == 1
    assert found["columns"]["age"]["loss"]["normalised"] == 0
    assert found["suppressed"] == 0
    assert any("Not in the release" in note and "town" in note for note in found["notes"])


def test_everything_suppressed_is_all_information_removed(sfumato: Command, folder: Path) -> None:
    found = compared(
        sfumato, folder, "id,age,town\n" + "".join(f"{i},*,*\n" for i in range(1, 6)), "--quasi", "age,town"
    )
    assert found["suppressed"] == 5
    for name in (
        "loss",
        "non_uniform_entropy",
        "generic_non_uniform_entropy",
        "discernibility",
        "ambiguity",
        "precision",
    ):
        assert found["total"][name]["normalised"] == pytest.approx(1), name


def test_another_mark_stands_for_a_suppressed_value(sfumato: Command, folder: Path) -> None:
    text = "id,age,town\n1,?,Ayr\n2,34,Bath\n3,,Bath\n4,55,Cork\n5,58,Ayr\n"
    found = compared(sfumato, folder, text, "--quasi", "age,town", "--mark", "?")
    assert found["changes"]["age"]["records"]["gone"] == 1


def test_json_is_not_written_over_one_of_the_tables(sfumato: Command, folder: Path) -> None:
    text = released(folder, WHOLE)
    ran = sfumato("compare", str(folder / "original.csv"), text, "--key", "id", "--json", text)
    assert ran.code == 2
    assert Path(text).read_text(encoding="utf-8") == WHOLE


def test_a_page_shows_each_column_before_and_after(sfumato: Command, folder: Path) -> None:
    text = released(folder, WHOLE)
    ran = sfumato("compare", folder / "original.csv", text, "--key", "id", "--quasi", "age,town", "--html", "page.html")
    assert ran.code == 0
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "Every model by column" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert not any(value in page for value in ("Bath", "Cork"))  # fewer than eleven people each


def test_one_record_and_odd_names(tmp_path: Path) -> None:
    import pyarrow as pa

    name = 'x"; DROP TABLE t; --'
    found = sf.compare(
        pa.table({name: [1.5], "record number": ["a"]}),
        pa.table({name: [1.5], "record number": ["a"]}),
        by_position=True,
    )
    assert found["loss"].total.value == 0  # type: ignore[union-attr]
    assert found.compared.cells[name].words == "unchanged"


def test_no_records_is_an_error() -> None:
    import pyarrow as pa

    empty = pa.table({"x": pa.array([], pa.int64())})
    with pytest.raises(sf.SfumatoError, match="has no records"):
        sf.compare(empty, empty, by_position=True)


def test_two_hundred_columns_are_compared() -> None:
    import pyarrow as pa

    wide = pa.table({f"c{i}": ["a", "b", None, "a"] for i in range(200)})
    gone = pa.table({f"c{i}": ["a", "*", None, "a"] for i in range(200)})
    found = sf.compare(wide, gone, models=("loss", "discernibility"), by_position=True)
    assert found.compared.class_sizes.suppressed == 1
    assert found["loss"].total.value == pytest.approx(1 / 4)  # type: ignore[union-attr]


def test_numbers_that_are_written_otherwise_are_the_same_numbers(tmp_path: Path) -> None:
    import pyarrow as pa

    found = sf.compare(pa.table({"x": [1, 2, 3]}), pa.table({"x": ["1.0", "2", "*"]}), by_position=True)
    assert found.compared.cells["x"].changes == {"same": 2, "broader": 0, "gone": 1, "moved": 0}
    found = sf.compare(pa.table({"x": [1.5, 2.0, 3.0]}), pa.table({"x": ["1.50", "2", "3.0"]}), by_position=True)
    assert found.compared.cells["x"].words == "unchanged"


def test_engines_read_the_same(folder: Path, engine: Engine) -> None:
    text = released(folder, WHOLE)
    found = sf.compare(
        load(str(folder / "original.csv"), None, engine), load(text, None, engine),
        quasi=["age", "cost"], key="id", hierarchies=folder / "hierarchies",
    ).document()  # fmt: skip
    usual = sf.compare(
        folder / "original.csv", text, quasi=["age", "cost"], key="id", hierarchies=folder / "hierarchies"
    ).document()
    for part in ("columns", "total"):
        assert _numbers(found[part]) == pytest.approx(_numbers(usual[part]), rel=1e-9, abs=1e-12)


def _numbers(document: dict[str, Any], path: str = "") -> dict[str, float]:
    flat: dict[str, float] = {}
    for key, value in document.items():
        if isinstance(value, dict):
            flat |= _numbers(value, f"{path}/{key}")
        elif isinstance(value, int | float):
            flat[f"{path}/{key}"] = float(value)
    return flat

"""What a page of results says first: bounds that are not met, and comparisons that compared nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import assess
import identify
import pytest
from report import Bound, Comparison, Page, overview, page_of, publish, stored

import search

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
KEPT = Bound("reading", "times one copy, CPU", at_most=3, measured=1.5)
MISSED = Bound("searching", "seconds of CPU", at_most=1, measured=1.302)
AGREED = Comparison.of("rates, with pandas", {"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0 + 1e-12})


def page(**changes: Any) -> Page:
    given = {"name": "speed", "title": "speed", "body": "The rest.", "bounds": (KEPT,), "comparisons": (AGREED,)}
    return Page(**(given | changes))


def published(made: Page, folder: Path) -> str:
    publish(made, folder=folder)
    return (folder / f"RESULTS-{made.name}.md").read_text(encoding="utf-8")


def test_a_bound_that_is_not_met_is_in_the_first_lines_of_its_page_and_of_the_overview(tmp_path: Path) -> None:
    text = published(page(bounds=(KEPT, MISSED)), tmp_path)
    assert text.splitlines()[2].startswith("**1 of 2 bounds is NOT MET**.")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert [row.split("|")[1].strip() for row in rows[2:4]] == ["searching", "reading"]
    assert "**NOT MET**" in rows[2]
    assert "1.302" in rows[2]
    told = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert told.splitlines()[2].startswith("**1 of 2 bounds is NOT MET**.")
    kept_apart = told.split("**Met**:")
    assert re.search(r"\| speed +\| searching +\| seconds of CPU +\| 1 +\| 1.302 +\|", kept_apart[0])
    assert re.search(r"\| speed +\| reading +\| times one copy, CPU +\| 3 +\| 1.5 +\|", kept_apart[1])


def test_where_all_is_met_nothing_says_otherwise(tmp_path: Path) -> None:
    text = published(page(), tmp_path)
    assert text.splitlines()[2] == "All 1 bounds are met. 2 numbers compared, none differs (rates, with pandas)."
    assert "NOT MET" not in text
    assert "FAILED" not in text + (tmp_path / "RESULTS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("measured", [None, float("nan"), float("inf"), 3.0000001])
def test_what_could_not_be_measured_or_is_above_does_not_meet_a_bound(measured: float | None) -> None:
    assert not Bound("reading", "times", at_most=3, measured=measured).met
    assert Bound("reading", "times", at_most=3, measured=3).met


def test_a_comparison_of_nothing_fails_and_says_so(tmp_path: Path) -> None:
    nothing = Comparison.of("rates, with pandas", {"a": 1.0}, {})
    with pytest.raises(SystemExit) as end:
        publish(page(comparisons=(AGREED, nothing)), folder=tmp_path)
    assert "compared nothing" in str(end.value.code)
    for name in ("RESULTS-speed.md", "RESULTS.md"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "**FAILED: compared nothing** (rates, with pandas)" in text, name
    assert "0 numbers compared" not in (tmp_path / "RESULTS-speed.md").read_text(encoding="utf-8")


def test_a_number_that_differs_fails_and_is_named(tmp_path: Path) -> None:
    other = Comparison.of("rates, with pandas", {"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.1})
    with pytest.raises(SystemExit, match="1 of 2 numbers differ"):
        publish(page(comparisons=(other,)), folder=tmp_path)
    assert "- rates, with pandas, b: 2.0 here, 2.1 there" in (tmp_path / "RESULTS-speed.md").read_text(encoding="utf-8")


def test_no_number_equals_nothing_not_even_itself() -> None:
    missing = float("nan")
    assert not Comparison.of("rates", {"a": missing}, {"a": missing}).holds


def test_a_page_without_bounds_fails_unless_it_says_why_it_has_none(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no bound was measured"):
        publish(page(bounds=()), folder=tmp_path)
    text = published(page(bounds=(), comparisons=(), unbounded="No bound is set: for orientation."), tmp_path)
    assert text.splitlines()[2] == "No bound is set: for orientation."


def test_a_quick_run_leaves_the_pages_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish(page(bounds=(MISSED,)), folder=tmp_path, quick=True)
    assert list(tmp_path.iterdir()) == []
    assert "**1 of 1 bounds is NOT MET**" in capsys.readouterr().out


def test_the_overview_keeps_the_pages_of_other_runs(tmp_path: Path) -> None:
    publish(page(name="memory", title="memory", bounds=(MISSED,)), folder=tmp_path)
    publish(page(), folder=tmp_path, raw={"seconds": [1.5]})
    told = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert told.splitlines()[2].startswith("**1 of 2 bounds is NOT MET**.")
    assert "[memory](RESULTS-memory.md)" in told
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["speed"]["raw"] == {"seconds": [1.5]}


# What single benchmarks make of their numbers


def timing(cpu: float, wall: float | None = None, **found: float) -> dict[str, Any]:
    return {"cpu": cpu, "wall": wall or cpu, "peak_gb": 0.1, "found": found}


def test_the_search_is_set_against_the_quickest_grouping() -> None:
    own = {
        "score": 0.2,
        "suppressed": 3,
        "optimal": True,
        "examined": 9,
        "pruned": 1,
        "lattice": 10,
        "rows": 5,
        "records": 7,
    }
    sticks = {how: timing(cpu, rows=5, classes=5) for how, cpu in zip(search.YARDSTICKS, (44.0, 7.0, 4.0), strict=True)}
    found = {("loss", 0.02, fast): timing(120.0, **own) for fast in ("0", "1")}
    made = search.page([search.Part("The census table", sticks, found, bounded=True)])
    first, second, *others = made.bounds
    assert [(bound.measured, bound.met) for bound in (first, second)] == [(30.0, False), (30.0, False)]
    assert all("packed keys" in bound.unit for bound in (first, second))
    assert [(bound.measured, bound.met) for bound in others] == [(120 / 7, False), (120 / 7, False), (1.0, False)]
    assert [bound.unit for bound in others] == ["times one lexsort, CPU"] * 2 + ["times NumPy, CPU"]
    assert made.failures == []


def test_searches_that_are_not_proved_do_not_agree() -> None:
    own = {
        "score": 0.2,
        "suppressed": 3,
        "optimal": False,
        "examined": 9,
        "pruned": 1,
        "lattice": 10,
        "rows": 5,
        "records": 7,
    }
    sticks = {how: timing(1.0, rows=5, classes=5) for how in search.YARDSTICKS}
    found = {("loss", 0.02, fast): timing(1.0, **own) for fast in ("0", "1")}
    assert search.page([search.Part("The census table", sticks, found, bounded=True)]).failures != []


def test_identify_without_the_numbers_of_pandas_fails() -> None:
    whole = {(s.name, who): timing(1.0) for s in identify.SAMPLES for who in identify.CONTENDERS}
    small = {(s.name, who): timing(1.0, rate=5.0) for s in identify.SAMPLES for who in ("sfumato", "pandas")}
    assert identify.page(whole, small, identify.ROWS).failures == []
    small["unique", "pandas"] = timing(1.0)
    assert [text for text in identify.page(whole, small, identify.ROWS).failures if "compared nothing" in text]


def test_a_bound_on_time_is_one_on_wall_and_processor_both() -> None:
    whole = {
        (s.name, who): timing(1.0, wall=6.0 if who == "sfumato" else 1.0)
        for s in identify.SAMPLES
        for who in identify.CONTENDERS
    }
    small = {(s.name, who): timing(1.0, rate=5.0) for s in identify.SAMPLES for who in ("sfumato", "pandas")}
    made = identify.page(whole, small, identify.ROWS)
    assert [(bound.unit, bound.measured, bound.met) for bound in made.bounds] == [
        ("times one GROUP BY, wall", 6.0, False)
    ] * 2


def test_what_did_not_end_is_a_bound_that_is_not_met() -> None:
    stopped = [
        assess.Measurement("census", "classes", "GROUP BY", 10, wall=1.0, cpu=1.0, peak_gb=0.1),
        assess.Measurement("census", "classes", "sfumato", 10, note="stopped after 300 s", stopped=True),
        assess.Measurement("census", "classes", "pandas", 10, wall=1.0, cpu=1.0, peak_gb=0.1, found={"k": 1.0}),
    ]
    made = assess.page(stopped, {"seconds": 0.2, "heavy": []}, {"classes": 3})
    assert [bound.what for bound in made.bounds if not bound.met] == ["census, classes"]
    assert made.failures == ["**FAILED: compared nothing** (readings, with pandas)"]


# The pages that are kept


def test_every_kept_page_begins_with_its_summary_and_the_overview_is_of_all_of_them() -> None:
    kept = stored(BENCHMARKS)
    pages = {path.stem.removeprefix("RESULTS-"): path for path in BENCHMARKS.glob("RESULTS-*.md")}
    assert set(kept) == set(pages)
    for name, path in pages.items():
        assert page_of(kept[name]).summary in path.read_text(encoding="utf-8").partition("\nMeasured:")[0], name
    assert (BENCHMARKS / "RESULTS.md").read_text(encoding="utf-8") == overview(kept)


def test_every_benchmark_of_make_bench_has_a_page() -> None:
    scripts = set(
        re.findall(r"benchmarks/(\w+)\.py", (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nbench:")[2])
    )
    assert len(scripts) > 8
    assert scripts - set(stored(BENCHMARKS)) == set()

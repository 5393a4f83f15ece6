"""A limit of seconds is for the whole command: ways that are not finished are not taken, and what is skipped is said.

No test looks at the clock: it is turned forward where the limit has to be over.
"""

from math import inf
from pathlib import Path

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.errors import OutOfTime
from sfumato.search import deadline, time_after
from sfumato.search.deadline import in_time, until
from sfumato.search.time_after import NOT_COMPARED, NOT_EXPLAINED

LONG = 1e6  # seconds, which no test takes
ROWS = range(120)
PEOPLE = pa.table(
    {
        "age": [20 + i % 40 for i in ROWS],
        "unit": [("east", "west", "north")[i % 3] for i in ROWS],
        "sex": ["fm"[i % 7 == 0] for i in ROWS],
    }
)


def anonymised(method: str, seconds: float = inf) -> sf.Anonymised:
    return sf.anonymise(PEOPLE, quasi=PEOPLE.column_names, k=4, suppress=0.1, method=method, seconds=seconds)


@pytest.fixture
def over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the deadline is past every limit."""
    monkeypatch.setattr(deadline, "monotonic", lambda: inf)


@pytest.mark.usefixtures("over")
@pytest.mark.parametrize("method", ["local", "mondrian", "cells"])
def test_a_method_without_a_best_so_far_says_that_it_was_not_finished(method: str) -> None:
    with pytest.raises(OutOfTime, match="not finished"):
        anonymised(method, LONG)
    assert anonymised(method).met  # without a limit no clock is looked at


@pytest.mark.usefixtures("over")
def test_the_default_takes_no_way_that_was_not_finished() -> None:
    release = anonymised("auto", LONG)
    assert release.method == "optimal"
    assert release.met
    others = [way for way in release.alternatives if way.method != "optimal"]
    assert {way.method for way in others} == {"local", "mondrian", "cells"}
    assert all(way.score is None and "not finished" in way.why_not for way in others)


@pytest.mark.parametrize("method", ["auto", "optimal", "local", "mondrian", "cells"])
def test_a_limit_that_is_never_reached_changes_nothing(method: str) -> None:
    with_limit, without = anonymised(method, LONG), anonymised(method)
    assert with_limit.release.equals(without.release)
    assert with_limit.method == without.method
    assert with_limit.notes == without.notes
    assert with_limit.losses is not None
    assert with_limit.explanation == without.explanation


def test_where_no_time_is_left_neither_loss_nor_reasons_are_read_and_both_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(time_after, "WRITING", inf)  # whatever follows cannot be done in time
    monkeypatch.setattr(time_after, "MOST", 0.0)
    release = anonymised("optimal", LONG)
    assert release.met
    assert release.losses is None
    assert release.explanation is None
    assert release.bias is None
    assert NOT_COMPARED in release.notes
    assert NOT_EXPLAINED in release.notes
    assert release.release.equals(anonymised("optimal").release)
    files = {path.name for path in release.write(tmp_path / "out")}
    assert "anonymisation.json" in files
    assert "comparison.json" not in files
    assert NOT_COMPARED in (tmp_path / "out" / "anonymisation.json").read_text()


def test_a_deadline_ends_with_its_block_and_is_never_put_off() -> None:
    with until(-inf):
        with pytest.raises(OutOfTime), until(inf):
            in_time()
        with pytest.raises(OutOfTime):
            in_time()
    in_time()

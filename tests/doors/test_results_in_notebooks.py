"""Every result gives its main table, a chart that draws itself here, and a page that leaves the notebook as it is."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import MissingExtra, UnusableInput
from sfumato.plans.safe_harbor.checklist import Checklist, ChecklistItem
from sfumato.project.context.result import Context
from sfumato.proof.deliver import Delivery, ReportedUse
from sfumato.proof.package.claims import Verified, claim
from sfumato.proof.use_log.chain import Chain
from sfumato.show.charts import chart as charts
from sfumato.show.fragment import scoped_style
from sfumato.show.presented import Presented

DRAW = np.random.default_rng(1)
QUASI = ["age", "sex", "town"]
RECEIPTS = (Delivery, ReportedUse)  # one line of a log, of which there is no picture
PEOPLE = pd.DataFrame(
    {
        "age": DRAW.integers(20, 90, 300),
        "sex": DRAW.choice(["f", "m"], 300),
        "town": DRAW.choice(list("abcd"), 300),
        "illness": DRAW.choice(["flu", "gout", "cold"], 300),
    }
)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[type, Presented]:
    folder = tmp_path_factory.mktemp("people")
    PEOPLE.to_csv(folder / "people.csv", index=False)
    (folder / "sfumato.yaml").write_text("data: {source: people.csv}\n")
    asked: dict[str, Any] = {"quasi": QUASI, "sensitive": "illness"}
    release = sf.anonymise(PEOPLE, **asked, k=5, suppress=0.05, method="optimal")
    explored = sf.explore(PEOPLE, quasi=QUASI, k=[2, 5])
    identified = sf.identify(PEOPLE)
    used = tuple(
        {"command": {"name": name, "options": []}, "number": i} for i, name in enumerate(("assess", "release"))
    )
    every = [
        release,
        release.explanation,
        release.bias,
        release.losses,
        release.hierarchies["age"].hierarchy,
        explored,
        explored.frontier,
        sf.evaluate(PEOPLE, quasi=QUASI, k=5).at({"age": 2}),
        identified,
        sf.Identifications("folder", (identified,)),
        sf.confirm(folder / "sfumato.yaml", roles={"age": "quasi"}, by="steward"),
        sf.assess(PEOPLE, **asked, k=5, l=2),
        sf.risk(PEOPLE, quasi=QUASI, sets=2, attacks=False),
        sf.dimension(PEOPLE, [PEOPLE.assign(age="*")], quasi=["age", "sex"], sensitive="illness", by_position=True),
        sf.tabulate(PEOPLE, by=["sex", "town"], means="age", threshold=40),
        sf.Recipient.of_scores(10, 5, 5),
        Context.of(sf.Project.parse("context: {release: public, benefits: {age: high}}")),
        sf.report(PEOPLE, **asked, k=5),
        Verified("package", (claim("release", "records", 3, 3), claim("release", "k", 5, 4))),
        Chain("log", used),
        Checklist("people.csv", "released.csv", 300, (ChecklistItem("A", "Names", (), (), ()),)),
        sf.triage(folder / "people.csv"),
    ]
    return {type(result): result for result in every if result is not None}


def presented(cls: type = Presented) -> Iterator[type]:
    for child in cls.__subclasses__():
        if child.__module__.startswith("sfumato."):
            yield child
            yield from presented(child)


def test_every_class_of_results_is_tried_here(results: dict[type, Presented]) -> None:
    for module in pkgutil.walk_packages(sf.__path__, "sfumato."):
        if (
            not module.name.startswith(("sfumato.tables.engines.spark", "sfumato.cli"))
            and "__main__" not in module.name
        ):
            importlib.import_module(module.name)
    assert set(presented()) == {*results, *RECEIPTS}


def test_every_result_has_a_frame_a_chart_and_a_page_with_a_picture(results: dict[type, Presented]) -> None:
    for kind, result in results.items():
        frame = result.to_frame()
        assert isinstance(frame, pd.DataFrame), kind
        assert len(frame) > 0, kind
        assert frame.columns.is_unique, kind
        chart = result.plot()
        assert chart._repr_mimebundle_()["image/svg+xml"].startswith("<svg"), kind
        assert chart.properties(width=200)._repr_mimebundle_()["image/svg+xml"].startswith("<svg"), kind
        page = result._repr_html_()
        assert page.startswith('<div class="sfumato">'), kind
        assert "<svg" in page, kind
        assert not re.search(r"<script|<link|https?://(?!www\.w3\.org)", page), kind


def test_the_main_table_has_values_and_not_their_texts(results: dict[type, Presented]) -> None:
    frame = results[sf.Assessment].to_frame()
    assert frame["measure"].tolist() == ["k_anonymity", "distinct_l_diversity"]
    assert frame["value"].dtype == float
    assert results[sf.Losses].to_frame().set_index("model").loc["loss", "age"] > 0
    assert len(results[sf.Anonymised].to_frame()) == results[sf.Anonymised].release.num_rows


def test_the_style_of_a_page_holds_within_it_only() -> None:
    rules = [part.strip() for part in re.findall(r"([^{}]+)\{", scoped_style())]
    selectors = [one.strip() for rule in rules if not rule.startswith("@") for one in re.split(r",(?![^()]*\))", rule)]
    assert len(selectors) > 30
    assert [one for one in selectors if not re.match(r"\.sfumato\b", one)] == []
    assert "prefers-color-scheme: dark" in scoped_style()


def test_without_the_libraries_a_page_has_no_picture_and_a_chart_says_what_to_install(
    results: dict[type, Presented], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "find_spec", lambda _: None)
    assert "<svg" not in results[sf.Assessment]._repr_html_()
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    with pytest.raises(MissingExtra, match=r"sfumato\[plots\]"):
        results[sf.Assessment].plot()


def test_a_chart_that_is_not_there_is_refused(results: dict[type, Presented]) -> None:
    for number in (0, -1, 99):
        with pytest.raises(UnusableInput, match="numbered from 1"):
            results[sf.Assessment].plot(number)


def test_a_chart_can_be_saved_as_any_of_altair(results: dict[type, Presented], tmp_path: Path) -> None:
    results[sf.Explored].plot().save(tmp_path / "curve.svg")
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").startswith("<svg")

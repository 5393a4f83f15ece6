"""The screen of attackers: scenarios as sets of columns, the population, and whom each singles out."""

from __future__ import annotations

import csv
import sys
from collections import Counter

import pytest
from tests.service.run_world import PROJECT, with_project
from tests.workbench.live_visits import opened, visits, with_visits
from tests.workbench.results_of_runs import EXPOSED, with_identification, with_result
from tests.workbench.visitors import visitor

from sfumato.service import live_processes
from sfumato.service.project_text import project_text
from sfumato.service.runs import runs

HERE = "/projects/clinic/attackers"
NEIGHBOUR = "scenarios:\n  - {name: neighbour, columns: [age, sex]}\n"


def now(world):
    return project_text(world.service, world.caller("stella"), "clinic")


def scenario(who, world, **data):
    return who.post(f"{HERE}/scenario", data={"since": now(world).hash, "name": "neighbour", **data})


def test_a_scenario_is_written_by_ticking_columns_changed_and_taken_out(world):
    with_project(world)
    who = visitor(world, "stella")
    page = scenario(who, world, column=["age", "sex"]).text
    assert now(world).text == PROJECT + NEIGHBOUR
    assert "sfumato risk --project=sfumato.yaml --no-attacks --uniques=0" in page
    assert '<a class="button" href="/projects/clinic/policy">Say what must hold</a>' in page  # the next step
    scenario(who, world, column=["age"], other="postcode", at="0")
    assert now(world).project.known_to == {"neighbour": ["age", "postcode"]}
    scenario(who, world, at="0", remove="1")
    assert now(world).text == PROJECT


def test_a_scenario_is_given_another_name_in_its_place(world):
    with_project(world)
    who = visitor(world, "stella")
    scenario(who, world, column=["age", "sex"])
    scenario(who, world, name="insurer", column=["age"])
    scenario(who, world, name="aunt", column=["age", "sex"], at="0")
    assert list(now(world).project.known_to) == ["aunt", "insurer"]


@pytest.mark.parametrize("data", [{"column": []}, {"name": " ", "column": ["age"]}])
def test_a_scenario_needs_a_name_and_a_column(world, data):
    with_project(world)
    assert scenario(visitor(world, "stella"), world, **data).status_code == 422
    assert now(world).text == PROJECT


def test_two_scenarios_have_two_names(world):
    with_project(world)
    who = visitor(world, "stella")
    scenario(who, world, column=["age"])
    assert "name of its own" in scenario(who, world, column=["sex"]).text


def test_readings_stand_beside_the_scenario_until_its_columns_change(world):
    with_project(world)
    who = visitor(world, "stella")
    scenario(who, world, column=["age", "sex"])
    with_result(world, "risk", EXPOSED)
    assert "25.0\u202f%" in who.get(HERE).text
    changed = scenario(who, world, column=["age"], at="0").text
    assert ("25.0" in changed, "Not counted since it was changed" in changed) == (False, True)


def test_a_scenario_can_be_saved_and_counted_at_once(world):
    with_project(world)
    page = scenario(visitor(world, "stella"), world, column=["age"], read="1").text
    (run,) = runs(world.service, world.caller("stella"), "clinic")
    assert (run.verb, run.options) == ("risk", {"no-attacks": True, "uniques": 0})
    assert "Who is singled out is being counted" in page


def test_who_is_alone_follows_the_ticks_where_columns_were_counted_together(world):
    with_project(world)
    with_identification(world)
    who = visitor(world, "stella")
    part = who.get(f"{HERE}/reading", params={"column": ["age", "sex"]}).text
    assert "12 of 12 records are alone on these columns" in part
    assert "were not counted together" in who.get(f"{HERE}/reading", params={"column": ["diagnosis"]}).text
    assert visitor(world, "rita").get(f"{HERE}/reading", params={"column": ["age"]}).status_code == 403


def test_the_reading_of_a_scenario_follows_the_ticks_for_any_columns_that_identify(world):
    with_visits(world)
    who = visitor(world, "stella")
    opened(who, "/projects/clinic/release")
    columns = ["age", "größe"]
    rows = list(csv.DictReader(visits().decode().splitlines()))
    sizes = Counter(tuple(row[name] for name in columns) for row in rows).values()
    part = who.get(f"{HERE}/reading", params={"column": columns}).text
    assert f"Singled out: {sum(size == 1 for size in sizes)}." in part
    assert f"Smallest group: {min(sizes)}." in part
    assert f"on average {100 * len(sizes) / len(rows):.1f}\u202f%." in part
    assert "Of 120 records" in part
    assert "Singled out: 0." in who.get(f"{HERE}/reading", params={"column": ['sex, "as told"']}).text


def test_before_the_table_is_ready_it_is_asked_again_and_without_bounds_the_way_there_is_said(world, monkeypatch):
    monkeypatch.setattr(live_processes, "PROGRAM", (sys.executable, "-S", "-c", "import sys; sys.stdin.read()"))
    with_visits(world)
    waiting = visitor(world, "stella").get(f"{HERE}/reading", params={"column": ["age", "größe"]}).text
    assert 'hx-trigger="load delay:1s"' in waiting
    assert "reading?column=age&amp;column=gr%C3%B6%C3%9Fe" in waiting


@pytest.mark.parametrize(
    ("kind", "value", "line"),
    [
        ("fraction", "0,05", "population: {fraction: 0.05}\n"),
        ("size", "1 200 000", "population: {size: 1200000}\n"),
        ("region", "switzerland", "population: {region: switzerland}\n"),
    ],
)
def test_the_population_is_written(world, kind, value, line):
    with_project(world)
    who = visitor(world, "stella")
    who.post(f"{HERE}/population", data={"since": now(world).hash, "kind": kind, "value": value})
    assert now(world).text == PROJECT + line
    who.post(f"{HERE}/population", data={"since": now(world).hash, "kind": "", "value": ""})
    assert now(world).text == PROJECT


@pytest.mark.parametrize(("kind", "value"), [("fraction", "7"), ("size", "many"), ("region", "atlantis"), ("x", "1")])
def test_what_is_no_population_is_refused(world, kind, value):
    with_project(world)
    data = {"since": now(world).hash, "kind": kind, "value": value}
    assert visitor(world, "stella").post(f"{HERE}/population", data=data).status_code == 422
    assert now(world).text == PROJECT


@pytest.mark.parametrize(("who", "status"), [("rita", 403), ("other", 404)])
def test_nobody_else_changes_what_attackers_know(world, who, status):
    with_project(world)
    assert scenario(visitor(world, who), world, column=["age"]).status_code == status
    assert now(world).text == PROJECT


def test_a_reviewer_reads_scenarios_without_a_control(world):
    with_project(world)
    scenario(visitor(world, "stella"), world, column=["age", "sex"])
    page = visitor(world, "rita").get(HERE).text
    assert ("age · sex" in page, 'type="checkbox"' in page) == (True, False)

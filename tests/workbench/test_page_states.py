"""Pages while they wait, after something failed, and where somebody may not look; and pages without scripts."""

from __future__ import annotations

import sys

import pytest
from tests.service.run_world import with_project
from tests.workbench.hands import pressed, shows, until
from tests.workbench.results_of_runs import with_identification
from tests.workbench.visitors import served, signed_in, visitor

from sfumato.service import live_processes, runs
from sfumato.service.entities import Run
from sfumato.service.project_text import project_text
from sfumato.service.run_queue import RunState
from sfumato.service.runs import RunWanted
from sfumato.workbench.screens import policy

NEVER_READY = (sys.executable, "-S", "-c", "import sys; sys.stdin.read()")
VERBS = ("identify", "assess", "risk", "release")  # that a screen waits for
PROBLEM = "What is wrong, what was expected, and what to do next."
LOOKS = [(size, scheme) for scheme in ("light", "dark") for size in ((1280, 900), (320, 640))]


def started(world, project, who, state=None):
    """A run of each verb that a screen waits for, at a state that a worker would have brought it to; their handles."""
    handles = {
        verb: runs.start(world.service, world.caller(who), project, RunWanted(verb, {})).handle for verb in VERBS
    }
    if state is not None:
        with world.service.database.writing() as session:
            for handle in handles.values():
                run = session.get_one(Run, handle)
                run.state, run.exit_code, run.problem = state, 2, PROBLEM
    return handles


def pages(project, handles):
    """Every page that shows one of these runs."""
    base = f"/projects/{project}"
    screens = [f"{base}/{screen}" for screen in ("table", "columns", "attackers", "policy")]
    return [*screens, f"{base}/release/package/{handles['release']}", f"{base}/runs/{handles['assess']}"]


@pytest.mark.parametrize("turns", [pytest.param(1, id="in turns"), pytest.param(4, id="all", marks=pytest.mark.soak)])
def test_axe_has_nothing_to_say_of_pages_that_wait_have_failed_or_are_denied(world, browser, monkeypatch, turns):
    """Each in one of four looks, in turns; `make soak` has each in all of them."""
    monkeypatch.setattr(live_processes, "PROGRAM", NEVER_READY)
    with_project(world)
    with_project(world, "elsewhere", "other")
    waiting = pages("clinic", started(world, "clinic", "stella"))
    failed = pages("elsewhere", started(world, "elsewhere", "other", RunState.FAILED))
    states = [
        *(("stella", address, "<progress") for address in (*waiting, "/projects/clinic/release")),
        *(("other", address, PROBLEM) for address in failed),
        ("rita", "/projects/clinic/release", "stewards"), ("stella", "/accounts", "administrator"),
        ("stella", "/projects/clinic/nothing", "no such page"),
    ]  # fmt: skip
    with served(world, workers=0) as server:
        for number, (name, address, words) in enumerate(states):
            assert words in visitor(world, name).get(address).text, address
            signed_in(browser, server, world, name)
            for size, scheme in (LOOKS * len(states))[number : number + turns]:
                browser.look(size=size, scheme=scheme)
                browser.driver.get(server + address)
                browser.unfold()
                assert browser.violations() == [], (address, size)
                assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), (address, size)
        browser.complaints()  # of the pages that are refused: that they are is told on the console too


def test_a_steward_decides_and_says_what_must_hold_where_scripts_are_off(world, browser):
    with_project(world)
    with_identification(world)
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        with served(world, workers=0) as server:
            signed_in(browser, server, world, "stella")
            browser.driver.get(f"{server}/projects/clinic/table")
            shows(browser, "every value is a whole number")
            browser.driver.find_element("css selector", "main a[href$='/columns']").click()
            shows(browser, "6 decided")
            browser.driver.find_element("css selector", "nav a[href$='/policy']").click()
            field = browser.driver.find_element("css selector", "#n0")
            field.clear()
            field.send_keys("4")
            browser.run("document.body.dataset.before = 'saved'")
            pressed(browser, "Save the bounds")
            until(browser, "!document.body.dataset.before && document.querySelector('#n0')?.value === '4'")
            pressed(browser, "Read the table against it")
            shows(browser, "waits for its turn")
            assert browser.driver.find_element("css selector", "noscript a").text == "Look again"
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    assert "at_least: 4" in project_text(world.service, world.caller("stella"), "clinic").text


def test_paper_shows_what_is_read_and_nothing_to_press_on_the_way(world, browser):
    with_project(world)
    with_identification(world)
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "stella")
        browser.driver.get(f"{server}/projects/clinic/table")
        browser.look(size=(688, 971), scheme="dark", media="print")
        assert browser.run("return getComputedStyle(document.querySelector('.top nav')).display") == "none"
        assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.printed().startswith(b"%PDF")
        browser.look()


@pytest.mark.parametrize("verb", ["identify", "assess"])
def test_home_shows_a_verdict_only_of_what_was_held_against_a_policy(world, verb):
    with_project(world)
    run = runs.start(world.service, world.caller("stella"), "clinic", RunWanted(verb, {}))
    with world.service.database.writing() as session:
        known = session.get_one(Run, run.handle)
        known.state, known.exit_code, known.result = RunState.DONE, 0, {"met": True, "files": [], "log_head": None}
    home = visitor(world, "stella").get("/").text
    assert ("✓ met" in home) is (verb == "assess")
    assert ("not read yet" in home) is (verb == "identify")


def test_nothing_can_be_pressed_that_leads_nowhere_before_columns_and_bounds_are_there(world):
    from sfumato.service.versions import replace_files

    with_project(world)
    nothing = {"sfumato.yaml": b"data: {source: patients.csv}\n"}
    replace_files(world.service, world.caller("stella"), "clinic", nothing, require=lambda _hash: None)
    stella = visitor(world, "stella")
    policy, attackers = (stella.get(f"/projects/clinic/{screen}").text for screen in ("policy", "attackers"))
    assert 'action="/projects/clinic/policy/read"' not in policy
    assert 'action="/projects/clinic/attackers/scenario"' not in attackers
    assert 'href="/projects/clinic/columns"' in attackers


@pytest.mark.parametrize("part", [False, True])
def test_what_nobody_foresaw_is_a_page_and_tells_nothing_of_a_cell(world, monkeypatch, part):
    def broken(*_given):
        raise KeyError("a cell")

    with_project(world)
    monkeypatch.setattr(policy, "project_text", broken)
    headers = {"HX-Request": "true"} if part else {}
    answer = visitor(world, "stella").get("/projects/clinic/policy", headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (500, "text/html; charset=utf-8")
    assert "Something unforeseen went wrong" in answer.text
    assert "a cell" not in answer.text
    assert ("<html" in answer.text, answer.headers.get("hx-retarget")) == (not part, "#failed" if part else None)

"""The whole path in a real browser: from a file to a package that verifies, without a line of a project file typed."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from tests.service.conftest import a_world
from tests.service.postgresql import a_database, server
from tests.workbench.hands import click, pressed, shows, until
from tests.workbench.visitors import served, signed_in, visitor

import sfumato as sf
from sfumato.service.settings import Settings
from sfumato.studies.demonstrations.tables import demonstration

__all__ = ["a_database", "server"]  # fixtures

FOREIGN = Path(__file__).parents[3] / "shared" / "data" / "foreign"
CONFIRM = "[...document.querySelectorAll('li.row button')].find(one => one.innerText.startsWith('Confirm'))"
# Whoever does not know what a column is calls it one that names a person: it does not leave.
CAREFULLY = f"const select = {CONFIRM}.closest('.choice').querySelector('select'); select.value ||= 'direct'"
LEFT = "Number(document.body.innerText.match(/decided, ([0-9]+) not yet/)?.[1])"


def decided(browser, address):
    """Confirm what is proposed: the sure ones at once, the others one by one."""
    browser.driver.get(f"{address}/columns")
    every = left = undecided(browser)
    if browser.run("return document.body.innerText.includes(' sure ones')"):
        pressed(browser, " sure ones")
        until(browser, f"{LEFT} < arguments[0]", every)
        left = undecided(browser)
    while left:
        browser.run(CAREFULLY)
        browser.driver.execute_script(f"return {CONFIRM}").click()
        until(browser, f"{LEFT} < arguments[0]", left)
        left = undecided(browser)


def undecided(browser):
    """How many columns nobody has decided about, as the page says."""
    return until(browser, f"'' + {LEFT}") != "0" and browser.run(f"return {LEFT}")


def released(browser, address, *, k, share):
    """Say what must hold, let the levels be found that lose least, keep them, and build the package."""
    browser.driver.get(f"{address}/policy")
    field = browser.driver.find_element("css selector", "#new_bound")
    field.clear()
    field.send_keys(str(k))
    pressed(browser, "Add")
    shows(browser, "Save the bounds")
    browser.driver.get(f"{address}/release")
    until(browser, "!!document.querySelector('#nshare')")
    field = browser.driver.find_element("css selector", "#nshare")
    field.clear()
    field.send_keys(str(share))
    pressed(browser, "Find the levels that lose least")
    met = "document.querySelector('#now')?.innerText.startsWith('Met')"
    until(browser, f"{met} || document.querySelector('#search a')")
    if not browser.run(f"return {met}"):  # it took a while, and what the hand was on has stayed
        click(browser, "#search a")
        until(browser, met)
    click(browser, "#keep button")
    shows(browser, "This is what version")
    click(browser, "#build button")
    shows(browser, "Every bound is met.")


def walked(world, browser, table, folder, *, k=3, share=20):
    """The path by mouse, and the package that comes of it, unpacked."""
    with served(world) as server:
        signed_in(browser, server, world, "stella")
        browser.look(size=(1280, 900))
        address = f"{server}/projects/clinic"
        browser.driver.get(f"{address}/table")
        browser.driver.find_element("css selector", "#file").send_keys(str(table))
        pressed(browser, "Send")
        shows(browser, "How each column was read")  # the page comes back by itself when the run is done
        decided(browser, address)
        released(browser, address, k=k, share=share)
        assert browser.violations() == []
        pressed(browser, "Verify")
        shows(browser, "Verified.")
        saved = visitor(world, "stella").get(browser.run("return location.pathname") + "/package.zip")
        assert browser.complaints() == []
    with zipfile.ZipFile(io.BytesIO(saved.content)) as archive:
        archive.extractall(folder)
    return next(path.parent for path in folder.rglob("manifest.json"))


def holds(package):
    assert sf.verify(package).agrees


@pytest.fixture
def admissions(tmp_path: Path) -> Path:
    """The beginning of the admissions of a made-up hospital: 300 records, their ten first columns."""
    rows = list(csv.reader(demonstration("hospital").splitlines()))[:301]
    table = tmp_path / "hospital_admissions.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(row[:10] for row in rows)
    return table


def test_a_hospital_table_becomes_a_package_that_verifies(world, browser, admissions, tmp_path):
    holds(walked(world, browser, admissions, tmp_path / "package"))


@pytest.mark.soak
def test_the_whole_demonstration_does(world, browser, tmp_path):
    (tmp_path / "hospital_admissions.csv").write_text(demonstration("hospital"), encoding="utf-8")
    holds(walked(world, browser, tmp_path / "hospital_admissions.csv", tmp_path / "package"))


def test_it_does_so_where_the_service_has_postgresql(browser, admissions, tmp_path, a_database):
    world = a_world(tmp_path / "root", Settings(database=a_database))
    holds(walked(world, browser, admissions, tmp_path / "package"))
    world.service.database.close()


@pytest.mark.parametrize("name", ["heart_uci.csv", "diabetic_data.csv"])
def test_a_real_table_becomes_a_package_that_verifies(world, browser, name, tmp_path):
    if not FOREIGN.is_dir():
        pytest.skip("the tables of others are in ../shared, which is not here")
    holds(walked(world, browser, FOREIGN / name, tmp_path / "package"))

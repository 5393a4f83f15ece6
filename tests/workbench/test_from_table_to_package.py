"""The whole path in a real browser: from a file to a package that verifies, without a line of a project file typed."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from tests.service.conftest import a_world
from tests.service.postgresql import a_database, server
from tests.workbench.hands import BUTTON, Keys, Mouse, shows, until
from tests.workbench.visitors import served, signed_in, visitor

import sfumato as sf
from sfumato.service.settings import Settings
from sfumato.studies.demonstrations.tables import demonstration

__all__ = ["a_database", "server"]  # fixtures

FOREIGN = Path(__file__).parents[3] / "shared" / "data" / "foreign"
CONFIRM = "[...document.querySelectorAll('li.row button')].find(one => one.innerText.startsWith('Confirm'))"
ROLE = f"{CONFIRM}.closest('.choice').querySelector('select')"
LEFT = "Number(document.body.innerText.match(/decided, ([0-9]+) not yet/)?.[1])"


def decided(hands):
    """Confirm what is proposed: the sure ones at once, the others one by one."""
    browser = hands.browser
    hands.goes_to("columns")
    every = left = undecided(browser)
    if browser.run("return document.body.innerText.includes(' sure one')"):
        hands.presses(BUTTON, " sure one")
        until(browser, f"{LEFT} < arguments[0]", every)
        left = undecided(browser)
    while left:
        if not browser.run(f"return {ROLE}.value"):
            hands.chooses(ROLE, "n")  # whoever does not know a column calls it one that names a person: it stays
        hands.presses(CONFIRM)
        until(browser, f"{LEFT} < arguments[0]", left)
        left = undecided(browser)


def undecided(browser):
    """How many columns nobody has decided about, as the page says."""
    return until(browser, f"'' + {LEFT}") != "0" and browser.run(f"return {LEFT}")


def released(hands, *, k, share):
    """Say what must hold, let the levels be found that lose least, keep them, and build the package."""
    browser = hands.browser
    hands.goes_to("policy")
    hands.writes("#new_bound", str(k))
    hands.presses(BUTTON, "Add")
    shows(browser, "Save the bounds")
    hands.goes_to("release")
    hands.writes("#nshare", str(share))
    hands.presses(BUTTON, "Find the levels that lose least")
    met = "document.querySelector('#now')?.innerText.startsWith('Met')"
    until(browser, met)  # also where it took a while: what was found is taken, since no hand is on a slider
    hands.presses("document.querySelector('#keep button')")
    shows(browser, "This is what version")
    hands.presses("document.querySelector('#build button')")
    shows(browser, "Every bound is met.")


def walked(world, hands, table, folder, *, k=3, share=20):
    """The path by one kind of hands, and the package that comes of it, unpacked."""
    browser = hands.browser
    with served(world) as server:
        signed_in(browser, server, world, "stella")
        browser.look(size=(1280, 900))
        browser.driver.get(f"{server}/projects/clinic/table")
        hands.reached("document.querySelector('#file')").send_keys(str(table))
        hands.presses(BUTTON, "Send")
        shows(browser, "How each column was read")  # the page comes back by itself when the run is done
        decided(hands)
        released(hands, k=k, share=share)
        assert browser.violations() == []
        hands.presses(BUTTON, "Verify")
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


def test_a_hospital_table_becomes_a_package_that_verifies_by_keys_alone(world, browser, admissions, tmp_path):
    holds(walked(world, Keys(browser), admissions, tmp_path / "package"))


@pytest.mark.soak
@pytest.mark.parametrize("hands", [Mouse, Keys])
def test_the_whole_demonstration_does(world, browser, tmp_path, hands):
    (tmp_path / "hospital_admissions.csv").write_text(demonstration("hospital"), encoding="utf-8")
    holds(walked(world, hands(browser), tmp_path / "hospital_admissions.csv", tmp_path / "package"))


def test_it_does_so_where_the_service_has_postgresql(browser, admissions, tmp_path, a_database):
    world = a_world(tmp_path / "root", Settings(database=a_database))
    holds(walked(world, Mouse(browser), admissions, tmp_path / "package"))
    world.service.database.close()


@pytest.fixture(params=["heart_uci.csv", "diabetic_data.csv"])
def foreign(request):
    """A table of others."""
    if not FOREIGN.is_dir():
        pytest.skip("the tables of others are in ../shared, which is not here")
    return FOREIGN / request.param


def test_a_real_table_becomes_a_package_that_verifies(world, browser, foreign, tmp_path):
    holds(walked(world, Mouse(browser), foreign, tmp_path / "package"))


@pytest.mark.soak
def test_it_does_so_by_keys_alone(world, browser, foreign, tmp_path):
    holds(walked(world, Keys(browser), foreign, tmp_path / "package"))


@pytest.mark.soak
@pytest.mark.parametrize("hands", [Mouse, Keys])
def test_it_does_so_by_keys_and_mouse_on_postgresql(browser, foreign, tmp_path, a_database, hands):
    world = a_world(tmp_path / "root", Settings(database=a_database))
    holds(walked(world, hands(browser), foreign, tmp_path / "package"))
    world.service.database.close()

"""The screen of a policy: bounds, presets, who is counted, and who breaks what."""

from __future__ import annotations

import re

import pytest
from tests.service.project_of_visits import log_of
from tests.service.run_world import PROJECT, with_project
from tests.workbench.results_of_runs import ASSESSED, with_identification, with_result
from tests.workbench.visitors import visitor

from sfumato.service.project_policy import change_subject
from sfumato.service.project_text import project_text

HERE = "/projects/clinic/policy"


def now(world):
    return project_text(world.service, world.caller("stella"), "clinic")


def test_a_bound_is_written_in_its_place_and_all_else_stays(world):
    with_project(world)
    answer = visitor(world, "stella").post(f"{HERE}/bounds", data={"since": now(world).hash, "bound-0": "7"})
    assert answer.status_code == 200
    assert now(world).text == PROJECT.replace("at_least: 3", "at_least: 7")
    assert "sfumato assess --project=sfumato.yaml" in answer.text


def test_a_requirement_is_added_about_its_column_and_taken_out_again(world):
    with_project(world)
    who = visitor(world, "stella")
    new = {"add": "1", "new_measure": "t_closeness", "new_sensitive": "diagnosis", "new_bound": "0,3"}
    who.post(f"{HERE}/bounds", data={"since": now(world).hash, **new})
    assert now(world).text.endswith("  - {measure: t_closeness, sensitive: diagnosis, at_most: 0.3}\n")
    who.post(f"{HERE}/bounds", data={"since": now(world).hash, "remove": "1"})
    assert now(world).text == PROJECT


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ({"new_measure": "t_closeness", "new_bound": "0.3"}, "say which one"),
        ({"new_measure": "k_anonymity", "new_bound": "many"}, "as a number"),
        ({"new_measure": "k_anonymity", "new_bound": "-1"}, "not negative"),
        ({"new_measure": "k_anonymity", "new_bound": "nan"}, "finite"),
        ({"new_measure": "no_such", "new_bound": "1"}, "no such thing"),
    ],
)
def test_what_is_no_requirement_is_refused_with_what_would_help(world, new, words):
    with_project(world)
    answer = visitor(world, "stella").post(f"{HERE}/bounds", data={"since": now(world).hash, "add": "1", **new})
    assert answer.status_code in (404, 422)
    assert words in answer.text
    assert now(world).text == PROJECT


def test_a_preset_stands_behind_the_file_and_its_bounds_are_shown_as_its_own(world):
    with_project(world)
    page = visitor(world, "stella").post(f"{HERE}/preset", data={"since": now(world).hash, "name": "ema_0070"}).text
    assert now(world).project.preset == "ema_0070"
    assert "preset: ema_0070" in page
    visitor(world, "stella").post(f"{HERE}/preset", data={"since": now(world).hash, "name": ""})
    assert now(world).text == PROJECT


def test_who_is_counted_is_written_as_the_subject(world):
    with_project(world)
    visitor(world, "stella").post(f"{HERE}/subject", data={"since": now(world).hash, "column": ""})
    assert now(world).project.subject is None


def test_readings_follow_a_bound_that_is_moved_without_writing_it(world):
    with_project(world)
    with_result(world, "assess", ASSESSED)
    who = visitor(world, "stella")
    assert "✗ broken" in who.get(HERE).text
    part = who.get(f"{HERE}/readings", params={"bound-0": "2"}).text
    assert ("✓ met" in part, "read again to know" in part) == (True, True)
    assert now(world).text == PROJECT


def test_readings_of_an_older_version_are_kept_and_marked(world):
    with_project(world)
    with_result(world, "assess", ASSESSED)
    page = visitor(world, "stella").post(f"{HERE}/bounds", data={"since": now(world).hash, "bound-0": "2"}).text
    assert "This was read with version 1" in page


def test_flagged_records_are_for_stewards_and_logged(world):
    with_project(world)
    rows = {"flagged/flagged_k_anonymity.csv": "person,age,k\nP01,34,2\nP02,36,2\n"}
    run = with_result(world, "assess", ASSESSED, rows=rows)
    who = visitor(world, "stella")
    link = re.search(r'href="(/projects/clinic/policy/flagged[^"]*)"', who.get(HERE).text)[1].replace("&amp;", "&")
    assert run in link
    assert "<td>P01</td>" in who.get(link).text
    assert log_of(world.service).count(b"rows.view") == 1
    assert visitor(world, "rita").get(link).status_code == 403
    assert "P01" not in visitor(world, "rita").get(HERE).text


@pytest.mark.parametrize(("who", "status"), [("rita", 403), ("other", 404)])
def test_nobody_else_changes_what_is_required(world, who, status):
    with_project(world)
    since = now(world).hash
    for path, data in (("bounds", {"bound-0": "2"}), ("preset", {"name": "thesis"}), ("subject", {"column": ""})):
        answer = visitor(world, who).post(f"{HERE}/{path}", data={"since": since, **data})
        assert answer.status_code == status
    assert now(world).hash == since


def test_the_second_of_two_tabs_is_told(world):
    with_project(world)
    since = now(world).hash
    who = visitor(world, "stella")
    who.post(f"{HERE}/bounds", data={"since": since, "bound-0": "4"})
    assert who.post(f"{HERE}/bounds", data={"since": since, "bound-0": "9"}).status_code == 412
    assert "at_least: 4" in now(world).text


SEVERAL = "patient_id,age,sex,diagnosis\n" + "".join(f"{i // 2:04d},{30 + i // 4},f,flu\n" for i in range(24))


def test_where_some_people_have_several_records_one_press_counts_people(world):
    """From the evidence of the columns: nobody has to know what the option is called."""
    with_project(world)
    change_subject(world.service, world.caller("stella"), "clinic", "", since=now(world).hash)
    with_identification(world, SEVERAL)
    page = visitor(world, "stella").get(HERE).text
    assert "Some people have several records." in page
    assert "Count people, by patient_id" in page
    assert "Count people" not in visitor(world, "rita").get(HERE).text
    counted = {"since": now(world).hash, "column": "patient_id", "back": "release"}
    answer = visitor(world, "stella").post(f"{HERE}/subject", data=counted, follow_redirects=False)
    assert answer.headers["location"] == "/projects/clinic/release"
    assert "subject: patient_id" in now(world).text
    assert "several records" not in visitor(world, "stella").get(HERE).text.partition('id="subject"')[0]


def test_nobody_is_sent_elsewhere_once_people_are_counted(world):
    with_project(world)
    counted = {"since": now(world).hash, "column": "patient_id", "back": "//elsewhere.example"}
    assert visitor(world, "stella").post(f"{HERE}/subject", data=counted).status_code == 422
    assert now(world).text == PROJECT


def test_a_requirement_is_opened_with_its_formula_and_who_says_so(world):
    with_project(world)
    page = visitor(world, "stella").get(HERE).text
    assert "k = min_E |E|" in page
    assert "Sweeney (2002)." in page


def test_what_is_english_in_every_language_says_so_to_who_listens(world):
    """A screen reader would read it with the sounds of German."""
    with_project(world)
    with_identification(world)
    with_result(world, "assess", {**ASSESSED, "readings": [], "open": ["Nobody has said anything of it."]})
    stella = visitor(world, "stella")
    stella.cookies.set("sfumato-language", "de")
    english = re.compile(r"<(\w+)[^>]* lang=\"en\"[^>]*>.*?</\1>", re.DOTALL)
    for screen in ("table", "columns", "policy"):
        page = stella.get(f"/projects/clinic/{screen}").text
        words = re.sub(r"<[^>]+>", " ", english.sub(" ", page.partition("<main")[2].partition("</main>")[0]))
        assert re.findall(r"\b(?:the|every|values?|which|people|not)\b", words) == [], screen

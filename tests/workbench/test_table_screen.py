"""The screen of a table: how one comes in, how it was read, and rows for who may see them."""

from __future__ import annotations

import re

import pytest
from tests.service.project_of_visits import log_of
from tests.service.run_world import TABLE, with_project
from tests.workbench.results_of_runs import with_identification
from tests.workbench.visitors import visitor

from sfumato.service.project_text import project_text
from sfumato.service.runs import runs
from sfumato.service.settings import Settings
from sfumato.service.sources import sources

HERE = "/projects/clinic/table"
FILES = f"{HERE}/files"
CANARY = "Zebulon Quatermass"


BYTES = TABLE.encode()


def sent(who, content=BYTES, name="patients.csv", **fields):
    return who.post(FILES, data=fields, files={"file": (name, content, "text/csv")})


def source_named(world, name):
    listed = sources(world.service, world.caller("stella"), "clinic")
    return next(one for one in listed if one.name == name)


def test_a_project_without_a_table_says_how_one_comes_in(world):
    assert "There is no table yet" in visitor(world, "stella").get(HERE).text
    reviewers = visitor(world, "rita").get(HERE).text
    assert "A steward of the project can bring one in" in reviewers
    assert "<form" not in reviewers.replace('<form method="post" action="/language"', "")


@pytest.mark.parametrize("name", ["patients.csv", "visits 2024, größe.csv", "a b'c.csv"])
def test_the_first_file_makes_the_project_file_and_is_read(world, name):
    answer = sent(visitor(world, "stella"), name=name)
    assert (answer.status_code, answer.url.path) == (200, HERE)
    kept = source_named(world, name)
    assert world.service.storage.read(kept.hash) == TABLE.encode()
    written = project_text(world.service, world.caller("stella"), "clinic")
    assert (written.source, written.number) == (name, 1)
    assert [run.verb for run in runs(world.service, world.caller("stella"), "clinic")] == ["identify"]
    assert "The table is being read" in answer.text


def test_a_file_that_looks_like_the_end_of_its_form_arrives_whole(world):
    content = b"a\r\n--boundary--\r\n" + bytes(range(256)) * 5_000
    sent(visitor(world, "stella"), content, "odd.csv")
    assert world.service.storage.read(source_named(world, "odd.csv").hash) == content


def test_a_second_file_waits_until_it_is_chosen(world):
    who = visitor(world, "stella")
    sent(who)
    page = sent(who, name="later.csv").text
    assert project_text(world.service, world.caller("stella"), "clinic").source == "patients.csv"
    since = re.search(r'name="since" value="(\w+)"', page)[1]
    chosen = who.post(f"{HERE}/use", data={"of": source_named(world, "later.csv").handle, "since": since})
    assert chosen.status_code == 200
    assert project_text(world.service, world.caller("stella"), "clinic").source == "later.csv"


@pytest.mark.parametrize(("who", "status"), [("rita", 403), ("quentin", 403), ("other", 404)])
def test_nobody_else_brings_in_a_table(world, who, status):
    assert sent(visitor(world, who)).status_code == status
    assert list(sources(world.service, world.caller("stella"), "clinic")) == []


@pytest.mark.parametrize(("who", "status"), [("rita", 403), ("other", 404)])
def test_nobody_else_has_a_table_read(world, who, status):
    with_project(world)
    assert visitor(world, who).post(f"{HERE}/read").status_code == status


def test_what_cannot_be_a_source_is_refused_in_words_and_leaves_nothing(world):
    who = visitor(world, "stella")
    assert "No reader knows this kind of file" in sent(who, name="notes.docx").text
    assert "Choose one" in who.post(FILES, data={"file": "no file"}).text
    sent(who)
    again = sent(who)
    assert (again.status_code, "already" in again.text) == (409, True)
    assert len(sources(world.service, world.caller("stella"), "clinic")) == 1


def test_a_file_beyond_the_limit_is_refused_before_it_has_come(tmp_path):
    from tests.service.conftest import a_world

    world = a_world(tmp_path / "root", Settings(upload_bytes=10))
    answer = sent(visitor(world, "stella"))
    assert (answer.status_code, "upload_bytes" in answer.text) == (413, True)


def test_a_file_of_the_server_is_registered_by_its_root_and_path(tmp_path):
    from tests.service.conftest import a_world

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "visits.csv").write_text(TABLE)
    world = a_world(tmp_path / "root", Settings(roots={"registry": tmp_path / "data"}))
    who = visitor(world, "stella")
    assert "registry" in who.get(HERE).text
    assert who.post(f"{HERE}/registered", data={"root": "registry", "path": "../visits.csv"}).status_code == 404
    assert who.post(f"{HERE}/registered", data={"root": "registry", "path": "visits.csv"}).status_code == 200
    assert source_named(world, "visits.csv").kind == "file"


def test_columns_show_how_they_were_read_and_no_value_to_a_reviewer(world):
    with_project(world)
    with_identification(world, TABLE.replace("asthma", CANARY))
    for name in ("stella", "rita"):
        page = visitor(world, name).get(HERE).text
        assert "every value is a whole number" in page
        assert page.count('class="spark"') == 6
        assert CANARY not in page
    assert "Rows are for stewards" in visitor(world, "rita").get(HERE).text


def test_columns_are_found_by_name_and_by_what_they_were_read_as(world):
    with_project(world)
    with_identification(world)
    who = visitor(world, "stella")
    part = who.get(HERE, params={"find": "AG"}, headers={"HX-Request": "true", "HX-Target": "columns"}).text
    assert ("age</th>" in part, "sex</th>" in part, "<html" in part) == (True, False, False)
    assert who.get(HERE, params={"kind": "integer"}).text.count('<th scope="row">') == 2
    assert "No column has" in who.get(HERE, params={"find": "zzz"}).text


def test_a_table_of_five_hundred_columns_is_shown_by_pages(world):
    names = [f'column "{i}" é' for i in range(500)]
    table = ",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n" + ",".join(["1"] * 500) + "\n"
    with_project(world)
    with_identification(world, table)
    page = visitor(world, "stella").get(HERE, params={"page": 3})
    assert page.text.count('class="spark"') == 50
    assert "Page 3 of 10" in page.text
    assert len(page.content) < 200_000


def test_rows_come_by_page_to_a_steward_and_each_look_is_in_the_log(world):
    with_project(world)
    handle = source_named(world, "patients.csv").handle
    who = visitor(world, "stella")
    page = who.get(f"{HERE}/rows", params={"of": handle, "after": 10}).text
    assert re.findall(r"<td>(P\d\d)</td>", page) == ["P11", "P12"]
    assert log_of(world.service).count(b"rows.view") == 1
    assert visitor(world, "rita").get(f"{HERE}/rows", params={"of": handle}).status_code == 403
    assert visitor(world, "other").get(f"{HERE}/rows", params={"of": handle}).status_code == 404


def test_what_was_read_of_another_source_is_marked(world):
    with_project(world)
    with_identification(world)
    who = visitor(world, "stella")
    sent(who, name="later.csv")
    since = re.search(r'name="since" value="(\w+)"', who.get(HERE).text)[1]
    who.post(f"{HERE}/use", data={"of": source_named(world, "later.csv").handle, "since": since})
    assert "This was read of another table" in who.get(HERE).text


@pytest.mark.parametrize("screen", ["table", "columns", "attackers", "policy"])
def test_an_empty_table_and_names_that_were_made_to_hurt_are_shown_as_they_are(world, screen):
    with_project(world)
    with_identification(world, '"<script>alert(1)</script>","a ""b"" {{ 7 * 7 }}",\'x\n')
    page = visitor(world, "stella").get(f"/projects/clinic/{screen}")
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    if screen in ("table", "columns"):
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
        assert "{{ 7 * 7 }}" in page.text

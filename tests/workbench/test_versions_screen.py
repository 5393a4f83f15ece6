"""The screen of versions: what changed and who did it, undo, and files out and in."""

from __future__ import annotations

import io
import zipfile

import pytest
from tests.service.run_world import PROJECT, with_project
from tests.workbench.visitors import visitor

from sfumato.service.project_text import project_text

HERE = "/projects/clinic/versions"


def now(world):
    return project_text(world.service, world.caller("stella"), "clinic")


def edited(who, world, text, message="Five"):
    return who.post(f"{HERE}/text", data={"since": now(world).hash, "text": text, "message": message})


def test_an_edit_is_a_version_with_its_author_its_words_and_its_difference(world):
    with_project(world)
    who = visitor(world, "stella")
    page = edited(who, world, PROJECT.replace("at_least: 3", "at_least: 5").replace("\n", "\r\n")).text
    assert (now(world).number, "\r" in now(world).text) == (2, False)
    assert all(words in page for words in ("Five", "stella", "as it is now"))
    difference = visitor(world, "rita").get(f"{HERE}/2").text
    assert '<span class="added">+  - {measure: k_anonymity, at_least: 5}</span>' in difference
    assert '<span class="taken">-  - {measure: k_anonymity, at_least: 3}</span>' in difference


def test_undo_goes_back_by_a_new_version(world):
    with_project(world)
    who = visitor(world, "stella")
    edited(who, world, PROJECT.replace("at_least: 3", "at_least: 5"))
    who.post(f"{HERE}/1/undo", data={"since": now(world).hash})
    assert (now(world).number, now(world).text) == (3, PROJECT)


def test_a_file_with_a_fault_is_refused_with_its_line_above_the_text_as_it_was(world):
    with_project(world)
    answer = visitor(world, "stella").post(
        f"{HERE}/text", data={"since": now(world).hash, "text": "measure: 3\n"}, headers={"HX-Request": "true"}
    )
    assert (answer.status_code, answer.headers["hx-retarget"]) == (422, "#failed")
    assert "line 1" in answer.text
    assert now(world).text == PROJECT


def test_files_go_out_as_an_archive_and_come_in_as_one(world):
    with_project(world)
    who = visitor(world, "stella")
    who.post(f"{HERE}/files", data={"since": now(world).hash}, files={"file": ("age.csv", b"1,old\n", "text/csv")})
    archive = who.get(f"{HERE}/2/files")
    assert zipfile.ZipFile(io.BytesIO(archive.content)).namelist() == ["age.csv", "sfumato.yaml"]
    assert who.get(f"{HERE}/2/files/age.csv").headers["content-disposition"] == 'attachment; filename="age.csv"'
    edited(who, world, PROJECT.replace("at_least: 3", "at_least: 5"))
    taken = who.post(
        f"{HERE}/files", data={"since": now(world).hash}, files={"file": ("a.zip", archive.content, "application/zip")}
    )
    assert (taken.status_code, now(world).text) == (200, PROJECT)


def test_an_archive_without_a_project_file_is_refused(world):
    with_project(world)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("age.csv", "1,old\n")
    files = {"file": ("a.zip", stream.getvalue(), "application/zip")}
    assert (
        visitor(world, "stella").post(f"{HERE}/files", data={"since": now(world).hash}, files=files).status_code == 404
    )


@pytest.mark.parametrize(("who", "status"), [("rita", 403), ("other", 404)])
def test_nobody_else_changes_or_undoes(world, who, status):
    with_project(world)
    guest = visitor(world, who)
    assert edited(guest, world, "data: {source: x.csv}\n").status_code == status
    assert guest.post(f"{HERE}/1/undo", data={"since": now(world).hash}).status_code == status
    files = {"file": ("age.csv", b"1\n", "text/csv")}
    assert guest.post(f"{HERE}/files", data={"since": now(world).hash}, files=files).status_code == status
    assert now(world).number == 1


def test_a_reviewer_reads_the_file_and_cannot_edit_it(world):
    with_project(world)
    page = visitor(world, "rita").get(HERE).text
    assert ("k_anonymity" in page, "<textarea" in page) == (True, False)


def test_the_second_of_two_tabs_is_told(world):
    with_project(world)
    who, since = visitor(world, "stella"), now(world).hash
    edited(who, world, PROJECT.replace("at_least: 3", "at_least: 5"))
    late = who.post(f"{HERE}/text", data={"since": since, "text": PROJECT.replace("at_least: 3", "at_least: 9")})
    assert late.status_code == 412
    assert "at_least: 5" in now(world).text

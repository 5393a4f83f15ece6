"""Versions of a project: nothing is written over, nobody writes over another, and nothing but plain files gets in."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest
from tests.service.conftest import a_world
from tests.service.project_of_visits import BASE, PROJECT, log_of, put

from sfumato.canonical import digest
from sfumato.service.changes import project_changed
from sfumato.service.entities import DataRequest
from sfumato.service.permissions import Act
from sfumato.service.project_archive import packed
from sfumato.service.settings import Settings
from sfumato.web.guard import MOST_BYTES

HIERARCHY = "20,young\n30,old\n"


@pytest.fixture(scope="module")
def same_world(tmp_path_factory):
    """A world for refusals, which change nothing: the project has a first version."""
    made = a_world(tmp_path_factory.mktemp("versions") / "root")
    assert put(made.door("stella"), "sfumato.yaml", PROJECT).status_code == 200
    yield made
    made.service.database.close()


def test_every_change_is_a_version_with_its_author_and_older_ones_stay_as_they_were(world):
    door = world.door("stella")
    assert door.get(f"{BASE}/versions").headers["etag"] == f'"{digest({})}"'
    first = put(door, "sfumato.yaml", PROJECT, match=f'"{digest({})}"')
    assert (first.status_code, first.json()["number"], first.json()["author"]) == (200, 1, "stella")
    second = put(door, "sex.csv", HIERARCHY, match=first.headers["etag"])
    assert second.json()["number"] == 2
    assert set(second.json()["files"]) == {"sfumato.yaml", "sex.csv"}
    third = door.delete(f"{BASE}/files/sex.csv", headers={"If-Match": second.headers["etag"]})
    assert third.json()["files"] == first.json()["files"]
    assert third.headers["etag"] == first.headers["etag"]  # the same files are the same state
    assert door.get(f"{BASE}/versions/2/files/sex.csv").text == HIERARCHY
    assert door.get(f"{BASE}/versions/3/files/sex.csv").status_code == 404
    page = door.get(f"{BASE}/versions", params={"limit": 2}).json()
    assert [one["number"] for one in page["items"]] == [3, 2]
    following = door.get(f"{BASE}/versions", params={"limit": 2, "after": page["next"]}).json()
    assert ([one["number"] for one in following["items"]], following["next"]) == ([1], None)
    assert world.door("rita").get(f"{BASE}/versions/1").status_code == 200


def test_of_two_tabs_the_second_to_save_is_told_and_nothing_of_the_first_is_lost(world):
    door = world.door("stella")
    seen = put(door, "sfumato.yaml", PROJECT).headers["etag"]
    assert put(door, "sfumato.yaml", f"{PROJECT}subject: id\n", match=seen).status_code == 200
    refused = put(door, "sfumato.yaml", f"{PROJECT}engine: duckdb\n", match=seen)
    assert (refused.status_code, refused.json()["type"]) == (412, "urn:sfumato:problem:stale")
    assert "subject" in door.get(f"{BASE}/versions/2/files/sfumato.yaml").text
    assert door.get(f"{BASE}/versions/3").status_code == 404


@pytest.mark.parametrize("way", ["put", "delete", "undo", "replace", "import"])
def test_no_change_without_saying_of_which_version_it_is_one(same_world, way):
    door = same_world.door("stella")
    asked = {
        "put": lambda headers: door.put(f"{BASE}/files/a.csv", content="a\n", headers=headers),
        "delete": lambda headers: door.delete(f"{BASE}/files/a.csv", headers=headers),
        "undo": lambda headers: door.post(f"{BASE}/undo", json={"number": 1}, headers=headers),
        "replace": lambda headers: door.post(
            f"{BASE}/versions", json={"files": {"sfumato.yaml": PROJECT}}, headers=headers
        ),
        "import": lambda headers: door.put(
            f"{BASE}/files", content=packed({"sfumato.yaml": PROJECT.encode()}), headers=headers
        ),
    }[way]
    assert asked({}).status_code == 428
    assert asked({"If-Match": '"0"'}).status_code == 412


def test_an_undo_is_a_new_version_with_the_files_of_the_old_one(world):
    door = world.door("stella")
    put(door, "sfumato.yaml", PROJECT)
    put(door, "sfumato.yaml", f"{PROJECT}subject: id\n")
    undone = door.post(f"{BASE}/undo", json={"number": 1}, headers={"If-Match": "*"})
    assert (undone.status_code, undone.json()["number"]) == (201, 3)
    assert door.get(f"{BASE}/versions/3/files/sfumato.yaml").text == PROJECT
    assert door.post(f"{BASE}/undo", json={"number": 9}, headers={"If-Match": "*"}).status_code == 404
    again = door.post(f"{BASE}/undo", json={"number": 1}, headers={"If-Match": "*"})
    assert again.json()["number"] == 3  # nothing changes, so there is nothing new


def test_a_difference_names_each_file_and_its_lines(world):
    door = world.door("stella")
    put(door, "sfumato.yaml", PROJECT)
    put(door, "sex.csv", HIERARCHY)
    put(door, "sfumato.yaml", f"{PROJECT}subject: id\n")
    one, other = door.get(f"{BASE}/versions/3/differences", params={"before": 1}).json()
    assert (one["name"], one["change"]) == ("sex.csv", "added")
    assert (other["name"], other["change"]) == ("sfumato.yaml", "changed")
    assert "+subject: id\n" in other["text"]
    (back,) = [d for d in door.get(f"{BASE}/versions/1/differences?before=3").json() if d["name"] == "sex.csv"]
    assert back["change"] == "deleted"
    put(door, "large.csv", "a,b\n" * 400_000)
    (large,) = door.get(f"{BASE}/versions/4/differences", params={"before": 3}).json()
    assert (large["name"], large["text"]) == ("large.csv", None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("data: [", "sfumato.yaml, line 1"),
        ("columns:\n  a: {role: quasy}\n", "sfumato.yaml, line 2"),
        ("colums: {}\n", "sfumato.yaml, line 1"),
        ("data: {source: /etc/passwd}\n", "leads out of the folder"),
        ("data: {source: ../other/visits.csv}\n", "leads out of the folder"),
        ("data: {source: sub/visits.csv}\n", "plain name of a source"),
        ("data: {source: 'postgresql://u:secret@db/x'}\n", "names a server"),
        ("data: {source: 'https://example.org/x.csv'}\n", "is a URL"),
        ("data: {source: x.db, query: SELECT 1}\n", "`data: query` is not taken here"),
        ("columns: {a: {role: quasi, hierarchy: ../../keys/server-0001.key}}\n", "leads out of the folder"),
        ("population: {table: /etc/passwd}\n", "leads out of the folder"),
        ("context: {recipient: /etc/passwd}\n", "leads out of the folder"),
        ("plan: {steps: [{frobnicate: {}}]}\n", "no transformation"),
        ("", "the file is empty"),
        ("a: &a [*a]\n", "sfumato.yaml"),
    ],
)
def test_a_project_file_that_cannot_be_read_or_names_a_place_is_refused_and_nothing_is_saved(same_world, text, words):
    door = same_world.door("stella")
    refused = put(door, "sfumato.yaml", text)
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert words in refused.json()["detail"]
    assert "secret" not in refused.text
    assert "/tmp" not in refused.text  # nor where the service works
    assert "allow" not in refused.text
    assert len(door.get(f"{BASE}/versions").json()["items"]) == 1


def test_what_the_server_may_read_a_project_may_not(world, monkeypatch, tmp_path):
    monkeypatch.setenv("SFUMATO_ALLOW", f"{tmp_path}:db.example.org")
    door = world.door("stella")
    for text in (
        f"columns: {{a: {{role: quasi, hierarchy: {tmp_path}/a.csv}}}}\n",
        f"data: {{source: {tmp_path}/a.csv}}\n",
        "data: {source: 'postgresql://db.example.org/x'}\n",
        "population: {table: 'postgresql://db.example.org/x'}\n",
    ):
        assert put(door, "sfumato.yaml", text).status_code == 422, text


NAMES = [
    "..%2Fx.csv", "%2Fetc%2Fpasswd", "a%5Cb.csv", ".hidden.csv", "-rf.csv", "con.csv", "a.exe", "sfumato.key", "x.pem",
    "a%00.csv", "a%0A.csv", "%3Cscript%3E.csv", "..", "a.csv.", "c%3Aa.csv", "SFUMATO.YAML", "x" * 230 + ".csv",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_no_file_gets_in_under_a_name_that_is_none(same_world, name):
    door = same_world.door("stella")
    before = sorted(path for path in same_world.service.root.rglob("*") if path.is_file() and "log" not in path.parts)
    assert put(door, name, "a\n").status_code in (404, 405, 422)
    assert set(door.get(f"{BASE}/versions/1").json()["files"]) == {"sfumato.yaml"}
    after = sorted(path for path in same_world.service.root.rglob("*") if path.is_file() and "log" not in path.parts)
    assert after == before


def test_files_beyond_the_limit_are_refused_with_the_limit_named(tmp_path):
    world = a_world(tmp_path / "root", Settings(project_files_bytes=2_000_000))
    door = world.door("stella")
    put(door, "sfumato.yaml", PROJECT)
    refused = put(door, "large.csv", b"a" * 2_000_001)
    assert (refused.status_code, "2,000,000 bytes" in refused.json()["detail"]) == (413, True)
    assert put(door, "half.csv", b"a" * 1_500_000).status_code == 200  # more than another question may have
    assert put(door, "half2.csv", b"a" * 1_500_000).status_code == 413
    assert door.post(f"{BASE}/versions", content=b"a" * (MOST_BYTES + 1)).status_code == 413
    assert world.door("other").put(f"{BASE}/files/a.csv", content=b"a" * 3_000_000).status_code == 404
    world.service.database.close()


def test_an_archive_comes_out_the_same_each_time_and_goes_in_again_as_a_version(world):
    door, other = world.door("stella"), world.door("other")
    put(door, "sfumato.yaml", PROJECT)
    put(door, "sex.csv", HIERARCHY)
    first, second = (door.get(f"{BASE}/versions/2/files") for _ in range(2))
    assert first.content == second.content
    assert zipfile.ZipFile(io.BytesIO(first.content)).namelist() == ["sex.csv", "sfumato.yaml"]
    assert world.service.keys.of_project("x").read_bytes() not in first.content
    taken = other.put(
        "/api/v1/projects/elsewhere/files", content=first.content, headers={"If-Match": "*"}, params={"message": "in"}
    )
    assert taken.status_code == 200
    assert taken.headers["etag"] == door.get(f"{BASE}/versions/2").headers["etag"]


def _bombs():
    def written(*infos: zipfile.ZipInfo | str, content: bytes = b"a"):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("sfumato.yaml", PROJECT)
            for info in infos:
                archive.writestr(info, content)
        return stream.getvalue()

    link = zipfile.ZipInfo("link.csv")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    bz = zipfile.ZipInfo("b.csv")
    bz.compress_type = zipfile.ZIP_BZIP2
    lies = bytearray(written("a.csv", content=b"a" * 5_000))
    at = lies.find(b"PK\x01\x02", lies.find(b"PK\x01\x02") + 4)
    lies[at + 24 : at + 28] = (10).to_bytes(4, "little")  # the directory says ten bytes
    yield "ratio", written("bomb.csv", content=b"0" * 40_000_000), 413
    yield "members", written(*(f"f{i}.csv" for i in range(600))), 413
    yield "bytes", packed({f"f{i}.csv": (b"%d" % i) * 10_000_000 for i in range(6)}), 413
    yield "a path", written("../evil.csv"), 422
    yield "an absolute path", written("/etc/cron.d/evil.csv"), 422
    yield "a folder", written("sub/"), 422
    yield "a link", written(link, content=b"/etc/passwd"), 422
    yield "two of a name", written("A.csv", "a.csv"), 422
    yield "another packing", written(bz), 422
    yield "a key", written("sfumato.key"), 422
    yield "cut", written("a.csv")[:-30], 422
    yield "a lie", bytes(lies), 422
    yield "no archive", b"PK\x05\x06 or not", 422
    yield "no project file", packed({"a.csv": b"a"}), 409


@pytest.mark.parametrize(("content", "status"), [pytest.param(c, s, id=n) for n, c, s in _bombs()])
def test_an_archive_that_is_a_bomb_or_no_plain_files_is_refused_and_nothing_is_saved(same_world, content, status):
    door = same_world.door("stella")
    refused = door.put(f"{BASE}/files", content=content, headers={"If-Match": "*"})
    assert refused.status_code == status, refused.text
    assert len(door.get(f"{BASE}/versions").json()["items"]) == 1


def test_a_change_puts_back_what_was_under_review_and_says_so_in_the_log(world):
    with world.service.database.writing() as session:
        made = {
            state: DataRequest(
                project=project(world).handle, requester=world.accounts["quentin"].handle,
                recipient=world.accounts["rex"].handle, purpose="", columns=[], answers={}, state=state, round=1,
                package_hash="0" * 64, created=world.service.clock(), changed=world.service.clock(),
            )
            for state in ("asked", "submitted", "reviewed", "approved", "released")
        }  # fmt: skip
        session.add_all(made.values())
    put(world.door("stella"), "sfumato.yaml", PROJECT)
    with world.service.database.reading() as session:
        now = {state: session.get_one(DataRequest, request.handle) for state, request in made.items()}
    assert {state: request.state for state, request in now.items()} == {
        "asked": "asked", "submitted": "preparing", "reviewed": "preparing", "approved": "preparing",
        "released": "released",
    }  # fmt: skip
    assert (now["approved"].round, now["approved"].package_hash) == (2, None)
    assert (now["released"].round, now["released"].package_hash) == (1, "0" * 64)
    assert made["approved"].handle.encode() in log_of(world.service)


def project(world):
    with world.service.act(world.caller("stella"), Act.PROJECT_READ, project="clinic") as deed:
        return deed.project


def test_a_change_in_another_project_puts_nothing_back(world):
    with world.service.act(world.caller("other"), Act.PROJECT_CHANGE, project="elsewhere") as deed:
        project_changed(deed)
        assert deed.outcome == {}


@pytest.mark.parametrize("who", ["other", "quentin", "rex", "ada", "otto", None])
def test_whoever_is_neither_steward_nor_reviewer_learns_nothing_of_versions(same_world, who):
    door = same_world.door(who)
    paths = ["versions", "versions/1", "versions/1/files", "versions/1/files/sfumato.yaml", "versions/1/differences"]
    expected = {"other": 404, "otto": 404, None: 401}.get(who, 403)
    assert [door.get(f"{BASE}/{path}").status_code for path in (*paths, "key")] == [expected] * 6
    assert put(door, "sfumato.yaml", PROJECT).status_code == expected
    if who == "other":
        there, nowhere = (door.get(f"/api/v1/projects/{name}/versions/1") for name in ("clinic", "nowhere"))
        assert there.json() == nowhere.json()


def test_a_reviewer_reads_versions_and_changes_none_and_has_no_key(world):
    put(world.door("stella"), "sfumato.yaml", PROJECT)
    door = world.door("rita")
    assert door.get(f"{BASE}/versions/1/files/sfumato.yaml").text == PROJECT
    assert door.get(f"{BASE}/key").status_code == 403
    assert put(door, "sfumato.yaml", f"{PROJECT}subject: id\n").status_code == 403
    assert door.post(f"{BASE}/undo", json={"number": 1}, headers={"If-Match": "*"}).status_code == 403


def test_that_a_key_was_taken_out_is_in_the_log_and_the_key_is_not(world):
    key = world.door("stella").get(f"{BASE}/key")
    assert key.status_code == 200
    assert key.content == world.service.keys.of_project(project(world).handle).read_bytes()
    assert b"key.read" in log_of(world.service)
    assert key.content.strip() not in log_of(world.service)

"""Releases: a separate act that is confirmed, once; the recipient downloads until it expires or is revoked."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.service.released_package import Clinic, real_release

from sfumato.proof.use_log.chain import Chain
from sfumato.service import releases
from sfumato.service.entities import Account
from sfumato.service.permissions import Act
from sfumato.service.zip_stream import zip_stream


@pytest.fixture
def clinic(world) -> Clinic:
    return Clinic.of(world)


def package(clinic: Clinic, request: str, name: str = "rex"):
    return clinic.get(name, f"/own-requests/{request}/package")


def chain(clinic: Clinic) -> Chain:
    made = Chain.of(clinic.world.service.events.log, verify=True)
    assert made.problems == ()
    return made


def test_a_release_is_confirmed_by_what_leaves_and_to_whom(clinic):
    request = clinic.approved()
    shown = clinic.get("stella", f"/requests/{request}/release").json()
    assert shown["confirmation"] == (
        f"Release 24 records with 3 columns of clinic to rex, package {shown['package_hash'][:12]}"
    )
    right = {key: shown[key] for key in ("package_hash", "confirmation")}
    for status, wrong in (
        (422, {"confirmation": "yes"}), (422, {"confirmation": shown["confirmation"].replace("rex", "quentin")}),
        (412, {"package_hash": "f" * 64}), (422, {"package_hash": "f"}),
    ):  # fmt: skip
        assert clinic.post("stella", f"/requests/{request}/release", {**right, **wrong}).status_code == status
    assert clinic.state(request) == "approved"
    for name in ("rita", "quentin", "rex", "ada"):
        assert clinic.post(name, f"/requests/{request}/release", right).status_code == 403
    assert clinic.post("stella", f"/requests/{request}/release", right).json()["state"] == "released"
    assert clinic.notices("rex") == ["package-there"]


def test_a_double_click_releases_once(clinic):
    request = clinic.approved()
    key = {"Idempotency-Key": "click"}
    shown = clinic.get("stella", f"/requests/{request}/release").json()
    body = {name: shown[name] for name in ("package_hash", "confirmation")}
    first, second = (clinic.post("stella", f"/requests/{request}/release", body, **key) for _ in range(2))
    assert (first.status_code, first.json()) == (second.status_code, second.json()) == (201, first.json())
    assert clinic.post("stella", f"/requests/{request}/release", body).status_code == 409
    assert len(chain(clinic).deliveries) == 1


def test_the_log_has_the_release_as_a_delivery_and_what_its_recipient_reports(clinic):
    request = clinic.released()
    (delivery,) = chain(clinic).deliveries
    assert {key: delivery[key] for key in ("to", "purpose", "manifest", "problems")} == {
        "to": "rex", "purpose": "Falls on wards", "manifest": clinic.row(request).package_hash, "problems": []
    }  # fmt: skip
    assert clinic.post("rex", f"/own-requests/{request}/uses", {"use": "A paper on falls."}).status_code == 201
    assert clinic.post("quentin", f"/own-requests/{request}/uses", {"use": "Mine."}).status_code == 404
    (reported,) = chain(clinic).reported
    assert (reported["by"], reported["use"], reported["manifest"]) == (
        "rex", "A paper on falls.", clinic.row(request).package_hash
    )  # fmt: skip


def test_the_recipient_downloads_the_very_package_and_it_is_counted_and_logged(clinic, tmp_path):
    request = clinic.released()
    first, second = package(clinic, request), package(clinic, request)
    assert first.headers["content-type"] == "application/zip"
    assert first.content == second.content
    with zipfile.ZipFile(io.BytesIO(first.content)) as archive:
        assert archive.testzip() is None
        names = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
        archive.extractall(tmp_path / "unpacked")
    packed = {name.partition("/")[2]: content for name, content in real_release().items() if "evidence/" not in name}
    assert names == packed
    from sfumato.proof.package.manifest import Manifest

    (folder,) = (tmp_path / "unpacked").iterdir()
    manifest = Manifest.read(folder)
    assert manifest.sha256 == clinic.row(request).package_hash
    assert manifest.problems(folder) == []
    assert clinic.get("stella", f"/requests/{request}").json()["downloads"] == 2
    downloads = [use for use in chain(clinic).uses if use["command"]["name"] == Act.DOWNLOAD.value]
    assert [use["outcome"]["download"] for use in downloads] == [1, 2]


def test_nobody_but_the_recipient_downloads(clinic):
    request = clinic.released()
    codes = {name: package(clinic, request, name).status_code for name in ("quentin", "stella", "rita", "ada", "other")}
    assert codes == {"quentin": 404, "stella": 403, "rita": 403, "ada": 403, "other": 404}
    assert clinic.world.door().get(f"/api/v1/projects/clinic/own-requests/{request}/package").status_code == 401
    own = clinic.released(recipient=None)  # whose recipient is quentin: rex receives too, and not this
    assert package(clinic, own, "rex").status_code == 404
    assert package(clinic, own, "quentin").status_code == 200


def test_nothing_is_downloaded_before_the_release(clinic):
    assert package(clinic, clinic.approved()).status_code == 409


def test_revoking_stops_downloads_at_once_and_is_logged(clinic):
    request = clinic.released()
    assert package(clinic, request).status_code == 200
    assert clinic.post("stella", f"/requests/{request}/revoke", {"reason": "A column too many."}).status_code == 200
    answer = package(clinic, request)
    assert (answer.status_code, "revoked" in answer.json()["detail"]) == (409, True)
    for name in ("rex", "quentin"):  # what was wrong with it may stand in its report
        report = clinic.get(name, f"/own-requests/{request}/report")
        assert (report.status_code, "revoked" in report.json()["detail"]) == (409, True)
    assert clinic.get("rex", f"/own-requests/{request}").json()["reason"] == "A column too many."
    assert "package-revoked" in clinic.notices("rex")
    assert clinic.post("stella", f"/requests/{request}/revoke", {"reason": "Again."}).status_code == 409
    log = chain(clinic)
    (use,) = [use for use in log.uses if use["command"]["name"] == "request.revoke" and use["outcome"]["verdict"] == "done"]  # fmt: skip # noqa: E501
    assert (use["who"]["name"], use["outcome"]["downloads"]) == ("stella", 1)


def test_a_release_expires_after_the_days_of_the_project(clinic):
    clinic.set(days_of_download=2)
    request = clinic.released()
    with clinic.session as session:  # tokens of the tests live for a day, and time moves by three
        from sfumato.service.entities import Token

        for token in session.query(Token):
            token.expires += timedelta(days=30)
    service = clinic.world.service
    caller = clinic.world.caller("rex")
    clinic.world.service = replace(service, clock=lambda: service.clock() + timedelta(days=3))
    clinic.door_of.clear()
    assert clinic.get("rex", f"/own-requests/{request}").json()["state"] == "expired"
    assert [one["request"] for one in clinic.get("stella", "/requests?state=expired").json()["items"]] == [request]
    assert clinic.get("stella", "/requests?state=released").json()["items"] == []
    answer = package(clinic, request)
    assert (answer.status_code, "has passed" in answer.json()["detail"]) == (409, True)
    assert clinic.row(request).state == "expired"
    last = chain(clinic).uses[-1]
    assert (last["outcome"]["refused"], last["outcome"]["state"]) == (True, "expired")
    assert package(clinic, request).json()["detail"].startswith("The request is expired")
    with pytest.raises(Exception, match="expired"):
        releases.download(clinic.world.service, caller, "clinic", request)


def test_a_closed_recipient_and_one_who_lost_the_role_download_nothing(clinic):
    request = clinic.released()
    caller = clinic.world.caller("rex")
    with clinic.session as session:
        session.get_one(Account, clinic.world.accounts["rex"].handle).closed = True
    assert package(clinic, request).status_code == 401
    with pytest.raises(Exception, match="does not receive data"):  # by a door that was open already
        releases.download(clinic.world.service, caller, "clinic", request)
    with clinic.session as session:
        from sfumato.service.entities import Membership

        session.get_one(Account, clinic.world.accounts["rex"].handle).closed = False
        session.query(Membership).filter_by(account=clinic.world.accounts["rex"].handle).delete()
    assert package(clinic, request).status_code == 404


def test_a_recipient_who_no_longer_is_one_gets_no_release(clinic):
    request = clinic.approved()
    with clinic.session as session:
        session.get_one(Account, clinic.world.accounts["rex"].handle).closed = True
    assert clinic.release(request).status_code == 403


def test_an_archive_of_large_files_is_streamed_with_flat_memory(tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    tracemalloc.start()
    try:
        length = sum(map(len, zip_stream({"b": large, "a": large}, "package")))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert length > 200_000_000
    assert peak < 10_000_000

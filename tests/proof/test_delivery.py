"""A delivery is written to the log: to whom, when, which package, what for; and what the recipient reports back."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.errors import SfumatoError
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import AuditLog

PATIENTS = "age,sex,diagnosis\n" + "".join(f"{30 + i % 5},{'FM'[i % 2]},asthma{i % 3}\n" for i in range(40))
PROJECT = """\
data: {source: patients.csv}
columns:
  age: {role: quasi, bins: [30, 40]}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
anonymise: {method: optimal}
"""
TO = ("--to", "University of Aba", "--purpose", "Asthma registry")


@pytest.fixture
def package(sfumato, tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    done = sfumato("release", "--out", "package", "--no-report")
    assert done.code == 0, done.said
    return tmp_path / "package"


def chain(package: Path) -> Chain:
    return Chain.of(AuditLog(package.parent / "sfumato.log.jsonl"), verify=True)


def test_a_delivery_says_to_whom_when_which_package_and_what_for(sfumato, package):
    done = sfumato("deliver", "package", *TO, "--on", "2026-05-31", "--json", "-")
    assert done.code == 0, done.said
    manifest = sha256((package / "manifest.json").read_bytes()).hexdigest()
    expected = {
        "package": "package", "manifest": manifest, "to": "University of Aba", "purpose": "Asthma registry",
        "on": "2026-05-31", "problems": [],
    }  # fmt: skip
    assert json.loads(done.out) == expected
    assert chain(package).deliveries == (expected,)
    assert chain(package).problems == ()
    shown = sfumato("log").said
    assert "Deliveries" in shown
    assert "University of Aba Asthma registry" in shown
    assert json.loads(sfumato("log", "--json", "-").out)["deliveries"] == [expected]
    assert sfumato("deliver", "package", "--to", "Another", "--purpose", "More").code == 0
    assert [one["to"] for one in chain(package).deliveries] == ["University of Aba", "Another"]


def test_a_package_that_was_changed_is_not_handed_on_unless_somebody_says_why(sfumato, package):
    with (package / "released.csv").open("a", encoding="utf-8") as file:
        file.write("*,F,asthma1\n")
    refused = sfumato("deliver", "package", *TO)
    assert refused.code == 2
    assert "was not handed on" in refused.said
    assert "sfumato verify" in refused.said
    assert "asthma1" not in refused.said
    assert chain(package).deliveries == ()
    assert chain(package).uses[-1]["outcome"] == {"exit": 2, "verdict": "DeliveryRefused"}
    told = sfumato("deliver", "package", *TO, "--anyway", "a row was added by hand")
    assert told.code == 0
    (delivery,) = chain(package).deliveries
    assert delivery["anyway"] == "a row was added by hand"
    assert delivery["problems"]
    assert "against the checks" in chain(package).uses[-1]["outcome"]["verdict"]


def test_a_package_that_the_log_does_not_know_is_not_handed_on(sfumato, package, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for name in ("patients.csv", "sfumato.yaml"):
        (other / name).write_bytes((tmp_path / name).read_bytes())
    refused = sfumato("deliver", "package", *TO, "--project", "other/sfumato.yaml")
    assert refused.code == 2
    assert "No use in the log says that it released this package." in refused.said


def test_nothing_is_handed_on_where_the_log_was_tampered_with(sfumato, package):
    log = package.parent / "sfumato.log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"exit":0', b'"exit":1'))
    refused = sfumato("deliver", "package", *TO)
    assert refused.code == 2
    assert "tampered with" in refused.said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("patients.csv", *TO), "no release package"),
        (("package", "--to", " ", "--purpose", "x"), "must not be empty"),
        (("package", "--to", "x", "--purpose", "y" * 2000), "at most 1000"),
        (("package", *TO, "--on", "2999-01-01"), "still to come"),
        (("package", *TO, "--on", "31.5.2026"), "expected a day"),
        (("package", *TO, "--project", "none.yaml"), "there is no log to write to"),
    ],
)
def test_what_cannot_be_delivered_is_said_plainly(sfumato, package, arguments, words):
    refused = sfumato("deliver", *arguments)
    assert refused.code == 2
    assert words in refused.said
    assert chain(package).deliveries == ()


def test_the_recipient_reports_back_what_the_package_was_used_for(sfumato, package):
    assert "handed to anybody" in sfumato("report-use", "package", "--by", "University of Aba", "--use", "x").said
    sfumato("deliver", "package", *TO)
    wrong = sfumato("report-use", "package", "--by", "Somebody", "--use", "x")
    assert (wrong.code, "'Somebody', but to 'University of Aba'." in wrong.said) == (2, True)
    manifest = chain(package).deliveries[0]["manifest"]
    for which in ("package", manifest):
        done = sfumato("report-use", which, "--by", "University of Aba", "--use", "Figure 2")
        assert done.code == 0, done.said
    assert [one["use"] for one in chain(package).reported] == ["Figure 2", "Figure 2"]
    assert "Reported by recipients" in sfumato("log").out


def test_the_report_shows_to_whom_the_data_went(sfumato, package):
    assert sfumato("report", "--no-attacks", "--no-curve", "--html", "before.html").code < 2
    sfumato("deliver", "package", *TO)
    sfumato("report-use", "package", "--by", "University of Aba", "--use", "Figure 2 of a report")
    assert sfumato("report", "--no-attacks", "--no-curve", "--html", "after.html").code < 2
    before, after = ((package.parent / name).read_text(encoding="utf-8") for name in ("before.html", "after.html"))
    assert "University of Aba" not in before
    assert "University of Aba" in after
    assert "Figure 2 of a report" in after


def test_python_delivers_too_and_writes_the_same_log(sfumato, package):
    delivery = sf.deliver(package, to="A", purpose="B", project=package.parent / "sfumato.yaml")
    sf.report_use(package, by="A", use="C", project=package.parent / "sfumato.yaml")
    assert [one["to"] for one in chain(package).deliveries] == ["A"]
    assert [one["by"] for one in chain(package).reported] == ["A"]
    assert delivery.document()["to"] == "A"
    with pytest.raises(SfumatoError, match="no log to write to"):
        sf.deliver(package, to="A", purpose="B", project=package / "sfumato.yaml")

"""Who decided on the roles: in the report that stays, and nowhere in what is handed on."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.project.file import Project, RoleDecision, with_decisions
from sfumato.proof.release import release
from sfumato.proof.report.make_report import report
from sfumato.schema import Role

NAME, DAY, REASON = "Zoë Quandary", "2019-03-14", "a wristband shows it"
QUICK = {"charts": False, "attacks": False, "curve": False}


@pytest.fixture
def decided(folder: Path) -> Path:
    """A project in which somebody decided on two roles, one of them by giving a reason."""
    path = folder / "sfumato.yaml"
    text = path.read_text(encoding="utf-8")
    weight, age = RoleDecision(Role.SENSITIVE, NAME, DAY, REASON), RoleDecision(Role.QUASI, NAME, DAY)
    path.write_text(with_decisions(text, {"weight": weight, "age": age}, path, again=True), encoding="utf-8")
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_full_report_names_who_decided_when_and_why(decided):
    told = report(project=decided, **QUICK)
    for form in (told.to_json(), told.markdown()):
        assert all(word in form for word in (NAME, DAY, REASON))


def test_the_package_names_nobody_and_the_evidence_does(decided, tmp_path):
    made = release(decided, tmp_path / "one")
    package, evidence = files(made.folder), files(made.evidence)
    for word in (NAME, NAME.encode("ascii", "xmlcharrefreplace").decode(), NAME.split()[1], DAY, REASON):
        assert [name for name, content in package.items() if word.encode() in content] == []
    assert "A person decided about every column that is released." in package["report.html"].decode()
    assert all(word in evidence["report.html"].decode() for word in (NAME.split()[1], DAY, REASON))
    again = release(decided, tmp_path / "two")
    assert files(again.folder) == package
    assert files(again.evidence) == evidence


def test_who_decided_changes_neither_the_released_rows_nor_the_package(decided, tmp_path, monkeypatch):
    one = files(release(decided, tmp_path / "one", report=False).folder)
    text = decided.read_text(encoding="utf-8").replace(NAME, "Somebody Else")
    decided.write_text(text, encoding="utf-8")
    monkeypatch.setenv("SFUMATO_USER", "nobody in particular")
    two = files(release(decided, tmp_path / "two", report=False).folder)
    assert {name for name in one if one[name] != two[name]} == set()


def test_roles_given_for_a_report_are_decisions_and_said_to_be_given_by_somebody(folder):
    told = report(project="sfumato.yaml", sensitive="weight", by=NAME, **QUICK)
    assert NAME in told.markdown()
    assert "NOT confirmed" not in told.markdown()
    assert not any("only proposed" in said for said in told.verdict.open)
    assert Project.read("sfumato.yaml").proposed == {"weight"}
    unnamed = report(project="sfumato.yaml", sensitive="weight", **QUICK)
    assert "said when the report was made" in unnamed.markdown()


def test_the_report_command_takes_the_name_from_an_option_or_the_environment(folder, run, monkeypatch):
    asked = ("report", "--sensitive", "weight", "--no-attacks", "--no-curve", "--no-charts", "--markdown", "r.md")
    run(*asked, "--by", NAME)
    assert NAME in (folder / "r.md").read_text(encoding="utf-8")
    monkeypatch.setenv("SFUMATO_USER", "Ann Example")
    run(*asked)
    assert "Ann Example" in (folder / "r.md").read_text(encoding="utf-8")

"""`sfumato report`, as it is typed."""

from __future__ import annotations

import json


def test_the_project_file_of_the_folder_is_meant_and_the_text_is_shown(folder, run):
    code, out, err = run("report", "--no-attacks", "--no-curve")
    assert (code, err) == (0, "")
    assert out.startswith("Report on the release of patients.csv\n=====")
    first = (
        "At a glance",
        "The decision",
        "What leaves",
        "What does not leave",
        "What could be found",
        "What was lost",
    )
    parts = ("Context", "Data", "Identifiability", "Transformations", "Utility", "Governance",
             "For the supervisory authority", "HIPAA Safe Harbor", "Glossary")  # fmt: skip
    places = [out.index(f"\n{title}\n---") for title in first]
    places += [out.index(f"\n{number}. {part}\n---") for number, part in enumerate(parts, 1)]
    assert places == sorted(places)
    assert out.endswith("Evidence for a qualified decision; not a legal determination.\n")


def test_every_form_is_written_and_what_was_found_is_said(folder, run):
    files = ("--html", "r.html", "--markdown", "r.md", "--json", "r.json")
    code, out, _ = run("report", "-p", "sfumato.yaml", "--no-attacks", "--no-curve", *files)
    assert code == 0
    assert out.endswith("Wrote r.html, r.md, r.json.\n")
    assert (folder / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (folder / "r.md").read_text(encoding="utf-8").startswith("# Report on the release of patients.csv")
    found = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    assert found["mask"] == 11
    assert [part["key"] for part in found["parts"]][-1] == "glossary"


def test_json_on_the_terminal_is_nothing_but_json(folder, run):
    _, out, err = run("report", "--no-attacks", "--no-curve", "--no-charts", "--json", "-", "--html", "r.html")
    assert json.loads(out)["title"] == "Report on the release of patients.csv"
    assert "Wrote r.html." in err


def test_the_mask_can_be_set(folder, run):
    _, out, _ = run("report", "--no-attacks", "--no-curve", "--mask", "5", "--json", "-")
    found = json.loads(out)
    assert found["mask"] == 5
    assert "<11" not in out


def test_what_is_read_is_not_written_over(folder, run):
    for option in ("--html", "--markdown", "--json"):
        for name in ("patients.csv", "sfumato.yaml"):
            before = (folder / name).read_bytes()
            code, _, err = run("report", option, name)
            assert (code, (folder / name).read_bytes()) == (2, before)
            assert option in err
    assert run("report", "--html", "r.html", "--markdown", "r.html")[0] == 2


def test_a_policy_that_cannot_be_met_ends_with_1_and_says_what_would_help(folder, run):
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8").replace("at_least: 4", "at_least: 400")
    (folder / "sfumato.yaml").write_text(text, encoding="utf-8")
    code, out, err = run("report", "--html", "r.html")
    assert (code, out) == (1, "")
    assert "--k 240 would do: 240 instead of 400." in err
    assert not (folder / "r.html").exists()


def test_nothing_to_report_on_is_said(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("report")
    assert code == 2
    assert "nothing to report on" in err


def test_a_release_that_breaks_a_requirement_ends_with_1_and_has_its_report(folder, run):
    code, out, _ = run("report", "--released", "patients.csv", "--by-position", "--no-attacks", "--html", "r.html")
    assert code == 1
    assert out.startswith("Not met: the release breaks a requirement. Somebody looks like nobody else.")
    assert "Still in it: name, patient." in out
    assert 'class="verdict bad"' in (folder / "r.html").read_text(encoding="utf-8")

"""`sfumato context` and `sfumato glossary`, as they are typed."""

import io
import json
import sys

import pytest

from sfumato.cli import main
from sfumato.project.file import Project

FILE = """\
# who decided what
data: {source: table.csv}
columns:
  age: {role: quasi}
  diagnosis: {role: sensitive}
measures: [{measure: k_anonymity, at_least: 5}]
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """A command in a folder with a table and a project file: exit code, output, error stream."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("age,diagnosis\n" + "30,flu\n" * 11, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(FILE, encoding="utf-8")

    def command(*arguments: str, typed: str = ""):
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        return int(stopped.value.code or 0), out, err

    return command


def test_the_project_file_of_the_folder_is_meant_when_none_is_named(run):
    code, out, _ = run("context")
    assert code == 0
    assert "Risk moderate, benefit unanswered. 0 of 41 questions are answered." in out


def test_json_goes_to_the_terminal_and_holds_the_whole_matrix(run):
    code, out, _ = run("context", "-p", "sfumato.yaml", "--json", "-")
    found = json.loads(out)
    assert (code, found["matrix"]["risk"]["level"], len(found["matrix"]["areas"])) == (0, "moderate", 16)


def test_a_page_is_written_with_the_matrix_in_it(run, tmp_path):
    assert run("context", "--html", "context.html")[0] == 0
    assert "<svg" in (tmp_path / "context.html").read_text(encoding="utf-8")


def test_answers_go_into_the_project_file_and_the_rest_stays(run, tmp_path):
    code, out, err = run("context", "--ask", typed="Research\npublic\nyes\n")
    text = (tmp_path / "sfumato.yaml").read_text(encoding="utf-8")
    assert code == 0
    assert text.startswith(FILE)
    assert Project.parse(text).context["projects"] == {"purpose_stated": "yes"}
    assert "1 of 41 questions are answered." in out
    assert "What are the data released for?" in err
    assert out.endswith("Answers: sfumato.yaml\n")


def test_answers_go_to_a_file_of_their_own_and_the_project_file_stays_as_it_was(run, tmp_path):
    code, out, _ = run("context", "--ask", "--save", "answers.yaml", typed="Research\npublic\nyes\n")
    assert code == 0
    assert (tmp_path / "sfumato.yaml").read_text(encoding="utf-8") == FILE
    assert Project.read(tmp_path / "answers.yaml").context["purpose"] == "Research"
    assert "Risk moderate" in out


def test_a_file_with_answers_is_not_overwritten_unless_it_is_said(run, tmp_path):
    (tmp_path / "answers.yaml").write_text("mine", encoding="utf-8")
    for arguments in (["--ask", "--save"], ["--template"]):
        code, _, err = run("context", *arguments, "answers.yaml", typed="Research\n")
        assert code == 2
        assert "answers.yaml exists already" in err
        assert "released for" not in err
    assert run("context", "--template", "answers.yaml", "--force")[0] == 0


def test_a_template_lists_the_columns_and_can_be_read(run, tmp_path):
    code, out, _ = run("context", "--template", "answers.yaml")
    assert (code, out) == (0, "Wrote answers.yaml. Fill it in.\n")
    assert list(Project.read(tmp_path / "answers.yaml").context["benefits"]) == ["age", "diagnosis"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-p", "none.yaml"], "none.yaml: there is no such file. `sfumato init DATA` writes a first version."),
        (["--save", "a.yaml"], "--save keeps what was asked: use it with --ask."),
        (["--json", "sfumato.yaml"], "sfumato.yaml is the data itself, or its project file."),
        (["none.csv"], "none.csv"),
    ],
)
def test_wrong_use_ends_with_2_and_says_what_to_do(run, arguments, words):
    code, _, err = run("context", *arguments)
    assert code == 2
    assert words in err


@pytest.mark.parametrize("options", [["--html"], ["--force", "--ask", "--save"], ["--force", "--template"]])
def test_nothing_is_written_over_the_project_file_or_the_data(run, tmp_path, options):
    for target in ("sfumato.yaml", "table.csv"):
        code, _, err = run("context", *options, target, typed="Research\n")
        assert code == 2, target
        assert f"{target} is the data itself, or its project file. Choose another file for {options[-1]}." in err
    assert (tmp_path / "sfumato.yaml").read_text(encoding="utf-8") == FILE


def test_the_glossary_lists_all_terms_and_finds_one(run):
    assert "skewness attack" in run("glossary")[1]
    code, out, _ = run("glossary", "equivalence class", "--json", "-")
    assert (code, [term["term"] for term in json.loads(out)["terms"]]) == (0, ["class"])
    code, _, err = run("glossary", "homogenity attack")
    assert (code, "Did you mean 'homogeneity attack'?" in err) == (2, True)

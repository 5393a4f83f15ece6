"""`sfumato confirm` as a person uses it: at a terminal, by options, interrupted, and from Python."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import signal
import sys
from pathlib import Path

import pytest
from tests.doors.conftest import PROGRAM
from tests.doors.test_identify_command import HEADER, people, written
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli import app
from sfumato.errors import OutputError, PolicyError, ProjectError
from sfumato.project.file import Project, RoleDecision
from sfumato.schema import Role

BY = ("--by", "Zoë O'Hara", "--on", "2026-05-31")
KEPT = "kept as proposed (high), together with others"


@pytest.fixture
def coded(tmp_path: Path) -> Path:
    """Three columns: two that are sure, and one of which nothing is known."""
    rows = [[20 + i % 30, "FM"[i % 2], ["x", "y", "z"][i % 3]] for i in range(60)]
    return written(tmp_path / "coded.csv", rows, ["age", "sex", "zqv"])


@pytest.fixture
def walk(monkeypatch, tmp_path, coded):
    """Answer the questions at a terminal, one line each."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sfumato.cli.prompts.watched", lambda: True)

    def run(*answers: str, options: tuple[str, ...] = (), data: str = "coded.csv"):
        typed = "".join(f"{answer}\n" for answer in answers)
        return CliRunner().invoke(app, ["confirm", data, *BY, *options], input=typed)

    return run


def decisions(path: str = "sfumato.yaml") -> dict[str, RoleDecision]:
    return dict(Project.read(path).decisions)


def by_zoe(role: Role, reason: str | None = None) -> RoleDecision:
    return RoleDecision(role, "Zoë O'Hara", "2026-05-31", reason)


# At a terminal


def test_each_column_is_shown_with_its_evidence_and_kept_changed_or_skipped(walk):
    outcome = walk("keep as the codebook says", "", "c", "s", "a laboratory code")
    assert outcome.exit_code == 0
    assert "1 of 3: age\n  proposed: quasi (high)\n  because:  The name says" in outcome.output
    assert "what would decide:" in outcome.output
    assert decisions() == {
        "age": by_zoe(Role.QUASI, "as the codebook says"),
        "zqv": by_zoe(Role.SENSITIVE, "a laboratory code"),
    }
    assert "2 roles decided by Zoë O'Hara on 2026-05-31. Still open: 1 only proposed." in outcome.output
    assert "sfumato confirm --project sfumato.yaml" in outcome.output


def test_back_takes_the_last_answer_back(walk):
    walk("k", "back", "s", "q")
    assert decisions() == {}
    walk("k", "k", "b", "sensitive the study asks for it", "q")
    assert decisions()["sex"].role is Role.SENSITIVE


def test_a_role_may_be_typed_at_once_and_nonsense_is_asked_again(walk):
    outcome = walk("x", "nothing", "quasi colleagues know it", "q")
    assert outcome.output.count("[k]eep, [c]hange") == 4
    assert decisions() == {"age": by_zoe(Role.QUASI, "colleagues know it")}


def test_what_nothing_proposes_cannot_be_kept(walk):
    walk("s", "s", "k", "q")
    assert decisions() == {}


def test_a_decision_against_the_evidence_is_asked_for_a_reason_and_says_so_where_none_is_given(walk):
    outcome = walk("c", "n", "the ages are those of the houses", "c", "n", "", "", "q")
    assert "The evidence says quasi" in outcome.output
    assert decisions() == {
        "age": by_zoe(Role.NON_SENSITIVE, "the ages are those of the houses"),
        "sex": by_zoe(Role.NON_SENSITIVE, "against the evidence, which says quasi; no reason was given"),
    }
    assert "Decided against the evidence: age, sex." in outcome.output


def test_the_end_of_input_keeps_what_was_decided(walk):
    outcome = walk("k")
    assert outcome.exit_code == 0
    assert set(decisions()) == {"age"}


def test_ctrl_c_keeps_what_was_decided_and_says_so(walk, monkeypatch):
    answers = iter(["k"])

    def interrupted() -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", interrupted)
    outcome = walk()
    assert outcome.exit_code == 2
    assert "stopped. What was decided before is in sfumato.yaml" in outcome.output
    assert set(decisions()) == {"age"}


def test_a_file_that_somebody_else_changes_meanwhile_is_left_alone(walk, monkeypatch):
    def edit_and_keep() -> str:
        with Path("sfumato.yaml").open("a", encoding="utf-8") as file:
            file.write("# mine\n")
        return "k"

    monkeypatch.setattr("builtins.input", edit_and_keep)
    outcome = walk()
    assert isinstance(outcome.exception, OutputError)
    assert Path("sfumato.yaml").read_text(encoding="utf-8").endswith("# mine\n")
    assert decisions() == {}


class Terminal:
    """The program in a pseudo-terminal."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.said = ""
        self.process, self.screen = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execv(PROGRAM, [str(PROGRAM), *arguments])

    def until(self, words: str) -> None:
        start = len(self.said)
        while words not in self.said[start:]:
            ready, _, _ = select.select([self.screen], [], [], 60)
            assert ready, self.said
            try:
                self.said += os.read(self.screen, 4096).decode("utf-8", errors="replace")
            except OSError:
                return

    def type(self, words: str) -> None:
        os.write(self.screen, words.encode())

    def end(self) -> int:
        self.until("\0")
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_in_a_real_terminal_answers_are_read_and_a_kill_leaves_a_whole_file(tmp_path, coded):
    terminal = Terminal(tmp_path, "confirm", "coded.csv", *BY)
    terminal.until("[q]uit? ")
    terminal.type("keep größer ✓\n")
    terminal.until("[q]uit? ")
    os.kill(terminal.process, signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    kept = by_zoe(Role.QUASI, "größer ✓")
    assert decisions(tmp_path / "sfumato.yaml") == {"age": kept}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".sfumato")] == []
    terminal = Terminal(tmp_path, "confirm", *BY)
    terminal.until("[q]uit? ")
    assert "1 of 2: sex" in terminal.said
    terminal.type("\x03")
    assert terminal.end() == 2
    assert "stopped" in terminal.said
    assert decisions(tmp_path / "sfumato.yaml") == {"age": kept}


def test_without_a_terminal_the_options_are_named_and_nothing_is_made(sfumato, coded, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("k\n"))
    outcome = sfumato("confirm", coded)
    assert outcome.code == 2
    assert all(option in outcome.err for option in ("--all", "--sure high", "--role COLUMN=ROLE"))
    assert not (tmp_path / "sfumato.yaml").exists()


# By options


def test_all_keeps_every_proposal_and_names_what_stays_undecided(sfumato, coded, tmp_path):
    outcome = sfumato("confirm", coded, "--all", *BY, "--json", "c.json")
    assert decisions() == {"age": by_zoe(Role.QUASI, KEPT), "sex": by_zoe(Role.QUASI, KEPT)}
    assert Project.read("sfumato.yaml").undecided == {"zqv"}
    assert "Still open: 1 undecided." in outcome.out
    document = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert [column["name"] for column in document["open"]] == ["zqv"]
    assert document["deciders"] == {"Zoë O'Hara": 2}
    before = Path("sfumato.yaml").read_bytes()
    assert "Nothing was decided" in sfumato("confirm", "--all", "--by", "Jo").out
    assert Path("sfumato.yaml").read_bytes() == before


def test_sure_keeps_what_is_at_least_so_sure(sfumato, tmp_path):
    patients = written(tmp_path / "patients.csv", people(), HEADER)
    columns = {column["name"]: column for column in sfumato("identify", patients, "--json", "-").document["columns"]}
    for level, bound in (("high", 0.8), ("middle", 0.4)):
        sfumato("confirm", patients, "-p", f"{level}.yaml", "--sure", level, *BY)
        assert set(decisions(f"{level}.yaml")) == {name for name, c in columns.items() if c["sure"] >= bound}


def test_roles_given_as_options_are_decisions_and_go_before_proposals(sfumato, coded):
    given = ("--role", "zqv=sensitive", "--non-sensitive", "sex", "--all", "--reason", "agreed, 3 May")
    outcome = sfumato("confirm", coded, *given, *BY)
    assert {name: decision.role.value for name, decision in decisions().items()} == {
        "age": "quasi", "sex": "non-sensitive", "zqv": "sensitive",
    }  # fmt: skip
    assert {decision.reason for decision in decisions().values()} == {"agreed, 3 May"}
    assert "Note: sex is decided as non-sensitive, though the evidence says quasi" in outcome.err
    assert "sfumato assess --project sfumato.yaml" in outcome.out


def test_who_decides_is_the_user_unless_somebody_is_named(sfumato, coded, monkeypatch):
    monkeypatch.setenv("SFUMATO_USER", "Ann")
    sfumato("confirm", coded, "--role", "age=quasi")
    assert decisions()["age"].by == "Ann"


def test_a_decision_is_changed_only_where_it_is_decided_again(sfumato, coded):
    sfumato("confirm", coded, "--role", "age=quasi", *BY)
    refused = sfumato("confirm", "--role", "age=sensitive", "--by", "Jo")
    assert refused.code == 2
    assert "decided already: quasi, confirmed by Zoë O'Hara on 2026-05-31" in refused.err
    assert "Nothing was decided" in sfumato("confirm", "--role", "age=quasi", "--by", "Jo").out
    sfumato("confirm", "--role", "age=sensitive", "--by", "Jo", "--on", "2026-06-01", "--reason", "why", "--again")
    assert decisions() == {"age": RoleDecision(Role.SENSITIVE, "Jo", "2026-06-01", "why")}


def test_what_a_person_wrote_as_undecided_is_not_decided_together_with_others(sfumato, coded):
    Path("sfumato.yaml").write_text(
        "data: {source: coded.csv}\ncolumns:\n  sex: {role: undecided, reason: ask the lab}\n", encoding="utf-8"
    )
    sfumato("confirm", "--all", *BY)
    assert set(decisions()) == {"age"}
    sfumato("confirm", "--quasi", "sex", *BY)
    assert decisions()["sex"] == by_zoe(Role.QUASI)


def test_a_project_file_of_other_data_is_refused(sfumato, coded, tmp_path):
    sfumato("confirm", coded, "--all", *BY)
    other = written(tmp_path / "other.csv", [[i, "FM"[i % 2]] for i in range(9)], ["age", "sex"])
    outcome = sfumato("confirm", other, "--all")
    assert outcome.code == 2
    assert "describes another table" in outcome.err


def test_odd_names_of_columns_are_decided_like_others(sfumato, tmp_path):
    names = ["größe, 'x'", 'a "b"', "no", "x: {y}", "#"]
    odd = written(tmp_path / "odd.csv", [[i + j for j in range(5)] for i in range(20)], names)
    roles = [part for name in names for part in ("--role", f'"{name.replace(chr(34), chr(34) * 2)}"=direct')]
    assert sfumato("confirm", odd, *roles, *BY).code == 0
    assert decisions() == {name: by_zoe(Role.DIRECT) for name in names}


def test_identify_writes_what_is_sure_and_what_is_given_as_decisions_of_somebody(sfumato, coded, monkeypatch):
    monkeypatch.setenv("SFUMATO_USER", "Ann")
    outcome = sfumato("identify", coded, "--write", "--confirm-sure", "--sensitive", "zqv")
    assert "2 roles that are sure: decided. 1 role given as options: decided." in outcome.out
    made = decisions()
    assert {name: (d.role.value, d.by, d.reason) for name, d in made.items()} == {
        "age": ("quasi", "Ann", KEPT), "sex": ("quasi", "Ann", KEPT), "zqv": ("sensitive", "Ann", None),
    }  # fmt: skip
    assert all(decision.on for decision in made.values())


def test_roles_given_to_another_command_count_as_decisions_of_that_run_only(sfumato, coded):
    sfumato("identify", coded, "--write")
    proposed = "The roles of 2 columns are only proposed"
    assert any(proposed in said for said in sfumato("assess", "--json", "-").document["open"])
    told = sfumato("assess", "--quasi", "age,sex", "--json", "-").document["open"]
    assert not any("only proposed" in said for said in told)
    assert decisions() == {}


# From Python


def test_in_python_the_same_verb_decides_and_says_what_is_open(sfumato, coded):
    sfumato("identify", coded, "--write")
    look = sf.confirm("sfumato.yaml")
    assert [column.name for column in look.open] == ["age", "sex", "zqv"]
    assert decisions() == {}
    made = sf.confirm("sfumato.yaml", roles={"zqv": "sensitive"}, sure="high", by="Jo", on="2026-05-31", reason="why")
    assert made.open == ()
    assert decisions() == {
        name: RoleDecision(role, "Jo", "2026-05-31", "why")
        for name, role in {"age": Role.QUASI, "sex": Role.QUASI, "zqv": Role.SENSITIVE}.items()
    }
    assert "3 roles decided by Jo" in str(made)
    with pytest.raises(PolicyError, match="Did you mean 'quasi'"):
        sf.confirm("sfumato.yaml", roles={"age": "qasi"})
    with pytest.raises(ProjectError, match="decided already"):
        sf.confirm(Project.read("sfumato.yaml"), roles={"age": "direct"})

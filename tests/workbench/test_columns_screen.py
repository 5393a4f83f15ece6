"""The screen of columns: evidence beside decisions, and decisions that go into the project file."""

from __future__ import annotations

import html
import re
import shlex

import pytest
from tests.service.conftest import World
from tests.service.run_world import TABLE
from tests.workbench.results_of_runs import with_identification
from tests.workbench.visitors import visitor

from sfumato.service.project_text import project_text
from sfumato.service.sources import sources
from sfumato.service.versions import replace_files

HERE = "/projects/clinic/columns"
COMMENTED = "# kept\ndata: {source: patients.csv}  # kept too\ncolumns:\n  sex: {role: quasi, proposed: true}  # why\n"


def prepared(world: World, text: str = COMMENTED) -> str:
    """A project with a table and its evidence; the hash of its version."""
    visitor(world, "stella").post(
        "/projects/clinic/table/files", files={"file": ("patients.csv", TABLE.encode(), "text/csv")}
    )
    assert [one.name for one in sources(world.service, world.caller("stella"), "clinic")] == ["patients.csv"]
    files = {"sfumato.yaml": text.encode()}
    replace_files(world.service, world.caller("stella"), "clinic", files, require=lambda _hash: None)
    with_identification(world)
    return now(world).hash


def now(world):
    return project_text(world.service, world.caller("stella"), "clinic")


def listed(page):
    """The names of the columns on a page, in their order."""
    headings = re.findall(r"<h3>(?:.*?</span> )?(.*?)(?:</label>)?</h3>", page)
    return [html.unescape(name.replace("<wbr>", "")) for name in headings]


def test_the_undecided_come_first_and_of_these_the_sure_ones(world):
    prepared(world)
    page = visitor(world, "stella").get(HERE).text
    headings = re.findall(r"<h2>([^<]*)<", page)
    assert headings[:2] == ["Proposals that are sure ", "Proposals that need a look "]
    assert "Confirm the 5 sure ones" in page
    assert "The name says sex or gender" in page
    assert 'class="chip quasi">Name: identifies with others' in page


def test_one_column_is_confirmed_into_the_project_file_and_its_comments_stay(world):
    since = prepared(world)
    who = visitor(world, "stella")
    answer = who.post(HERE, data={"since": since, "column": ["sex", "age"], "role": ["quasi", "quasi"], "only": "sex"})
    assert answer.status_code == 200
    text = now(world).text
    assert text.startswith("# kept\ndata: {source: patients.csv}  # kept too\n")
    assert re.search(r"  sex: \{role: quasi, decided_by: stella, decided_on: \S+\}  # why", text)
    assert "age" not in text
    assert "sfumato confirm --project=sfumato.yaml --role=sex=quasi --again --by=stella" in answer.text


def test_a_reason_that_is_given_is_written_and_stands_in_the_command(world):
    since = prepared(world)
    data = {"since": since, "column": "sex", "role": "sensitive", "only": "sex", "reason": "self-reported"}
    page = visitor(world, "stella").post(HERE, data=data).text
    assert now(world).project.decisions["sex"].reason == "self-reported"
    assert "--reason=self-reported" in page


def test_a_part_of_the_page_answers_with_the_row_and_the_state_that_the_next_edit_is_of(world):
    since = prepared(world)
    who = visitor(world, "stella")
    part = who.post(
        HERE, data={"since": since, "column": "sex", "role": "direct", "only": "sex"}, headers={"HX-Request": "true"}
    ).text
    assert "<html" not in part
    assert f'name="since" value="{now(world).hash}"' in part
    assert "sex: names a person. It is written." in part


def test_all_that_is_sure_is_confirmed_together_and_says_so(world):
    since = prepared(world)
    visitor(world, "stella").post(HERE, data={"since": since, "sure": "1"})
    decided = now(world).project.decisions
    assert {name: decision.role.value for name, decision in decided.items()} == {
        "patient_id": "direct", "age": "quasi", "sex": "quasi", "diagnosis": "sensitive", "cholesterol": "sensitive",
    }  # fmt: skip
    assert decided["age"].reason == "kept as proposed (high), together with others"


def test_several_are_confirmed_that_are_ticked_and_no_others(world):
    since = prepared(world)
    visitor(world, "stella").post(
        HERE,
        data={"since": since, "column": ["age", "sex", "postcode"], "role": ["quasi", "quasi", "quasi"],
              "chosen": ["age", "postcode"], "several": "1"},
    )  # fmt: skip
    assert set(now(world).project.decisions) == {"age", "postcode"}


def test_a_role_against_the_evidence_is_written_as_such(world):
    since = prepared(world)
    page = visitor(world, "stella").post(
        HERE, data={"since": since, "column": "sex", "role": "non-sensitive", "only": "sex"}
    )
    assert "against the evidence" in now(world).text
    assert "The evidence says otherwise" in page.text


def test_the_second_of_two_tabs_is_told_and_nothing_is_written(world):
    since = prepared(world)
    first, second = visitor(world, "stella"), visitor(world, "stella")
    first.post(HERE, data={"since": since, "column": "sex", "role": "quasi", "only": "sex"})
    before = now(world).text
    told = second.post(HERE, data={"since": since, "column": "age", "role": "quasi", "only": "age"})
    assert (told.status_code, "Somebody has changed this" in told.text) == (412, True)
    assert now(world).text == before


@pytest.mark.parametrize(("who", "status"), [("rita", 403), ("quentin", 403), ("other", 404)])
def test_nobody_else_decides(world, who, status):
    since = prepared(world)
    data = {"since": since, "column": "sex", "role": "quasi", "only": "sex"}
    assert visitor(world, who).post(HERE, data=data).status_code == status
    assert now(world).hash == since


def test_a_reviewer_reads_roles_and_has_nothing_to_press(world):
    prepared(world)
    page = visitor(world, "rita").get(HERE).text
    assert "Stewards of the project decide on roles" in page
    assert ('name="only"' in page, "The name says" in page) == (False, False)


def test_columns_are_found_by_name_and_by_role(world):
    prepared(world)
    who = visitor(world, "stella")
    assert listed(who.get(HERE, params={"find": "CHOL"}).text) == ["cholesterol"]
    assert listed(who.get(HERE, params={"show": "direct"}).text) == ["patient_id"]
    assert "No column has" in who.get(HERE, params={"find": "zzz"}).text


def test_the_command_runs_as_copied_whatever_a_column_is_called(world, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from sfumato.cli import identify as _commands  # noqa: F401  they register themselves
    from sfumato.cli.app import app
    from sfumato.workbench.typed_commands import by_column, typed

    name = "a=b, \"c\" 'd'"
    (tmp_path / "odd.csv").write_text('"a=b, ""c"" \'d\'",sex\n1,f\n2,m\n', encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text("data: {source: odd.csv}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SFUMATO_LOG", str(tmp_path / "use.log"))
    command = typed("confirm", "--project=sfumato.yaml", *by_column("role", {name: "direct"}), "--by=stella")
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    assert done.exit_code == 0, done.output
    assert "decided_by: stella" in (tmp_path / "sfumato.yaml").read_text(encoding="utf-8")

"""No project, plan or package runs anything: the attacks that once worked, as a person would meet them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from sfumato.errors import OutputError

SECRET = "what only the reader of this machine may see"
COLUMNS = "columns:\n  age: {role: quasi}\n  sex: {role: quasi}\n"
PEOPLE = "CREATE TABLE people AS SELECT 30 + i % 2 AS age, 'F' AS sex FROM range(20) AS r(i)"


def database(path: Path, *more: str) -> None:
    with duckdb.connect(str(path)) as connection:
        for statement in (PEOPLE, *more):
            connection.execute(statement)


def test_a_query_in_a_project_file_writes_no_file(sfumato, tmp_path):
    database(tmp_path / "a.duckdb")
    precious = tmp_path / "precious.txt"
    precious.write_text("still here")
    query = f"SELECT 1 AS age, 2 AS sex) AS x; COPY (SELECT 'gone') TO '{precious}'; SELECT * FROM (SELECT 1 AS age"
    Path("sfumato.yaml").write_text(f'data: {{source: a.duckdb, query: "{query}"}}\n{COLUMNS}')
    for command in (["assess"], ["identify"], ["anonymise", "--k", "2", "--out", "r"], ["release"]):
        outcome = sfumato(*command)
        assert (outcome.code, "the query" in outcome.said) == (2, True), command
    assert precious.read_text() == "still here"
    assert sfumato("assess", "a.duckdb", "--quasi", "age", "--query", query).code == 2
    assert precious.read_text() == "still here"


def test_a_view_in_a_source_reads_no_file_into_a_release(sfumato, tmp_path):
    secret = tmp_path / "elsewhere.txt"
    secret.write_text(SECRET)
    view = f"CREATE VIEW v AS SELECT age, sex, content FROM people, read_text('{secret}')"
    database(tmp_path / "a.duckdb", view)
    text = f"data: {{source: a.duckdb, table: v}}\n{COLUMNS}  content: {{role: non-sensitive}}\n"
    Path("sfumato.yaml").write_text(text + "measures: [{measure: k_anonymity, at_least: 2}]\n")
    for command in (["assess"], ["release", "--out", "package"], ["columns", "a.duckdb", "--table", "v"]):
        outcome = sfumato(*command)
        assert outcome.code == 2, command
        assert SECRET not in outcome.said
    assert not Path("package").exists()
    assert sfumato("assess", "a.duckdb", "--table", "people", "--quasi", "age,sex", "--k", "2").code == 0


def test_a_database_in_the_place_of_released_data_runs_nothing(sfumato, tmp_path):
    """As `verify` met it: a view in a file that a package calls its release."""
    from sfumato.tables.load import load

    secret = tmp_path / "elsewhere.txt"
    secret.write_text(SECRET)
    path = tmp_path / "released.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE VIEW released AS SELECT * FROM read_text('{secret}')")
    with pytest.raises(Exception, match="is not read") as caught:
        load(path)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("name", ["released.duckdb", "released.sqlite", "../released.csv", "a/b.csv", ".csv", "-r.csv"])
def test_a_package_holds_plain_files_of_the_formats_of_releases_only(name, tmp_path):
    import sfumato as sf

    (tmp_path / "a.csv").write_text("age,sex\n" + "30,F\n" * 20)
    (tmp_path / "sfumato.yaml").write_text(f"data: {{source: a.csv}}\n{COLUMNS}")
    with pytest.raises(OutputError, match=r"no plain name|nothing writes this kind"):
        sf.release(tmp_path / "sfumato.yaml", tmp_path / "out", name=name)
    assert not (tmp_path / "out").exists()


def test_a_project_reads_data_elsewhere_only_with_consent(sfumato, tmp_path, monkeypatch):
    elsewhere, here = tmp_path / "elsewhere", tmp_path / "here"
    elsewhere.mkdir()
    here.mkdir()
    (elsewhere / "people.csv").write_text("age,sex\n" + "30,F\n" * 20)
    monkeypatch.chdir(here)
    Path("sfumato.yaml").write_text(f"data: {{source: {elsewhere}/people.csv}}\n{COLUMNS}")
    for command in ("assess", "risk", "identify", "report", "explore"):
        refused = sfumato(command)
        assert (refused.code, "line 1: `data: source` leads out" in refused.said) == (2, True), refused.said
        assert f"--allow {elsewhere}" in refused.said
    assert sfumato("assess", "--allow", elsewhere).code == 0
    assert sfumato("identify", "--allow", elsewhere.parent).code == 0
    assert sfumato("assess", "--allow", here).code == 2
    monkeypatch.setenv("SFUMATO_ALLOW", str(elsewhere))
    assert sfumato("assess").code == 0


def test_what_is_typed_is_read_and_what_is_written_of_it_says_what_to_allow(sfumato, tmp_path, monkeypatch):
    elsewhere, here = tmp_path / "elsewhere", tmp_path / "here"
    elsewhere.mkdir()
    here.mkdir()
    (elsewhere / "people.csv").write_text("age,sex\n" + "30,F\n" * 20)
    monkeypatch.chdir(here)
    for command in (["init"], ["identify", "--write"], ["init", "--preset", "ema_0070"]):
        Path("sfumato.yaml").unlink(missing_ok=True)
        outcome = sfumato(*command[:1], elsewhere / "people.csv", *command[1:])
        assert outcome.code == 0, outcome.said
        assert f"commands that read it need --allow {elsewhere}" in outcome.said
    assert sfumato("confirm", "--all", "--allow", elsewhere).code == 0

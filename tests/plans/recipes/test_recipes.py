"""Recipes as plans that come with the package, and the demonstration tables that they are for."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from sfumato.cli import app
from sfumato.errors import OutputError, PlanError, SchemaError
from sfumato.plans.apply import plan_document
from sfumato.plans.catalogue import transformations
from sfumato.plans.plan_file import read_plan
from sfumato.plans.recipes import recipe_names, recipes_document


def test_every_recipe_is_a_plan_that_explains_each_step_and_needs_no_secret():
    assert recipe_names() == ("hospital", "ms-thesis")
    for name in recipe_names():
        document = plan_document(read_plan(f"recipe:{name}"))
        assert document.plan == f"recipe:{name}"
        assert document.secrets == ()
        assert all(step.explanation.endswith(".") for step in document.steps)
        assert {step.transformation for step in document.steps} <= transformations().keys()


def test_a_recipe_that_is_not_there_is_an_error_that_names_the_nearest():
    with pytest.raises(PlanError, match=r"There is no recipe 'ms-thesys'. Did you mean 'ms-thesis'\?"):
        read_plan("recipe:ms-thesys")


def test_every_recipe_says_what_it_is_for():
    for recipe in recipes_document().recipes:
        assert recipe.steps == len(read_plan(f"recipe:{recipe.name}").steps)
        assert recipe.description.endswith(".")


def test_a_recipe_is_applied_and_shown_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    assert run.invoke(app, ["demo", "--table", "ms", "--rows", "200", "--folder", "."]).exit_code == 0
    done = run.invoke(app, ["apply", "recipe:ms-thesis", "ms_registry.csv", "-o", "release.csv", "--release-rest"])
    assert done.exit_code == 0, done.output
    assert "200 records, 15 columns" in done.output
    assert "recode" in run.invoke(app, ["plan", "show", "recipe:hospital"]).output
    assert "recipe:ms-thesis" in run.invoke(app, ["plan", "recipes"]).output


def test_a_demonstration_table_is_never_written_over_something_else(tmp_path):
    from sfumato.studies.demonstrations import write_demonstration

    path = write_demonstration("ms", tmp_path, 20)
    assert write_demonstration("ms", tmp_path, 20) == path
    before = path.read_bytes()
    with pytest.raises(OutputError, match="holds something else"):
        write_demonstration("ms", tmp_path, 21)
    assert path.read_bytes() == before


def test_rows_can_be_asked_for_only_where_their_number_is_free(tmp_path):
    from sfumato.studies.demonstrations import write_demonstration

    with pytest.raises(SchemaError, match="1,716 records"):
        write_demonstration("hospital", tmp_path, 20)
    with pytest.raises(SchemaError, match=r"There is no demonstration table 'hospitals'. Did you mean 'hospital'"):
        write_demonstration("hospitals", tmp_path)


@pytest.mark.spark
@pytest.mark.parametrize(("name", "table"), [("ms-thesis", "ms"), ("hospital", "hospital")])
def test_on_spark_a_recipe_gives_the_same_bytes_as_on_duckdb(spark, tmp_path, name, table):
    from sfumato.plans.apply import apply_plan
    from sfumato.studies.demonstrations import write_demonstration
    from sfumato.tables.engines.spark import Spark

    data = write_demonstration(table, tmp_path)
    one = apply_plan(f"recipe:{name}", data, tmp_path / "one.csv", release_rest=True).path
    two = apply_plan(f"recipe:{name}", data, tmp_path / "two.csv", release_rest=True, engine=Spark(spark)).path
    assert two.read_bytes() == one.read_bytes()

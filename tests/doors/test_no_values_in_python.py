"""No cell or secret in what Python shows of results and errors: texts, pages, tracebacks, logs and warnings."""

from __future__ import annotations

import logging
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from tests.doors.planted import Planted

import sfumato as sf
from sfumato.hierarchies.build import hierarchy
from sfumato.plans.condition import Condition
from sfumato.plans.steps.post_randomise import PostRandomise
from sfumato.plans.vault import Vault
from sfumato.secrets import Secrets

QUASI = ["age", "code", "born", "ward"]
ASKED: dict[str, Any] = {"quasi": QUASI, "sensitive": ["diagnosis", "amount"], "subject": "subject"}


@pytest.fixture(scope="module")
def planted() -> Planted:
    return Planted()


@pytest.fixture(scope="module")
def table(planted) -> pa.Table:
    return pa.Table.from_pylist([{**row, "amount": float(str(row["amount"]))} for row in planted.rows])


def forms(found: Any) -> dict[str, str]:
    """Everything that a notebook or a log may show of a result."""
    shown = {"repr": repr(found), "str": str(found)}
    if hasattr(found, "_repr_html_"):
        shown["page"] = found._repr_html_()
    if hasattr(found, "to_json"):
        shown["json"] = found.to_json()
    if hasattr(found, "sheet"):
        shown["sheet"] = found.sheet().text()
    return shown


RESULTS: dict[str, Callable[[pa.Table], Any]] = {
    "load": lambda table: sf.load(table),
    "dataset": lambda table: sf.Dataset.of(sf.load(table).table, dict.fromkeys(QUASI, "quasi")),
    "classes": lambda table: sf.Dataset.of(sf.load(table).table, dict.fromkeys(QUASI, "quasi")).classes(),
    "assess": lambda table: sf.assess(table, **ASKED, k=2, l=2, t=0.1),
    "identify": sf.identify,
    "compare": lambda table: sf.compare(table, table, quasi=QUASI, by_position=True),
    "tabulate": lambda table: sf.tabulate(table, "age", bins={"age": [0, 750_000_000]}, sums="amount"),
    "risk": lambda table: sf.risk(table, quasi=QUASI, subject="subject"),
    "anonymise": lambda table: sf.anonymise(table, **ASKED, k=3, suppress=0.2),
    "solution": lambda table: sf.anonymise(table, **ASKED, k=3, suppress=0.2, method="mondrian").solution,
    "anonymiser": lambda table: sf.Anonymiser(quasi=QUASI, k=3, suppress=0.2).fit(table),
    "explore": lambda table: sf.explore(table, **ASKED, k=(2, 3), suppress=(0.2,)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_nothing_of_the_data_is_in_what_is_shown_of_a_result(planted, table, caplog, recwarn, name):
    with caplog.at_level(logging.DEBUG):
        shown = forms(RESULTS[name](table))
    shown |= {"log": caplog.text, "warnings": " ".join(str(warning.message) for warning in recwarn)}
    assert {form: planted.found_in(text) for form, text in shown.items() if planted.found_in(text)} == {}


def test_a_vault_a_secret_and_a_plan_do_not_show_what_they_keep(planted, tmp_path, monkeypatch):
    word, secret = planted.word("vault"), planted.secret("secret")
    vault = Vault.new(tmp_path / "a.vault", secret.encode(), prefix="", length=16, token_salt=b"").with_originals(
        {"0a": word}
    )
    monkeypatch.setenv("SFUMATO_SECRET_STUDY", secret)
    secrets = Secrets()
    assert secrets("study") == secret.encode()
    assert planted.found_in(repr(vault) + repr(secrets)) == set()
    assert planted.found_in(Condition.of({"column": "age", "equals": word}).words(values=False)) == set()


def word_for_numbers(planted: Planted, table: pa.Table) -> pa.Table:
    return table.set_column(2, "age", pa.array([planted.text("broken", i) for i in range(len(table))]))


# Each is given the marks, the table, and a folder.
FAILURES: dict[str, Callable[[Planted, pa.Table, Path], Any]] = {
    "an unknown column": lambda planted, table, folder: sf.assess(table, quasi=["nothing"], k=2),
    "no bins of texts": lambda planted, table, folder: sf.assess(
        word_for_numbers(planted, table), quasi=QUASI, bins={"age": [0, 1]}, k=2
    ),
    "no distance of texts": lambda planted, table, folder: sf.assess(
        table, quasi=QUASI, sensitive="diagnosis", t=0.1, distance="wasserstein"
    ),
    "no interval of a text": lambda planted, table, folder: hierarchy(table, "code", "intervals", width=5),
    "no place in a hierarchy": lambda planted, table, folder: hierarchy(
        table, "code", "groups", groups={"one": [planted.rows[0]["code"]]}
    ),
    "a broken line": lambda planted, table, folder: sf.load(
        written(folder / "a.csv", f"a,b\n1,2\n{planted.word('broken')}\n".encode())
    ),
    "no such encoding": lambda planted, table, folder: sf.load(
        written(folder / "a.csv", f"a,b\n1,{planted.word('broken')}".encode() + b"\xff\x81\n"),
        sf.ReadOptions(encoding="utf-8"),
    ),
    "no row of a matrix": lambda planted, table, folder: PostRandomise("code", {planted.word("broken"): {"a": 1.0}}),
    "no plan": lambda planted, table, folder: sf.read_plan(
        written(folder / "p.yaml", f"steps: [{{recode: {{column: a, mapping: [{planted.word('broken')}]}}}}]".encode())
    ),
    "no project": lambda planted, table, folder: sf.Project.read(
        written(folder / "s.yaml", f"columns: {{age: {{role: {planted.word('broken')}}}}}".encode())
    ),
    "two records of a key": lambda planted, table, folder: sf.compare(
        pa.concat_tables([table, table]), table, quasi=QUASI, key="subject"
    ),
    "a policy that cannot be met": lambda planted, table, folder: sf.anonymise(table, quasi=QUASI, k=1000),
    "a value that is none of the categories": lambda planted, table, folder: sf.risk(
        table, quasi=QUASI, subsets=[{"name": "a", "columns": ["age"], "where": where(planted)}]
    ),
    "a wrong passphrase": lambda planted, table, folder: sf.restore(
        vault_of(planted, folder), planted.secret("secret"), ["0a"]
    ),
}


def written(path: Path, text: bytes) -> Path:
    path.write_bytes(text)
    return path


def where(planted: Planted) -> dict[str, object]:
    return {"column": "age", "equals": planted.word("broken")}


def vault_of(planted: Planted, folder: Path) -> Path:
    secret = planted.secret("secret").encode()
    vault = Vault.new(folder / "a.vault", secret, prefix="", length=16, token_salt=b"")
    vault.with_originals({"0a": planted.word("vault")}).save()
    return folder / "a.vault"


@pytest.mark.parametrize("name", FAILURES)
def test_no_error_shows_a_cell_or_a_secret_whatever_is_printed_of_it(planted, table, tmp_path, caplog, name):
    with caplog.at_level(logging.DEBUG), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises(sf.SfumatoError) as caught:
            FAILURES[name](planted, table, tmp_path)
    shown(planted, caught.value, caplog.text, *(str(warning.message) for warning in warned))


@pytest.mark.parametrize("kind", [duckdb.ConversionException, duckdb.IOException])
def test_what_the_engine_says_is_in_no_traceback(planted, table, monkeypatch, kind):
    from sfumato.tables.engines.duckdb import DuckDB

    engine = DuckDB()
    extract = sf.load(table, engine=engine)

    class Failing:
        def __getattr__(self, name: str) -> Any:
            raise kind(f"Could not convert '{planted.rows[0]['code']}'")

    monkeypatch.setattr(engine, "_connection", Failing())
    with pytest.raises(sf.SfumatoError) as caught:
        sf.assess(extract, quasi=QUASI, k=2)
    shown(planted, caught.value)


def shown(planted: Planted, error: BaseException, *others: str) -> None:
    """Look at all that is printed of an error, and at the arguments of those that it came from."""
    texts = [str(error), repr(error), repr(error.args), repr(vars(error)), *traceback.format_exception(error), *others]
    texts += [repr(before) for before in errors_before(error)]
    assert planted.found_in("\n".join(texts)) == set()


def errors_before(error: BaseException | None) -> list[BaseException]:
    """Every error that a logger finds which walks from one to those that it came from."""
    if error is None:
        return []
    links = (error.__context__, error.__cause__)
    return [link for before in links if before is not None for link in (before, *errors_before(before))]


@pytest.mark.spark
def test_spark_says_and_logs_nothing_of_the_data_or_of_a_secret(planted, table, tmp_path, spark, spark_log, capfd):
    from sfumato.tables.engines.spark import Spark

    secret = planted.secret("secret")
    written(tmp_path / "key", secret.encode()).chmod(0o600)
    plan = written(tmp_path / "p.yaml", b"steps: [{pseudonymise: {columns: [note], secret: key}}]")
    engine, before = Spark(spark), spark_log.stat().st_size
    found = sf.assess(table, quasi=["age", "ward"], sensitive="diagnosis", subject="subject", k=2, engine=engine)
    sf.apply_plan(
        plan, table.select(["age", "note"]), tmp_path / "r.csv", secrets={"key": tmp_path / "key"}, engine=engine
    )
    with pytest.raises(sf.SfumatoError) as caught:
        engine.fetch(f"SELECT CAST(value AS INTEGER) FROM (SELECT '{planted.rows[0]['code']}' AS value) AS t")
    logged = spark_log.read_bytes()[before:].decode("utf-8", "replace")
    shown(planted, caught.value, *forms(found).values(), logged, *capfd.readouterr())

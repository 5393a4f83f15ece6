"""What only one person has, and a plan names, stands in no file of a package."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato.cli.app import app

PROJECT = """
data: {source: people.csv}
columns:
  age: {role: quasi}
  sex: {role: quasi}
  illness: {role: sensitive}
  income: {role: quasi}
measures:
  - {measure: k_anonymity, at_least: 4}
plan:
  steps:
    - suppress_records: {where: {column: illness, equals: Kuru}}
    - top_code: {column: income, at: 98761}
anonymise: {method: METHOD}
"""


@pytest.mark.parametrize("method", ["mondrian", "optimal"])
def test_neither_its_condition_nor_its_limit_nor_an_end_is_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    rows = [f"{20 + i * 7 % 60},{'fm'[i % 2]},{('gout', 'flu')[i % 3 % 2]},{1000 + 37 * i}" for i in range(100)]
    text = "\n".join(["age,sex,illness,income", *rows, "33,f,Kuru,2000", "47,m,flu,98761", ""])
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT.replace("METHOD", method), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(
        app, ["release", "--project", "sfumato.yaml", "--out", "package", "--no-report"], catch_exceptions=False
    )
    assert run.exit_code == 0, run.output
    content = b"".join(path.read_bytes() for path in sorted(Path("package").rglob("*")) if path.is_file())
    assert b"illness is" in content
    assert b"Kuru" not in content
    assert b"98761" not in content
    assert b"Kuru" in b"".join(p.read_bytes() for p in Path("package-evidence").rglob("*") if p.is_file())

"""The wheel: it holds what the package needs, and runs in an empty environment that `pip` or `uv` installed it into."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNREACHABLE = re.compile(
    r"connection|timed out|timeout|name resolution|no matching distribution|retries", re.IGNORECASE
)
# What a machine of a user does not have: the sources, and what the tests are started with.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "COV_"))}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], cwd=cwd, env=CLEAN, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make wheel` fills: a wheel and the sources, built without a network."""
    pytest.importorskip("build", reason="build is not installed: pip install 'sfumato[dev]'")
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install 'sfumato[dev]'")
    folder = tmp_path_factory.mktemp("dist")
    done = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheels(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with everything that it stands on, as the page on installing says: the only step with a network."""
    folder = tmp_path_factory.mktemp("wheels")
    wheel = next(built.glob("*.whl"))
    done = run(sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", folder, wheel, cwd=folder)
    if done.returncode and UNREACHABLE.search(done.stderr):
        pytest.skip("no registry of packages can be reached from here, so that nothing can be installed")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def installed_by_pip(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment into which pip installed the wheel, and nothing else was."""
    folder = tmp_path_factory.mktemp("pip") / "env"
    assert run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=wheels).returncode == 0
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")
    done = run(*pip, "install", "--quiet", "--no-index", "--find-links", wheels, "sfumato", cwd=wheels)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


@pytest.fixture(scope="module")
def installed_by_uv(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same by uv, which needs no pip."""
    program = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip("uv is not installed: pip install 'sfumato[dev]'")
    folder = tmp_path_factory.mktemp("uv") / "env"
    alone = (program, "--offline", "--no-config", "--no-cache")
    assert run(*alone, "venv", "--python", sys.executable, folder, cwd=wheels).returncode == 0
    given = ("--no-index", "--find-links", wheels, "--python", folder / "bin" / "python")
    done = run(*alone, "pip", "install", *given, "sfumato", cwd=wheels)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def test_every_file_of_the_package_is_in_the_wheel(built: Path) -> None:
    """Lists of words, recipes, terms of the glossary: whatever stands beside the code is read by it."""
    held = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    source = ROOT / "src"
    files = {str(f.relative_to(source)) for f in source.rglob("*") if f.is_file() and "__pycache__" not in f.parts}
    assert {file.rpartition(".")[2] for file in files} >= {"py", "typed", "yaml", "txt"}
    assert sorted(files - held) == []
    assert {f"sfumato/workbench/assets/{name}" for name in ("htmx.min.js", "htmx.LICENSE")} <= held  # of tools/assets


def test_the_wheel_holds_nothing_but_the_package_and_says_what_it_is(built: Path) -> None:
    wheel = zipfile.ZipFile(next(built.glob("*.whl")))
    assert {name.split("/")[0] for name in wheel.namelist()} == {"sfumato", "sfumato-0.1.0.dist-info"}
    about = wheel.read("sfumato-0.1.0.dist-info/METADATA").decode()
    assert "License-Expression: Apache-2.0" in about
    assert "\nRequires-Python: >=3.11\n" in about


def test_the_sources_can_be_built_and_tested_and_hold_no_environment(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sources:
        names = {name.partition("/")[2] for name in sources.getnames()}
    assert {"Makefile", "pyproject.toml", "docs/conf.py", "tests/doors/test_wheel.py", "tools/build_site.py"} <= names
    assert [name for name in names if name.startswith((".venv", "site/", "demo/", "benchmarks/data"))] == []


def test_what_pip_installed_runs_the_demonstration_and_releases_it(installed_by_pip: Path, tmp_path: Path) -> None:
    program = installed_by_pip / "sfumato"
    assert run(program, "demo", "--table", "hospital", "--folder", "demo", cwd=tmp_path).returncode == 0
    project = tmp_path / "demo" / "hospital_admissions.yaml"
    done = run(program, "release", "--project", project, "--out", "package", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"manifest.json", "released.csv", "report.html"} <= {file.name for file in (tmp_path / "package").iterdir()}


def test_what_uv_installed_runs_the_demonstration_and_assesses_it(installed_by_uv: Path, tmp_path: Path) -> None:
    program = installed_by_uv / "sfumato"
    assert run(program, "demo", "--table", "hospital", "--folder", "demo", cwd=tmp_path).returncode == 0
    table = tmp_path / "demo" / "hospital_admissions.csv"
    done = run(program, "assess", table, "--quasi", "Age,Gender", "--k", "5", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "Not met: 1 of 1 requirements" in done.stdout
    assert "k-anonymity" in run(program, "glossary", "k-anonymity", cwd=tmp_path).stdout


def test_python_runs_the_package_as_the_command(installed_by_uv: Path, tmp_path: Path) -> None:
    python = installed_by_uv / "python"
    assert run(python, "-m", "sfumato", "--version", cwd=tmp_path).stdout == "sfumato 0.1.0\n"
    by_name, by_module = (
        run(*how, "--help", cwd=tmp_path) for how in ([python, "-m", "sfumato"], [installed_by_uv / "sfumato"])
    )
    assert by_module.stdout == by_name.stdout
    wrong = run(python, "-m", "sfumato", "assess", "nothing.csv", "--quasi", "age", cwd=tmp_path)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("sfumato: ")

"""The locks hold what pyproject.toml asks for: every package that it names, in an allowed version, with hashes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = {"use": (), "plots": ("plots",), "all": ("all",), "dev": ("dev",), "oldest": ("dev",)}
PYTHONS = ("3.11", "3.12", "3.13")

if not (ROOT / "locks").is_dir():
    pytest.skip("the locks are in the repository, and not where the package is installed", allow_module_level=True)


def asked_for(*extras: str) -> list[Requirement]:
    """What the package needs with some extras; an extra may name others of its own."""
    stated = list(map(Requirement, PROJECT["project"]["dependencies"]))
    for extra in extras:
        for requirement in map(Requirement, PROJECT["project"]["optional-dependencies"][extra]):
            stated += asked_for(*requirement.extras) if requirement.name == "sfumato" else [requirement]
    return stated


def locked(name: str) -> dict[str, list[tuple[Requirement, int]]]:
    """The packages of a lock, with the number of hashes of each; one may stand there for several Pythons."""
    packages: dict[str, list[tuple[Requirement, int]]] = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8").strip()):
        stated, *hashes = re.split(r"\s*\\\n\s*", entry.strip())
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", value) for value in hashes), name
        requirement = Requirement(stated)
        packages.setdefault(canonicalize_name(requirement.name), []).append((requirement, len(hashes)))
    return packages


@pytest.mark.parametrize("name", EXTRAS)
def test_a_lock_holds_all_that_is_asked_for_in_a_version_that_is_allowed(name: str) -> None:
    packages = locked(name)
    for requirement in asked_for(*EXTRAS[name]):
        here = packages.get(canonicalize_name(requirement.name))
        assert here, f"locks/{name}.txt lacks {requirement.name}: run `make lock`"
        for entry, _ in here:
            (exact,) = entry.specifier
            assert exact.operator == "=="
            assert Version(exact.version) in requirement.specifier, f"{entry} of locks/{name}.txt: run `make lock`"


@pytest.mark.parametrize("name", EXTRAS)
def test_every_package_of_a_lock_has_hashes_and_none_says_where_it_comes_from(name: str) -> None:
    assert "://" not in (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    assert [entry for entries in locked(name).values() for entry, hashes in entries if not hashes] == []


@pytest.mark.parametrize("python", PYTHONS)
def test_a_python_finds_each_package_once(python: str) -> None:
    here = {"python_full_version": f"{python}.0", "python_version": python}
    for name in EXTRAS:
        for package, entries in locked(name).items():
            fitting = [entry for entry, _ in entries if entry.marker is None or entry.marker.evaluate(here)]
            assert len(fitting) <= 1, f"{package} in locks/{name}.txt"


def test_the_oldest_lock_has_the_oldest_versions_that_are_allowed() -> None:
    """Those of what Sfumato stands on; of the tools of its tests any will do."""
    versions = {
        package: {Version(next(iter(e.specifier)).version) for e, _ in entries}
        for package, entries in locked("oldest").items()
    }
    for requirement in asked_for("all"):
        (least,) = [Version(s.version) for s in requirement.specifier if s.operator == ">="]
        assert versions[canonicalize_name(requirement.name)] == {least}, requirement.name


def test_the_demonstration_and_the_tests_have_the_same_versions() -> None:
    dev = {(package, str(entry.specifier)) for package, entries in locked("dev").items() for entry, _ in entries}
    for name in ("use", "plots", "all"):
        for package, entries in locked(name).items():
            assert {(package, str(entry.specifier)) for entry, _ in entries} <= dev, f"{package} in locks/{name}.txt"


def test_the_list_of_all_parts_of_a_build_names_each_with_its_version_and_hashes(tmp_path: Path) -> None:
    """As `make wheel` writes it (SBOM, CycloneDX)."""
    tool = Path(sys.executable).with_name("cyclonedx-py")
    if not tool.exists():
        pytest.skip("cyclonedx-bom is not installed: pip install 'sfumato[dev]'")
    line = next(line for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines() if "cyclonedx-py" in line)
    options = [
        *line.split("cyclonedx-py ")[1].removesuffix("\\").split(),
        "--output-file",
        str(tmp_path / "parts.json"),
    ]
    subprocess.run([tool, *options], cwd=ROOT, check=True, capture_output=True)
    document = json.loads((tmp_path / "parts.json").read_text(encoding="utf-8"))
    assert (document["bomFormat"], document["metadata"]["component"]["name"]) == ("CycloneDX", "sfumato")
    parts = {(canonicalize_name(part["name"]), part["version"]) for part in document["components"]}
    assert parts == {
        (package, next(iter(entry.specifier)).version)
        for package, entries in locked("all").items()
        for entry, _ in entries
    }
    assert all(part["externalReferences"][0]["hashes"] for part in document["components"])

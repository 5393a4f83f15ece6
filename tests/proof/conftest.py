"""A release that proves itself, made once, and a copy of it for every test to tamper with."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PATIENTS = """\
patient_id,age,sex,postcode,diagnosis,stage
P01,34,F,0151,asthma,low
P02,37,F,0151,migraine,high
P03,31,F,0151,asthma,middle
P04,36,F,0151,eczema,low
P05,35,M,0151,diabetes,high
P06,38,M,0151,diabetes,high
P07,33,M,0151,asthma,low
P08,52,F,0203,migraine,middle
P09,58,F,0203,asthma,
P10,55,F,0203,hypertension,low
P11,57,F,0203,diabetes,high
P12,54,M,0203,hypertension,middle
P13,91,M,0999,migraine,low
"""


PROJECT_KEY = bytes(range(32))


@dataclass(frozen=True)
class Made:
    """A release package with its evidence, its original and the key that signed it."""

    folder: Path
    evidence: Path
    original: Path
    key: Path

    @property
    def public(self) -> Path:
        return self.key.with_name(self.key.name + ".pub")

    def path(self, name: str) -> Path:
        """A file of the package, or, as `evidence/NAME`, of the evidence."""
        where, slash, rest = name.partition("/")
        return self.evidence / rest if slash and where == "evidence" else self.folder / name

    def text(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        self.path(name).write_text(text, encoding="utf-8")

    def change(self, name: str, before: str, after: str) -> None:
        """Change one place of a file."""
        text = self.text(name)
        assert before in text
        self.write(name, text.replace(before, after, 1))

    def edit(self, name: str, edit: Callable[[Any], None]) -> None:
        """Change a document."""
        document = json.loads(self.text(name))
        edit(document)
        self.write(name, json.dumps(document, indent=2) + "\n")

    def repackage(self) -> None:
        """What somebody does who tampers and knows of manifests: make new ones that fit, and new commitments."""
        from sfumato.proof.package.folder import seal

        seal(self.folder, self.evidence)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Made:
    import sfumato as sf
    from sfumato.proof.package.hand_over import hand_over
    from sfumato.proof.package.signature import SigningKey, new_key

    folder = tmp_path_factory.mktemp("release")
    data = folder / "patients.csv"
    data.write_text(PATIENTS, encoding="utf-8")
    found = sf.anonymise(
        data, quasi=["age", "sex", "postcode"], sensitive=["diagnosis", "stage"], direct=["patient_id"], k=3, l=2,
        requirements=["t_closeness(diagnosis) <= 0.5"], suppress=0.2,
    )  # fmt: skip
    new_key(folder / "hospital.pem")
    package, evidence = folder / "package", folder / "package-evidence"
    hand_over(found, package, evidence, key=PROJECT_KEY, sign=SigningKey.read(folder / "hospital.pem"), protect=[data])
    return Made(package, evidence, data, folder / "hospital.pem")


@pytest.fixture
def made(once: Made, tmp_path: Path) -> Made:
    shutil.copytree(once.folder, tmp_path / "package")
    shutil.copytree(once.evidence, tmp_path / "package-evidence")
    return Made(tmp_path / "package", tmp_path / "package-evidence", once.original, once.key)


@dataclass(frozen=True)
class Outcome:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return " ".join((self.out + " " + self.err).split())


@pytest.fixture
def sfumato(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run a command in this process, in an empty folder."""
    from sfumato.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.setenv("SFUMATO_USER", "Ada")
    monkeypatch.delenv("SFUMATO_LOG", raising=False)

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["sfumato", *map(str, arguments)])
        code: Any = 0
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code or 0
        return Outcome(code, *capsys.readouterr())

    return run

"""A vault is extended when the whole plan went through and its release appears, and not before."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato import secrets
from sfumato.errors import OutputError, PlanError, SfumatoError
from sfumato.plans import vault as vaults
from sfumato.plans.vault import restore

PASSPHRASE = "correct horse battery"
PLAN = "steps:\n  - tokenise: {column: id, vault: ids.vault, secret: words}\n"
FAILS = "  - round_to: {column: name, to: 10}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table, a vault of an earlier release, and a cheap key."""
    usual = secrets.stretched
    for module in (vaults, secrets):
        monkeypatch.setattr(module, "stretched", lambda passphrase, salt, cost=10: usual(passphrase, salt, 10))
    monkeypatch.setenv("SFUMATO_SECRET_WORDS", PASSPHRASE)
    monkeypatch.setenv("SFUMATO_KEY", bytes(range(32)).hex())
    (tmp_path / "first.csv").write_text("id,name\na,x\n", encoding="utf-8")
    (tmp_path / "data.csv").write_text("id,name\na,x\nb,y\n", encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    applied(tmp_path, "first.csv")
    return tmp_path


def applied(folder: Path, data: str = "data.csv", out: str = "out.csv") -> list[str]:
    sf.apply_plan(folder / "plan.yaml", folder / data, folder / out, non_sensitive=["name"])
    return [line.split(",")[0] for line in (folder / out).read_text(encoding="utf-8").splitlines()[1:]]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_plan_that_went_through_extends_its_vault(folder: Path) -> None:
    assert sorted(restore(folder / "ids.vault", PASSPHRASE, applied(folder))) == ["a", "b"]


def test_a_plan_that_fails_after_its_tokens_leaves_the_vault_as_it_was(folder: Path) -> None:
    before, there = (folder / "ids.vault").read_bytes(), names(folder)
    (folder / "plan.yaml").write_text(PLAN + FAILS, encoding="utf-8")
    with pytest.raises(SfumatoError):
        applied(folder, out="other.csv")
    assert (folder / "ids.vault").read_bytes() == before
    assert names(folder) == there


def test_a_release_that_cannot_be_written_leaves_the_vault_as_it_was(folder: Path) -> None:
    before = (folder / "ids.vault").read_bytes()
    with pytest.raises(OutputError):
        applied(folder, out="plan.yaml")
    assert (folder / "ids.vault").read_bytes() == before


def test_a_vault_that_cannot_be_written_leaves_no_release(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise PlanError("no vault")

    monkeypatch.setattr("sfumato.plans.apply.keep_vaults", full)
    with pytest.raises(PlanError, match="no vault"):
        applied(folder, out="other.csv")
    assert not [name for name in names(folder) if name.startswith(("other", ".sfumato"))]


def test_a_plan_that_is_only_looked_at_leaves_the_vault_as_it_was(folder: Path) -> None:
    before = (folder / "ids.vault").read_bytes()
    sf.compare(folder / "data.csv", plan=folder / "plan.yaml", quasi=["name"])
    assert (folder / "ids.vault").read_bytes() == before

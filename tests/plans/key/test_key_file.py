"""The key of a project: made once, kept by its owner, refused where it is none, and shown nowhere."""

from __future__ import annotations

import json
import os
import re
import stat
import warnings
from pathlib import Path

import pytest

from sfumato.errors import PlanError, SecretError
from sfumato.plans.apply import apply_plan, plan_document
from sfumato.plans.plan import NOT_PROTECTED
from sfumato.plans.plan_file import parse_plan, read_plan
from sfumato.secrets import KeyMade, Secrets, key_from

PATIENTS = "id,age,visit\n" + "".join(f"{i},{20 + i % 60},2024-03-{1 + i % 28:02}\n" for i in range(60))
STEPS = """\
steps:
  - pseudonymise: {columns: [id]}
  - add_noise: {column: age, range: [-5, 5]}
  - shift_dates: {columns: [visit], days: 100}
"""
RANDOM = "b3e1c2d4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff10"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with a table and a plan, and no key."""
    monkeypatch.delenv("SFUMATO_KEY")
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(STEPS, encoding="utf-8")
    return tmp_path


def applied(folder: Path, out: str = "out.csv", **given) -> str:
    apply_plan(folder / "plan.yaml", folder / "patients.csv", folder / out, subject="id", **given)
    return (folder / out).read_text(encoding="utf-8")


def made(folder: Path) -> str:
    with pytest.warns(KeyMade):
        applied(folder)
    return (folder / "sfumato.key").read_text(encoding="ascii")


def test_a_key_is_made_at_first_need_for_its_owner_only_and_a_note_says_where(folder):
    with pytest.warns(KeyMade, match=re.escape(str(folder / "sfumato.key"))) as noted:
        applied(folder)
    key = folder / "sfumato.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert re.fullmatch(r"[0-9a-f]{64}\n", key.read_text(encoding="ascii"))
    assert "Keep it" in str(noted[0].message)
    assert key.read_text(encoding="ascii").strip() not in str(noted[0].message)
    assert not list(folder.glob(".sfumato.key-*"))


def test_the_same_key_gives_the_same_bytes_and_another_one_other_draws(folder):
    made(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert applied(folder, "two.csv") == (folder / "out.csv").read_text(encoding="utf-8")
    (folder / "sfumato.key").unlink()
    (folder / "plan.yaml").write_text(STEPS, encoding="utf-8")
    before = (folder / "out.csv").read_text(encoding="utf-8").splitlines()[1:]
    with pytest.warns(KeyMade):
        after = applied(folder, "three.csv").splitlines()[1:]
    assert not {line.split(",")[0] for line in before} & {line.split(",")[0] for line in after}


def test_the_key_comes_from_a_named_file_then_the_environment_then_beside_the_plan(folder, monkeypatch):
    beside = made(folder)
    file = folder / "elsewhere.key"
    file.write_text(RANDOM, encoding="ascii")
    file.chmod(0o600)
    named = applied(folder, "named.csv", key_file=file)
    assert named != (folder / "out.csv").read_text(encoding="utf-8")
    monkeypatch.setenv("SFUMATO_KEY", RANDOM)
    assert applied(folder, "environment.csv") == named
    monkeypatch.setenv("SFUMATO_KEY", beside.strip())
    assert applied(folder, "both.csv", key_file=file) == named


def test_a_plan_that_draws_nothing_makes_no_key(folder):
    (folder / "plan.yaml").write_text("steps:\n  - top_code: {column: age, at: 70}\n", encoding="utf-8")
    applied(folder)
    assert not (folder / "sfumato.key").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "64 hexadecimal digits"),
        ("secret words", "64 hexadecimal digits"),
        (RANDOM[:-1], "64 hexadecimal digits"),
        (RANDOM + "0", "64 hexadecimal digits"),
        ("g" * 64, "64 hexadecimal digits"),
        ("0" * 64, "no random key"),
        ("deadbeef" * 8, "no random key"),
    ],
)
@pytest.mark.parametrize("where", ["file", "environment"])
def test_what_is_no_key_is_refused_and_not_repeated(folder, monkeypatch, content, said, where):
    file = folder / "sfumato.key"
    if where == "file":
        file.write_text(content, encoding="ascii")
        file.chmod(0o600)
    elif content:
        monkeypatch.setenv("SFUMATO_KEY", content)
    else:
        pytest.skip("an empty variable is none")
    with pytest.raises(PlanError, match=said) as raised:
        applied(folder)
    assert not content or content not in str(raised.value)
    assert not (folder / "out.csv").exists()


@pytest.mark.skipif(os.name != "posix", reason="files have no owners here")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_key_that_others_can_read_is_refused(folder, mode):
    file = folder / "sfumato.key"
    file.write_text(RANDOM, encoding="ascii")
    file.chmod(mode)
    with pytest.raises(PlanError, match="chmod 600"):
        applied(folder)


def test_what_must_last_is_never_made(folder):
    secrets = Secrets(lasting=True)
    plan = read_plan(folder / "plan.yaml")
    assert "sfumato.key is not there" in str(plan.not_followed(secrets))
    with pytest.raises(PlanError, match="There is no key"):
        applied(folder, secrets=secrets)
    assert not (folder / "sfumato.key").exists()
    made(folder)
    assert plan.not_followed(secrets) is None


def test_where_nothing_can_be_written_the_error_says_how_else_to_give_a_key(tmp_path, monkeypatch):
    monkeypatch.delenv("SFUMATO_KEY")
    with pytest.raises(SecretError, match="--key-file"):
        Secrets().key(tmp_path / "nowhere")


def test_of_two_runs_at_once_the_first_key_is_the_key_of_both(tmp_path, monkeypatch):
    monkeypatch.delenv("SFUMATO_KEY")
    usual = os.link

    def first(source, target):
        if not Path(target).exists():
            Path(target).write_text(RANDOM, encoding="ascii")
            Path(target).chmod(0o600)
        usual(source, target)

    monkeypatch.setattr(os, "link", first)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Secrets().key(tmp_path) == bytes.fromhex(RANDOM)


def test_the_key_stands_in_no_output_repr_record_or_error(folder, capsys):
    key = made(folder).strip()
    secrets = Secrets.of(None, folder=folder)
    plan = read_plan(folder / "plan.yaml")
    applied_plan = apply_plan(plan, folder / "patients.csv", folder / "again.csv", subject="id")
    (folder / "plan.yaml").write_text(STEPS.replace("visit]", "age]"), encoding="utf-8")
    with pytest.raises(PlanError) as raised:
        applied(folder, "wrong.csv")
    texts = [path.read_text(encoding="utf-8") for path in folder.iterdir() if path.name != "sfumato.key"]
    texts += [repr(secrets), repr(plan), repr(applied_plan), json.dumps(plan_document(plan).plain())]
    texts += [json.dumps(applied_plan.document()), str(raised.value), capsys.readouterr().out]
    assert not any(key in text or key.upper() in text for text in texts)
    assert applied_plan.provenance["draws"] == dict.fromkeys(("step 1", "step 2", "step 3"), "the key of the project")


def test_a_plan_with_only_a_seed_is_followed_and_loudly_marked(folder):
    (folder / "plan.yaml").write_text(f"seed: 7\n{STEPS}", encoding="utf-8")
    done = apply_plan(folder / "plan.yaml", folder / "patients.csv", folder / "out.csv", subject="id")
    assert not (folder / "sfumato.key").exists()
    assert done.words[0] == NOT_PROTECTED
    assert done.provenance["notes"][0] == NOT_PROTECTED
    assert set(done.provenance["draws"].values()) == {"the seed of the plan, which protects nothing"}


def test_a_key_goes_before_a_seed(folder):
    made(folder)
    (folder / "plan.yaml").write_text(f"seed: 7\n{STEPS}", encoding="utf-8")
    assert applied(folder, "seeded.csv") == (folder / "out.csv").read_text(encoding="utf-8")
    record = json.loads((folder / "seeded.csv.provenance.json").read_text(encoding="utf-8"))
    assert NOT_PROTECTED not in record["notes"]


def test_a_seed_without_a_step_that_draws_is_nothing_to_speak_of(folder):
    (folder / "plan.yaml").write_text("seed: 7\nsteps:\n  - top_code: {column: age, at: 70}\n", encoding="utf-8")
    done = apply_plan(folder / "plan.yaml", folder / "patients.csv", folder / "out.csv", subject="id")
    assert NOT_PROTECTED not in done.provenance["notes"]
    assert plan_document(parse_plan("seed: 7\nsteps:\n  - top_code: {column: age, at: 70}\n")).remarks == ()


def test_a_secret_is_the_key_that_it_writes_and_a_passphrase_is_stretched():
    from base64 import b64encode

    key = bytes.fromhex(RANDOM)
    for written in (RANDOM.encode(), RANDOM.upper().encode(), b64encode(key)):
        assert key_from(written, lambda: b"of a project") == key_from(written, lambda: b"of another") == key
    stretched = key_from(b"correct horse battery", lambda: b"of a project")
    assert len(stretched) == 32
    assert b"correct" not in stretched
    assert stretched == key_from(b"correct horse battery", lambda: b"of a project")
    assert stretched != key_from(b"correct horse battery", lambda: b"of another")
    with pytest.raises(SecretError, match="no random key"):
        key_from(b"0" * 64, bytes)

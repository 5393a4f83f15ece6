"""The manifest knows every file, and a signature whose it is."""

from __future__ import annotations

import base64
import json
import os
import shutil
import stat
import subprocess
import sys

import pytest

from sfumato.canonical import canonical
from sfumato.errors import MissingExtra, OutputError, SecretError, UnreadableFile
from sfumato.proof.package.folder import add_manifest, seal
from sfumato.proof.package.manifest import MANIFEST, PUBLIC, SIGNATURE, Manifest
from sfumato.proof.package.signature import SigningKey, fingerprint, new_key, valid
from sfumato.secrets import Secrets


def test_a_folder_as_it_was_released_has_no_problem(made):
    assert Manifest.read(made.folder).problems(made.folder) == []


def test_the_manifest_is_canonical_and_the_same_for_the_same_folder(made):
    content = (made.folder / MANIFEST).read_bytes()
    assert content == canonical(json.loads(content)) + b"\n"
    made.repackage()
    assert (made.folder / MANIFEST).read_bytes() == content


def test_missing_additional_and_changed_files_are_named(made):
    (made.folder / "assessment.json").unlink()
    made.write("notes.txt", "hello")
    (made.folder / ".hidden").mkdir()
    made.write(".hidden/more.txt", "hello")
    made.change("plan.yaml", "level: ", "level: 1")
    found = [(problem.file, problem.kind) for problem in Manifest.read(made.folder).problems(made.folder)]
    assert found == [
        (".hidden", "additional"),
        ("assessment.json", "missing"),
        ("notes.txt", "additional"),
        ("plan.yaml", "changed"),
    ]


def test_a_file_outside_the_folder_that_a_manifest_names_is_not_looked_at(made):
    made.edit(MANIFEST, lambda d: d["files"].update({"../patients.csv": {"sha256": "0" * 64, "size": 1}}))
    assert [(p.file, p.kind) for p in Manifest.read(made.folder).problems(made.folder)] == [
        ("../patients.csv", "missing")
    ]


def test_the_claims_hold_the_hashes_the_readings_and_the_versions_and_no_cell(made):
    found = Manifest.read(made.folder).claims
    assert found["readings"][""]["k_anonymity"]["value"] == 3
    assert found["left_out"] == "fewer than 11 records"
    steps = json.loads(made.text("evidence/released.csv.provenance.json"))["plan"]["steps"]
    assert [next(iter(step)) for step in steps] == ["generalise", "suppress_records", "drop", "keep"]
    assert found["steps"] == 3  # that the search left people out is not told where they are few
    assert {"sfumato", "duckdb"} <= found["versions"].keys()
    text = made.text(MANIFEST)
    assert [value for value in ("asthma", "migraine", "0151", "P01", "middle") if value in text] == []


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'{"format": "sfumato release 1"}', b"\xff", b"[" * 100_000, b"NaN"]
)
def test_what_is_no_manifest_is_no_package(made, content):
    (made.folder / MANIFEST).write_bytes(content)
    with pytest.raises(UnreadableFile):
        Manifest.read(made.folder)


def test_a_package_that_cannot_be_signed_is_none(made, tmp_path):
    (made.folder / MANIFEST).unlink()
    with pytest.raises(SecretError):
        seal(made.folder, made.evidence, SigningKey.read(tmp_path / "nobody.pem"))
    assert not (made.folder / MANIFEST).exists()


def test_a_manifest_that_cannot_be_written_leaves_no_package(made, monkeypatch):
    import sfumato.proof.package.folder

    write, calls = sfumato.proof.package.folder.write_files, []

    def full(folder, files, **how):
        calls.append(files)
        if MANIFEST in files:
            raise OSError(28, os.strerror(28))
        write(folder, files, **how)

    monkeypatch.setattr(sfumato.proof.package.folder, "write_files", full)
    with pytest.raises(OutputError, match="the manifest was not written"):
        add_manifest(made.folder, {}, SigningKey.read(made.key))
    assert len(calls) == 2
    with pytest.raises(UnreadableFile, match="no release package"):
        Manifest.read(made.folder).problems(made.folder)


def test_a_private_key_is_for_its_owner_alone_and_never_written_over(tmp_path):
    public = new_key(tmp_path / "key.pem")
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    assert b"PRIVATE" not in public.read_bytes()
    with pytest.raises(OutputError, match="never written over"):
        new_key(tmp_path / "key.pem")


def test_a_private_key_that_others_can_read_is_refused(tmp_path):
    new_key(tmp_path / "key.pem")
    (tmp_path / "key.pem").chmod(0o644)
    with pytest.raises(SecretError, match="chmod 600"):
        SigningKey.read(tmp_path / "key.pem")


@pytest.mark.parametrize(
    "content", [b"", b"not a key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_what_is_no_key_is_refused(tmp_path, content):
    (tmp_path / "key.pem").write_bytes(content)
    (tmp_path / "key.pem").chmod(0o600)
    with pytest.raises(SecretError, match="no private Ed25519 key"):
        SigningKey.read(tmp_path / "key.pem")
    with pytest.raises(UnreadableFile, match="no public Ed25519 key"):
        valid(b"content", b"", content, "key.pub")


def test_a_key_of_another_kind_is_refused(tmp_path):
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric import ec

    other = ec.generate_private_key(ec.SECP256R1())
    pem = other.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    (tmp_path / "key.pem").write_bytes(pem)
    (tmp_path / "key.pem").chmod(0o600)
    with pytest.raises(SecretError, match="no private Ed25519 key"):
        SigningKey.read(tmp_path / "key.pem")


def test_a_signature_is_valid_for_its_bytes_and_its_key_alone(tmp_path):
    for name in ("ours.pem", "theirs.pem"):
        new_key(tmp_path / name)
    signature, public = SigningKey.read(tmp_path / "ours.pem").signed(b"content")
    assert public == (tmp_path / "ours.pem.pub").read_bytes()
    theirs = (tmp_path / "theirs.pem.pub").read_bytes()
    assert valid(b"content", signature, public)
    assert not valid(b"Content", signature, public)
    assert not valid(b"content", signature, theirs)
    assert fingerprint(public) != fingerprint(theirs)
    raw = base64.b64decode(signature)
    for place in range(0, 64, 7):
        forged = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        assert not valid(b"content", base64.b64encode(forged), public)
    for broken in (b"", b"???", base64.b64encode(raw[:63]), base64.b64encode(raw + b"\0")):
        assert not valid(b"content", broken, public)


WORDS = b"correct horse battery"


def test_a_key_with_a_passphrase_signs_as_any_other_and_only_with_it(tmp_path, monkeypatch):
    monkeypatch.delenv("SFUMATO_SECRET_SIGNING_KEY", raising=False)
    public = new_key(tmp_path / "key.pem", WORDS)
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    with pytest.raises(SecretError, match="SFUMATO_SECRET_SIGNING_KEY"):
        SigningKey.read(tmp_path / "key.pem")
    key = SigningKey.read(tmp_path / "key.pem", ask=lambda: WORDS)
    signature, own = key.signed(b"content")
    assert own == public.read_bytes()
    assert valid(b"content", signature, own)
    assert "PrivateKey" not in repr(key)
    monkeypatch.setenv("SFUMATO_SECRET_SIGNING_KEY", WORDS.decode())
    assert SigningKey.read(tmp_path / "key.pem").name == key.name
    words = tmp_path / "words"
    words.write_bytes(b"wrong horse battery\n")
    words.chmod(0o600)
    with pytest.raises(SecretError, match="does not open") as raised:
        SigningKey.read(tmp_path / "key.pem", Secrets({"signing_key": words}))
    assert "horse" not in str(raised.value)
    with pytest.raises(SecretError, match="too short"):
        new_key(tmp_path / "other.pem", b"short")
    assert not (tmp_path / "other.pem").exists()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_key_with_a_passphrase_opens_with_openssl_and_is_slow_to_guess(tmp_path):
    public = new_key(tmp_path / "key.pem", WORDS)
    command = ["openssl", "pkey", "-in", tmp_path / "key.pem", "-passin", "env:WORDS", "-pubout"]
    done = subprocess.run(command, env={**os.environ, "WORDS": WORDS.decode()}, capture_output=True, check=True)
    assert done.stdout == public.read_bytes()
    parts = subprocess.run(["openssl", "asn1parse", "-in", tmp_path / "key.pem"], capture_output=True, check=True)
    assert b":scrypt" in parts.stdout


def test_a_passphrase_comes_from_a_file_or_the_environment_and_never_from_an_option(sfumato, tmp_path, monkeypatch):
    (tmp_path / "words").write_bytes(WORDS)
    (tmp_path / "words").chmod(0o600)
    done = sfumato("key", "new", "one.pem", "--secret", "signing_key=words")
    assert (done.code, "a passphrase opens" in done.said) == (0, True)
    monkeypatch.delenv("SFUMATO_SECRET_SIGNING_KEY", raising=False)
    done = sfumato("key", "new", "two.pem", "--passphrase")  # nobody is there to be asked
    assert (done.code, "SFUMATO_SECRET_SIGNING_KEY" in done.err) == (2, True)
    monkeypatch.setenv("SFUMATO_SECRET_SIGNING_KEY", WORDS.decode())
    assert sfumato("key", "new", "two.pem", "--passphrase").code == 0
    assert sfumato("key", "new", "open.pem").code == 0
    protected = [b"ENCRYPTED" in (tmp_path / f"{name}.pem").read_bytes() for name in ("one", "two", "open")]
    assert protected == [True, True, False]


def test_without_the_library_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    with pytest.raises(MissingExtra, match=r"sfumato\[vault\]"):
        new_key(tmp_path / "key.pem")


def test_the_signature_and_its_key_are_beside_the_manifest(made):
    assert (made.folder / PUBLIC).read_bytes() == made.public.read_bytes()
    assert valid(
        (made.folder / MANIFEST).read_bytes(), (made.folder / SIGNATURE).read_bytes(), made.public.read_bytes()
    )


def test_a_package_made_anew_without_a_key_keeps_no_signature_of_the_old_one(made):
    seal(made.folder, made.evidence)
    assert not (made.folder / SIGNATURE).exists()
    assert not (made.folder / PUBLIC).exists()


def test_key_new_makes_a_key_and_names_it(sfumato, tmp_path):
    done = sfumato("key", "new", "hospital.pem")
    assert done.code == 0
    assert fingerprint((tmp_path / "hospital.pem.pub").read_bytes()) in done.said
    assert sfumato("key", "new", "hospital.pem").code == 2
    shutil.rmtree(tmp_path, ignore_errors=True)

"""Keys of the server: given anew, with the older ones still good for what was made with them, and for nothing new."""

from __future__ import annotations

import pytest
from tests.service.browsers import last_use
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.errors import SecretError
from sfumato.proof.package.manifest import PUBLIC
from sfumato.proof.package.signature import SigningKey
from sfumato.service.run_assignment import verifying_key


def rotated(world) -> None:
    done = CliRunner().invoke(app, ["key", "rotate", "--root", str(world.service.root)])
    assert done.exit_code == 0, done.output


def test_older_keys_open_and_verify_and_make_nothing_new(world, tmp_path):
    keys = world.service.keys
    sealed, (old,) = keys.seal(b"secret", "a purpose"), keys.public()
    rotated(world)
    new, still = keys.public()
    assert still == old != new
    assert keys.unseal(sealed, "a purpose") == b"secret"
    assert keys.seal(b"secret", "a purpose")[:4] != sealed[:4]
    assert SigningKey.read(keys.signing()).public_pem() == new
    (tmp_path / PUBLIC).write_bytes(old)  # a package that was signed before
    assert verifying_key(world.service, tmp_path) == old
    (tmp_path / PUBLIC).write_bytes(old.replace(b"M", b"N"))  # and one that says it was signed with some other key
    assert verifying_key(world.service, tmp_path) == new


def test_new_keys_are_in_the_log_and_what_is_sealed_opens_for_its_purpose_only(world):
    rotated(world)
    line = last_use(world)
    assert (line["about"]["change"], line["who"]["way"]) == ("rotate keys", "console")
    keys = world.service.keys
    sealed = keys.seal(b"secret", "a purpose")
    changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for wrong, purpose in ((sealed, "another"), (changed, "a purpose"), (b"\0\0\0\3" + sealed[4:], "a purpose")):
        with pytest.raises(SecretError):
            keys.unseal(wrong, purpose)


@pytest.mark.parametrize("file", ["server-0001.key", "signing-0001.pem"])
def test_a_key_is_256_bits_that_only_the_service_reads(world, file):
    path = world.service.root / "keys" / file
    assert path.stat().st_mode & 0o777 == 0o600
    if file.endswith(".key"):
        assert len(bytes.fromhex(path.read_text())) == 32

"""The vault: tokens come back exactly, and only with the passphrase."""

from __future__ import annotations

import hmac
import os
import stat
from dataclasses import replace

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import made_up, resources, values

from sfumato import secrets
from sfumato.errors import OutputError, PlanError, UnreadableFile
from sfumato.plans import vault as vaults
from sfumato.plans.steps.tokenise import Tokenise
from sfumato.plans.vault import Vault, keep_vaults, restore

PASSPHRASE = "correct horse battery"
IDS = ["AB-1042", "환자", "0012", "12", "", "it's", None, "12", " x "]


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """A cheap key, so that the tests do not take minutes."""
    usual = secrets.stretched
    for module in (vaults, secrets):
        monkeypatch.setattr(module, "stretched", lambda passphrase, salt, cost=10: usual(passphrase, salt, 10))


def tokens(ids, path, passphrase=PASSPHRASE, engine=None, project="one", **options):
    """The tokens of a step, whose plan went through."""
    draft = made_up({"id": pa.array(ids)}, engine)
    step = Tokenise("id", vault=str(path), secret="words", **options)
    after = step.apply(draft, resources(project=project, words=passphrase))
    keep_vaults(after)
    return values(after, "id")


def test_every_engine_gives_tokens_that_the_vault_restores_exactly(engine, tmp_path):
    found = tokens(IDS, tmp_path / "ids.vault", engine=engine, prefix="T")
    assert restore(tmp_path / "ids.vault", PASSPHRASE, found) == IDS
    assert found == tokens(IDS, tmp_path / "again.vault", prefix="T")
    assert len(set(found)) == len(set(IDS))
    assert all(token is None or (len(token) == 17 and token[0] == "T") for token in found)


def test_a_second_table_extends_the_vault_and_the_same_value_has_the_same_token(tmp_path):
    path = tmp_path / "ids.vault"
    first = tokens(["a", "b"], path)
    second = tokens(["b", "c"], path)
    assert first[1] == second[0]
    assert restore(path, PASSPHRASE, [*first, *second]) == ["a", "b", "b", "c"]


def test_a_run_that_adds_nothing_leaves_the_vault_as_it_is_and_the_tokens_too(tmp_path):
    path = tmp_path / "ids.vault"
    first = tokens(IDS, path)
    before = path.read_bytes()
    assert tokens(IDS, path) == first
    assert path.read_bytes() == before


def test_a_wrong_passphrase_is_refused_and_changes_nothing(tmp_path):
    path = tmp_path / "ids.vault"
    found = tokens(["a"], path)
    before = path.read_bytes()
    with pytest.raises(UnreadableFile, match=r"does not open this vault.*Nothing was changed") as raised:
        tokens(["b"], path, passphrase="wrong horse battery")
    assert "horse" not in str(raised.value)
    with pytest.raises(UnreadableFile, match="does not open"):
        restore(path, "wrong horse battery", found)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["ids.vault"]


def test_another_passphrase_gives_other_tokens(tmp_path):
    assert tokens(["a"], tmp_path / "one") != tokens(["a"], tmp_path / "two", passphrase="another passphrase")


@pytest.mark.parametrize("place", [17, 20, 40, -1], ids=["salt", "late salt", "nonce", "content"])
def test_a_changed_byte_anywhere_is_noticed(tmp_path, place):
    path = tmp_path / "ids.vault"
    tokens(["a"], path)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="damaged"):
        restore(path, PASSPHRASE, [])


@pytest.mark.parametrize(
    "content", [b"", b"id,name\n1,Emma\n", vaults.MAGIC, vaults.MAGIC + b"\xff" * 60], ids=range(4)
)
def test_a_file_that_is_no_vault_is_never_written_over(tmp_path, content):
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="not a vault"):
        tokens(["a"], path)
    assert path.read_bytes() == content


def test_only_the_owner_can_read_the_vault_and_nothing_in_it_is_plain(tmp_path):
    path = tmp_path / "new" / "ids.vault"
    (token,) = tokens(["AB-1042-plain"], path)
    for _ in range(2):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b"AB-1042" not in path.read_bytes()
        assert token.encode() not in path.read_bytes()
        tokens(["more"], path)


def test_an_open_vault_shows_nothing_of_what_is_in_it(tmp_path):
    tokens(["AB-1042-plain"], tmp_path / "v")
    shown = repr(Vault.opened(tmp_path / "v", PASSPHRASE.encode()))
    assert "AB-1042" not in shown
    assert "key" not in shown


def test_tokens_of_one_vault_have_one_form(tmp_path):
    tokens(["a"], tmp_path / "v", length=20)
    with pytest.raises(PlanError, match="the length 20"):
        tokens(["b"], tmp_path / "v")


def test_a_vault_that_another_run_has_changed_is_not_written_over(tmp_path):
    tokens(["a"], tmp_path / "v")
    mine = Vault.opened(tmp_path / "v", PASSPHRASE.encode())
    tokens(["b"], tmp_path / "v")
    before = (tmp_path / "v").read_bytes()
    with pytest.raises(OutputError, match="Run this one again"):
        mine.with_originals({"t": "c"}).save()
    assert (tmp_path / "v").read_bytes() == before


def test_unknown_tokens_are_counted_and_not_shown(tmp_path):
    found = tokens(["a"], tmp_path / "v")
    with pytest.raises(PlanError, match="1 of 2 tokens") as raised:
        restore(tmp_path / "v", PASSPHRASE.encode(), [*found, "stranger"])
    assert "stranger" not in str(raised.value)


def test_the_vault_is_relative_to_the_plan(tmp_path):
    given = replace(resources(**dict.fromkeys(("words", "key"), PASSPHRASE)), folder=tmp_path)
    after = Tokenise("id", vault="ids.vault", secret="words").apply(made_up({"id": ["a"]}), given)
    assert not (tmp_path / "ids.vault").exists()
    keep_vaults(after)
    assert (tmp_path / "ids.vault").exists()


def test_two_steps_of_a_plan_extend_one_vault_together(tmp_path):
    given, draft = resources(words=PASSPHRASE), made_up({"mother": ["a", "b"], "child": ["b", "c"]})
    for column in ("mother", "child"):
        draft = Tokenise(column, vault=str(tmp_path / "v"), secret="words").apply(draft, given)
    keep_vaults(draft)
    found = [token for row in values(draft, "mother", "child") for token in row]
    assert restore(tmp_path / "v", PASSPHRASE, found) == ["a", "b", "b", "c"]
    assert found[1] == found[2]


def test_the_same_passphrase_gives_other_tokens_in_another_project_but_one_vault_keeps_its_own(tmp_path):
    one = tokens(["a"], tmp_path / "v")
    assert tokens(["a"], tmp_path / "w", project="two") != one
    assert tokens(["a", "b"], tmp_path / "v", project="two")[0] == one[0]


def test_the_key_of_tokens_is_neither_that_of_the_vault_nor_that_of_pseudonyms(tmp_path):
    tokens(["a"], tmp_path / "v")
    vault, given = Vault.opened(tmp_path / "v", PASSPHRASE.encode()), resources(words=PASSPHRASE)
    keys = (vault.token_key(PASSPHRASE.encode()), vault.key, given.secret_key("words", "pseudonyms"))
    assert len({*keys, given.secrets.key_of("words", given.salt), vault.token_salt, vault.salt}) == 6


def test_a_vault_of_before_opens_and_its_tokens_stay_what_they_were(tmp_path):
    """Vaults did not say the salt of their tokens, which was one for everybody."""
    path, key = tmp_path / "v", secrets.stretched(PASSPHRASE.encode(), b"sfumato tokens 1")
    hashed = hmac.new(key, b"token|0||a", "sha256").hexdigest()[:16]
    former = Vault.new(path, PASSPHRASE.encode(), prefix="", length=16, token_salt=b"")
    replace(former, token_salt=None, originals={hashed: "a"}).save()
    assert restore(path, PASSPHRASE, [hashed]) == ["a"]
    assert tokens(["a", "b"], path)[0] == hashed
    assert Vault.opened(path, PASSPHRASE.encode()).token_salt is None


def test_a_pipe_is_no_vault_and_nobody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / "v")
    with pytest.raises(UnreadableFile, match="no file"):
        tokens(["a"], tmp_path / "v")


def test_a_key_takes_as_much_work_as_it_says():
    assert vaults.COST == 17


@pytest.mark.parametrize(
    "given", [{"vault": ""}, {"secret": ""}, {"length": 7}, {"length": 65}, {"prefix": None}], ids=str
)
def test_wrong_parameters_are_said_at_once(given):
    with pytest.raises(PlanError, match=next(iter(given))):
        Tokenise("id", **{"vault": "v", "secret": "s", **given})

"""Chance and keyed hashes: the same on every engine, and what they say they are."""

from __future__ import annotations

import hmac
from hashlib import md5

import pyarrow as pa
import pytest

TEXTS = ["", "a", "héllo", "환자", "'quoted'", "x" * 300, None]


def values(engine, sql):
    table = engine.load(pa.table({"i": range(len(TEXTS)), "v": pa.array(TEXTS, pa.string())}))
    return [value for (value,) in engine.fetch(f"SELECT {sql} AS found FROM {table} ORDER BY i")]


KEY = bytes(range(100, 132))


def test_a_keyed_hash_is_hmac_sha256(engine):
    wanted = [None if t is None else hmac.new(KEY, t.encode(), "sha256").hexdigest() for t in TEXTS]
    assert values(engine, engine.keyed_hash(KEY, "v")) == wanted


def test_a_keyed_number_is_the_first_52_bits_of_the_keyed_hash(engine):
    digests = [None if t is None else hmac.new(KEY, t.encode(), "sha256").digest() for t in TEXTS]
    wanted = [None if d is None else (int.from_bytes(d[:8]) >> 12) / 2**52 for d in digests]
    assert values(engine, engine.keyed_uniform(KEY, "v")) == wanted


@pytest.mark.parametrize("key", [b"", b"a passphrase", bytes(31), bytes(33), bytes(64)], ids=len)
def test_what_is_no_key_of_256_bits_hashes_nothing(engine, key):
    with pytest.raises(ValueError, match="32 bytes"):
        engine.keyed_hash(key, "v")


def test_a_uniform_number_comes_from_md5_alone(engine):
    found = values(engine, engine.uniform("concat('7|noise|', v)"))
    for text, number in zip(TEXTS, found, strict=True):
        digits = md5(f"7|noise|{text or ''}".encode()).hexdigest()[:13]
        assert number == int(digits, 16) / 2**52
        assert 0 <= number < 1

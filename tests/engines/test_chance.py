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


@pytest.mark.parametrize("key", [b"k", b"secret key", bytes(range(200))], ids=["short", "usual", "longer than a block"])
def test_a_keyed_hash_is_hmac_sha256(engine, key):
    wanted = [None if t is None else hmac.new(key, t.encode(), "sha256").hexdigest() for t in TEXTS]
    assert values(engine, engine.keyed_hash(key, "v")) == wanted


def test_a_uniform_number_comes_from_md5_alone(engine):
    found = values(engine, engine.uniform("concat('7|noise|', v)"))
    for text, number in zip(TEXTS, found, strict=True):
        digits = md5(f"7|noise|{text or ''}".encode()).hexdigest()[:13]
        assert number == int(digits, 16) / 2**52
        assert 0 <= number < 1

"""Hashes of files: read once as long as nobody touches the file, and again after any writing."""

from __future__ import annotations

import os
import time

import pytest

from sfumato.canonical import sha256_of
from sfumato.service import file_hashes
from sfumato.service.file_hashes import FileHashes


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A file as old as files usually are, seen by a clock that is ahead: no test waits for a tick."""
    file = tmp_path / "visits.csv"
    file.write_text("id,age\n1,30\n", encoding="utf-8")
    monkeypatch.setattr(file_hashes.time, "time_ns", lambda now=time.time_ns: now() + 2 * file_hashes.TICK)
    return file


def counted(monkeypatch):
    """How often a file was read to its end."""
    reads, digest = [], file_hashes.file_digest
    monkeypatch.setattr(file_hashes, "file_digest", lambda stream, name: reads.append(name) or digest(stream, name))
    return reads


def test_a_file_that_nobody_has_touched_is_read_once(table, monkeypatch):
    reads, hashes = counted(monkeypatch), FileHashes()
    assert [hashes.of(table) for _ in range(3)] == [sha256_of(table)] * 3
    assert len(reads) == 1


def test_another_content_of_the_same_size_and_time_has_another_hash(table, monkeypatch):
    hashes, before = FileHashes(), table.stat()
    first = hashes.of(table)
    table.write_text("id,age\n1,31\n", encoding="utf-8")
    os.utime(table, ns=(before.st_atime_ns, before.st_mtime_ns))  # as somebody does who would not be noticed
    assert hashes.of(table) == sha256_of(table) != first


def test_a_file_that_was_written_just_now_is_not_remembered(table, monkeypatch):
    monkeypatch.undo()
    reads, hashes = counted(monkeypatch), FileHashes()
    os.utime(table)
    hashes.of(table), hashes.of(table)
    assert len(reads) == 2

"""The log of use: lines are only added, and what was done to them afterwards is found and named."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.canonical import canonical, sha256_of
from sfumato.errors import OutputError, UnreadableFile
from sfumato.proof.use_log import log as log_module
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.entry import fingerprint, logged
from sfumato.proof.use_log.log import START, AuditLog, Head, KeptHead, own_hash

APPENDING = """
import sys
from pathlib import Path
from sfumato.proof.use_log.log import AuditLog
log = AuditLog(Path(sys.argv[1]))
for n in range(int(sys.argv[2])):
    log.append({"who": sys.argv[3], "n": n, "padding": "x" * 2000})
"""


def log_of(folder: Path, lines: int = 5) -> AuditLog:
    log = AuditLog(folder / "sfumato.log.jsonl")
    for n in range(lines):
        log.append({"who": "Ada", "n": n})
    return log


def problems(log: AuditLog, known: str | None = None) -> list[str]:
    return list(Chain.of(log, verify=True, known=known).problems or ())


def rewrite(log: AuditLog, lines: list[bytes]) -> None:
    log.path.write_bytes(b"".join(lines))


def resealed(line: bytes, **changes: Any) -> bytes:
    """A line with changes and a hash that fits, as somebody writes it who knows how."""
    found = json.loads(line) | changes
    return canonical(found | {"hash": own_hash(found)}) + b"\n"


def test_every_line_names_the_hash_of_the_one_before(tmp_path):
    log = log_of(tmp_path)
    lines = [json.loads(line) for line in log.lines()]
    assert [line["number"] for line in lines] == [1, 2, 3, 4, 5]
    assert [line["previous"] for line in lines] == [START, *(line["hash"] for line in lines[:-1])]
    assert problems(log) == []
    assert log.kept_head() == KeptHead(Head(5, lines[-1]["hash"]))


def test_a_changed_line_is_named(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [*lines[:2], lines[2].replace(b"Ada", b"Bob"), *lines[3:]])
    assert problems(log) == ["Number 3 (line 3) was changed: its hash is not that of its content."]


def test_a_changed_line_with_a_hash_that_fits_is_named(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [*lines[:2], resealed(lines[2], who="Bob"), *lines[3:]])
    assert problems(log) == ["Number 3 was replaced: number 4 (line 4) was written after another line."]


def test_the_last_line_with_a_hash_that_fits_is_named_by_the_head(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [*lines[:4], resealed(lines[4], who="Bob")])
    assert problems(log) == ["Number 5 was replaced: the head beside the log knows another line."]


def test_a_line_that_is_no_entry_any_more_is_named(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [lines[0], b"nothing happened\n", *lines[2:]])
    assert "Line 2 cannot be read: it was changed." in problems(log)


@pytest.mark.parametrize(
    ("removed", "words"),
    [
        ([1], "Number 2 was removed."),
        ([1, 2], "Numbers 2 to 3 were removed."),
        ([0], "Number 1 was removed."),
        ([4], "Number 5 was removed from the end."),
        ([3, 4], "Numbers 4 to 5 were removed from the end."),
        ([0, 1, 2, 3, 4], "Numbers 1 to 5 were removed from the end."),
    ],
)
def test_a_removed_line_is_named(tmp_path, removed, words):
    log = log_of(tmp_path)
    rewrite(log, [line for place, line in enumerate(log.lines()) if place not in removed])
    assert problems(log) == [words]


def test_a_line_removed_from_the_end_together_with_the_head_is_found_by_a_head_that_was_written_down(tmp_path):
    log = log_of(tmp_path)
    written_down = log.kept_head().head.hash
    rewrite(log, log.lines()[:4])
    log.head_path.write_bytes(canonical({"lines": 4, "hash": json.loads(log.lines()[-1])["hash"]}))
    assert problems(log) == []
    assert "no line of this log" in problems(log, written_down)[0]


def test_a_missing_head_is_named_and_stays_named_when_the_log_goes_on(tmp_path):
    log = log_of(tmp_path)
    rewrite(log, log.lines()[:3])
    log.head_path.unlink()
    assert problems(log) == [
        "The head beside the log is missing: it was removed, and lines may have been removed from the end."
    ]
    log.append({"who": "Bob"})
    assert problems(log) == ["When number 4 (line 4) was written, the head was missing or of another line."]


def test_an_older_head_is_named_and_stays_named_when_the_log_goes_on(tmp_path):
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    for n in range(3):
        log.append({"use": "begin", "n": n})
    older = log.head_path.read_bytes()
    log.append({"use": "begin", "n": 3})
    log.head_path.write_bytes(older)
    assert problems(log) == ["The head beside the log is older than the log: it knows 3 of 4 lines."]
    log.append({"use": "begin", "n": 4})
    assert problems(log) == ["When number 5 (line 5) was written, the head was missing or of another line."]


def test_an_end_without_its_beginning_and_a_second_end_are_named(tmp_path):
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    begun = log.append({"use": "begin"})
    for _ in range(2):
        log.append({"use": "end", "of": begun.lines, "begun": begun.hash, "outcome": {"exit": 0}})
    log.append({"use": "end", "of": 9, "begun": begun.hash, "outcome": {"exit": 0}})
    assert problems(log) == [
        "Number 3 (line 3) ends a use that had ended.",
        "Number 4 (line 4) ends a use of which the log has no beginning.",
    ]


def test_a_log_of_an_older_version_is_whole_and_what_it_cannot_say_is_remarked(tmp_path):
    log = log_of(tmp_path, 2)
    begun = log.append({"use": "begin"})
    chain = Chain.of(log, verify=True)
    assert chain.problems == ()
    assert chain.remarks == (
        "Number 3 was begun and not completed: it was killed, or still goes on.",
        "Uses of older versions: 2, written when they had ended. Of a killed one there is no line.",
    )
    log.append({"use": "end", "of": begun.lines, "begun": begun.hash, "outcome": {"exit": 0}})
    assert len(Chain.of(log).uses) == 3
    assert len(Chain.of(log).remarks) == 1


def test_a_head_that_was_written_down_stays_a_line_of_a_log_that_grows(tmp_path):
    log = log_of(tmp_path)
    written_down = log.kept_head().head.hash
    log.append({"who": "Bob"})
    assert problems(log, written_down) == []


def test_an_inserted_line_is_named(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    second = json.loads(lines[1])
    forged = resealed(lines[2], who="Bob", previous=second["hash"])
    rewrite(log, [*lines[:2], forged, *lines[2:]])
    assert problems(log) == ["Number 3 (line 3) was inserted: the number stands 2 times."]


def test_a_line_that_reads_the_same_and_is_written_otherwise_is_named(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [*lines[:2], lines[2].replace(b'"who":"Ada"', b'"who": "Ada"'), *lines[3:]])
    assert problems(log) == ["Number 3 (line 3) was changed: it is not written as it was."]


def test_a_line_that_says_a_thing_twice_is_not_read(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [*lines[:2], lines[2].replace(b'"who":"Ada"', b'"who":"Bob","who":"Ada"'), *lines[3:]])
    assert problems(log)[0] == "Line 3 cannot be read: it was changed."


def test_a_line_that_stands_twice_is_named(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [*lines[:3], *lines[2:]])
    assert problems(log) == ["Number 3 (line 4) was inserted: the number stands 2 times."]


def test_lines_in_another_order_are_named(tmp_path):
    log = log_of(tmp_path)
    lines = log.lines()
    rewrite(log, [lines[0], lines[2], lines[1], *lines[3:]])
    assert problems(log) == ["Number 2 (line 3) is out of order: it stands after number 3."]


@given(seed=st.integers(0, 10**6))
def test_whatever_is_done_to_the_lines_is_found(tmp_path_factory, seed):
    log = log_of(tmp_path_factory.mktemp("log"), 6)
    lines, chance = log.lines(), random.Random(seed)
    changed = list(lines)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(changed)) if changed else 0
        kind = chance.choice(["remove", "swap", "twice", "byte"])
        if not changed or kind == "remove":
            changed = changed[:place] + changed[place + 1 :]
        elif kind == "swap":
            other = chance.randrange(len(changed))
            changed[place], changed[other] = changed[other], changed[place]
        elif kind == "twice":
            changed.insert(chance.randrange(len(changed) + 1), changed[place])
        else:
            at = chance.randrange(len(changed[place]) - 1)
            changed[place] = changed[place][:at] + bytes([changed[place][at] ^ 1]) + changed[place][at + 1 :]
    rewrite(log, changed)
    assert bool(problems(log)) == (changed != lines)


def test_the_gap_stays_visible_when_lines_are_added_after_a_removal(tmp_path):
    log = log_of(tmp_path)
    rewrite(log, log.lines()[:3])
    log.append({"who": "Bob"})
    assert problems(log) == ["Numbers 4 to 5 were removed."]


def test_the_gap_stays_visible_when_the_whole_log_was_removed(tmp_path):
    log = log_of(tmp_path)
    log.path.unlink()
    log.append({"who": "Bob"})
    assert problems(log) == ["Numbers 1 to 5 were removed."]


def test_a_torn_last_line_is_named_and_the_next_use_repairs_it_and_says_so(tmp_path):
    log = log_of(tmp_path)
    whole = log.path.read_bytes()
    log.path.write_bytes(whole + b'{"command":{"name":"ass')
    assert problems(log) == ["Line 6 is torn: its writing was cut off after 23 bytes. The next use repairs it."]
    log.append({"who": "Bob"})
    assert problems(log) == []
    last = json.loads(log.lines()[-1])
    assert (last["number"], last["torn"]) == (6, {"bytes": 23})
    assert log.path.read_bytes().startswith(whole)


def test_a_line_that_lacks_only_its_end_is_kept(tmp_path):
    log = log_of(tmp_path)
    log.path.write_bytes(log.path.read_bytes()[:-1])
    log.append({"who": "Bob"})
    assert problems(log) == []
    assert [json.loads(line)["number"] for line in log.lines()] == [1, 2, 3, 4, 5, 6]


def test_a_line_longer_than_what_is_read_at_once_is_continued(tmp_path):
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    for n in range(3):
        log.append({"n": n, "padding": "x" * 200_000})
    assert problems(log) == []


def test_a_log_whose_last_line_was_destroyed_is_not_continued(tmp_path):
    log = log_of(tmp_path)
    rewrite(log, [*log.lines()[:4], b"???\n"])
    with pytest.raises(OutputError, match="sfumato log --verify"):
        log.append({"who": "Bob"})


def test_killed_after_the_line_and_before_the_head_nothing_is_wrong(tmp_path, monkeypatch):
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    log.append({"use": "begin"})
    keep = log_module._keep
    monkeypatch.setattr(log_module, "_keep", lambda path, kept: keep(path, kept) if kept.coming else None)
    log.append({"use": "begin"})  # its head is announced, and never said to be there
    monkeypatch.undo()
    assert log.kept_head().head.lines == 1
    assert problems(log) == []
    log.append({"use": "begin"})
    assert problems(log) == []
    assert log.kept_head().head.lines == 3


def test_killed_after_the_announcement_and_before_the_line_nothing_is_wrong(tmp_path, monkeypatch):
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    for written in (0, 1):
        monkeypatch.setattr(log_module, "_written", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
        with pytest.raises(OutputError):
            log.append({"use": "begin"})
        monkeypatch.undo()
        assert problems(log) == []
        log.append({"use": "begin"})
        assert problems(log) == []
        assert log.kept_head().head.lines == written + 1


def test_two_processes_that_append_at_once_lose_no_line(tmp_path):
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    command = [sys.executable, "-c", APPENDING, str(log.path), "40"]
    running = [subprocess.Popen([*command, name]) for name in ("one", "two")]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    lines = [json.loads(line) for line in log.lines()]
    assert [line["number"] for line in lines] == list(range(1, 81))
    for name in ("one", "two"):
        assert [line["n"] for line in lines if line["who"] == name] == list(range(40))
    assert problems(log) == []


def test_killed_while_appending_the_log_is_whole_or_torn_at_its_end_and_goes_on(tmp_path):
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    written = 0
    for n in range(4):
        process = subprocess.Popen([sys.executable, "-c", APPENDING, str(log.path), "100000", "Ada"])
        size, end = (log.path.stat().st_size if log.path.exists() else 0), time.monotonic() + 60
        while time.monotonic() < end and (not log.path.exists() or log.path.stat().st_size <= size):
            time.sleep(0.002)
        time.sleep(0.003 * n)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        assert [problem for problem in problems(log) if "is torn" not in problem] == []
        head = log.append({"who": "Bob"})
        assert problems(log) == []
        assert head.lines > written
        written = head.lines


@pytest.mark.skipif(os.name != "posix", reason="limits of files are a thing of POSIX")
def test_on_a_disk_that_is_full_the_log_stays_as_it_was(tmp_path):
    log = log_of(tmp_path)
    before = log.path.read_bytes()
    limited = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 50},) * 2)\n{APPENDING}"
    )
    done = subprocess.run([sys.executable, "-c", limited, str(log.path), "1", "Bob"], capture_output=True, text=True)
    assert "could not be written to the log" in done.stderr
    assert log.path.read_bytes() == before
    assert problems(log) == []


def test_a_log_that_is_not_there_is_said(tmp_path):
    with pytest.raises(UnreadableFile, match="no log of use"):
        Chain.of(AuditLog(tmp_path / "sfumato.log.jsonl"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_source_that_is_a_pipe_is_named_without_a_hash_and_nobody_waits_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "patients.csv")
    answers: list[dict[str, Any]] = []
    asked = Thread(target=lambda: answers.append(fingerprint(tmp_path / "patients.csv")), daemon=True)
    asked.start()
    asked.join(timeout=20)
    assert answers == [{"name": "patients.csv", "sha256": None}]
    with pytest.raises(OSError, match="no file"):
        sha256_of("/dev/zero")


def test_what_a_use_without_a_log_wrote_is_not_hashed(tmp_path: Path) -> None:
    with logged("anonymise", None) as use:
        use.wrote(tmp_path / "not there.csv")
    assert use.written == []

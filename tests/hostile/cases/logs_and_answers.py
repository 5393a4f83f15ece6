"""Logs of use, answers about a recipient, and secrets."""

from __future__ import annotations

import json

from tests.hostile.case import MARK, Case, file_case

LINE = {"number": 1, "user": "x", "previous": "0" * 64, "hash": "0" * 64}
LOGS: dict[str, tuple[str, str | bytes]] = {
    "empty": ("An empty log.", b""),
    "one-byte": ("One byte.", b"{"),
    "rubbish": ("Rubbish.", bytes(range(256)) * 20),
    "wrong-hash": ("A line with a wrong hash.", json.dumps(LINE) + "\n"),
    "list": ("A list for a line.", "[]\n"),
    "deep": ("A line of brackets.", "[" * 200_000 + "\n"),
    "deep-object": ("Objects in each other.", '{"a":' * 100_000 + "1" + "}" * 100_000 + "\n"),
    "nan": ("A line with NaN.", json.dumps({**LINE, "records": float("nan")}) + "\n"),
    "huge-number": ("A line with an endless number.", json.dumps(LINE).replace("1", "7" * 5000, 1) + "\n"),
    "boolean-number": ("A line whose number is true.", json.dumps({**LINE, "number": True}) + "\n"),
    "keys-twice": ("A line with a key twice.", json.dumps(LINE)[:-1] + ', "number": 2}\n'),
    "surrogate": ("Half a surrogate pair.", json.dumps({**LINE, "user": "\ud800"}) + "\n"),
    "terminal": ("A user whose name moves the cursor.", json.dumps({**LINE, "user": "\x1b[2J\u202e", "command": "\x1b[31m"}) + "\n"),
    "types": ("Values of other types.", json.dumps({**LINE, "who": [1], "time": {}, "command": 5, "inputs": [5], "outcome": "x"}) + "\n"),
    "types-within": ("Values of other types within.", json.dumps({**LINE, "command": {"name": [], "options": [5]}, "inputs": [{"name": 5, "sha256": 5}]}) + "\n"),
    "far-number": ("A line with the number of a far one.", json.dumps({**LINE, "number": 10**15}) + "\n"),
    "long-line": ("A line of twenty megabytes.", '{"a": "' + "x" * (20 << 20) + '"}\n'),
    "many-lines": ("Two hundred thousand lines.", "{}\n" * 200_000),
    "nul": ("Lines of NUL.", b"\0\n" * 1000),
    "utf-16": ("UTF-16.", (json.dumps(LINE) + "\n").encode("utf-16")),
    "no-end": ("A line without an end.", json.dumps(LINE)),
}  # fmt: skip
ANSWERS: dict[str, tuple[str, str | bytes]] = {
    "empty": ("No answers.", b""),
    "rubbish": ("Rubbish.", bytes(range(256))),
    "list": ("A list.", "- a\n- b\n"),
    "tag": ("A tag that would run something.", "a: !!python/object/apply:os.system ['touch evil']\n"),
    "bomb": ("Aliases that unfold to a thousand million.", "a: &a [x, x]\n" + "".join(f"{c}: &{c} [{', '.join([f'*{p}'] * 9)}]\n" for p, c in zip("abcdefghi", "bcdefghij", strict=True))),
    "deep": ("Lists in each other.", "a: " + "[" * 50_000),
    "types": ("Answers of other types.", f"institution: [{MARK}]\nshaming: {{a: {MARK}}}\n"),
    "numbers": ("Numbers that are none.", "institution: .nan\nshaming: -.inf\n"),
    "unknown": ("Questions that nobody asks.", "'\\e[2J': yes\n\"\\e[2J\": yes\n"),
}  # fmt: skip
SECRETS: dict[str, tuple[str, str | bytes]] = {
    "empty": ("An empty secret.", b""),
    "blank": ("A secret of blanks.", b" \n \n"),
    "short": ("A secret of one letter.", b"x"),
    "nul": ("A secret of NUL.", bytes(64)),
    "rubbish": ("A secret of every byte.", bytes(range(256))),
    "long": ("A secret of twenty megabytes.", MARK.encode() * 1_600_000),
    "pem": ("A key that is cut.", f"-----BEGIN PRIVATE KEY-----\n{MARK}\n"),
}

CASES: list[Case] = [
    *(file_case(f"log-{name}", what, "sfumato.log.jsonl", content, kind="log") for name, (what, content) in LOGS.items()),
    *(file_case(f"answers-{name}", what, "answers.yaml", content, kind="answers") for name, (what, content) in ANSWERS.items()),
    *(file_case(f"secret-{name}", what, "secret.txt", content, kind="secret") for name, (what, content) in SECRETS.items()),
]  # fmt: skip

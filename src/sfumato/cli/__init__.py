"""The command line: parse, call one verb, show what it found.

Exit codes: 0 done and every requirement met, 1 a requirement is not met, 2 wrong use or unusable input.
Nothing heavy is imported here, and a command only with its own file: `sfumato --help` must answer at once. May import:
every room.
"""

from sfumato.cli.app import app, main

__all__ = ["app", "main"]

"""The command line: parse, call one verb, show what it found.

Exit codes: 0 done and every requirement met, 1 a requirement is not met, 2 wrong use or unusable input.
Nothing heavy is imported here: `sfumato --help` must answer at once.
"""

from sfumato.cli import assess, dimension, hierarchy, identify, plan, project, recipient, safe_harbor, study  # noqa: F401  (each adds its commands)
from sfumato.cli.app import app, main

__all__ = ["app", "main"]

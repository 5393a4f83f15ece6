"""The command line: parse, call one verb, show what it found.

Exit codes: 0 done and every requirement met, 1 a requirement is not met, 2 wrong use or unusable input.
Nothing heavy is imported here: `sfumato --help` must answer at once. May import: every room.
"""

from sfumato.cli import (  # noqa: F401  (each adds its commands)
    account,
    anonymise,
    assess,
    backup,
    compare,
    context,
    deliver,
    dimension,
    explore,
    glossary,
    hierarchy,
    identify,
    key,
    log,
    node,
    open_table,
    plan,
    presets,
    project,
    recipient,
    release,
    report,
    risk,
    safe_harbor,
    serve,
    study,
    tabulate,
    verify,
)
from sfumato.cli.app import app, main

__all__ = ["app", "main"]

"""Commands as somebody would type them: what a page shows to copy, quoted for a shell."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.service.run_commands import shown as quoted
from sfumato.service.run_options import OptionKind, RunOption


def typed(*words: str) -> str:
    """A command of Sfumato.

    >>> typed("identify", "--project=my file.yaml")
    "sfumato identify '--project=my file.yaml'"
    """
    return quoted(words)


def by_column(option: str, said: Mapping[str, str]) -> list[str]:
    """An option that is repeated for each column, as the command line reads it whatever a column is called.

    >>> by_column("role", {"age": "quasi", "a=b": "direct"})
    ['--role=age=quasi', '--role="a=b"=direct']
    """
    return RunOption(option, OptionKind.PAIRS).typed(said)

"""Passphrases that somebody types: never as the value of an option, where others see them and a shell keeps them."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer


def asking(words: str, *, twice: bool = False) -> Callable[[], bytes] | None:
    """Asks for a passphrase, which is not shown; None where nobody is there to be asked."""
    if not sys.stdin.isatty():
        return None
    return lambda: str(typer.prompt(words, hide_input=True, confirmation_prompt=twice, err=True)).encode()

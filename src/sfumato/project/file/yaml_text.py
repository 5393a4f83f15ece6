"""Texts as YAML writes them."""

from __future__ import annotations

import re


def one_line(words: str) -> str:
    """Words on one line, without characters that YAML does not allow."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())


def yaml_text(text: str) -> str:
    r"""A text as YAML: bare when no reader could take it for something else, else in double quotes.

    >>> print(yaml_text("age"), yaml_text("no"), yaml_text('a "b"'), yaml_text("größe"))
    age "no" "a \"b\"" größe
    """
    bare = re.fullmatch(r"[^\W\d][\w./-]*", text) and text.isprintable()
    if bare and text.lower() not in {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}:
        return text
    return quoted_text(text)


def quoted_text(text: str) -> str:
    """A text as YAML in double quotes."""
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '\\"':
        return "\\" + letter
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def yaml_key(name: str) -> str:
    """A text as the key of a mapping."""
    text = yaml_text(name)
    # YAML gives up on a plain key after 1024 characters.
    return f"{text}:" if len(text) < 500 else f"? {text}\n  :"

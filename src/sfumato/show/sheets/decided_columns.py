"""Decisions about columns in words: what was left out, and what left against the evidence."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sfumato.show.documents.decided_columns import AgainstEvidenceDocument
from sfumato.show.sheet import NAMED, named


def left_out_words(columns: Sequence[str]) -> str:
    """That columns were left out because nobody decided about them, and what would release them; else nothing."""
    if not columns:
        return ""
    left, them = ("1 column was", "it") if len(columns) == 1 else (f"{len(columns)} columns were", "them")
    return (
        f"{left} left out, since nobody decided about {them}: {named(columns)}. "
        f"To release {them} unprotected: --non-sensitive {column_option(columns)}, or --release-rest."
    )


def against_evidence_words(columns: Sequence[AgainstEvidenceDocument]) -> str:
    """That columns left although the evidence says that they identify; else nothing."""
    said = [f"{each.column} ({each.proposed}, {each.confidence:.0%} sure)" for each in columns]
    return f"Released against the evidence: {named(said)}." if said else ""


def column_option(columns: Sequence[str], most: int = NAMED) -> str:
    """Names as an option takes them at a shell; one with a comma, a quote or blanks at its ends in double quotes."""
    some = columns[:most]
    quoted = (
        '"' + name.replace('"', '""') + '"' if "," in name or '"' in name or name.strip() != name else name
        for name in some
    )
    return shlex.quote(",".join(quoted)) + (",..." if len(columns) > most else "")

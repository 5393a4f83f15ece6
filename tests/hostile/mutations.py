"""Documents that were right until somebody changed a few places of them: what a parser has to stand."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

# What has meant something else to some reader: of YAML, JSON, CSV, SQL, numbers, dates, patterns or a terminal.
PIECES = (
    "",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    ":",
    ": ",
    ",",
    ";",
    "-",
    "- ",
    "--",
    "---\n",
    "...",
    "#",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "'",
    '"',
    '""',
    "\\",
    "|",
    ">",
    "&a ",
    "*a",
    "!!python/object:x ",
    "!x ",
    "<<: ",
    "? ",
    "%",
    "%d",
    "%Y",
    "@",
    "`",
    "=",
    ">=",
    "<=",
    "<",
    "≥",
    "+",
    "null",
    "~",
    "true",
    "no",
    "007",
    "0x1F",
    "1e400",
    "-1e400",
    ".inf",
    ".nan",
    "NaN",
    "Infinity",
    "-0",
    "0",
    "1",
    "9" * 25,
    "7" * 4400,
    "2020-02-30",
    "0000-00-00",
    "9999-12-31",
    "2020-W54",
    "2020-13",
    "1582-10-10",
    "\ud800",
    "\ufeff",
    "\u202e",
    "\x1b[2J",
    "é",
    "e\u0301",
    "\U0001f600",
    "'; DROP TABLE x; --",
    "(a+)+$",
    "[^]]",
    "a{9999999}",
    "(?<=a)",
    "[" * 60,
    "{a: " * 60,
    "age",
    "column",
    "steps",
    "role",
    "…",
)
SCALARS = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        1,
        5,
        2**31,
        2**63,
        -(2**63) - 1,
        10**30,
        0.5,
        -0.0,
        1e308,
        1e-320,
        float("nan"),
        float("inf"),
        -float("inf"),
        "",
        " ",
        "age",
        "sex",
        "cost",
        "seen",
        "nothing",
        "5",
        "1e5",
        "2020-01-01",
        "2020-02-30",
        "2020-01-01 10:00:00",
        "'; --",
        "a\0b",
        "\x1b[2J",
        "\u202e",
        "*",
        "quasi",
        "direct",
        "year",
        "error",
        "…",
        "x" * 5000,
    ]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["column", "equals", "kind", "age", "", "level", "role", "all", "not"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@st.composite
def texts(draw: st.DrawFn, seeds: Sequence[str]) -> str:
    """A text of the seeds in which a few spans are taken out, doubled, moved, or replaced."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 20])))
        piece = draw(st.sampled_from(PIECES) | st.text(max_size=4))
        other = draw(st.sampled_from(seeds)) if draw(st.integers(0, 9)) == 0 else text
        middle = draw(st.sampled_from([piece, "", text[start:end] * 2, other[start : start + 15]]))
        text = text[:start] + middle + text[end:]
    return text


@st.composite
def documents(draw: st.DrawFn, seeds: Sequence[Any]) -> Any:
    """Plain values of the seeds in which a few are replaced, left out, renamed or doubled."""
    document = copy.deepcopy(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(0, 3))):
        document = _changed(draw, document)
    return document


def _changed(draw: st.DrawFn, value: Any) -> Any:
    """A value with a change in it, or another value."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 5)) == 0:
        return draw(VALUES)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = draw(st.sampled_from(keys))
    how = draw(st.sampled_from(["within", "within", "within", "without", "renamed", "doubled"]))
    if how == "within":
        value[key] = _changed(draw, value[key])
    elif how == "without":
        del value[key]
    elif isinstance(value, list):
        value.insert(draw(st.integers(0, len(value))), copy.deepcopy(value[key]))
    else:
        value[draw(st.sampled_from(["column", "columns", "kind", "x", "", "where", "at", "hierarchy"]))] = (
            copy.deepcopy(value[key])
        )
        if how == "renamed":
            value.pop(key, None)
    return value


def dumped(document: Any) -> str:
    """Plain values as JSON, which is YAML too; NaN and lone halves of characters included."""
    return json.dumps(document)

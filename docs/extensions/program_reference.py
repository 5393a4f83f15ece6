"""Pages that are written from the program: a page says `<!-- from the program: NAME -->`, and the text follows there.

What a command takes, which measures there are and which keys the project file has cannot then differ from the program.
The comment is all that stands in the source: nothing is written into the repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes

MARK = re.compile(r"^<!-- from the program: ([\w-]+) -->$", re.MULTILINE)
LINK = re.compile(r"\]\(((?:\.\./)*[\w-]+(?:/[\w-]+)*)\)")  # to a folder perhaps, of which code hosts show the README


def written() -> dict[str, Callable[[], str]]:
    """What can follow a mark, by its name."""
    from api_reference import classes, functions, interfaces
    from command_reference import commands
    from family_reference import FAMILIES, family_text
    from project_key_reference import project_keys

    families = {family.name: lambda family=family: family_text(family) for family in FAMILIES}
    python = {"functions": functions, "classes": classes, "interfaces": interfaces}
    return {**families, **python, "commands": commands, "project-keys": project_keys}


def _fill(app: Any, page: str, source: list[str]) -> None:
    source[0] = MARK.sub(lambda mark: written()[mark[1]](), source[0])
    folder = Path(app.env.doc2path(page)).parent
    source[0] = LINK.sub(
        lambda link: f"{link[0][:-1]}/README.md)" if (folder / link[1]).is_dir() else link[0], source[0]
    )


def _named_once(app: Any, doctree: nodes.document) -> None:
    """A member of a family has a heading of its own: its class need not stand in the contents of the page again."""
    for described in doctree.findall(addnodes.desc):
        if isinstance(described.parent, nodes.section) and described.parent.parent is not doctree:
            described["no-contents-entry"] = True


def setup(app: Any) -> dict[str, bool]:
    """Fill the marks as pages are read; a block of `csv` is text, for which Pygments has no colours."""
    app.connect("source-read", _fill)
    app.connect("doctree-read", _named_once, priority=100)  # before the contents are made, at 500
    app.add_lexer("csv", TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

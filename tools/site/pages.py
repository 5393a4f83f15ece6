"""Pages: what the site is made of, and in which order a reader finds it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

FIRST_LINE = re.compile(r"^# (.+)$", re.MULTILINE)

# Sections in the order of the navigation: title, folder of the source, and the pages that come first in it.
SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Start", "", ("docs/index.md", "README.md", "GLOSSARY.md")),
    ("Tutorials", "docs/tutorials", ("steward.md", "researcher.md", "node-operator.md")),
    ("How-to guides", "docs/how-to", ()),
    ("Commands and files", "docs", ("identify.md", "confirm.md", "assess.md", "risk.md", "anonymise.md", "plan.md")),
    ("Reference", "reference", ("commands.md", "project-keys.md", "measures.md")),
    ("Explanation", "docs/explanation", ("privacy-models.md", "risk.md", "optimal-search.md", "information-loss.md")),
    ("Studies", "docs/studies", ()),
    ("Figures", "docs/figures", ()),
    ("Extend", "docs/extend", ("privacy-model.md", "transformation.md", "hierarchy.md", "utility-model.md")),
    ("Decisions", "docs/decisions", ("README.md",)),
    ("Benchmarks", "benchmarks", ()),
    ("Project", ".", ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
)


@dataclass(frozen=True)
class Page:
    """One page: where its text comes from, what that is, and where it stands in the site."""

    source: PurePosixPath  # from the root of the project; generated pages stand in `reference/`
    text: str

    @property
    def title(self) -> str:
        """The first heading, without marks; empty where there is none."""
        found = FIRST_LINE.search(self.text)
        return re.sub(r"[`*]", "", found[1]).strip() if found else ""

    @property
    def target(self) -> PurePosixPath:
        """Where the page is written: `docs/` is the root of the site, and what stands beside it is in `project/`."""
        parts = self.source.parts
        inside = parts[1:] if parts[0] == "docs" else parts if parts[0] == "reference" else ("project", *parts)
        leads_folder = parts[0] == "docs" and parts[-1] == "README.md"
        name = "index" if leads_folder else self.source.stem.lower()
        return PurePosixPath(*inside[:-1], f"{name}.html")


def written_pages(root: Path) -> list[Page]:
    """Every page that people wrote: those of `docs/`, of the root, and the results of the benchmarks."""
    files = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "benchmarks").glob("*.md")]
    names = [PurePosixPath(file.relative_to(root).as_posix()) for file in sorted(files)]
    return [Page(name, (root / name).read_text(encoding="utf-8")) for name in names]


def sections(pages: list[Page]) -> list[tuple[str, list[Page]]]:
    """The pages by section, in the order of reading; each stands in exactly one of those that there are."""
    left = {str(page.source): page for page in pages}
    found = []
    for title, folder, first in SECTIONS:
        prefix = f"{folder}/" if folder not in {"", "."} else ""
        names = [f"{prefix}{name}" for name in first]
        if folder:
            names += sorted(name for name in left if str(PurePosixPath(name).parent) == folder and name not in names)
        chosen = [left.pop(name) for name in names if name in left]
        if chosen:
            found.append((title, chosen))
    return found

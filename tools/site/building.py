"""Building: every page rendered, its links checked, and the whole written at once."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from layout import laid_out, list_of_headings, map_of_pages
from pages import Page, sections, written_pages
from reference import generated_pages
from rendering import Rendered, rendered, style_of_code

MARK = "style.css"  # a folder that holds it was built here, and may be built anew
START = PurePosixPath("docs/index.md")
INDEX = Page(PurePosixPath("reference/index.md"), "# Index\n\nEvery heading of every page, by the alphabet.\n")


@dataclass
class Site:
    """The pages on their way to a site: what they become, and what is wrong."""

    root: Path
    pages: list[Page]
    found: dict[Page, Rendered] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)  # that pages show or link to, from the root of the project
    anchors: list[tuple[Page, Page, str]] = field(default_factory=list)  # to be checked when all pages are known
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.by_source = {str(page.source): page for page in self.pages}

    def render(self) -> None:
        """Render every page, and check what they link to."""
        for page in self.pages:
            self.found[page] = rendered(page.text, partial(self.linked, page))
            self.warnings += [f"{page.source}: {warning}" for warning in self.found[page].warnings]
            if not page.title:
                self.warnings.append(f"{page.source} has no title")
        for page, other, anchor in self.anchors:
            if anchor not in {heading.anchor for heading in self.found[other].headings}:
                self.warnings.append(f"{page.source} links to {other.source}#{anchor}, which has no such heading")

    def linked(self, page: Page, target: str) -> str:
        """Where a link of a page leads in the site."""
        if "://" in target or target.startswith("mailto:"):
            return target
        file, _, anchor = target.partition("#")
        place = normpath(str(page.source.parent / file)) if file else str(page.source)
        other = self.by_source.get(place) or self.by_source.get(f"{place}/README.md")
        if other is not None:
            if anchor:
                self.anchors.append((page, other, anchor))
            return relative(page, str(other.target)) + (f"#{anchor}" if anchor else "")
        if (self.root / place).is_file():
            self.files.add(place)
            return relative(page, f"files/{place}")
        self.warnings.append(f"{page.source} links to {target}, which is not there")
        return target


def relative(page: Page, target: str) -> str:
    """A place of the site as seen from a page of it."""
    return relpath(target, str(page.target.parent))


def build(root: Path, folder: Path) -> tuple[list[str], int]:
    """Build the site into a folder, in the place of what was built there before; what is wrong, and how many pages."""
    site = Site(root, [*written_pages(root), *generated_pages(), INDEX])
    site.render()
    by_section = sections(site.pages)
    in_navigation = {page for _, pages in by_section for page in pages}
    site.warnings += [f"{page.source} is in no section" for page in site.pages if page not in in_navigation]
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        site.warnings.append(f"{folder} holds something else than a site, and is left as it is")
    if not site.warnings:
        shutil.rmtree(folder, ignore_errors=True)
        _write(site, folder, by_section)
    return site.warnings, len(site.pages)


def _write(site: Site, folder: Path, by_section: list[tuple[str, list[Page]]]) -> None:
    headings = {page: found.headings for page, found in site.found.items()}
    for page in site.pages:
        body = site.found[page].html
        if page.source == START:
            body += map_of_pages(page, by_section)
        elif page is INDEX:
            body += list_of_headings(page, headings)
        place = folder / page.target
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(laid_out(page, body, headings[page], by_section), encoding="utf-8")
    for file in sorted(site.files):
        (folder / "files" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(site.root / file, folder / "files" / file)
    style = (Path(__file__).parent / MARK).read_text(encoding="utf-8")
    (folder / MARK).write_text(style + style_of_code(), encoding="utf-8")

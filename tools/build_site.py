"""Build the documentation as pages that open from disk: `python tools/build_site.py [FOLDER]`, usually `site`.

The pages of this version go into a folder of its name; folders of other versions stay, and `index.html` lists all of
them. Nothing is fetched. Whatever is wrong (a link that leads nowhere, a formula that cannot be drawn, a page that no
list names) is a warning, and with any warning nothing is written and the exit code is 1.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
MARK = "versions.js"  # a folder that holds it was built here, and may be built anew
LEFT_OVER = (".buildinfo*", "*.map", "webpack-macros.html")  # for who builds the theme, not for readers
START = "docs/index.html"
INDEX = """\
<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The documentation of Sfumato</title>
<style>html {{ background: Canvas; color: CanvasText }}
a {{ color: LinkText }}
body {{ font-family: system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }}
li {{ line-height: 1.8 }}</style>
</head>
<body>
<main>
<h1>The documentation of Sfumato</h1>
<ul>
{versions}
</ul>
</main>
</body>
</html>
"""


def main() -> int:
    """Build the site, and say where it begins or what is wrong."""
    from sfumato import __version__

    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "site"
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        sys.stderr.write(f"{folder} holds something else than a site, and is left as it is\n")
        return 1
    with tempfile.TemporaryDirectory() as work:
        options = ["--fail-on-warning", "--keep-going", "--quiet", "--doctree-dir", f"{work}/doctrees"]
        if build_main([*options, "--conf-dir", str(ROOT / "docs"), str(ROOT), f"{work}/pages"]):
            return 1
        for left in (file for pattern in LEFT_OVER for file in Path(work, "pages").rglob(pattern)):
            left.unlink()
        shutil.rmtree(folder / __version__, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.move(f"{work}/pages", folder / __version__)
    list_versions(folder)
    sys.stdout.write(f"The documentation of {__version__} is in {folder}; begin with {folder / 'index.html'}\n")
    return 0


def list_versions(folder: Path) -> None:
    """Write the list of the versions that there are, for readers and for the pages, the newest first."""
    versions = sorted((page.parents[1].name for page in folder.glob(f"*/{START}")), key=_order, reverse=True)
    lines = "\n".join(f'<li><a href="{version}/{START}">Sfumato {version}</a></li>' for version in versions)
    (folder / "index.html").write_text(INDEX.format(versions=lines), encoding="utf-8")
    (folder / MARK).write_text(f"window.SFUMATO_VERSIONS = {json.dumps(versions)};\n", encoding="utf-8")


def _order(version: str) -> list[tuple[bool, int | str]]:
    """Numbers in a version count as numbers: 0.10 comes after 0.9."""
    return [(part.isdigit(), int(part) if part.isdigit() else part) for part in version.split(".")]


if __name__ == "__main__":
    sys.exit(main())

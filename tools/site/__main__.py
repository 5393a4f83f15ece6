"""Build the documentation as a folder of pages that open from disk: `python tools/site [FOLDER]`, usually `site`.

Nothing is fetched, neither now nor by a reader: there is one style sheet and no script, and formulas are MathML.
Whatever is wrong (a link that leads nowhere, a formula that cannot be drawn, a page that nothing leads to) is a
warning, and with any warning nothing is written and the exit code is 1.
"""

from __future__ import annotations

import sys
from pathlib import Path

from building import build

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Build the site, and say how many pages it has or what is wrong."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    warnings, pages = build(ROOT, folder)
    for warning in warnings:
        sys.stderr.write(f"warning: {warning}\n")
    if warnings:
        return 1
    sys.stdout.write(f"{pages} pages in {folder}; begin with {folder / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

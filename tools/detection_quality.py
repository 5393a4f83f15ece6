"""Write docs/detection-quality.md anew, from the made-up columns and from the real tables in ../shared.

    .venv/bin/python tools/detection_quality.py

What stands on the page below the real tables was measured on tables that cannot be kept here, and stays as it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Measure, and write the page."""
    sys.path.insert(0, str(ROOT))
    from tests.columns.labelled_columns import development, held_out
    from tests.columns.quality import as_markdown, measured
    from tests.columns.real_tables_page import real_tables_page
    from tests.columns.test_quality import classified
    from tests.columns.test_real_tables import BEGIN, END, PAGE, measured_in

    made_up = as_markdown(measured(development(), classified), measured(held_out(), classified))
    page = PAGE.read_text(encoding="utf-8")
    real = page[page.index(BEGIN) + len(BEGIN) : page.index(END)] if BEGIN in page else ""
    rest = page[page.index(END) + len(END) :] if END in page else "\n"
    shared = ROOT.parent / "shared"
    if shared.exists():
        real = real_tables_page(measured_in(shared)) + "\n"
    else:
        sys.stdout.write("There is no ../shared: what the page says of real tables stays as it is.\n")
    PAGE.write_text(f"{made_up}\n{BEGIN}{real}{END}{rest}", encoding="utf-8")


if __name__ == "__main__":
    main()

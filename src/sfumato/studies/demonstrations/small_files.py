"""Small files written by hand, in `files/`: those that README and the tutorials begin with, and those of other pages.

They are the only copy: `sfumato demo` writes them, and the tests read the documentation beside them.
"""

from __future__ import annotations

from importlib import resources

# What README and the tutorials begin with, and what it is in a few words.
FIRST = {
    "patients.csv": "twelve people: age, sex, postcode, diagnosis, cholesterol",
    "clinic.yaml": "what was decided about them: roles of the columns, and what must hold",
    "plan.yaml": "what could be done to them, step by step",
    "admissions.csv": "32 admissions to a hospital, for the tutorials",
    "admissions.yaml": "what was decided about those",
}


def first_files() -> dict[str, bytes]:
    """The files that README and the tutorials begin with, by name."""
    return {name: content for name, content in page_files().items() if name in FIRST}


def page_files() -> dict[str, bytes]:
    """Every file that a page of the documentation speaks of, by name."""
    folder = resources.files(__package__) / "files"
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir(), key=lambda file: file.name)}

"""`sfumato demo`: a folder with made-up data for every first step, or one part of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from sfumato.outputs import require_same_or_new, write_unless_other
from sfumato.studies.bio_streams.pilot import write_pilot
from sfumato.studies.demonstrations import demonstration_files
from sfumato.studies.demonstrations.small_files import FIRST, first_files, page_files

PILOT, PAGES = "pilot", "pages"  # parts that are no table: a study, and the files that the pages speak of
PLAINLY = {
    **FIRST,
    "hospital_admissions.csv": "1,716 admissions with COVID-19: 38 columns",
    "hospital_admissions.yaml": "what was decided about those",
    "hospital_admissions_tables.yaml": "the tables of a paper about such, as one project",
    "pilot_report/": "a study of 633 children, by the domains of CDISC (BIO-STREAMS)",
}


@dataclass(frozen=True)
class MadeUp:
    """What was written into a folder, by name and in a few words where there are many, and what to type next."""

    folder: Path
    files: Mapping[str, str]
    then: tuple[str, ...]

    def lines(self) -> list[str]:
        """What to tell whoever asked for it."""
        head = f"Wrote to {self.folder}, all of it made up:"
        if not any(self.files.values()):
            told = [f"{head} {', '.join(self.files)}."]
        else:
            width = max(map(len, self.files))
            told = [head, *(f"  {name:{width}}  {plainly}" for name, plainly in self.files.items())]
        return [*told, *(f"{'Next:' if place == 0 else '     '} {line}" for place, line in enumerate(self.then))]


def demo_folder(folder: str | Path, *, overwrite: bool = False) -> MadeUp:
    """Write all that README and the tutorials begin with: small tables, a hospital's, and a study.

    Where one of the files is there and holds something else, none is written: `OutputError`.
    """
    files = first_files() | demonstration_files("hospital")
    if not overwrite:
        require_same_or_new(folder, files)
    write_pilot(folder, overwrite=overwrite)
    write_unless_other(folder, files, overwrite=overwrite)
    here = Path(folder).resolve() == Path.cwd()
    then = () if here else (f"cd {quote(str(folder))}",)
    return MadeUp(Path(folder), PLAINLY, (*then, "sfumato identify patients.csv"))


def demo_part(name: str, folder: str | Path, rows: int | None = None, *, overwrite: bool = False) -> MadeUp:
    """Write one table with its project file, the study, or the files of the pages, by name."""
    if name == PILOT:
        write_pilot(folder, overwrite=overwrite)
        then = f"sfumato study bio-streams --root {quote(str(folder))}"
        return MadeUp(Path(folder), {"pilot_report/": ""}, (then,))
    files = page_files() if name == PAGES else demonstration_files(name, rows)
    write_unless_other(folder, files, overwrite=overwrite)
    first = Path(folder) / ("patients.csv" if name == PAGES else next(iter(files)))
    return MadeUp(Path(folder), dict.fromkeys(files, ""), (f"sfumato identify {quote(str(first))}",))

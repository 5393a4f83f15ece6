"""The documentation is true: its commands run and print what it shows, its snippets run, its links lead somewhere.

Conventions of the pages: in a `sh` block every line that begins with `sfumato` is run; in a `console` block every
line that begins with `$ sfumato` is run and what follows it is compared with what it prints, where a line `...`
stands for anything. A command succeeds with 0 or 1, or with the code that a comment states: `# exit code 2`. A `python`
block is run, a `pycon` block is a doctest; the blocks of one page share their names, as cells of a notebook do. A
`python` block that begins with the comment `# src/sfumato/FAMILY/FILE.py` is put into that family.
"""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sfumato import cli
from sfumato.catalogue import comparisons, measures

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MEMBER = re.compile(r"# src/sfumato/(\w+)/(\w+)\.py\n")
PLACEHOLDERS = ("<", "...", " [-", "spark", "://")  # no command, or one that needs more than a folder of files
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

EXAMPLES = {
    "patients.csv": """\
patient_id,age,sex,postcode,diagnosis,cholesterol
P01,34,F,0151,asthma,182
P02,37,F,0151,migraine,201
P03,31,F,0151,asthma,176
P04,36,F,0151,eczema,190
P05,35,M,0151,diabetes,243
P06,38,M,0151,diabetes,251
P07,33,M,0151,diabetes,238
P08,52,F,0203,migraine,212
P09,58,F,0203,asthma,NA
P10,55,F,0203,hypertension,229
P11,57,F,0203,diabetes,247
P12,54,M,0203,hypertension,236
""",
    "visits.csv": """\
patient_id;age;stage;weight
P01;34;II;61,5
P01;34;II;62,0
P02;;I;70,25
P03;36;III;NA
P04;36;I;81,0
P05;;III;58,75
""",
    "postcode.csv": "0151;015*;*\n0203;020*;*\n",
    "empty.csv": "age,sex\n",
    "plan.yaml": """\
seed: 2024
steps:
  - drop: {columns: [patient_id]}
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 10}}
  - mask: {columns: [postcode], keep_left: 2}
  - recode: {column: diagnosis, mapping: {asthma: respiratory}, otherwise: keep}
  - add_noise: {column: cholesterol, range: [-3, 3]}
""",
    "hospital.yaml": (ROOT / "tests" / "examples" / "hospital.yaml").read_text(encoding="utf-8"),
    "clinic.yaml": """\
data:
  source: patients.csv
subject: patient_id
columns:
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
  - {measure: entropy_l_diversity, sensitive: diagnosis, at_least: 2}
""",
    "asthma.yaml": """\
data:
  source: patients.csv
subject: patient_id
columns:
  patient_id: {role: direct}
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  postcode: {role: quasi}
  diagnosis: {role: sensitive}
  cholesterol: {role: sensitive}
context:
  purpose: Research into asthma
  release: restricted
  recipient: Low
  projects: {purpose_stated: yes, legal_basis: yes, minimised: no}
  people: {agreement: partly}
  dpia: {sensitive_data: yes, vulnerable_people: yes}
  benefits:
    age: {need: high, likelihood: high, form: ten-year bands}
    sex: medium
    postcode: none
    diagnosis: high
""",
    "published.yaml": """\
preset: ema_0070
data:
  source: patients.csv
columns:
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
""",
    "admissions.csv": """\
mrn,name,age,sex,postcode,admitted,days,diagnosis
1001,Ada,31,F,0151,2024-02-19,1,eczema
1008,Ben,42,M,0151,2024-01-03,9,migraine
1015,Cleo,44,F,0207,2024-01-08,1,eczema
1022,Dan,65,F,0203,2024-03-27,11,diabetes
1029,Eva,24,M,0151,2024-03-23,2,eczema
1036,Finn,47,M,0203,2024-02-19,8,hypertension
1043,Gina,46,F,0203,2024-03-16,6,migraine
1050,Hugo,77,M,0155,2024-02-05,8,migraine
1057,Iris,22,M,0203,2024-03-16,10,migraine
1064,Jan,43,F,0151,2024-03-23,5,eczema
1071,Kim,53,F,0207,2024-02-06,10,asthma
1078,Leo,70,F,0155,2024-02-13,8,asthma
1085,Mia,26,M,0155,2024-02-28,9,hypertension
1092,Nils,52,F,0151,2024-01-05,4,diabetes
1099,Olga,59,M,0203,2024-01-05,7,eczema
1106,Paul,65,F,0207,2024-03-26,9,migraine
1113,Quin,33,M,0207,2024-01-07,2,diabetes
1120,Rosa,46,F,0151,2024-01-19,3,eczema
1127,Sam,41,F,0207,2024-01-21,5,hypertension
1134,Tara,64,M,0207,2024-02-16,5,asthma
1141,Udo,25,M,0155,2024-03-01,4,eczema
1148,Vera,45,M,0151,2024-03-28,5,eczema
1155,Will,52,M,0155,2024-03-26,4,diabetes
1162,Xena,77,M,0203,2024-03-01,1,hypertension
1169,Yann,36,M,0203,2024-02-03,4,asthma
1176,Zoe,56,F,0207,2024-03-20,1,migraine
1183,Anton,44,F,0207,2024-01-14,11,hypertension
1190,Berta,73,F,0155,2024-01-05,1,diabetes
1197,Carl,39,M,0155,2024-03-18,3,asthma
1204,Dora,44,M,0155,2024-01-01,5,diabetes
1211,Emil,48,M,0207,2024-01-02,12,hypertension
1218,Frida,74,F,0155,2024-03-17,1,migraine
""",
    "admissions.yaml": """\
data:
  source: admissions.csv
subject: mrn
columns:
  mrn: {role: direct}
  name: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  postcode: {role: quasi}
  admitted: {role: quasi}
  days: {role: non-sensitive}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
  - {measure: distinct_l_diversity, sensitive: diagnosis, at_least: 2}
anonymise:
  suppress: 0
  levels: {age: [0, 3]}
""",
    "stays.csv": """\
patient_id,age,sex,admitted,ward
P01,34,F,03.01.2024,A
P01,34,F,17.02.2024,A
P01,34,F,05.03.2024,B
P02,37,F,11.01.2024,A
P03,52,M,23.01.2024,B
P03,52,M,30.01.2024,B
P04,55,M,about May,C
P05,58,M,28.02.2024,C
""",
    "seen.csv": "patient_id,seen\nP1,03/01/2024\nP2,04/02/2024\n",
    "open.yaml": """\
preset: open_data
data:
  source: admissions.csv
subject: mrn
columns:
  mrn: {role: direct}
  name: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  postcode: {role: quasi}
  admitted: {role: quasi}
  diagnosis: {role: sensitive}
""",
    "strict.yaml": """\
seed: 1
steps:
  - generalise: {column: age, level: 2, hierarchy: {kind: ages}}
  - keep: {columns: [age, sex, diagnosis], only: true}
""",
    "months.yaml": """\
seed: 1
steps:
  - truncate_dates: {columns: [seen], to: month, format: "%d/%m/%Y"}
""",
}


@dataclass(frozen=True)
class Command:
    """A command of a page, the exit codes that it may have, and what it prints; None where the page does not say."""

    line: str
    codes: tuple[int, ...]
    output: str | None


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the pages are read, with the files that they speak of."""
    for name, text in EXAMPLES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(page: Path, *languages: str) -> list[tuple[str, str]]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [(language, text) for language, text in found if language in languages]


def members(page: Path) -> Iterator[tuple[tuple[str, str], str]]:
    """The files that a page adds to a family: the family, the name, and the text."""
    for _, text in blocks(page, "python"):
        if member := MEMBER.match(text):
            yield (member[1], member[2]), text


def commands(page: Path) -> Iterator[Command]:
    for language, text in blocks(page, "sh", "console"):
        joined = text.replace("\\\n", " ")
        if language == "sh":
            yield from (_command(line, None) for line in joined.splitlines() if line.startswith("sfumato "))
        else:
            for line, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", joined, re.MULTILINE):
                yield _command(line, output)


def _command(line: str, output: str | None) -> Command:
    stated = re.search(r"# exit code (\d)", line)
    return Command(line, (int(stated[1]),) if stated else (0, 1), output)


def printed(line: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of a command, and what it prints."""
    monkeypatch.setattr(sys, "argv", shlex.split(line, comments=True))
    capfd.readouterr()
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capfd.readouterr()
    return int(end.value.code or 0), out + err


def agrees(shown: str, found: str) -> bool:
    shown, found = ("\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n" for text in (shown, found))
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(parts), found) is not None


@pytest.mark.parametrize("name", NAMES)
def test_every_command_runs_and_prints_what_the_page_shows(
    name: str, examples: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if "--root demo" in (ROOT / name).read_text(encoding="utf-8"):
        from sfumato.studies.bio_streams.pilot import write_pilot

        write_pilot(examples / "demo")
    for member, text in members(ROOT / name):
        _join(*member, text, examples, monkeypatch)
    for command in commands(ROOT / name):
        if not command.line.startswith("sfumato ") or any(sign in command.line for sign in PLACEHOLDERS):
            continue
        code, found = printed(command.line, monkeypatch, capfd)
        assert code in command.codes, f"{command.line}\n{found}"
        assert command.output is None or agrees(command.output, found), f"{command.line}\n{found}"


@pytest.mark.parametrize("name", NAMES)
def test_every_snippet_runs(name: str, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for number, (language, text) in enumerate(blocks(ROOT / name, "python", "pycon"), 1):
        if member := MEMBER.match(text):
            _join(member[1], member[2], text, examples, monkeypatch)
        elif language == "python":
            exec(compile(text, f"{name}, snippet {number}", "exec"), names)
        else:
            _check_examples(text, names, f"{name}, snippet {number}")


def _join(family: str, name: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a file into a family, as if it stood in the package, and run its own examples."""
    (folder / family).mkdir(exist_ok=True)
    (folder / family / f"{name}.py").write_text(text, encoding="utf-8")
    package = importlib.import_module(f"sfumato.{family}")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder / family)])
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, f"sfumato.{family}.{name}", raising=False)
    module = importlib.import_module(f"sfumato.{family}.{name}")
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0


def _check_examples(text: str, names: dict[str, object], where: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, names, where, None, None)
    assert test.examples, f"{where} has no example"
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(test, out=found.append, clear_globs=False).failed == 0, "".join(found)
    names.update(test.globs)


@pytest.mark.parametrize("name", NAMES)
def test_every_link_between_pages_leads_somewhere(name: str) -> None:
    text = BLOCK.sub("", (ROOT / name).read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        page = (ROOT / name).parent / file if file else ROOT / name
        assert page.exists(), f"{name} links to {target}"
        assert not anchor or anchor in anchors(page), f"{name} links to {target}"


def anchors(page: Path) -> set[str]:
    """The headings of a page as they are linked to."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", measures())
def test_every_measure_has_a_section_of_its_own(name: str) -> None:
    assert name in anchors(ROOT / "docs" / "measures.md")


@pytest.mark.parametrize("name", comparisons())
def test_every_utility_model_is_in_the_table(name: str) -> None:
    assert f"| `{name}` |" in (ROOT / "docs" / "utility.md").read_text(encoding="utf-8")


def test_every_option_of_assess_is_described() -> None:
    import typer

    page = (ROOT / "docs" / "assess.md").read_text(encoding="utf-8")
    options = [o for p in typer.main.get_command(cli.app).commands["assess"].params for o in p.opts]  # type: ignore[attr-defined]
    assert "--quasi" in options
    assert [option for option in options if option.startswith("--") and f"`{option}" not in page] == []


def test_every_key_of_the_json_document_is_described(examples: Path) -> None:
    import sfumato as sf

    page = (ROOT / "docs" / "assess.md").read_text(encoding="utf-8")
    found = sf.assess("patients.csv", quasi="age", sensitive="diagnosis", subject="patient_id", k=2).document()
    keys = {*found, *found["classes"], *found["classes"]["ladder"][0], *found["readings"][0], *found["columns"][0]}
    assert "k_by_missing_values" in keys
    assert sorted(key for key in keys if f"`{key}`" not in page) == []


def test_every_term_that_a_report_uses_is_in_the_glossary() -> None:
    """The names of families, of the readings of a missing value and of roles are what reports are made of."""
    from sfumato.schema import Missing, Role, Scale

    page = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
    terms = [*Missing, *Role, *Scale, *{measure.family for measure in measures().values()}]
    assert [term for term in terms if not re.search(rf"\*\*{term}\b", page)] == []


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [page.name[:4] for page in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]

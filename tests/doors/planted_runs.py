"""What every command is run with on the planted files: to succeed, and to fail."""

from __future__ import annotations

from dataclasses import dataclass

from tests.doors.planted_folder import FAULTY_PROJECTS, FAULTY_STEPS

QUASI = "--quasi age,code,born,ward"
ASKED = f"{QUASI} --sensitive diagnosis,amount --direct name --subject subject"
SECRET = "--secret study=key.txt"
BROKEN = tuple(f"{name}.csv" for name in ("ragged", "longer", "open", "bytes", "zeros"))
PLANS = tuple(f"plans/{name}.yaml" for name in FAULTY_STEPS)
LATER = ("subset", "subset-value", "plan")  # faults that only some commands come across
PROJECTS = tuple(f"projects/{name}.yaml" for name in FAULTY_PROJECTS if name not in LATER)

SOME_PROJECTS = ("projects/yaml.yaml", "projects/plan-twice.yaml", "projects/hierarchy.yaml")


@dataclass(frozen=True)
class Runs:
    """The arguments of runs that succeed (or find that a requirement is not met) and of runs that fail."""

    well: tuple[str, ...]
    badly: tuple[str, ...] = ()


RUNS: dict[str, Runs] = {
    "assess": Runs(
        (
            f"marked.csv {ASKED} --k 2 --l 2 --t 0.1 --json a.json --out out",
            f"marked.csv {ASKED} --k 2 --json -",
            "--project sfumato.yaml",
            f"marked.parquet {ASKED} --k 2",
            f"marked.xlsx {ASKED} --k 2",
            f"marked.sqlite {ASKED} --k 2",
            f"marked.duckdb {ASKED} --k 2 --query 'SELECT * FROM marked'",
            f"marked.csv {ASKED} --k 2 --hierarchy code=levels/code.csv@1 --bins age=0,750000000",
            f"twice.csv {ASKED} --k 2",
        ),
        (
            "marked.csv --quasi nothing --k 2",
            f"marked.csv {QUASI} --type code=integer",
            f"marked.csv {QUASI} --type code=date",
            f"marked.csv {QUASI} --type name=real",
            f"words.csv {QUASI} --type age=integer",
            f"dates.csv {QUASI} --type born=date",
            f"words.csv {QUASI} --bins age=0,1",
            f"marked.csv {QUASI} --sensitive diagnosis --t 1 --distance wasserstein",
            f"marked.csv {QUASI} --sensitive diagnosis --l 2 --sensitive-bins diagnosis=0,1",
            f"marked.csv {QUASI} --hierarchy code=lacking/code.csv@1",
            f"marked.csv {QUASI} --hierarchy code=ragged/code.csv@1",
            f"marked.csv {QUASI} --hierarchy code=torn/code.csv@1",
            f"marked.csv {QUASI} --hierarchy code=levels/code.csv@9",
            f"marked.csv {QUASI} --encoding ascii",
            f"marked.csv {QUASI} --k 2 --out plain.txt",
            f"marked.csv {QUASI} --k 2 --json plain.txt/a.json",
            f"marked.sqlite {QUASI} --query 'SELECT CAST(code AS INTEGER) FROM nothing'",
            f"marked.duckdb {QUASI} --query 'SELECT CAST(code AS INTEGER) AS age FROM marked'",
            f"marked.sqlite {QUASI} --table nothing",
            *(f"{name} {QUASI} --k 2 --delimiter ," for name in BROKEN),
            *(f"--project {name}" for name in PROJECTS),
        ),
    ),
    "columns": Runs(
        ("marked.csv", "marked.csv --json c.json", "marked.parquet", "marked.xlsx", "marked.sqlite", "words.csv"),
        (
            "marked.csv --type code=integer",
            "marked.csv --type name=date",
            *(f"{name} --delimiter ," for name in BROKEN[2:4]),
        ),
    ),
    "confirm": Runs(
        (
            "marked.csv --project new.yaml --all --by Jo --json c.json",
            "marked.csv --project new.yaml --sure high",
            "sfumato.yaml --all",
            "marked.csv --project new.yaml --role name=direct --quasi age --non-sensitive code --reason why --json -",
        ),
        (
            "marked.csv --project new.yaml",
            "marked.csv --project new.yaml --quasi nothing",
            "marked.csv --project new.yaml --role code=none",
            "marked.csv --project new.yaml --all --type code=integer",
            "marked.csv --project new.yaml --all --on yesterday",
            *(f"{name} --project new.yaml --all" for name in BROKEN),
            *(f"{name} --all" for name in SOME_PROJECTS[:2]),
        ),
    ),
    "identify": Runs(
        (
            "marked.csv --json i.json",
            "marked.csv --write",
            "marked.csv --project sfumato.yaml",
            "marked.xlsx --method risk-rate",
            "marked.sqlite",
        ),
        (
            "marked.csv --quasi nothing",
            "marked.csv --type code=integer",
            "marked.csv --dictionary dictionary.csv",
            "marked.csv --recipient answers.yaml",
            *(f"{name} --delimiter ," for name in BROKEN[2:4]),
            *(f"--project {name}" for name in SOME_PROJECTS[:2]),
        ),
    ),
    "anonymise": Runs(
        (
            f"marked.csv {ASKED} --k 3 --suppress 0.2 --method local --out release --json a.json",
            f"marked.csv {ASKED} --k 3 --suppress 0.2 --method mondrian --out release",
            f"marked.csv {ASKED} --k 3 --suppress 0.2 --method cells --out release",
            f"marked.csv {ASKED} --k 3 --suppress 0.2 --hierarchies levels --population population.csv --out release",
            f"marked.csv --quasi age,ward --k 3 --suppress 0.2 --plan plan.yaml {SECRET} --out release",
            f"marked.csv {ASKED} --k 100",
        ),
        (
            f"marked.csv {QUASI} --k 3 --hierarchies lacking",
            f"marked.csv {QUASI} --k 3 --hierarchies ragged",
            f"marked.csv {QUASI} --k 3 --hierarchies torn",
            f"marked.csv {QUASI} --k 3 --population strangers.csv",
            f"marked.csv {QUASI} --k 3 --out plain.txt",
            f"marked.csv {QUASI} --k 3 --plan plan.yaml",
            f"marked.csv {QUASI} --k 3 --plan {PLANS[0]} {SECRET}",
            *(f"-p {name}" for name in SOME_PROJECTS),
        ),
    ),
    "explore": Runs(
        (f"marked.csv {ASKED} --k 3 --suppress 0.2 --out curve --html c.html --json e.json",),
        (
            f"marked.csv {QUASI} --k 2 --hierarchies lacking",
            f"marked.csv {QUASI} --k two",
            f"marked.csv {QUASI} --k 2 --out plain.txt",
            "-p projects/role.yaml",
        ),
    ),
    "apply": Runs(
        (
            f"plan.yaml marked.csv -o done/r.csv --subject subject {SECRET} --json p.json",
            f"planned.yaml marked.csv -o r.xlsx {SECRET}",
        ),
        (
            *(f"{name} marked.csv -o r.csv {SECRET}" for name in PLANS),
            f"projects/plan.yaml marked.csv -o r.csv {SECRET}",
            "plan.yaml marked.csv -o r.csv",
            "plan.yaml marked.csv -o r.csv --secret study=open.txt",
            "plan.yaml marked.csv -o r.csv --secret study=short.txt",
            "plan.yaml marked.csv -o r.csv --secret study=nowhere.txt",
            f"plan.yaml marked.csv -o plain.txt/r.csv {SECRET}",
            f"plan.yaml ragged.csv -o r.csv {SECRET}",
        ),
    ),
    "plan show": Runs(("plan.yaml --json s.json", "planned.yaml", "recipe:hospital"), PLANS[1:2]),
    "plan effects": Runs(
        (f"plan.yaml marked.csv {QUASI} --subject subject {SECRET} --json e.json",),
        tuple(f"{name} marked.csv {QUASI} {SECRET}" for name in PLANS[:2]),
    ),
    "plan steps": Runs(("", "recode"), ("nothing",)),
    "plan recipes": Runs(("",)),
    "compare": Runs(
        (
            f"marked.csv released.csv {QUASI} --key subject --hierarchies levels --html c.html --json c.json "
            "--thorough --target diagnosis",
            f"marked.csv marked.csv {QUASI} --by-position",
            f"marked.csv --plan plan.yaml {QUASI} {SECRET}",
        ),
        (
            f"marked.csv released.csv {QUASI}",
            f"marked.csv fewer.csv {QUASI} --by-position",
            f"twice.csv released.csv {QUASI} --key subject",
            f"marked.csv released.csv {QUASI} --key ward",
            f"marked.csv released.csv {QUASI} --key nothing",
            f"marked.csv ragged.csv {QUASI} --by-position",
            f"marked.csv released.csv {QUASI} --html plain.txt/c.html",
        ),
    ),
    "dimension": Runs(
        (
            f"--original marked.csv {QUASI} --sensitive diagnosis --released released.csv further.csv --by-position "
            "--json d.json",
            f"--original marked.csv --quasi age,born --sensitive diagnosis --plan plan.yaml {SECRET}",
        ),
        (
            f"--original marked.csv {QUASI} --sensitive diagnosis --by-position --released fewer.csv",
            f"--original marked.csv {QUASI} --sensitive diagnosis --by-position --released ragged.csv",
            f"--original twice.csv {QUASI} --sensitive diagnosis --released released.csv --key subject",
            *(f"--original marked.csv {QUASI} --sensitive diagnosis --plan {name} {SECRET}" for name in PLANS[:2]),
        ),
    ),
    "tabulate": Runs(
        (
            "marked.csv --by age --bins age=0,750000000 --sum amount --subject subject -o t.csv --json t.json",
            "marked.csv --by ward,code --threshold 2 --json -",
            "marked.parquet --by ward --by code --preset opensafely",
        ),
        (
            "marked.csv --by nothing",
            "marked.csv --by ward --mean name",
            "marked.csv --by subject --subject subject",
            "marked.csv --by ward --bins ward=0,1",
            "marked.csv --by ward --preset nothing",
            "marked.csv --by ward --dominance 2",
            "marked.csv --by ward --out plain.txt",
            "words.csv --by age --type age=integer",
            *(f"{name} --by ward" for name in BROKEN),
        ),
    ),
    "hierarchy": Runs(
        (
            "marked.csv code --out h.csv --json h.json",
            "marked.csv age --tree",
            "marked.csv born",
            "marked.csv amount --kind quantiles",
        ),
        (
            "marked.csv nothing",
            "marked.csv code --kind intervals --set width=5",
            "marked.csv code --kind dates",
            "marked.csv name --kind icd10",
            "marked.csv code --kind tree --set tree=a",
            "marked.csv code --kind intervals --set width=wide",
            "marked.csv code --out plain.txt",
            "ragged.csv code",
        ),
    ),
    "risk": Runs(
        (
            f"marked.csv {ASKED.replace('--direct name', '')} --sets 2 --patterns --population population.csv "
            "--json r.json --html r.html --out out",
            f"marked.csv released.csv {QUASI} --key subject --html r.html --json r.json --out out",
            "--project planned.yaml --secret study=key.txt --json r.json",
        ),
        (
            f"marked.csv {QUASI} --population strangers.csv",
            f"marked.csv fewer.csv {QUASI} --by-position",
            f"marked.csv fewer.csv {QUASI}",
            f"twice.csv released.csv {QUASI} --key subject",
            f"marked.csv {QUASI} --bins code=0,1",
            f"marked.csv --plan plans/unlisted.yaml {QUASI} {SECRET}",
            f"marked.csv {QUASI} --out plain.txt",
            "--project projects/subset.yaml",
            "--project projects/subset-value.yaml",
            "--project projects/scenario.yaml",
        ),
    ),
    "report": Runs(
        (
            f"-p planned.yaml {SECRET} --mask 3 --no-attacks --no-curve --no-charts --html r.html "
            "--markdown r.md --json r.json",
        ),
        (
            "-p planned.yaml",
            "-p projects/subset.yaml --html r.html",
            "-p projects/hierarchy.yaml --html r.html",
            "-p projects/plan.yaml --html r.html",
            f"marked.csv --released fewer.csv {QUASI} --html r.html",
            f"ragged.csv {QUASI} --k 2",
        ),
    ),
    "release": Runs(
        (
            "--out package --no-report --json r.json",
            "-p infeasible.yaml --out package",
        ),
        (
            "-p planned.yaml --out package",
            "-p sfumato.yaml --out plain.txt",
            "-p sfumato.yaml --out package --key key.txt --no-report",
            *(f"-p {name} --out package {SECRET}" for name in SOME_PROJECTS),
        ),
    ),
    "verify": Runs(
        (
            f"whole --evidence whole-evidence --original marked.csv -p planned.yaml {SECRET} --json v.json",
            "whole --key key.txt",
            "whole --log marked.csv",
        ),
        ("plain.txt", "whole --evidence whole-evidence --original ragged.csv", "whole --original marked.csv"),
    ),
    "context": Runs(
        ("-p sfumato.yaml --html c.html --json c.json", "released.csv -p sfumato.yaml", "--template t.yaml"),
        (
            "-p projects/context.yaml",
            "ragged.csv -p sfumato.yaml",
            "-p projects/role.yaml",
            "-p sfumato.yaml --html plain.txt/c.html",
        ),
    ),
    "recipient": Runs(
        ("--template t.yaml",), ("--answers answers.yaml", "--answers marked.csv", "--answers plain.txt")
    ),
    "safe-harbor": Runs(
        ("marked.csv -o r.csv --json s.json", "marked.xlsx -o r.parquet --keep ward"),
        ("ragged.csv -o r.csv", "marked.csv -o plain.txt/r.csv", "marked.csv -o r.csv --keep nothing"),
    ),
    "init": Runs(
        (
            "marked.csv --out new.yaml --json i.json",
            "marked.xlsx --out new.yaml",
            "marked.csv --preset ema_0070 --out n.yaml",
        ),
        ("ragged.csv --out new.yaml --delimiter ,", "marked.csv", "marked.csv --out plain.txt/new.yaml"),
    ),
    "deliver": Runs(
        ("whole --to them --purpose study -p used/sfumato.yaml --anyway tried --json d.json",),
        (
            "plain.txt --to them --purpose study -p used/sfumato.yaml",
            "whole --to them --purpose study -p used/sfumato.yaml",
            "whole --to them --purpose study -p key.txt",
        ),
    ),
    "report-use": Runs(
        ("whole --by them --use figure -p used/sfumato.yaml --json u.json",),
        ("whole --by others --use figure -p used/sfumato.yaml", "marked.csv --by them --use x -p used/sfumato.yaml"),
    ),
    "log": Runs(("used/sfumato.yaml --verify --json l.json",), ("marked.csv", "plain.txt", "nothing.jsonl")),
    "key new": Runs(("new.pem --json k.json",), ("key.txt", "plain.txt/new.pem")),
    "study bio-streams": Runs(
        ("--root study --json s.json", "--root study --all --log-format json"),
        ("--root study --pilot NOWHERE", "--root broken-study", "--root worded-study", "--root study --config key.txt"),
    ),
    "node run": Runs(
        ("node --no-report", "refused-node --log-format json"),
        ("broken-node", "broken-node --log-format json", "worded-node", "study"),
    ),
    "demo": Runs(("--folder made-up --table ms --rows 5",), ("--folder plain.txt",)),
    "glossary": Runs(("",), ("nothing",)),
    "models": Runs(("",), ("nothing",)),
    "measures": Runs(("",), ("nothing",)),
    "presets": Runs(("",), ("nothing",)),
    "schema": Runs(("",), ("--json plain.txt/s.json",)),
}

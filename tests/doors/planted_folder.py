"""Files with marks in them: tables in every form, whole and broken, and the plans and projects that go with them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.doors.planted import Planted, as_csv

ROLES = """\
subject: subject
columns:
  name: {role: direct}
  age: {role: quasi}
  code: {role: quasi}
  born: {role: quasi}
  ward: {role: quasi}
  diagnosis: {role: sensitive}
  amount: {role: sensitive}
  note: {role: non-sensitive}
  score: {role: non-sensitive}
  seen: {role: non-sensitive}
  remark: {role: non-sensitive}
"""
MEASURES = "measures: [{measure: k_anonymity, at_least: 3}]\n"
STEPS = """\
  steps:
    - suppress_records: {where: {column: code, equals: %(code)s}}
    - recode: {column: code, mapping: {%(other)s: one, %(third)s: two}, otherwise: rest}
    - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 100000000}}
    - truncate_dates: {columns: [born], to: year}
    - merge_rare: {column: ward, fewer_than: 3, into: rest}
    - pseudonymise: {columns: [note], secret: study}
    - tokenise: {column: remark, vault: remarks.vault, secret: study}
    - drop: {columns: [name, subject, seen, score]}
"""
FAULTY_STEPS = {
    "unlisted": "recode: {column: code, mapping: {%(code)s: one}}",
    "twice": "recode: {column: code, mapping: {%(code)s: one, %(code)s: two}}",
    "number": "recode: {column: age, mapping: {%(code)s: 3}}",
    "constant": "suppress_records: {where: {column: age, at_least: %(code)s}}",
    "matrix": "post_randomise: {column: code, matrix: {%(code)s: {%(code)s: 0.5}}}",
    "strange-row": "post_randomise: {column: code, matrix: {%(code)s: {%(other)s: 1}}}",
    "strange-category": "post_randomise: {column: code, matrix: {%(code)s: {%(code)s: 1}}}",
    "hierarchy": "generalise: {column: code, level: 1, hierarchy: ../lacking/code.csv}",
    "groups": "generalise: {column: code, level: 1, hierarchy: {kind: groups, groups: {one: [%(code)s]}}}",
    "dates": "truncate_dates: {columns: [code], to: year}",
    "shift": "shift_dates: {columns: [code], secret: study}",
    "noise": "add_noise: {column: code, range: [-3, 3]}",
    "zip": "zip3: {column: code}",
    "top": "top_code: {column: age, at: %(code)s}",
    "bound": "top_code: {column: age, at: %(age)s.5}",
    "secret": "pseudonymise: {columns: [name], secret: nowhere}",
    "collision": "pseudonymise: {columns: [name], secret: study, format: digits, length: 1}",
    "vault": "tokenise: {column: name, vault: not-a.vault, secret: study}",
    "tuples": "recode_tuples: {columns: [code, ward], mapping: [{from: [%(code)s], to: [x, y]}]}",
    "locally": "generalise_locally: {hierarchies: {code: ../levels/code.csv}, rules: [{code: %(code)s}]}",
    "year": "year_of: {column: code}",
    "age-of": "age: {column: code, at: %(born)s}",
}
FAULTY_PROJECTS = {
    "role": "columns: {age: {role: %(code)s}}",
    "key": "columns: {age: {roll: %(code)s}}",
    "bound": "measures: [{measure: k_anonymity, at_least: %(code)s}]",
    "order": "columns: {code: {role: sensitive, scale: ordinal, order: [%(code)s, %(code)s]}}",
    "bins": "columns: {age: {role: quasi, bins: [%(code)s, 3]}}",
    "edges": "columns: {age: {role: quasi, bins: [%(age)s, 3]}}",
    "yaml": "columns: {age: {role: quasi, [%(code)s",
    "tag": "columns: !%(code)s {}",
    "list": "columns: [%(code)s]",
    "subset": "subsets: [{name: some, columns: [age], where: {column: diagnosis, equals: [%(code)s]}}]",
    "subset-value": "subsets: [{name: some, columns: [age], where: {column: age, equals: %(code)s}}]",
    "scenario": "scenarios: [{name: some, columns: %(code)s}]",
    "plan": "plan: {steps: [{recode: {column: code, mapping: {%(code)s: one}}}]}",
    "plan-twice": "plan: {steps: [{recode: {column: code, mapping: {%(code)s: one, %(code)s: two}}}]}",
    "anonymise": "anonymise: {suppress: %(code)s}",
    "context": "context: {release: %(code)s}",
    "hierarchy": "columns: {code: {role: quasi, hierarchy: ../lacking/code.csv, level: 1}}",
}


def planted_folder(folder: Path) -> Planted:
    """Write all files; what was planted in them."""
    planted = Planted()
    rows = planted.rows
    words = {"code": rows[0]["code"], "other": rows[1]["code"], "third": rows[2]["code"], "age": rows[0]["age"],
             "born": rows[0]["born"]}  # fmt: skip
    texts = {**_tables(planted), **_plans(words), **_projects(words), **_hierarchies(planted)}
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    _secrets(folder, planted)
    _other_forms(folder, rows)
    _studies(folder, planted)
    _nodes(folder)
    _used(folder, planted)
    return planted


def _tables(planted: Planted) -> dict[str, str | bytes]:
    rows = planted.rows
    whole = as_csv(rows)
    word = planted.word("broken")
    one = dict(rows[0])
    line = ",".join(map(str, rows[1].values()))
    population = [{name: row[name] for name in ("age", "code", "born", "ward")} for row in rows * 2]
    return {
        "marked.csv": whole,
        "population.csv": as_csv(population),
        "strangers.csv": as_csv([{name: row[name] for name in ("code", "ward")} for row in rows]),
        "released.csv": as_csv([{**row, "age": "*", "born": str(row["born"])[:4]} for row in rows]),
        "further.csv": as_csv([{**row, "age": "*", "born": "*"} for row in rows]),
        "fewer.csv": as_csv(rows[:-1]),
        "ragged.csv": whole + f"{word},{word}\n",
        "longer.csv": whole + line + f",{word},{word}\n",
        "open.csv": whole + f'"{word},{line}\n',
        "bytes.csv": whole.encode() + f"{word}".encode() + b"\xff\xfe\x81" + b"," * 11 + b"\n",
        "zeros.csv": whole.encode() + word.encode() + b"\0" * 3 + b"," * 11 + b"\n",
        "words.csv": as_csv([*rows, {**one, "subject": word, "age": planted.text("broken", 1)}]),
        "dates.csv": as_csv([*rows, {**one, "subject": word, "born": planted.text("broken", 2)}]),
        "twice.csv": as_csv([*rows, *rows[:1]]),
        "headless.csv": ",".join(map(str, rows[1].values())) + "\n",
        "dictionary.csv": f"variable,form\n{word},{word}\n",
        "plain.txt": word,
    }


def _plans(words: Mapping[str, Any]) -> dict[str, str]:
    plans = {f"plans/{name}.yaml": f"steps:\n  - {step % words}\n" for name, step in FAULTY_STEPS.items()}
    return {"plan.yaml": (STEPS % words).replace("\n  ", "\n").removeprefix("  "), **plans}


def _projects(words: Mapping[str, Any]) -> dict[str, str]:
    source = "data: {source: marked.csv}\n"
    faulty = {f"{name}.yaml": f"{source}{_beside(text)}{text % words}\n" for name, text in FAULTY_PROJECTS.items()}
    subset = f"subsets: [{{name: known, columns: [age], where: {{column: code, equals: {words['code']}}}}}]\n"
    search = "anonymise: {suppress: 0.2}\n"
    return {
        "sfumato.yaml": source + ROLES + MEASURES + subset + search,
        "planned.yaml": source + ROLES + MEASURES.replace("3", "1") + subset + "plan:\n" + STEPS % words,
        "infeasible.yaml": source + ROLES + MEASURES.replace("3", "100"),
        "answers.yaml": "".join(f"{line}\n" for line in ("institution: hospital", f"shaming: {words['code']}")),
        **{f"projects/{name}": text.replace("marked.csv", "../marked.csv") for name, text in faulty.items()},
    }


def _beside(text: str) -> str:
    """The other keys that a project needs."""
    roles = "" if text.startswith("columns") else ROLES
    return roles + ("" if text.startswith("measures") else MEASURES)


def _hierarchies(planted: Planted) -> dict[str, str]:
    codes = [str(row["code"]) for row in planted.rows]
    lines = [f"{code};{planted.word('hierarchy') if i == 5 else f'group {i % 3}'};*" for i, code in enumerate(codes)]
    return {
        "levels/code.csv": "\n".join(lines) + "\n",
        "lacking/code.csv": "\n".join(lines[1:]) + "\n",
        "ragged/code.csv": "\n".join(lines) + f"\n{planted.word('hierarchy')}\n",
        "torn/code.csv": "\n".join([*lines, lines[0].replace("group", "other group")]) + "\n",
    }


def _secrets(folder: Path, planted: Planted) -> None:
    for name, text, mode in (
        ("key.txt", planted.secret("secret"), 0o600),
        ("open.txt", planted.secret("secret"), 0o644),
    ):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(mode)
    (folder / "short.txt").write_text(planted.word("secret")[:7], encoding="utf-8")
    (folder / "short.txt").chmod(0o600)
    (folder / "plans" / "not-a.vault").write_text(planted.word("vault"), encoding="utf-8")


def _other_forms(folder: Path, rows: list[dict[str, Any]]) -> None:
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq
    from openpyxl import Workbook

    pq.write_table(pa.Table.from_pylist(rows), folder / "marked.parquet")
    book = Workbook()
    for row in ([*rows[0]], *([str(value).replace("=1+", "") for value in row.values()] for row in rows)):
        book.active.append(row)
    book.save(folder / "marked.xlsx")
    with sqlite3.connect(folder / "marked.sqlite") as file:
        file.execute(f"CREATE TABLE marked ({', '.join(rows[0])})")
        holes = ", ".join("?" * len(rows[0]))
        file.executemany(f"INSERT INTO marked VALUES ({holes})", [tuple(row.values()) for row in rows])
    file.close()
    with duckdb.connect(str(folder / "marked.duckdb")) as store:
        store.execute(f"CREATE TABLE marked AS SELECT * FROM read_csv('{folder}/marked.csv', all_varchar = true)")


def _studies(folder: Path, planted: Planted) -> None:
    """A pilot with a mark in a cell of each sort; the same with a line cut off, and with a word for a number."""
    from sfumato.studies.bio_streams.pilot import write_pilot

    files = write_pilot(folder / "study", "SMALL", children=60)
    marks = {"BST-SMALL-0003": "subject", "Greece,Greece": "country", "Urban,Urban": "district", "94,mg/dL": "result"}
    for old, where in marks.items():
        word = planted.word(where)
        new = {"country": f"{word},{word}", "district": f"{word},{word}", "result": f"{word},mg/dL"}.get(where, word)
        for file in files.glob("*.csv"):
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace(old, new, -1 if where == "subject" else 1), encoding="utf-8")
    for name, line in (("broken-study", "{0},{0}"), ("worded-study", "BIO-STREAMS,DM,{0},{0},01,{0},YEARS,F")):
        shutil.copytree(folder / "study", folder / name)
        with (folder / name / "pilot_report" / "SMALL" / "DM.csv").open("a", encoding="utf-8") as file:
            file.write(line.format(planted.word("broken")) + "\n")


def _nodes(folder: Path) -> None:
    """A node with an extract that can be released, and one with extracts that cannot."""
    for node, project, extracts in (
        ("node", "sfumato.yaml", ("marked.csv",)),
        ("broken-node", "sfumato.yaml", ("ragged.csv", "words.csv", "headless.csv", "plain.txt")),
        ("worded-node", "projects/role.yaml", ("marked.csv",)),
        ("refused-node", "infeasible.yaml", ("marked.csv",)),
    ):
        for part in ("inbox", "projects"):
            (folder / node / part / "marked").mkdir(parents=True)
        shutil.copy(folder / project, folder / node / "projects" / "marked" / "sfumato.yaml")
        for extract in extracts:
            shutil.copy(folder / extract, folder / node / "inbox" / "marked" / extract)


def _used(folder: Path, planted: Planted) -> None:
    """A package that was released, and the log of a project of which one use failed."""
    from sfumato.proof.deliver import deliver
    from sfumato.proof.release import release
    from sfumato.proof.use_log.entry import logged

    release(folder / "planned.yaml", folder / "whole", report=False, secrets={"study": folder / "key.txt"})
    (folder / "used").mkdir()
    (folder / "used" / "sfumato.yaml").write_text("data: {source: marked.csv}\n", encoding="utf-8")
    deliver(folder / "whole", to="them", purpose="study", project=folder / "used" / "sfumato.yaml", anyway="tried")
    with suppress(RuntimeError), logged("assess", folder / "used" / "sfumato.yaml"):
        raise RuntimeError(planted.word("unforeseen"))

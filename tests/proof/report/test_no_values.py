"""No cell of the original is in a report: marked values are planted in every column and looked for in every output."""

from __future__ import annotations

import random

import pytest

SEARCHED = """\
data: {source: marked.csv}
subject: subject
columns:
  name: {role: direct}
  age: {role: quasi}
  code: {role: quasi}
  born: {role: quasi}
  ward: {role: quasi}
  diagnosis: {role: sensitive}
  amount: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
  - {measure: distinct_l_diversity, sensitive: diagnosis, at_least: 2}
anonymise: {suppress: 0.2}
"""

PLANNED = """\
data: {source: marked.csv}
subject: subject
columns:
  name: {role: direct}
  age: {role: quasi}
  code: {role: quasi}
  born: {role: quasi}
  ward: {role: quasi}
  region: {role: quasi}
  diagnosis: {role: sensitive}
  amount: {role: sensitive}
measures: [{measure: k_anonymity, at_least: 2}]
scenarios: [{name: clerk, columns: [age, ward]}]
subsets:
  - {name: known illness, columns: [age], where: {column: diagnosis, equals: MARKdiagnosis004x}}
plan:
  steps:
    - drop: {columns: [name, subject]}
    - suppress_records: {where: {column: code, equals: MARKcode003x}}
    - recode: {column: code, mapping: {MARKcode007x: other}, otherwise: other}
    - recode: {column: region, mapping: {MARKregion0x: other}, otherwise: other}
    - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 100000}}
    - truncate_dates: {columns: [born], to: year}
    - add_noise: {column: amount, range: [-3, 3]}
"""

METHODS = [SEARCHED.replace("suppress: 0.2", f"suppress: 0.2, method: {method}") for method in ("local", "mondrian")]
ROWS = 90


def marked() -> tuple[list[str], str]:
    """Values that nothing else could be, and a table of them; `ward` alone is shared by many records."""
    draw = random.Random(3)
    rows = [
        {
            "subject": f"MARKsubject{i:03}x",
            "name": f"MARKname{i:03}x",
            "age": 7_310_013 + 7_919 * i,
            "code": f"MARKcode{i:03}x",
            "born": f"19{31 + i % 60}-0{1 + i % 9}-{11 + i % 17}",
            "ward": draw.choice(["north", "south"]),
            "region": f"MARKregion{i % 2}x",  # shared by many in the original, and by nobody in the release of the plan
            "diagnosis": f"MARKdiagnosis{i:03}x",
            "amount": f"{8_230_011 + 6_361 * i}.37",
            "note": f"MARKnote{i:03}x",
        }
        for i in range(ROWS)
    ]
    text = "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n"
    planted = [str(row[name]) for row in rows for name in row if name != "ward"]
    return planted, text


CASES = [(SEARCHED, "11"), (SEARCHED, "3"), (PLANNED, "11"), (PLANNED, "3"), (METHODS[0], "11"), (METHODS[1], "3")]


@pytest.mark.parametrize(("project", "mask"), CASES, ids=["searched", "few", "planned", "few-p", "local", "mondrian"])
def test_no_planted_value_is_in_any_form_of_a_report(tmp_path, monkeypatch, run, project, mask):
    monkeypatch.chdir(tmp_path)
    planted, text = marked()
    (tmp_path / "marked.csv").write_text(text, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(project, encoding="utf-8")
    files = ("--html", "r.html", "--markdown", "r.md", "--json", "r.json")
    code, out, err = run("report", *files, "--mask", mask)
    assert code < 2, err  # 1: a requirement is not met
    texts = {name: (tmp_path / name).read_text(encoding="utf-8") for name in ("r.html", "r.md", "r.json")}
    assert all(len(text) > 20_000 for text in texts.values())
    for name, found in (texts | {"out": out, "err": err}).items():
        plain = found.replace("\u00a0", "").replace(" ", "").replace("\\", "")
        assert "MARK" not in plain, name
        assert [value for value in planted if value.replace(" ", "") in plain] == [], name


def test_the_release_of_such_a_table_is_not_shown_either_when_it_is_the_table_itself(tmp_path, monkeypatch, run):
    """A release that changes nothing has labels that one record each holds: none of them is named."""
    monkeypatch.chdir(tmp_path)
    planted, text = marked()
    (tmp_path / "marked.csv").write_text(text, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(SEARCHED, encoding="utf-8")
    files = ("--html", "r.html", "--markdown", "r.md", "--json", "r.json")
    code, _, err = run("report", "--released", "marked.csv", "--key", "subject", *files)
    assert code < 2, err  # 1: a requirement is not met
    for name in ("r.html", "r.md", "r.json"):
        plain = (tmp_path / name).read_text(encoding="utf-8").replace("\u00a0", "").replace(" ", "").replace("\\", "")
        assert "MARK" not in plain
        assert [value for value in planted if value in plain] == []

"""`sfumato identify --triage` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path


def test_the_command_shows_tables_costs_and_no_cell(sfumato, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    lines = {
        "patients.csv": "patient_id,age\n1,40\n",
        "x1.csv": "c1,c2\n" + "".join(f"a{i}@example.org,{i % 3}\n" for i in range(30)),
        "machine_log.csv": "line_number,unit\n1,mg\n2,mg\n",
        "coded.csv": "zqv,qqx\nz1,1\nz2,2\n",
    }
    for name, text in lines.items():
        (folder / name).write_text(text, encoding="utf-8")
    shown = sfumato("identify", folder, "--triage", "--json", "triage.json")
    assert shown.code == 0
    assert "4 tables: 2 hold personal data, 1 are free of it, 1 are open." in shown.said
    assert "What it cost" in shown.out
    document = json.loads(Path("triage.json").read_text(encoding="utf-8"))
    assert document["counts"] == {"personal": 2, "free": 1, "open": 1}
    assert "@example.org" not in shown.said + json.dumps(document)
    refused = sfumato("identify", folder, "--triage", "--write")
    assert (refused.code, "writes no roles" in refused.said) == (2, True)
    assert sfumato("identify", "--triage").code == 2

"""What is asked at a terminal where a command says nothing of the data, and that nothing is asked anywhere else."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

PATIENTS = "name,age,sex\n" + "".join(f"P{i},{30 + i % 7},{'FM'[i % 2]}\n" for i in range(20))


@pytest.fixture
def answers(monkeypatch, tmp_path: Path):
    """Somebody at a terminal who answers these."""
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")

    def give(*lines: str, watched: bool = True) -> None:
        stream = io.StringIO("".join(f"{line}\n" for line in lines))
        stream.isatty = lambda: watched
        monkeypatch.setattr(sys, "stdin", stream)

    return give


def test_identify_asks_for_the_table_and_the_direct_identifiers(sfumato, answers):
    answers("patients.csv", "name")
    asked = sfumato("identify", "--json", "-")
    assert asked.code == 0, asked.err
    roles = {column["name"]: (column["role"], column["decided"]) for column in asked.document["columns"]}
    assert roles["name"] == ("direct", True)
    assert "Which table?" in asked.err


def test_identify_by_the_risk_rate_asks_for_alpha_and_beta_until_they_are_numbers(sfumato, answers):
    answers("patients.csv", "name", "ten", "40", "5")
    asked = sfumato("identify", "--method", "risk-rate", "--json", "-")
    assert asked.code == 0, asked.err
    assert (asked.document["alpha"], asked.document["beta"]) == (0.4, 0.05)
    assert "This is no number." in asked.err


def test_dimension_asks_for_tables_and_columns(sfumato, answers, tmp_path):
    (tmp_path / "age.csv").write_text(PATIENTS.replace("30", "3*").replace("31", "3*"), encoding="utf-8")
    answers("patients.csv", "age", "sex", "age.csv", "")
    asked = sfumato("dimension", "--by-position", "--json", "-")
    assert asked.code in (0, 1), asked.err
    assert asked.document["quasi_identifiers"] == ["age"]
    assert asked.document["sensitive"] == ["sex"]


@pytest.mark.parametrize(
    ("command", "words"), [("identify", "There is nothing to identify"), ("dimension", "name it with --original")]
)
def test_nothing_is_asked_where_nobody_is_watching(sfumato, answers, command, words):
    answers("patients.csv", "name", watched=False)
    refused = sfumato(command)
    assert refused.code == 2
    assert words in refused.said
    assert "Which table" not in refused.said


def test_input_that_ends_before_the_last_answer_is_an_error(sfumato, answers):
    answers()
    refused = sfumato("identify")
    assert refused.code == 2
    assert "the input ended before the last question was answered" in refused.said


def test_a_project_file_in_the_folder_is_taken_and_nothing_is_asked(sfumato, answers):
    sfumato("identify", "patients.csv", "--write")
    answers()
    assert sfumato("identify").code == 0

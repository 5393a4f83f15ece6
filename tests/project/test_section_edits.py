"""Sections written anew in the text of a project file: all else stays, to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ProjectError
from sfumato.project.file.section_edits import section_lines, with_section
from sfumato.project.file.yaml_file import read_yaml

FILE = """\
# at the top
data:
  source: visits.csv
measures:
  # why five
  - {measure: k_anonymity, at_least: 5}  # five
  - measure: t_closeness
    sensitive: diagnosis
    at_most: 0.5
# between
columns:
  diagnosis: {role: sensitive}  # at the end
"""
FIVE = {"measure": "k_anonymity", "at_least": 5}
CLOSE = {"measure": "t_closeness", "sensitive": "diagnosis", "at_most": 0.5}


def changed(section, value, text=FILE):
    return with_section(text, section, value, "sfumato.yaml")


def test_what_does_not_change_keeps_its_text():
    assert changed("measures", [FIVE, CLOSE]) == FILE


def test_a_bound_changes_on_its_line_and_the_comments_beside_it_stay():
    assert changed("measures", [{**FIVE, "at_least": 7}, CLOSE]) == FILE.replace("at_least: 5", "at_least: 7")


def test_an_entry_is_added_after_the_last_and_taken_out_with_its_lines():
    more = changed("measures", [FIVE, CLOSE, {"measure": "average_risk", "at_most": 0.1}])
    assert more == FILE.replace("at_most: 0.5\n", "at_most: 0.5\n  - {measure: average_risk, at_most: 0.1}\n")
    assert changed("measures", [FIVE, CLOSE], more) == FILE
    alone = changed("measures", [FIVE])
    assert "t_closeness" not in alone
    assert "# five\n# between\n" in alone


def test_a_section_that_lacks_is_added_and_taken_out_again():
    more = changed("population", {"fraction": 0.05})
    assert more == FILE + "population: {fraction: 0.05}\n"
    assert changed("population", None, more) == FILE


def test_a_file_of_json_stays_one():
    text = '{"data": {"source": "a.csv"}, "measures": [{"measure": "k_anonymity", "at_least": 2}]}'
    assert changed("measures", [{**FIVE, "at_least": 3}], text) == text.replace("2}", "3}")
    assert changed("preset", "thesis", text).startswith('{"preset": "thesis", "data"')


def test_a_list_on_one_line_stays_on_it():
    text = "data: {source: a.csv}\nmeasures: [{measure: k_anonymity, at_least: 2}]  # two\n"
    assert changed("measures", [{**FIVE, "at_least": 3}], text) == text.replace("2}", "3}")


def test_what_no_project_file_may_say_is_not_written():
    with pytest.raises(ProjectError):
        changed("measures", [{"measure": "k_anonymity"}])


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Co", "Cn")), min_size=1, max_size=8)


@given(
    st.lists(
        st.tuples(NAMES, st.lists(NAMES, min_size=1, max_size=3, unique=True)), max_size=4, unique_by=lambda s: s[0]
    )
)
def test_scenarios_of_any_name_are_read_back_as_they_were_said(several):
    said = [{"name": name, "columns": columns} for name, columns in several]
    text = changed("scenarios", said or None)
    assert (read_yaml(text, "sfumato.yaml").value.get("scenarios") or []) == said
    assert text.startswith(FILE)
    assert section_lines("scenarios", said) in text or not said

"""The answers: what is said about those that cannot be, and the file that they are kept in."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import OutputError, ProjectError
from sfumato.project.recipient.answers import read_answers, save, template
from sfumato.project.recipient.questions import QUESTIONS
from sfumato.project.recipient.recipient import recipient


def test_a_missing_an_unknown_and_an_impossible_answer_are_reported_together(safe):
    del safe["resources"]
    with pytest.raises(ProjectError) as error:
        recipient({**safe, "institution": "hospitel", "training": "perhaps", "colour": "blue", "working_years": -1})
    lines = str(error.value).split("\n")
    assert len(lines) == 5
    assert lines[0].startswith("answers: there is no question 'colour'. Choose from 'access_records'")
    assert lines[1].startswith("answers: institution: this is not one of the answers. Expected insurer, ")
    assert lines[1].endswith("other, high, middle or low. Did you mean 'hospital'?")
    assert lines[2:] == [
        "answers: training: this is not one of the answers. Expected yes or no.",
        "answers: resources: this question is not answered. Expected yes or no.",
        "answers: working_years: this is not one of the answers. Expected a number of years from 0 to 80.",
    ]


def test_a_misspelt_key_is_one_fault_and_not_two(safe):
    safe["trainning"] = safe.pop("training")
    with pytest.raises(ProjectError, match=r"no question 'trainning'\. Did you mean 'training'\?$"):
        recipient(safe)


@pytest.mark.parametrize(
    "years", [True, "ten", "2015", 2015, -0.1, float("nan"), float("inf"), 10**400, [3], "", None, "1 2"]
)
def test_an_impossible_working_period_is_refused(safe, years):
    with pytest.raises(ProjectError, match=r"^answers: working_years: .* Expected a number of years from 0 to 80"):
        recipient({**safe, "working_years": years})


@pytest.mark.parametrize(
    "answer", [1, 0, "maybe", ["yes"], {"yes": 1}, 1.5, pytest.param(10**5000, id="huge"), None, " "]
)
def test_what_is_neither_yes_nor_no_is_refused(safe, answer):
    with pytest.raises(ProjectError, match=r"^answers: profit: .* Expected yes or no"):
        recipient({**safe, "profit": answer})


def test_a_yes_is_no_institution(safe):
    with pytest.raises(ProjectError, match="institution"):
        recipient({**safe, "institution": True})


def test_a_file_names_the_line_of_every_fault(tmp_path, safe):
    lines = [f"{key}: {value}" for key, value in safe.items() if key != "profit"]
    lines[3] = "open_data: sometimes"
    path = tmp_path / "answers.yaml"
    path.write_text("# comment\n" + "\n".join([*lines, "resources: yes", "colours: red"]), encoding="utf-8")
    with pytest.raises(ProjectError) as error:
        recipient(path)
    assert (error.value.path, error.value.line) == (str(path), 5)
    faults = str(error.value).split("\n")
    assert [fault.split(": ")[0].removeprefix(f"{path}") for fault in faults] == [
        ", line 5", ", line 16", ", line 17", "",
    ]  # fmt: skip
    assert "open_data" in faults[0]
    assert "resources is written twice, first on line 13" in faults[1]
    assert "there is no question 'colours'" in faults[2]
    assert "profit: this question is not answered" in faults[3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "--template FILE"),
        ("- hospital\n", "expected an answer on each line"),
        ("hospital", "institution: hospital"),
        ("institution: [a\nshaming: x: y\n", "line 2: this is not valid YAML"),
    ],
)
def test_a_file_without_answers_says_what_to_write(tmp_path, text, words):
    path = tmp_path / "answers.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProjectError, match=re.escape(words)):
        recipient(str(path))


def test_a_file_that_is_not_there_is_not_text_or_is_a_folder_is_an_error_of_ours(tmp_path):
    (tmp_path / "latin.yaml").write_bytes(b"a: b\ninstitution: h\xf4pital\n")
    with pytest.raises(ProjectError, match=r"no such file.*--template"):
        recipient(tmp_path / "nowhere.yaml")
    with pytest.raises(ProjectError, match=r"latin\.yaml, line 2: this is not UTF-8"):
        recipient(tmp_path / "latin.yaml")
    with pytest.raises(ProjectError, match="cannot be read"):
        recipient(tmp_path)


def test_json_is_an_answers_file_too(tmp_path, safe):
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({**safe, "shaming": True}, indent="\t"), encoding="utf-8")
    assert recipient(path).reidentifiability == 1


def test_the_template_asks_every_question_and_answers_none(tmp_path):
    path = tmp_path / "answers.yaml"
    save({}, path)
    text = path.read_text(encoding="utf-8")
    assert text == template()
    for question in QUESTIONS:
        assert f"# {question.asks}\n" in text
        assert all(word in text for word in question.words)
    with pytest.raises(ProjectError) as error:
        read_answers(path)
    faults = str(error.value).split("\n")
    assert [re.search(r": (\w+): this question is not answered", fault)[1] for fault in faults] == [
        question.key for question in QUESTIONS
    ]
    assert all(re.search(r", line \d+: ", fault) for fault in faults)


@given(st.lists(st.booleans(), min_size=13, max_size=13), st.sampled_from(QUESTIONS[0].words), st.floats(0, 80))
def test_saved_answers_are_read_back_as_they_were(tmp_path_factory, decided, institution, years):
    answers = dict(zip((question.key for question in QUESTIONS[1:-1]), decided, strict=True))
    found = recipient({**answers, "institution": institution, "working_years": years})
    path = tmp_path_factory.mktemp("answers") / "answers.yaml"
    save(found.answers, path)
    assert recipient(path) == found


def test_a_file_that_exists_is_not_written_over_unless_one_insists(tmp_path, safe):
    path = tmp_path / "answers.yaml"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match=r"exists already.*--force"):
        save(safe, path)
    assert path.read_text(encoding="utf-8") == "mine"
    save(safe, path, overwrite=True)
    assert recipient(path).linkage == 1

"""REDCap data dictionaries."""

import os

import pytest

from sfumato.columns.redcap_dictionary import read_dictionary
from sfumato.errors import UnreadableFile

WEB = '''"Variable / Field Name","Form Name","Field Type","Field Label","Identifier?"
record_id,demo,text,Study ID,
dob,demo,text,"Date of birth,
of the patient",y
"sex",demo,radio,"Sex ""at birth""",
'''
PROGRAM = "field_name,form_name,field_label,identifier\nmrn,demo,Hospital number,y\nage,demo,Age,\n"


@pytest.fixture
def dictionary(tmp_path):
    def write(content, encoding="utf-8"):
        path = tmp_path / "dictionary.csv"
        path.write_bytes(content.encode(encoding))
        return path

    return write


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_export_of_the_web_page_is_read_with_its_quotes_and_line_breaks(dictionary, encoding):
    assert read_dictionary(dictionary(WEB, encoding)) == {
        "record_id": ("Study ID", False),
        "dob": ("Date of birth, of the patient", True),
        "sex": ('Sex "at birth"', False),
    }


def test_the_export_for_programs_is_read(dictionary):
    assert read_dictionary(dictionary(PROGRAM)) == {"mrn": ("Hospital number", True), "age": ("Age", False)}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "Variable / Field Name"),
        ("a,b\n1,2\n", "Variable / Field Name"),
        ("field_name,field_label\nmrn,x\n", "Identifier?"),
        ("field_name,field_label,identifier\n", "no fields"),
        ("field_name,field_label,identifier\nsecret\n", "row 2 has 1 cells"),
        ("field_name,field_label,identifier\n,secret,y\n", "nothing in the column 'field_name'"),
    ],
)
def test_an_error_names_the_file_and_the_column_and_no_cell(dictionary, content, words):
    path = dictionary(content)
    with pytest.raises(UnreadableFile) as raised:
        read_dictionary(path)
    assert str(path) in str(raised.value)
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_file_that_is_not_there_or_not_text_is_said_so(tmp_path, dictionary):
    with pytest.raises(UnreadableFile, match="no such file"):
        read_dictionary(tmp_path / "none.csv")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        read_dictionary(dictionary("field_name,é\n", "utf-16"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(UnreadableFile, match="it is no file"):
        read_dictionary(tmp_path / "pipe.csv")

"""The end of a command: what was registered for it is done, what was said is written, and nothing is taken apart."""

import subprocess
import sys

import pytest

PROGRAM = """
import atexit, runpy, sys, threading

class Freed:
    def __del__(self):
        print("freed")

kept = sys.modules["kept"] = Freed()
atexit.register(print, "at the end")
sys.argv = ["sfumato", *sys.argv[1:]]
{before}
runpy.run_module("sfumato", run_name="__main__", alter_sys={alone})
"""


def said(*arguments, alone=True, before=""):
    words = PROGRAM.format(alone=alone, before=before)
    done = subprocess.run([sys.executable, "-c", words, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()[-2:], done.stderr


@pytest.mark.parametrize(("arguments", "code"), [(["measures"], 0), (["assess", "none.csv", "--quasi", "a"], 2)])
def test_the_program_does_what_was_to_be_done_at_the_end_and_frees_nothing(arguments, code):
    ended, lines, wrong = said(*arguments)
    assert (ended, lines[-1]) == (code, "at the end")
    assert ("none.csv" in wrong) is (code == 2)


@pytest.mark.parametrize(
    ("alone", "before"),
    [
        (False, ""),
        (True, "threading.Thread(target=threading.Event().wait, args=(1,)).start()"),
        (True, "sys.modules['pyspark'] = sys"),
    ],
    ids=["called by another program", "a thread still works", "a cluster"],
)
def test_otherwise_python_ends_as_it_always_does(alone, before):
    ended, lines, _ = said("--version", alone=alone, before=before)
    assert (ended, lines) == (0, ["at the end", "freed"])

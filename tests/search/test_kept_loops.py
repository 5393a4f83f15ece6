"""Loops that numba keeps on disk: what was kept of them is not run once anything that they are made of was changed."""

from __future__ import annotations

import importlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sfumato.privacy.coded import kernels

LOOP = """\
from constants_of_loops import ADDED

def added_up(number):
    return number + ADDED
"""


def loop_of(folder: Path, added: int, changed: float) -> Any:
    """The loop of a module that takes a constant from the module beside it, which was changed at a time."""
    for name, text in (("loops_of_a_test.py", LOOP), ("constants_of_loops.py", f"ADDED = {added}\n")):
        (folder / name).write_text(text)
        os.utime(folder / name, (changed if "constants" in name else 1e9,) * 2)
        sys.modules.pop(name.removesuffix(".py"), None)
    importlib.invalidate_caches()
    kernels._last_change.cache_clear()
    return importlib.import_module("loops_of_a_test").added_up


def test_a_kept_loop_is_compiled_anew_when_a_module_beside_it_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numba = pytest.importorskip("numba", reason="numba is not installed: pip install 'sfumato[fast]'")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(kernels, "__file__", str(tmp_path / "kernels.py"))
    first = kernels.compiled(numba, loop_of(tmp_path, 1, time.time() - 60))
    assert not kernels.kept_on_disk(first)
    assert first(1) == 2
    assert kernels.kept_on_disk(first)
    again = kernels.compiled(numba, loop_of(tmp_path, 1, time.time() - 60))
    assert kernels.kept_on_disk(again)
    changed = kernels.compiled(numba, loop_of(tmp_path, 2, time.time() + 60))
    assert not kernels.kept_on_disk(changed)
    assert changed(1) == 3

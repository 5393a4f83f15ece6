"""The notebook in docs/notebooks runs from top to bottom in a kernel of its own, and shows pages and pictures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from sfumato.show.charts.chart import can_draw

nbformat = pytest.importorskip("nbformat", reason="notebooks are run with nbclient, a part of the extra `dev`")
nbclient = pytest.importorskip("nbclient", reason="notebooks are run with nbclient, a part of the extra `dev`")
pytest.importorskip("ipykernel", reason="a kernel is needed to run a notebook")

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "notebooks" / "first-release.ipynb"
FETCHES = ("cdn.", "<script", "http-equiv", "unpkg", "@import", "url(http")


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The cells with what they showed; the kernel sees the source of this checkout."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    folder = tmp_path_factory.mktemp("notebook")
    environment = {**os.environ, "PYTHONPATH": path, "IPYTHONDIR": str(folder / "ipython")}
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}})
    client.execute(env=environment)
    written = [file.name for file in folder.iterdir() if file.name != "ipython"]
    assert written == []
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: Any) -> dict[str, str]:
    return {kind: "".join(text) for output in cell.outputs for kind, text in output.get("data", {}).items()}


def test_the_notebook_is_kept_without_what_it_showed() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert [cell for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")] == []


def test_no_cell_fails_or_warns(cells: list[Any]) -> None:
    kinds = {output.output_type for cell in cells for output in cell.outputs}
    assert kinds <= {"execute_result", "display_data"}


@pytest.mark.skipif(not can_draw(), reason="charts need the extra `plots`")
def test_results_are_pages_with_pictures_and_charts_are_pictures(cells: list[Any]) -> None:
    looks = {cell.source.splitlines()[-1]: shown(cell) for cell in cells}
    pages = [text["text/html"] for text in looks.values() if 'class="sfumato"' in text.get("text/html", "")]
    assert len(pages) == 4  # identify, assess, anonymise, explore
    assert all("<svg" in page and "<table" in page and "<style>" in page for page in pages)
    pictures = {line: text for line, text in looks.items() if line.endswith((".plot()", ".plot(2)"))}
    assert len(pictures) == 3
    assert all(text["image/svg+xml"].startswith("<svg") for text in pictures.values())


def test_nothing_that_is_shown_fetches_anything(cells: list[Any]) -> None:
    everything = [text for cell in cells for text in shown(cell).values()]
    assert [word for word in FETCHES if any(word in text for text in everything)] == []

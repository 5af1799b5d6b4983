"""The notebooks run, and show what is stored in them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"


def runner():
    """The script that runs notebooks, as a module."""
    spec = importlib.util.spec_from_file_location("docs_notebooks_run", FOLDER / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS == runner().notebooks() != []


@pytest.mark.full
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_shows_what_is_stored(file):
    run = runner()
    notebook = run.read(file)
    assert run.outputs_of(run.run(notebook)) == run.outputs_of(notebook), (
        "run `python docs/notebooks/run.py`"
    )


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_whole(file):
    notebook = json.loads(file.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    kinds = {kind for cell in notebook["cells"] for output in cell.get("outputs", [])
             for kind in output.get("data", {})}  # fmt: skip
    assert kinds & {"image/svg+xml", "image/png"}, "a picture inline"
    assert "text/html" in kinds, "a table inline"


def cells(*sources):
    code = [{"cell_type": "code", "source": [source]} for source in sources]
    return {"cells": [{"cell_type": "markdown", "source": ["text"]}, *code]}


def test_cells_share_their_names_and_show_their_last_value():
    ran = runner().run(cells("x = 2\nprint('two')", "x + 1", "None", "x;"))
    assert runner().outputs_of(ran) == [[["two\n"], {}], [None, {"text/plain": ["3"]}]]


def test_a_cell_that_fails_is_named():
    with pytest.raises(ZeroDivisionError) as raised:
        runner().run(cells("1", "1 / 0"))
    assert raised.value.__notes__ == ["in code cell 2"]

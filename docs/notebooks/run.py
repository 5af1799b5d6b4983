"""Runs the notebooks of this folder with plain Python, and keeps what their cells show.

`python docs/notebooks/run.py [NAME...]` runs all of them, or those named, and writes their
outputs again; the tests run them too and fail where a text is not as it is stored. A cell shows
what it prints, and its last expression as Jupyter would: by `_repr_svg_` or `_repr_html_`
where the value has it, a matplotlib figure as PNG, anything else by `repr`.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
KINDS = {
    "_repr_svg_": "image/svg+xml",
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
}


def notebooks() -> list[Path]:
    """The notebooks of this folder."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(file: Path) -> dict[str, Any]:
    """A notebook as JSON has it."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def run(notebook: dict[str, Any], folder: Path = FOLDER) -> dict[str, Any]:
    """Return a notebook with the outputs of its code cells, run in order in one namespace.

    What a cell raises is raised, with a note that says which cell it was.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    with inside(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                cells.append(cell)
                continue
            count += 1
            try:
                outputs = shown("".join(cell["source"]), names, count)
            except Exception as raised:
                raised.add_note(f"in code cell {count}")
                raise
            cells.append({**cell, "execution_count": count, "outputs": outputs})
    return {**notebook, "cells": cells}


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Runs what is within in a folder, as Jupyter does."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def shown(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return the output of a cell, and then its last expression."""
    body = ast.parse(source, f"cell {count}").body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {count}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())}
        )
    if value is not None and not source.rstrip().endswith(";"):
        outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": count,
                "metadata": {},
                "data": {kind: lines(text) for kind, text in faces(value)},
            }
        )
    return outputs


def faces(value: Any) -> Iterator[tuple[str, str]]:
    """A value in the forms that it has, the text last."""
    for name, kind in KINDS.items():
        if hasattr(value, name):
            yield kind, getattr(value, name)()
    if hasattr(value, "savefig"):
        picture = io.BytesIO()
        value.savefig(picture, format="png", bbox_inches="tight")
        yield "image/png", base64.b64encode(picture.getvalue()).decode()
    yield "text/plain", type(value).__name__ if drawn(value) else repr(value)


def drawn(value: Any) -> bool:
    """Return True if a value has a form beside its text."""
    return hasattr(value, "savefig") or any(hasattr(value, name) for name in KINDS)


def lines(text: str) -> list[str]:
    """A text as notebooks keep it."""
    return text.splitlines(keepends=True)


def outputs_of(notebook: dict[str, Any]) -> list[Any]:
    """All that the cells show but pictures of matplotlib, whose bytes differ by version."""
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = {k: v for k, v in output.get("data", {}).items() if k != "image/png"}
            found.append([output.get("text"), data])
    return found


def write(file: Path, notebook: dict[str, Any]) -> None:
    """Keep a notebook."""
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    file.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for path in notebooks():
        if not wanted or path.stem in wanted:
            write(path, run(read(path)))
